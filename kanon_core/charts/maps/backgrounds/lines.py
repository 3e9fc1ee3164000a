"""Lines of one's own under the rectangles: streets, wards, a coast, from a GeoJSON file.

Only coordinates are taken from the file. Its properties are never read, so nothing in it can become markup.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from kanon_core.base.errors import InputError
from kanon_core.base.words import tr
from kanon_core.charts.maps.extent import Extent
from kanon_core.charts.maps.packing import packed

MOST_BYTES = 16_000_000
"""A larger file is refused."""
MOST_POINTS = 100_000
"""Points that are kept; lines with more are made simpler."""
_FINEST = 50_000
"""Lines are first made simpler by this part of the width of the whole."""
_DEPTHS = {"LineString": 1, "MultiLineString": 2, "Polygon": 2, "MultiPolygon": 3}
_PARTS = {"FeatureCollection": "features", "GeometryCollection": "geometries", "Feature": "geometry"}
_POINTS = ("Point", "MultiPoint")


@dataclass(frozen=True, eq=False)
class Lines:
    """Lines one after another: ``points`` float64 (p, 2), longitude and latitude in degrees; ``starts`` int64
    (l): where each line begins.

    >>> line = b'{"type": "LineString", "coordinates": [[139.0, 35.0], [140.0, 36.0]]}'
    >>> Lines.read(line).points.tolist()
    [[139.0, 35.0], [140.0, 36.0]]
    """

    points: np.ndarray
    starts: np.ndarray

    @classmethod
    def read(cls, content: bytes) -> Lines:
        """The lines and the rings of polygons of a GeoJSON file, made simpler until at most 100,000 points
        are left; single points and all properties are left out.

        Raises InputError when the file is larger than 16 MB, is no GeoJSON, has a coordinate that is not a
        number of degrees, or has no line or too many.
        """
        if len(content) > MOST_BYTES:
            says = tr(
                "The background has {size:.0f} MB; at most {most:.0f} MB are read. Take a smaller part."
            )
            raise InputError(says.format(size=len(content) / 1e6, most=MOST_BYTES / 1e6))
        try:
            whole = json.loads(content)
        except (ValueError, RecursionError) as wrong:
            says = tr("The background is not a GeoJSON file: it is no valid JSON text.")
            raise InputError(says) from wrong
        lines = [_positions(line) for line in _lines(whole)]
        if not lines:
            raise InputError(tr("The background has neither lines nor polygons; there is nothing to draw."))
        return cls(*_simpler(np.concatenate(lines), np.array([len(line) for line in lines])))

    @cached_property
    def digest(self) -> str:
        """Differs for different lines."""
        return hashlib.sha256(self.points.tobytes() + self.starts.tobytes()).hexdigest()[:16]

    @property
    def bounds(self) -> Extent:
        """The box around all lines."""
        (west, south), (east, north) = self.points.min(0).tolist(), self.points.max(0).tolist()
        return west, south, east, north

    @cached_property
    def data(self) -> dict[str, Any]:
        """What the map's script draws: offsets from an origin, and where each line begins."""
        origin = (self.points.min(0) + self.points.max(0)) / 2
        return {
            "origin": origin.tolist(),
            "points": packed(self.points - origin, "<f4"),
            "starts": packed(self.starts, "<u4"),
        }


def _lines(whole: Any) -> Iterator[Any]:
    """The lists of positions in a GeoJSON object, in any order."""
    todo = [whole]
    while todo:
        one = todo.pop()
        kind = one.get("type") if isinstance(one, dict) else None
        if not isinstance(kind, str):
            kind = ""
        if kind in _PARTS:
            inner = one.get(_PARTS[kind])
            parts = inner if isinstance(inner, list) else [inner]
            todo += [part for part in parts if part is not None]
        elif kind in _DEPTHS:
            level = [one.get("coordinates")]
            for _ in range(_DEPTHS[kind] - 1):
                level = [inner for outer in level for inner in _listed(outer)]
            yield from level
        elif kind not in _POINTS:
            raise InputError(
                tr("The background is not a GeoJSON file: what is of no known type must not be in it.")
            )


def _listed(thing: Any) -> list[Any]:
    return thing if isinstance(thing, list) else [thing]


def _positions(line: Any) -> np.ndarray:
    """float64 (p, 2): longitude and latitude of each position; heights are left out."""
    says = tr(
        "A line of the background is not a list of positions in degrees: longitude from −180 to 180, then"
        " latitude from −90 to 90. Convert the file to WGS 84 (EPSG:4326)."
    )
    try:
        found = np.array([(x, y) for x, y, *_ in line])
    except (TypeError, ValueError) as wrong:
        raise InputError(says) from wrong
    if found.ndim != 2 or found.dtype.kind not in "iuf" or not (np.abs(found) <= (180, 90)).all():
        raise InputError(says)
    return found.astype(np.float64)


def _simpler(points: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points and starts of the lines: of consecutive points in one square of a grid only the first stays,
    and the last of each line; the squares double until at most `MOST_POINTS` points are left. A line that
    stays within one square is left out as soon as anything has to be."""
    line = np.repeat(np.arange(len(counts)), counts)
    first = np.r_[True, np.diff(line) != 0]
    last = np.r_[first[1:], True]
    low, span = points.min(0), float(np.ptp(points, axis=0).max())
    side = max(span / _FINEST, 1e-9)
    kept = first | last | np.r_[True, (np.diff(points, axis=0) != 0).any(axis=1)]
    while kept.sum() > MOST_POINTS:
        cell = np.floor((points - low) / side)
        moved = ~first & np.r_[True, (np.diff(cell, axis=0) != 0).any(axis=1)]
        wide = np.bincount(line, moved, len(counts)) > 0
        kept = (first | last | moved) & wide[line]
        side *= 2
    if not kept.any():
        raise InputError(tr("The background has too many lines; take a smaller part of it."))
    line = line[kept]
    return points[kept], np.flatnonzero(np.r_[True, np.diff(line) != 0][: len(line)])
