"""Maps of generalization rectangles that need no internet and stay smooth with 10,000 groups.

The base (outlines of land and countries, points, controls) is made once; what changes with k is one layer of
packed numbers, painted by `web/data.js` on one canvas. Only numbers and the words given here reach the page,
and the scripts write them as text, so no cell of a table can become markup.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from kanon_core.base.words import tr
from kanon_core.charts.maps.backgrounds.lines import Lines
from kanon_core.charts.maps.backgrounds.reading import Background
from kanon_core.charts.maps.backgrounds.tiles import Tiles
from kanon_core.charts.maps.document import WORDS, Look, MapDocument, vendor_json
from kanon_core.charts.maps.extent import edges
from kanon_core.charts.maps.files import VENDOR
from kanon_core.charts.maps.packing import packed
from kanon_core.charts.maps.rectangles import (
    CELL,
    DARK,
    FEW_SMALL,
    LIGHT,
    READABLE,
    SMALL,
    Rectangles,
    palette,
)
from kanon_core.charts.maps.units import Floats, area_scale, count_scale

__all__ = ["VENDOR", "WORDS", "Look", "background_data", "map_base", "rectangle_layer", "rectangle_map"]

Coloring = Literal["area", "size"]

_TILES = "https://tile.openstreetmap.org/{z}/{x}/{y}.png"
_TILES_BY = (
    '&copy; <a href="https://www.openstreetmap.org/copyright" target="_blank"'
    ' rel="noopener">OpenStreetMap</a>'
)


def rectangle_map(
    latitude: npt.ArrayLike,
    longitude: npt.ArrayLike,
    rectangles: Rectangles | None = None,
    coloring: Coloring = "area",
    look: Look | None = None,
) -> MapDocument:
    """A map of records and, if given, of the rectangles they are generalized to, as a document.

    ``latitude``, ``longitude``: the records' places in degrees (n,); those that are not finite are left out.
    The map opens on them, without a few far ones, and has a button that shows all. ``coloring``: see
    `rectangle_layer`.

    >>> rectangle_map([35.0, 36.0], [139.0, 140.0]).save("map.html")  # doctest: +SKIP
    """
    look = look or Look()
    layer = None if rectangles is None else rectangle_layer(rectangles, coloring)
    return MapDocument(look, map_base(latitude, longitude, look), layer)


def rectangle_layer(rectangles: Rectangles, coloring: Coloring = "area") -> dict[str, Any]:
    """The rectangles as what the map's script takes.

    ``coloring``: by ``"area"`` in km² or by ``"size"`` (records in the group), on a logarithmic scale where
    the largest is more than 20 times the smallest. The largest rectangles are painted first, the smallest
    last, on top. Payload: about 39 bytes a rectangle. Cost O(g log g).
    """
    by_area = coloring == "area"
    scale = area_scale(rectangles.areas_km2) if by_area else count_scale(rectangles.sizes.astype(np.float64))
    order = np.lexsort((-rectangles.diagonals_km, -rectangles.areas_km2))
    edges = np.vstack([rectangles.south, rectangles.west, rectangles.north, rectangles.east])[:, order]
    origin = _middle(edges[[0, 2]].ravel(), edges[[1, 3]].ravel())
    offsets = edges - np.array([origin[0], origin[1], origin[0], origin[1]])[:, None]
    return {
        "count": len(rectangles),
        "origin": origin,
        "edges": packed(offsets, "<f4"),
        "colors": packed(scale.indexes[order], "u1"),
        "sizes": packed(rectangles.sizes[order], "<u4"),
        "areas": packed(rectangles.areas_km2[order], "<f4"),
        "diagonals": packed(rectangles.diagonals_km[order], "<f4"),
        "records": packed(rectangles.published[order], "<u4"),
        "legend": {"of": coloring, "ticks": [text for _, text in scale.ticks]},
    }


def map_base(latitude: npt.ArrayLike, longitude: npt.ArrayLike, look: Look) -> dict[str, Any]:
    """What a map needs that stays while k changes: places, views, colors, words, and where the outlines are.

    Payload: about 11 bytes a record. Cost O(n).
    """
    lat, lon = np.asarray(latitude, dtype=np.float64), np.asarray(longitude, dtype=np.float64)
    known = np.isfinite(lat) & np.isfinite(lon)
    places = np.vstack([lat[known], lon[known]])
    colors, origin = DARK if look.dark else LIGHT, _middle(*places)
    named = not look.tiled if look.names is None else look.names
    return {
        "points": {
            "count": places.shape[1],
            "origin": origin,
            "offsets": packed(places - np.array(origin)[:, None], "<f4"),
        },
        "view": _bounds(places, False),
        "whole": _bounds(places, True),
        "colors": colors,
        "palette": palette(look.dark),
        "outlines": {name: vendor_json(f"basemap/{name}.json", look) for name in ("overview", "detail")},
        "names": vendor_json("places/places.json", look) if named else None,
        **background_data(look.background),
        "online": {"address": _TILES, "by": _TILES_BY} if look.online_tiles else None,
        "dark": look.dark,
        "locale": look.locale,
        "words": {**{name: tr(text) for name, text in WORDS.items()}, **look.words},
        "crowd": {"most": READABLE, "few": FEW_SMALL, "small": SMALL, "cell": CELL},
    }


def background_data(mine: Background | None) -> dict[str, Any]:
    """One's own lines or tiles, as a base has them."""
    return {
        "lines": mine.data if isinstance(mine, Lines) else None,
        "tiles": mine.data if isinstance(mine, Tiles) else None,
    }


def _bounds(places: Floats, far: bool) -> list[list[float]]:
    """South-west and north-east corner around the places, or with ``far`` around all, at least 1 km wide."""
    if not places.shape[1]:
        return [[-60.0, -170.0], [75.0, 170.0]]
    ends = [(values.min(), values.max()) if far else edges(values) for values in places]
    low, high = np.array(ends).T
    room = np.maximum(0.04 * (high - low), 0.005)
    return [(low - room).tolist(), (high + room).tolist()]


def _middle(latitude: Floats, longitude: Floats) -> list[float]:
    """A place in the middle: float32 offsets from it lose less than a millionth of the extent."""
    if not len(latitude):
        return [0.0, 0.0]
    return [float(latitude.min() + latitude.max()) / 2, float(longitude.min() + longitude.max()) / 2]
