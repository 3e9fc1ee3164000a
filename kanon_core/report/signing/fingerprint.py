"""Digests that may be printed: of what is released plainly, of the input only under a key."""

from __future__ import annotations

import hashlib

from kanon_core.base.randomness import SEED_BITS, subkey
from kanon_core.findings.seed import KnownSeed
from kanon_core.release.recipe import Recipe


def sha256(content: bytes) -> str:
    """SHA-256 of released bytes, 64 hex digits: whoever has the file compares it."""
    return hashlib.sha256(content).hexdigest()


def keyed_digest(recipe: Recipe) -> str:
    """BLAKE2b (64 hex digits) of the input's digest, keyed by a subkey of the recipe's seed; "" where the
    seed is so short that it can be guessed.

    Whoever has recipe and data computes it again. To anybody else it confirms no guess about a cell, which a
    plain digest of a small table would. With a short seed both could be guessed at once.

    >>> import kanon_core as kc
    >>> table = kc.read_table("sample:people-100")
    >>> len(keyed_digest(kc.anonymize(table, kc.Sorting(), k=5, seed=2**127 + 1).recipe))
    64
    >>> keyed_digest(kc.anonymize(table, kc.Sorting(), k=5, seed=7).recipe)
    ''
    """
    if recipe.seed.bit_length() <= KnownSeed().bits:
        return ""
    key = subkey(recipe.seed, "report").to_bytes(SEED_BITS // 8, "little")
    return hashlib.blake2b(recipe.data_digest.encode(), key=key, digest_size=32).hexdigest()
