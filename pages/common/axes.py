"""Which two attributes a picture shows."""

from __future__ import annotations

import streamlit as st

from pages.common.session import Session

PROJECTION = "projection of all"


def plane_axes(session: Session) -> tuple[str | None, str | None]:
    """Two menus: the attributes across and up; (None, None) for a projection of all, and for a table of one column."""
    names = [column.attribute.name for column in session.table.quasi]
    if len(names) == 1:
        return None, None
    choices = [PROJECTION, *names]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        x, y = (
            st.selectbox(
                label, choices, _first(session, kind, choices), key=f"{label} {session.table.digest}"
            )
            for label, kind in (("Across", "longitude"), ("Up", "latitude"))
        )
    return (None, None) if PROJECTION in (x, y) else (x, y)


def _first(session: Session, kind: str, choices: list[str]) -> int:
    """Where a menu starts: the place's column if there is one, the only two columns, else the projection."""
    quasi = session.table.schema.quasi_identifiers
    places = {a.kind: a.name for a in quasi}
    if {"latitude", "longitude"} <= set(places):
        return choices.index(places[kind])
    return (1 if kind == "longitude" else 2) if len(quasi) == 2 else 0
