"""Which two attributes a picture shows."""

from __future__ import annotations

from pages.state.session import Session
from pages.widgets.pickers import menu

PROJECTION = "projection of all"


def plane_axes(session: Session) -> tuple[str | None, str | None]:
    """Two menus, to be drawn in a row: the attributes across and up; (None, None): a projection of all."""
    names = [column.attribute.name for column in session.table.quasi]
    if len(names) == 1:
        return None, None
    choices, digest = [PROJECTION, *names], session.table.digest
    across = menu("Across", choices, f"Across {digest}", _first(session, "longitude", choices))
    up = menu("Up", choices, f"Up {digest}", _first(session, "latitude", choices))
    return (None, None) if PROJECTION in (across, up) else (across, up)


def _first(session: Session, kind: str, choices: list[str]) -> str:
    """Where a menu starts: the place's column if there is one, the only two columns, else the projection."""
    quasi = session.table.schema.quasi_identifiers
    places = {a.kind: a.name for a in quasi}
    if {"latitude", "longitude"} <= set(places):
        return places[kind]
    return choices[1 if kind == "longitude" else 2] if len(quasi) == 2 else PROJECTION
