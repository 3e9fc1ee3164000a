"""What only a passphrase opens: scrypt makes a key of it, AES-GCM hides the content and tells whether
anything was changed."""

from __future__ import annotations

import secrets
import unicodedata
from dataclasses import dataclass

from kanon_core.base.words import tr
from kanon_core.session.checks import SessionError

SHORTEST = 8
"""Characters of a passphrase."""
_COST, _BLOCK, _LANES = 2**17, 8, 1
"""Of scrypt, as OWASP advises: 128 MB and up to a second for each guess. They belong to the version
of the format: a file cannot ask for more."""
_SALT, _NONCE, _KEY = 16, 12, 32


@dataclass(frozen=True)
class Sealed:
    """Salt and nonce, both drawn anew for each file, the encrypted content, and the text ``beside`` it: where
    that was changed, nothing opens either."""

    salt: bytes
    nonce: bytes
    box: bytes
    beside: bytes

    def __post_init__(self) -> None:
        if (len(self.salt), len(self.nonce)) != (_SALT, _NONCE):
            raise SessionError(tr("The encrypted part of the session file is damaged."))


def seal(content: bytes, passphrase: str, beside: bytes) -> Sealed:
    """The content encrypted, and bound to what stands ``beside`` it."""
    if len(passphrase) < SHORTEST:
        raise SessionError(
            tr("The passphrase needs at least {least} characters; several words are best.").format(
                least=SHORTEST
            )
        )
    salt, nonce = secrets.token_bytes(_SALT), secrets.token_bytes(_NONCE)
    _library()
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return Sealed(salt, nonce, AESGCM(_key(passphrase, salt)).encrypt(nonce, content, beside), beside)


def unseal(sealed: Sealed, passphrase: str) -> bytes:
    """The content; raises SessionError for another passphrase or a changed file."""
    _library()
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    try:
        return AESGCM(_key(passphrase, sealed.salt)).decrypt(sealed.nonce, sealed.box, sealed.beside)
    except (InvalidTag, ValueError):
        raise SessionError(
            tr(
                "The passphrase is not that of this session file, or the file was changed since; nothing was"
                " opened. Try again, or open it without: then a new secret seed is drawn."
            )
        ) from None


def missing_library() -> str:
    """What to do where the package that encrypts is not installed; "" where it is."""
    try:
        _library()
    except SessionError as missing:
        return str(missing)
    return ""


def _key(passphrase: str, salt: bytes) -> bytes:
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    typed = unicodedata.normalize("NFKC", passphrase)  # keyboards write the same letters in several ways
    return Scrypt(salt=salt, length=_KEY, n=_COST, r=_BLOCK, p=_LANES).derive(
        typed.encode("utf-8", "replace")
    )


def _library() -> None:
    try:
        import cryptography  # noqa: F401
    except ImportError:
        raise SessionError(
            tr(
                "A passphrase needs the package cryptography, which is not installed; install it"
                " (pip install cryptography), or leave the passphrase empty."
            )
        ) from None
