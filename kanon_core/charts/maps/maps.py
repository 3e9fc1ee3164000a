"""Maps of generalization rectangles: folium maps that need no internet and stay smooth with 10,000 groups.

The base (outlines of land and countries, points, controls) is one `folium.Map`; what changes with k is one
layer of packed numbers, painted by `map_layer.js` on one canvas. Only numbers and the words given here reach
the page, and the script writes them as text, so no cell of a table can become markup.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Literal

import folium
import numpy as np
import numpy.typing as npt

from kanon_core.base.errors import InputError
from kanon_core.charts.maps.map_parts import VENDOR, WORDS, Base, Look, Numbers, RectangleMap, outline, packed
from kanon_core.distances.values.geo import rectangle_area_km2, rectangle_diagonal_km
from kanon_core.release.release import Release

__all__ = ["VENDOR", "WORDS", "Look", "Rectangles", "rectangle_layer", "rectangle_map"]

Floats = npt.NDArray[np.float64]
Coloring = Literal["area", "size"]

LIGHT = {
    "sea": "#dde7ee",
    "land": "#f7f5f0",
    "coast": "#a9b6bf",
    "border": "#c9c3b8",
    "point": "rgba(40, 52, 64, .38)",
}
DARK = {
    "sea": "#10171e",
    "land": "#212a33",
    "coast": "#4b5a67",
    "border": "#465462",
    "point": "rgba(220, 230, 238, .42)",
}
_TILES = "https://tile.openstreetmap.org/{z}/{x}/{y}.png"
_TILES_BY = (
    '&copy; <a href="https://www.openstreetmap.org/copyright" target="_blank"'
    ' rel="noopener">OpenStreetMap</a>'
)


@dataclass(frozen=True, eq=False)
class Rectangles:
    """The rectangles of latitude and longitude that groups are generalized to.

    ``south``, ``west``, ``north``, ``east``: float64 (g,), degrees, south ≤ north and west ≤ east; ``sizes``:
    int64 (g,), records in each group. Raises `InputError` when lengths differ, an edge is not a number or out
    of order.
    """

    south: Floats
    west: Floats
    north: Floats
    east: Floats
    sizes: npt.NDArray[np.int64]

    def __post_init__(self) -> None:
        for name in ("south", "west", "north", "east"):
            object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=np.float64))
        object.__setattr__(self, "sizes", np.asarray(self.sizes, dtype=np.int64))
        edges = (self.south, self.west, self.north, self.east)
        if any(edge.shape != self.sizes.shape or edge.ndim != 1 for edge in edges):
            raise InputError("The edges and sizes of rectangles on a map must be lists of one length.")
        if not all(np.isfinite(edge).all() for edge in edges):
            raise InputError("Every edge of a rectangle on a map must be a finite number of degrees.")
        if (self.south > self.north).any() or (self.west > self.east).any():
            raise InputError("A rectangle on a map must have south ≤ north and west ≤ east.")

    @classmethod
    def around(cls, latitude: npt.ArrayLike, longitude: npt.ArrayLike, groups: npt.ArrayLike) -> Rectangles:
        """The smallest rectangle around the records of each group.

        ``latitude``, ``longitude``: degrees (n,); ``groups``: integer labels (n,), negative for suppressed
        records, which are left out, as are records without a place (NaN). Rectangles come in order of their
        labels; a group without any place has none. Cost O(n log n).
        """
        lat, lon = np.asarray(latitude, dtype=np.float64), np.asarray(longitude, dtype=np.float64)
        labels = np.asarray(groups)
        shown = np.flatnonzero((labels >= 0) & np.isfinite(lat) & np.isfinite(lon))
        shown = shown[np.argsort(labels[shown], kind="stable")]
        _, start, sizes = np.unique(labels[shown], return_index=True, return_counts=True)
        if not len(start):
            nothing = np.empty(0)
            return cls(nothing, nothing, nothing, nothing, sizes)
        lat, lon = lat[shown], lon[shown]
        low, high = np.minimum.reduceat, np.maximum.reduceat
        return cls(low(lat, start), low(lon, start), high(lat, start), high(lon, start), sizes)

    def __len__(self) -> int:
        return len(self.sizes)

    @cached_property
    def areas_km2(self) -> Floats:
        """Area of each rectangle on the sphere, in square kilometers."""
        return rectangle_area_km2(self.south, self.west, self.north, self.east)

    @cached_property
    def diagonals_km(self) -> Floats:
        """Diagonal of each rectangle, in kilometers."""
        return rectangle_diagonal_km(self.south, self.west, self.north, self.east)


def placed(release: Release, latitude: str, longitude: str) -> tuple[Rectangles, npt.NDArray[np.int64]]:
    """The rectangles that a release generalizes places to, one per set of its cover, from the published
    intervals.

    A set whose records all lack a place has none. ``sizes`` are the records that each rectangle is true of.
    Second, int64 (n): the rectangle that each record is published with, −1 for one that is suppressed or
    without a place.
    """
    lat, lon = (release[name].cells.behind.as_intervals() for name in (latitude, longitude))
    known = np.isfinite(lat.low) & np.isfinite(lon.low)
    found = Rectangles(
        lat.low[known], lon.low[known], lat.high[known], lon.high[known], release.cover.sizes[known]
    )
    number = np.append(np.where(known, np.cumsum(known) - 1, -1), -1)
    return found, number[release.set_of]


def rectangle_map(
    latitude: npt.ArrayLike,
    longitude: npt.ArrayLike,
    rectangles: Rectangles | None = None,
    coloring: Coloring = "area",
    look: Look | None = None,
) -> RectangleMap:
    """A map of records and, if given, of the rectangles they are generalized to.

    ``latitude``, ``longitude``: the records' places in degrees (n,); those that are not finite are left out.
    The map opens on the central 99 % of them, and has a button that shows all. ``coloring``: see
    `rectangle_layer`.

    To redraw only the rectangles when k changes, leave ``rectangles`` out and add `rectangle_layer` to the
    map where it is shown: everything the map itself holds then stays the same.
    """
    look = look or Look()
    lat, lon = np.asarray(latitude, dtype=np.float64), np.asarray(longitude, dtype=np.float64)
    known = np.isfinite(lat) & np.isfinite(lon)
    places = np.vstack([lat[known], lon[known]])
    result = RectangleMap(look)
    if look.online_tiles:
        folium.TileLayer(_TILES, attr=_TILES_BY, max_zoom=19, referrer_policy="origin").add_to(result)
    Base(_base_data(places, look)).add_to(result)
    if rectangles is not None:
        rectangle_layer(rectangles, coloring).add_to(result)
    return result


def rectangle_layer(rectangles: Rectangles, coloring: Coloring = "area") -> folium.FeatureGroup:
    """The rectangles as one layer for a map made by `rectangle_map`.

    ``coloring``: by ``"area"`` in km² or by ``"size"`` (records in the group), on a logarithmic scale where
    the largest is more than 20 times the smallest. The largest rectangles are painted first, the smallest
    last, on top. Payload: about 39 bytes a rectangle. Cost O(g log g).
    """
    group = folium.FeatureGroup(name="rectangles")
    Numbers("Rectangles", _rectangle_data(rectangles, coloring)).add_to(group)
    return group


def _rectangle_data(rectangles: Rectangles, coloring: Coloring) -> dict[str, Any]:
    values = rectangles.areas_km2 if coloring == "area" else rectangles.sizes.astype(np.float64)
    colors, ticks = color_scale(values)
    order = np.lexsort((-rectangles.diagonals_km, -rectangles.areas_km2))
    edges = np.vstack([rectangles.south, rectangles.west, rectangles.north, rectangles.east])[:, order]
    origin = _middle(edges[[0, 2]].ravel(), edges[[1, 3]].ravel())
    offsets = edges - np.array([origin[0], origin[1], origin[0], origin[1]])[:, None]
    return {
        "count": len(rectangles),
        "origin": origin,
        "edges": packed(offsets, "<f4"),
        "colors": packed(colors[order], "u1"),
        "sizes": packed(rectangles.sizes[order], "<u4"),
        "areas": packed(rectangles.areas_km2[order], "<f4"),
        "diagonals": packed(rectangles.diagonals_km[order], "<f4"),
        "legend": {"of": coloring, "ticks": ticks, "color": int(colors[0]) if len(colors) else 0},
    }


def color_scale(values: Floats) -> tuple[npt.NDArray[np.uint8], list[tuple[float, float]]]:
    """Places of values on a palette of 256 colors, and the ticks of its legend.

    Linear from the smallest to the largest value, logarithmic where the largest is more than 20 times the
    smallest positive one; zeros then share the lowest color. Returns the indexes (g,) and (place 0 … 1,
    value) of the ticks: one when all values are equal, none without values.
    """
    if not len(values):
        return np.empty(0, dtype=np.uint8), []
    low, high = float(values.min()), float(values.max())
    if low == high:
        return np.full(len(values), 128, dtype=np.uint8), [(0.0, low)]
    floor = float(values[values > 0].min())
    if high > 20 * floor:
        place = np.log(np.maximum(values, floor) / floor) / np.log(high / floor)
        ticks = [(0.0, floor), (0.5, float(np.sqrt(floor * high))), (1.0, high)]
    else:
        place = (values - low) / (high - low)
        ticks = [(0.0, low), (0.5, (low + high) / 2), (1.0, high)]
    return np.rint(255 * place).astype(np.uint8), ticks


def _base_data(places: Floats, look: Look) -> dict[str, Any]:
    """What `L.kanonMap` needs: points, views, colors, words and where the outlines are."""
    colors = DARK if look.dark else LIGHT
    origin = _middle(*places)
    return {
        "points": {
            "count": places.shape[1],
            "origin": origin,
            "offsets": packed(places - np.array(origin)[:, None], "<f4"),
        },
        "view": _bounds(places, 0.005),
        "whole": _bounds(places, 0.0),
        "colors": colors,
        "point": colors["point"],
        "palette": palette(look.dark),
        "outlines": {name: outline(name, look) for name in ("overview", "detail")},
        "online": look.online_tiles,
        "dark": look.dark,
        "locale": look.locale,
        "words": {**WORDS, **look.words},
    }


@cache
def palette(dark: bool) -> tuple[str, ...]:
    """256 colors from small to large: the part of viridis that stands out from the map, readable by the
    color-blind.

    The small are strong and the large faint: dark to bright on a light map, bright to dark on a dark one.
    """
    from plotly.colors import sample_colorscale

    places = np.linspace(1.0, 0.32, 256) if dark else np.linspace(0.0, 0.86, 256)
    return tuple(sample_colorscale("Viridis", places.tolist(), colortype="rgb"))


def _bounds(places: Floats, tail: float) -> list[list[float]]:
    """South-west and north-east corner around the places but a ``tail`` on each side, at least 1 km wide."""
    if not places.shape[1]:
        return [[-60.0, -170.0], [75.0, 170.0]]
    low, high = np.quantile(places, [tail, 1 - tail], axis=1)
    room = np.maximum(0.04 * (high - low), 0.005)
    return [(low - room).tolist(), (high + room).tolist()]


def _middle(latitude: Floats, longitude: Floats) -> list[float]:
    """A place in the middle: float32 offsets from it lose less than a millionth of the extent."""
    if not len(latitude):
        return [0.0, 0.0]
    return [float(latitude.min() + latitude.max()) / 2, float(longitude.min() + longitude.max()) / 2]
