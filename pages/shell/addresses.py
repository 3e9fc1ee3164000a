"""Addresses of pictures and downloads: of the whole file, and guessed by nobody.

Streamlit's own address of a file is a digest without a key: who guesses what is in a file learns whether
somebody has it. Of a file above 1 MB it takes the first, middle and last 64 KB alone. Where two releases of
one length differ elsewhere only, the second has the address of the first: the first is handed over in its
place, also to somebody else.
"""

from __future__ import annotations

import hashlib
import secrets

from streamlit.runtime import memory_media_file_storage as storage

_KEY = secrets.token_bytes(32)
"""Until this server ends."""


def address_whole_files() -> None:
    """From now on the address of a file is a keyed digest of all of it, 128 bits."""
    storage._calculate_file_id = _address


def _address(data: bytes, mimetype: str, filename: str | None = None) -> str:
    digest = hashlib.blake2b(data, key=_KEY, digest_size=16)
    digest.update(repr((mimetype, filename, len(data))).encode())
    return digest.hexdigest()
