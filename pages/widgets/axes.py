"""Which two attributes a picture shows."""

from __future__ import annotations

from kanon_core.base.words import later, tr
from kanon_core.charts.maps.boxes import places_of
from pages.state.session import Session
from pages.widgets.pickers import menu

PROJECTION = later("projection of all")


def plane_axes(session: Session) -> tuple[str | None, str | None]:
    """Two menus, to be drawn in a row: the attributes across and up; (None, None): a projection of all."""
    names = [column.attribute.name for column in session.table.quasi]
    if len(names) == 1:
        return None, None
    choices, digest = [PROJECTION, *names], session.table.digest
    offered = {name: tr(name) if name == PROJECTION else name for name in choices}
    across = menu(tr("Across"), offered, f"Across {digest}", _first(session, "longitude", choices))
    up = menu(tr("Up"), offered, f"Up {digest}", _first(session, "latitude", choices))
    return (None, None) if PROJECTION in (across, up) else (across, up)


def first_axes(session: Session) -> tuple[str | None, str | None]:
    """The attributes across and up that are drawn while no others are chosen."""
    choices = [PROJECTION, *(column.attribute.name for column in session.table.quasi)]
    if len(choices) == 2:
        return None, None
    across, up = _first(session, "longitude", choices), _first(session, "latitude", choices)
    return (None, None) if PROJECTION in (across, up) else (across, up)


def _first(session: Session, kind: str, choices: list[str]) -> str:
    """Return where a menu starts: the place's column if there is one, the only two columns, else the
    projection."""
    quasi = session.table.schema.quasi_identifiers
    if places := places_of(session.table):
        return places[kind == "longitude"]
    return choices[1 if kind == "longitude" else 2] if len(quasi) == 2 else PROJECTION
