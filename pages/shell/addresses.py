"""Addresses of pictures and downloads: of the whole file, guessed by nobody, and of use to nobody but whom it
was made for.

Streamlit's own address of a file is a digest without a key: who guesses what is in a file learns whether
somebody has it. Of a file above 1 MB it takes the first, middle and last 64 KB alone. Where two releases of
one length differ elsewhere only, the second has the address of the first: the first is handed over in its
place, also to somebody else. And Streamlit gives a file to whoever has its address.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from pathlib import PurePosixPath

from pages.shell.private import put_in_place
from pages.state.person import Person, here

_KEY = secrets.token_bytes(32)
"""Until this server ends."""
_LENGTH = 32
"""Letters of each half of an address: of what is in the file, and of whose it is."""


def address_whole_files() -> None:
    """From now on the address of a file is a keyed digest of all of it, 128 bits; where people sign in, that
    of whose page it was made for follows."""
    put_in_place("_calculate_file_id", _address)


def drawn_for(file: str, person: Person) -> bool:
    """Return whether a picture or download of this name was made for a page of this person."""
    name = PurePosixPath(file).stem
    content, owner = name[:_LENGTH], name[_LENGTH:]
    return hmac.compare_digest(owner.encode("utf-8", "replace"), _owned(content, person).encode())


def _address(data: bytes, mimetype: str, filename: str | None = None) -> str:
    digest = hashlib.blake2b(data, key=_KEY, digest_size=_LENGTH // 2)
    digest.update(repr((mimetype, filename, len(data))).encode())
    content, person = digest.hexdigest(), here()
    return content if person is None else content + _owned(content, person)


def _owned(content: str, person: Person) -> str:
    said = f"{content} {person.name}".encode("utf-8", "replace")
    return hashlib.blake2b(said, key=_KEY, digest_size=_LENGTH // 2, person=b"owner").hexdigest()
