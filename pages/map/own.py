"""A layer of one's own on the map: a GeoJSON file that stays in the memory of this session."""

from __future__ import annotations

from typing import Any

from kanon_core.base.errors import InputError
from kanon_core.base.words import tr
from kanon_core.charts.maps.layers import View
from kanon_core.charts.maps.own import MOST_BYTES, OwnLayer
from pages.state.keys import Key
from pages.state.session import Session
from pages.widgets.files import uploader
from pages.widgets.pickers import button
from pages.widgets.text import note, warning

_CLEARED, _FILE = Key("own-layer-cleared", 0), Key[Any]("own-layer-file", None)
_PROBLEM = Key("own-layer-problem", "")


def own_layer(session: Session, whole: View) -> None:
    """A field to load a layer, what is loaded, and a button to take it away. ``whole``: where the records
    are."""
    field = _FILE.of(_CLEARED.get())
    uploader(
        tr("GeoJSON file, at most {most:.0f} MB").format(most=MOST_BYTES / 1e6),
        type=["geojson", "json"],
        key=field.name,
        on_change=_take,
        args=(session, field),
        max_upload_size=int(MOST_BYTES / 1e6),
        help=tr(
            "Wards, streets or points in degrees. The file goes to the computer that runs Kanon and no"
            " further. Its properties are shown as text."
        ),
    )
    if problem := _PROBLEM.get():
        warning(problem)
    if (mine := session.own_layer) is not None:
        note(tr("{name}, features: {count:,}").format(name=mine.name, count=len(mine.geometries)))
        west, south, east, north = mine.near(whole).bounds
        if west > whole[1][1] or east < whole[0][1] or south > whole[1][0] or north < whole[0][0]:
            warning(tr("This layer does not overlap the places of this table."))
        button(tr("Remove layer"), _forget, session, icon="layers_clear", key="own-layer-away")


def _take(session: Session, field: Key[Any]) -> None:
    """Read the file that was just put into the field, and empty the field, so that the file is held in memory
    only once."""
    _PROBLEM.set("")
    file = field.get()
    if file is None:
        return
    try:
        session.take_layer(OwnLayer.read(file.getvalue(), file.name))
        _CLEARED.set(_CLEARED.get() + 1)
    except InputError as problem:
        _PROBLEM.set(str(problem))


def _forget(session: Session) -> None:
    _PROBLEM.set("")
    session.take_layer(None)
