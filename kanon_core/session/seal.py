"""Seal of a passphrase: scrypt makes a key of the passphrase; AES-GCM encrypts the content and detects
changes."""

from __future__ import annotations

import json
import secrets
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from kanon_core.base.words import tr
from kanon_core.session.json_parts import BYTES, SessionError, record

_SHORTEST = 8
"""The least number of characters of a passphrase."""
_COST, _BLOCK, _LANES = 2**17, 8, 1
"""The parameters of scrypt, as OWASP advises: 128 MB and up to a second for each guess. They belong to the
version of the format: a file cannot ask for more."""
_SALT, _NONCE, _KEY = 16, 12, 32


@dataclass(frozen=True)
class Sealed:
    """Salt and nonce, both drawn anew for each file, the encrypted content, and the text ``beside`` it, which
    must not change either."""

    salt: bytes
    nonce: bytes
    box: bytes
    beside: bytes

    def __post_init__(self) -> None:
        if (len(self.salt), len(self.nonce)) != (_SALT, _NONCE):
            raise SessionError(tr("The encrypted part of the session file is damaged."))


def passphrase_problem(passphrase: str) -> str:
    """Return a sentence on why this passphrase cannot be used, and the remedy; "" if it can."""
    if len(passphrase) < _SHORTEST:
        return tr("The passphrase must have at least {least} characters; several words are best.").format(
            least=_SHORTEST
        )
    return _missing_library()


def seal(content: bytes, passphrase: str, data: Mapping[str, Any]) -> dict[str, str]:
    """Return as JSON the content encrypted, and bound to the rest of the file, ``data``. Raises SessionError
    with the `passphrase_problem`. Cost: up to a second, 128 MB."""
    if problem := passphrase_problem(passphrase):
        raise SessionError(problem)
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    salt, nonce = secrets.token_bytes(_SALT), secrets.token_bytes(_NONCE)
    box = AESGCM(_key(passphrase, salt)).encrypt(nonce, content, _bound(data))
    return {"salt": BYTES.write(salt), "nonce": BYTES.write(nonce), "box": BYTES.write(box)}


def sealed_in(data: Mapping[str, Any]) -> Sealed:
    """Return the sealed part of the JSON of a session file. Raises SessionError where it is damaged."""
    make = partial(Sealed, beside=_bound(data))
    return record(make, {"salt": BYTES, "nonce": BYTES, "box": BYTES}).read(data["sealed"])


def unseal(sealed: Sealed, passphrase: str) -> bytes:
    """Return the content. Raises SessionError for another passphrase or a changed file, and where the package
    cryptography is not installed."""
    if problem := _missing_library():
        raise SessionError(problem)
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    try:
        return AESGCM(_key(passphrase, sealed.salt)).decrypt(sealed.nonce, sealed.box, sealed.beside)
    except (InvalidTag, ValueError):
        raise SessionError(
            tr(
                "The passphrase is wrong, or the session file was changed after it was saved; nothing was"
                " opened. Try again, or open the file without a passphrase: a new secret seed is then drawn."
            )
        ) from None


def _bound(data: Mapping[str, Any]) -> bytes:
    """Return the parts that everybody may read, in a form that does not depend on the layout of the JSON."""
    public = {name: value for name, value in data.items() if name != "sealed"}
    return json.dumps(public, sort_keys=True).encode()


def _key(passphrase: str, salt: bytes) -> bytes:
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    typed = unicodedata.normalize("NFKC", passphrase)  # keyboards write the same letters in several ways
    return Scrypt(salt=salt, length=_KEY, n=_COST, r=_BLOCK, p=_LANES).derive(
        typed.encode("utf-8", "replace")
    )


def _missing_library() -> str:
    try:
        import cryptography  # noqa: F401
    except ImportError:
        return tr(
            "A passphrase needs the package cryptography, which is not installed; install it"
            " (pip install cryptography), or leave the passphrase empty."
        )
    return ""
