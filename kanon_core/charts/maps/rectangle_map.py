"""The map of a release as a `folium.Map`."""

from __future__ import annotations

from html import escape
from typing import Any

import folium
import numpy as np
from folium.plugins import Fullscreen, MeasureControl, MousePosition

from kanon_core.base.errors import OptionError, UnsuitableError
from kanon_core.base.streets import TileServer
from kanon_core.base.words import tr
from kanon_core.charts.canvas.theme import theme_of
from kanon_core.charts.maps.boxes import Boxes, placed, places_of
from kanon_core.charts.maps.layers import WORLD, Ground, Records, Rectangles, View
from kanon_core.charts.maps.offline import OfflineMap
from kanon_core.charts.maps.own import OwnLayer
from kanon_core.release.release import Release
from kanon_core.table.table import Table

Tiles = tuple[str, str]
"""The address of a tile server with {z}, {x} and {y}, and the credit for its tiles."""
_MANY, _FAR = 200, 2.5
_TOP = 85.0
"""Degrees to which the map goes: Web Mercator has no poles."""


def rectangle_map(
    table: Table,
    release: Release | None = None,
    *,
    coloring: str = "area",
    theme: str = "light",
    points: bool = False,
    names: bool | None = None,
    tiles: Tiles | None = None,
    own: OwnLayer | None = None,
    locale: str = "en",
    controls: bool = True,
    served: str | None = None,
) -> OfflineMap:
    """Return a `folium.Map` of the rectangles that a release generalizes places to.

    It shows itself in a notebook, ``save("map.html")`` writes one file that asks nobody for anything, and
    anything of folium can be added to it.

    ``coloring``: by ``"area"`` or by ``"size"``, the records of a group. ``theme``: "light" or "dark".
    ``points``: also the original records, for those who hold them; without, the map shows and is centered on
    what is published alone. Without a release there are only the records. ``names``: names of places; None:
    where there is no street map, which has names of its own. ``tiles``: a tile server whose pictures lie
    below; it then learns which area is looked at. ``own``: a layer from a GeoJSON file. ``controls``: scale,
    position under the mouse, measuring, full screen and layers. ``served``: see `OfflineMap`.

    Raises UnsuitableError where the table has no quasi-identifiers of the kinds latitude and longitude,
    OptionError for an unknown theme, coloring or tile server, InputError where bundled files are missing.
    Cost O(n log n); a saved file has 2.5 MB and about 28 bytes a rectangle.

    >>> import kanon_core as kc
    >>> table = kc.read_table("sample:people-100")
    >>> release = kc.anonymize(table, kc.MDAV(), k=5, seed=1)
    >>> made = kc.rectangle_map(table, release)
    >>> isinstance(made, folium.Map), made.foreign()
    (True, [])
    """
    theme_of(theme)
    if coloring not in ("area", "size"):
        raise OptionError(tr("Rectangles are colored by “area” or “size”."))
    named = place_columns(table)
    boxes = None if release is None else placed(release, *named)[0]
    view, whole = views(table, named, boxes if not points else None)
    made = OfflineMap(served=served, zoom_control=controls, zoom_snap=0.25, min_zoom=1, max_zoom=19)
    Ground(theme, tiles is None if names is None else names).add_to(made)
    if tiles is not None:
        server = TileServer(*tiles)
        credit = escape(server.credit or server.host)
        how = {"name": tr("Streets"), "overlay": True, "referrer_policy": "origin"}
        folium.TileLayer(server.address, attr=credit, **how).add_to(made)
    if own is not None:
        own.near(view).layer().add_to(made)
    if points or release is None:
        latitude, longitude = (table.numbers(name).values for name in named)
        Records(latitude, longitude, theme).add_to(made)
    if boxes is not None and release is not None:
        k = release.recipe.k
        Rectangles(boxes, k, coloring, theme, locale, whole=whole).add_to(made)
    made.fit_bounds(view)
    if controls:
        _add_controls(made)
    return made


def _add_controls(made: folium.Map) -> None:
    degrees = "function (value) { return value.toFixed(5) + '°'; }"
    position: dict[str, Any] = {"position": "bottomright", "separator": " · ", "num_digits": 5}
    MousePosition(**position, lat_formatter=degrees, lng_formatter=degrees, empty_string="").add_to(made)
    MeasureControl("topright", "meters", "kilometers", "sqmeters", "hectares").add_to(made)
    Fullscreen("topleft", title=tr("Full screen"), title_cancel=tr("Leave full screen")).add_to(made)
    folium.LayerControl(position="topright").add_to(made)


def place_columns(table: Table) -> tuple[str, str]:
    """Return the names of the quasi-identifiers that are latitude and longitude.

    Raises UnsuitableError where one or both are missing, which says what to do.
    """
    if named := places_of(table):
        return named
    kinds = {a.kind for a in table.schema.quasi_identifiers}
    missing = [kind for kind in ("latitude", "longitude") if kind not in kinds]
    says = tr(
        "This table has no place: no quasi-identifier is of kind {kinds}. A map needs one of kind latitude"
        " and one of kind longitude: set role and kind of these columns."
    )
    raise UnsuitableError(says.format(kinds=tr(" and none is of kind ").join(map(tr, missing))))


def views(table: Table, named: tuple[str, str], boxes: Boxes | None) -> tuple[View, View]:
    """Return the corners of the first view, without a few far places, and of all: of the rectangles, or else
    of the records. At least 1 km wide."""
    if boxes is not None:
        latitude, longitude = np.r_[boxes.south, boxes.north], np.r_[boxes.west, boxes.east]
    else:
        latitude, longitude = (table.numbers(name).values for name in named)
    known = np.isfinite(latitude) & np.isfinite(longitude)
    if not known.any():
        return WORLD, WORLD
    places = (latitude[known], longitude[known])
    near = _with_room([edges(values) for values in places])
    return near, _with_room([(float(values.min()), float(values.max())) for values in places])


def edges(values: np.ndarray) -> tuple[float, float]:
    """Return the least and the greatest of these numbers (at least one).

    Of more than 200 the central 99 % count, where a few far ones would make them span more than 2.5 times
    as much.

    >>> edges(np.array([35.0, 36.0, 80.0]))
    (35.0, 80.0)
    >>> edges(np.r_[np.linspace(35, 36, 1001), 80.0])[1] < 37
    True
    """
    low, high = float(values.min()), float(values.max())
    if len(values) > _MANY:
        inner_low, inner_high = np.quantile(values, (0.005, 0.995)).tolist()
        if high - low > _FAR * (inner_high - inner_low) > 0:
            return inner_low, inner_high
    return low, high


def _with_room(ends: list[tuple[float, float]]) -> View:
    low, high = np.array(ends).T
    room = np.maximum(0.04 * (high - low), 0.005)
    corners = np.array([low - room, high + room])
    corners[:, 0] = np.clip(corners[:, 0], (-_TOP, 0.01 - _TOP), (_TOP - 0.01, _TOP))
    view: View = corners.tolist()
    return view
