"""Which two attributes a picture shows."""

from __future__ import annotations

import streamlit as st

from pages.state.kept import kept
from pages.state.session import Session

PROJECTION = "projection of all"


def plane_axes(session: Session) -> tuple[str | None, str | None]:
    """Two menus, to be drawn in a row: the attributes across and up; (None, None): a projection of all, or a
    table of one column."""
    names = [column.attribute.name for column in session.table.quasi]
    if len(names) == 1:
        return None, None
    choices = [PROJECTION, *names]
    x, y = (
        st.selectbox(
            label, choices, key=kept(f"{label} {session.table.digest}", _first(session, kind, choices))
        )
        for label, kind in (("Across", "longitude"), ("Up", "latitude"))
    )
    return (None, None) if PROJECTION in (x, y) else (x, y)


def _first(session: Session, kind: str, choices: list[str]) -> str:
    """Where a menu starts: the place's column if there is one, the only two columns, else the projection."""
    quasi = session.table.schema.quasi_identifiers
    places = {a.kind: a.name for a in quasi}
    if {"latitude", "longitude"} <= set(places):
        return places[kind]
    return choices[1 if kind == "longitude" else 2] if len(quasi) == 2 else PROJECTION
