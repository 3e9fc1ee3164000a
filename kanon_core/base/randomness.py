"""The source of randomness: a seed, given or drawn in secret, and the generators that are made from it."""

from __future__ import annotations

import hashlib
import secrets

import numpy as np

SEED_BITS = 128
"""Seeds are whole numbers of at most this many bits."""

_system = secrets.SystemRandom()


def secret_seed() -> int:
    """Return a seed of 128 bits from the operating system's entropy, which no attacker can guess."""
    return _system.getrandbits(SEED_BITS)


def generator(seed: int, *stream: int) -> np.random.Generator:
    """Return a PCG64 generator for ``seed``; each further integer names an independent stream of the same
    seed.

    >>> generator(7).integers(100, size=3).tolist() == generator(7).integers(100, size=3).tolist()
    True
    >>> generator(7, 1).random() == generator(7, 2).random()
    False
    """
    return np.random.Generator(np.random.PCG64([seed, *stream]))


def subkey(seed: int, purpose: str) -> int:
    """128 bits for one purpose (BLAKE2b of its name, keyed by the seed): they reveal nothing about the bits
    for another purpose, or about the seed.

    >>> subkey(7, "draw") == subkey(7, "draw") != subkey(7, "order")
    True
    """
    key = seed.to_bytes(SEED_BITS // 8, "little")
    return int.from_bytes(hashlib.blake2b(purpose.encode(), key=key, digest_size=16).digest(), "little")


def seed_of(seed: int, path: str) -> int:
    """Return the seed of the fragment of a table with this path (the sides of the cuts that lead to it); for
    the whole table, whose path is "", the seed itself.

    >>> seed_of(7, "") == 7, seed_of(7, "LR") != seed_of(7, "RL")
    (True, True)
    """
    return subkey(seed, f"fragment:{path}") if path else seed


def folded(seed: int, bits: int) -> int:
    """Return the seed if it has at most so many bits (64 at most), else that many bits of its BLAKE2b digest.

    >>> folded(7, 63), folded(2**100, 53) < 2**53
    (7, True)
    """
    if seed < 2**bits:
        return seed
    digest = hashlib.blake2b(seed.to_bytes(SEED_BITS // 8, "little"), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> (64 - bits)
