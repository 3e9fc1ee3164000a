"""Lines of one's own on the map: a GeoJSON file that stays in this browser session."""

from __future__ import annotations

from typing import Any

import streamlit as st

from kanon_core.base.errors import InputError
from kanon_core.base.words import tr
from kanon_core.charts.maps.background import MOST_BYTES, Background
from pages.state.keys import Key
from pages.widgets.pickers import button
from pages.widgets.text import note, warning

_MINE: Key[tuple[str, Background] | None] = Key("background", None)
_CLEARED, _FILE = Key("background-cleared", 0), Key[Any]("background-file", None)
_PROBLEM = Key("background-problem", "")


def own_background() -> Background | None:
    """A field to load lines, what is loaded, and a button to take it away; what is to be drawn."""
    field = _FILE.of(_CLEARED.get())
    says = tr("GeoJSON file with lines or areas, in degrees, at most {most:.0f} MB")
    st.file_uploader(
        says.format(most=MOST_BYTES / 1e6),
        type=["geojson", "json"],
        key=field.name,
        on_change=_take,
        args=(field,),
        max_upload_size=int(MOST_BYTES / 1e6),
        help=tr(
            "Streets or wards, say. Only coordinates are read; the file goes to the computer that runs Kanon."
        ),
    )
    if problem := _PROBLEM.get():
        warning(problem)
    mine = _MINE.get()
    if mine is None:
        return None
    note(tr("{name}, number of lines: {count:,}").format(name=mine[0], count=len(mine[1].starts)))
    button(tr("Take away"), _forget, icon="layers_clear", key="background-away")
    return mine[1]


def _take(field: Key[Any]) -> None:
    """Read what was just put into the field."""
    _PROBLEM.set("")
    file = field.get()
    if file is None:
        return
    try:
        _MINE.set((file.name, Background.read(file.getvalue())))
    except InputError as problem:
        _PROBLEM.set(str(problem))


def _forget() -> None:
    """No lines, and an empty field."""
    _PROBLEM.set("")
    _MINE.set(None)
    _CLEARED.set(_CLEARED.get() + 1)
