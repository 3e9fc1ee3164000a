"""Whether this server is for a class: read here, from the environment that `kanon serve --class` made."""

from __future__ import annotations

from kanon_core.base.classroom import Classroom


def classroom() -> Classroom | None:
    """Return what was said of the class; None where the server is for whoever sits at this machine."""
    return Classroom.of()


def files_refused() -> bool:
    """Return whether no file may be uploaded."""
    room = classroom()
    return room is not None and not room.uploads
