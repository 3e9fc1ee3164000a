"""The rectangles that places are generalized to, when they are too many to see, and the colors of maps."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

from kanon_core.base.errors import InputError
from kanon_core.base.words import tr
from kanon_core.charts.maps.units import Floats
from kanon_core.distances.values.geo import rectangle_area_km2, rectangle_diagonal_km
from kanon_core.release.release import Release

READABLE = 2_000
"""More rectangles in view than this are never drawn one by one, but as density."""
SMALL, FEW_SMALL = 4.0, 400
"""Pixels, and how many rectangles whose median longer side is below them are drawn one by one."""
CELL = 4
"""Pixels of a side of the squares in which records are counted."""

LIGHT = {
    "sea": "#dde7ee",
    "land": "#f7f5f0",
    "coast": "#a9b6bf",
    "border": "#c9c3b8",
    "point": "rgba(40, 52, 64, .38)",
    "line": "#6b7785",
    "name": "#1f2430",
    "behind": "rgba(247, 245, 240, .8)",
}
DARK = {
    "sea": "#10171e",
    "land": "#212a33",
    "coast": "#4b5a67",
    "border": "#465462",
    "point": "rgba(220, 230, 238, .42)",
    "line": "#8695a3",
    "name": "#f3f4f6",
    "behind": "rgba(33, 42, 51, .8)",
}


@dataclass(frozen=True, eq=False)
class Rectangles:
    """The rectangles of latitude and longitude that groups are generalized to.

    ``south``, ``west``, ``north``, ``east``: float64 (g,), degrees, south ≤ north and west ≤ east; ``sizes``:
    int64 (g,), records in each group; ``published``: int64 (g,), records that are published with each
    rectangle, by default the same. Raises `InputError` when lengths differ, an edge is not a number or out of
    order.
    """

    south: Floats
    west: Floats
    north: Floats
    east: Floats
    sizes: npt.NDArray[np.int64]
    published: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))

    def __post_init__(self) -> None:
        for name in ("south", "west", "north", "east"):
            object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=np.float64))
        object.__setattr__(self, "sizes", np.asarray(self.sizes, dtype=np.int64))
        if not len(self.published):
            object.__setattr__(self, "published", self.sizes)
        edges = (self.south, self.west, self.north, self.east, self.published)
        if any(edge.shape != self.sizes.shape or edge.ndim != 1 for edge in edges):
            raise InputError(tr("The edges and sizes of rectangles on a map must be lists of one length."))
        if not all(np.isfinite(edge).all() for edge in edges):
            raise InputError(tr("Every edge of a rectangle on a map must be a finite number of degrees."))
        if (self.south > self.north).any() or (self.west > self.east).any():
            raise InputError(tr("A rectangle on a map must have south ≤ north and west ≤ east."))

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
    """The rectangles that a release generalizes places to, from the published intervals: one per equivalence
    class; one per set of its cover where sets overlap, or records of one set publish different items.

    A class whose records all lack a place has none. ``sizes`` are the records that each rectangle is true of.
    Second, int64 (n): the rectangle that each record is published with, −1 for one that is suppressed or
    without a place.
    """
    if release.guarantee.disjoint and not release.guarantee.known_items:
        group, sizes = release.classes, release.class_sizes
    else:
        group, sizes = release.set_of, release.cover.sizes
    first, shown = np.full(len(sizes), -1), np.flatnonzero(group >= 0)
    first[group[shown]] = shown  # any: all of a class publish the same
    south, north = _ends(release, latitude, first)
    west, east = _ends(release, longitude, first)
    known = (first >= 0) & np.isfinite(south) & np.isfinite(west)
    own = np.append(np.where(known, np.cumsum(known) - 1, -1), -1)[group]
    published = np.bincount(own[own >= 0], minlength=int(known.sum()))
    edges = (south[known], west[known], north[known], east[known])
    return Rectangles(*edges, sizes[known], published), own


def _ends(release: Release, name: str, records: npt.NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Both ends of what is published of these records in a column."""
    column = release[name]
    cells, cell = column.cells.behind.as_intervals(), column.cell[records]
    return cells.low[cell], cells.high[cell]


@cache
def palette(dark: bool) -> tuple[str, ...]:
    """256 colors from small to large: the part of viridis that stands out from the map, readable by the
    color-blind.

    The small are strong and the large faint: dark to bright on a light map, bright to dark on a dark one.
    """
    from plotly.colors import sample_colorscale

    places = np.linspace(1.0, 0.32, 256) if dark else np.linspace(0.0, 0.86, 256)
    return tuple(sample_colorscale("Viridis", places.tolist(), colortype="rgb"))
