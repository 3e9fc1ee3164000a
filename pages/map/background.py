"""Lines or tiles of one's own on the map: a file that stays in the memory of this session."""

from __future__ import annotations

from typing import Any

from kanon_core.base.errors import InputError
from kanon_core.base.words import tr
from kanon_core.charts.maps.backgrounds.lines import Lines
from kanon_core.charts.maps.backgrounds.reading import ENDINGS, MOST_BYTES, Background, read_background
from kanon_core.charts.maps.extent import meet, whole_extent
from pages.state.keys import Key
from pages.state.session import Session
from pages.widgets.axes import place_columns
from pages.widgets.files import uploader
from pages.widgets.pickers import button
from pages.widgets.text import note, warning

_CLEARED, _FILE = Key("background-cleared", 0), Key[Any]("background-file", None)
_PROBLEM = Key("background-problem", "")


def own_background(session: Session) -> None:
    """A field to load a background, what is loaded, and a button to take it away."""
    field = _FILE.of(_CLEARED.get())
    says = tr("GeoJSON, MBTiles or PMTiles file, at most {most:.0f} MB")
    uploader(
        says.format(most=MOST_BYTES / 1e6),
        type=list(ENDINGS),
        key=field.name,
        on_change=_take,
        args=(session, field),
        max_upload_size=int(MOST_BYTES / 1e6),
        help=tr(
            "Streets or wards, as lines in degrees (GeoJSON) or as picture tiles (MBTiles, PMTiles with PNG,"
            " JPEG or WebP). The file goes to the computer that runs Kanon; nothing is asked of the internet."
        ),
    )
    if problem := _PROBLEM.get():
        warning(problem)
    if session.background is not None:
        note(f"{session.background_name}, {_described(session.background)}")
        if _elsewhere(session, session.background):
            warning(tr("It covers other parts of the earth than the places of this table."))
        button(tr("Take away"), _forget, session, icon="layers_clear", key="background-away")


def _described(mine: Background) -> str:
    if isinstance(mine, Lines):
        return tr("number of lines: {count:,}").format(count=len(mine.starts))
    low, high = mine.source.zooms
    return tr("tiles of zoom levels {low} to {high}").format(low=low, high=high)


def _elsewhere(session: Session, mine: Background) -> bool:
    named = place_columns(session.table)
    if named is None or mine.bounds is None:
        return False
    latitude, longitude = (session.table.numbers(name).values for name in named)
    return not meet(mine.bounds, whole_extent(latitude, longitude))


def _take(session: Session, field: Key[Any]) -> None:
    """Read what was just put into the field; the field is then empty, so that the file is held once."""
    _PROBLEM.set("")
    file = field.get()
    if file is None:
        return
    try:
        session.background, session.background_name = read_background(file.getvalue()), file.name
        _CLEARED.set(_CLEARED.get() + 1)
    except InputError as problem:
        _PROBLEM.set(str(problem))


def _forget(session: Session) -> None:
    _PROBLEM.set("")
    session.background, session.background_name = None, ""
