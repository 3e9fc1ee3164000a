"""Whose a tab, and whose a picture or download is, where people sign in."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

from streamlit.runtime import exists, get_instance
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from pages.state.person import Person, here, person_of

_OWNERS: dict[str, set[str]] = {}
"""By file, the names of those on whose pages it was drawn: what is the same for two is kept once."""


def owner_of(tab: str) -> str | None:
    """The name of the person whose tab this is, also one whose connection is lost; None where nobody's."""
    found = get_instance()._session_mgr.get_session_info(tab) if exists() else None
    person = person_of(found.session._user_info) if found else None
    return person.name if person else None


def drawn_for(file: str, person: Person) -> bool:
    """Whether a picture or download of this name was made for a page of this person."""
    return person.name in _OWNERS.get(PurePosixPath(file).stem, set())


def remember_owners() -> None:
    """From now on it is written down for whom a file is made; Streamlit itself gives it to whoever has its
    address."""
    load, delete = MemoryMediaFileStorage.load_and_get_id, MemoryMediaFileStorage.delete_file

    def loaded(self: MemoryMediaFileStorage, *given: Any, **more: Any) -> str:
        file, person = load(self, *given, **more), here()
        if person is not None:
            _OWNERS.setdefault(file, set()).add(person.name)
        return file

    def deleted(self: MemoryMediaFileStorage, file_id: str) -> None:
        delete(self, file_id)
        _OWNERS.pop(file_id, None)

    for name, ours in (("load_and_get_id", loaded), ("delete_file", deleted)):
        setattr(MemoryMediaFileStorage, name, ours)
