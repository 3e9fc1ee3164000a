"""The rectangles of latitude and longitude that records are published with."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from kanon_core.base.errors import InputError
from kanon_core.base.words import tr
from kanon_core.charts.maps.units import Ends, Floats
from kanon_core.distances.values.geo import rectangle_area_km2, rectangle_diagonal_km
from kanon_core.release.release import Release
from kanon_core.table.table import Table

_FINEST = 100


@dataclass(frozen=True, eq=False)
class Boxes:
    """Rectangles of latitude and longitude.

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
    def none(cls) -> Boxes:
        """No rectangle."""
        nothing = np.empty(0)
        return cls(nothing, nothing, nothing, nothing, np.empty(0, np.int64))

    def __len__(self) -> int:
        return len(self.sizes)

    @classmethod
    def places(cls, latitude: Floats, longitude: Floats) -> Boxes:
        """Return one rectangle without extent for each place; those that are not finite are left out."""
        known = np.isfinite(latitude) & np.isfinite(longitude)
        latitude, longitude = latitude[known], longitude[known]
        return cls(latitude, longitude, latitude, longitude, np.ones(len(latitude), np.int64))

    def ends(self, coloring: str) -> Ends:
        """Return the ends of a scale of colors for all rectangles into which the same records can be
        published: it is the same whatever the algorithm and k.

        By ``"area"`` from a hundredth of one record's share of the whole to the whole; by
        ``"size"`` from 2 to a tenth of the records, at least 200.
        """
        records = int(self.published.sum())
        if coloring == "size":
            return 2.0, max(200.0, records / 10)
        if not len(self):
            return 0.0, 0.0
        edges = (self.south.min(), self.west.min(), self.north.max(), self.east.max())
        whole = float(rectangle_area_km2(*(np.array([edge]) for edge in edges))[0])
        return whole / (_FINEST * records), whole

    @cached_property
    def areas_km2(self) -> Floats:
        """Area of each rectangle on the sphere, in square kilometers."""
        return rectangle_area_km2(self.south, self.west, self.north, self.east)

    @cached_property
    def diagonals_km(self) -> Floats:
        """Diagonal of each rectangle, in kilometers."""
        return rectangle_diagonal_km(self.south, self.west, self.north, self.east)


def places_of(table: Table) -> tuple[str, str] | None:
    """Return the names of the quasi-identifiers that are latitude and longitude, or None where one is
    missing."""
    found = {a.kind: a.name for a in table.schema.quasi_identifiers}
    return (found["latitude"], found["longitude"]) if {"latitude", "longitude"} <= found.keys() else None


def places(table: Table, named: tuple[str, str]) -> Boxes:
    """Return the places of a table's records (`Boxes.places`), made once; ``named``: latitude and
    longitude."""
    latitude, longitude = (table.numbers(name).values for name in named)
    return table.once(f"places:{named!r}", lambda: Boxes.places(latitude, longitude))


def placed(release: Release, latitude: str, longitude: str) -> tuple[Boxes, npt.NDArray[np.int64]]:
    """Return the rectangles that places are published as, and int64 (n): that of each record.

    One rectangle for each equivalence class; one for each set of the cover where sets overlap, or records of
    one set publish different items. A class whose records all lack a place has none. A place that is
    published as a mean is a point, as the rectangle that it hides is not published. ``sizes`` are the records
    that each rectangle is true of. A record that is suppressed or without a place has the number −1.
    """
    if release.guarantee.disjoint and not release.guarantee.known_items:
        group, sizes = release.classes, release.class_sizes
    else:
        group, sizes = release.set_of, release.cover.sizes
    first, shown = np.full(len(sizes), -1), np.flatnonzero(group >= 0)
    first[group[shown]] = shown  # any record: all of a class publish the same
    south, north = _ends(release, latitude, first)
    west, east = _ends(release, longitude, first)
    known = (first >= 0) & np.isfinite(south) & np.isfinite(west)
    own = np.append(np.where(known, np.cumsum(known) - 1, -1), -1)[group]
    published = np.bincount(own[own >= 0], minlength=int(known.sum()))
    edges = (south[known], west[known], north[known], east[known])
    return Boxes(*edges, sizes[known], published), own


def _ends(release: Release, name: str, records: npt.NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Both ends of what is published of these records in a column."""
    column = release[name]
    cells, cell = column.cells.as_intervals(), column.cell[records]
    return cells.low[cell], cells.high[cell]


def drawing_order(boxes: Boxes) -> np.ndarray:
    """Return the numbers of the boxes in the order in which they are drawn: a click answers in it."""
    return np.lexsort((-boxes.diagonals_km, -boxes.areas_km2))
