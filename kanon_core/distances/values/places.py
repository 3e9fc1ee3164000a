"""The distance between places on the earth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr
from kanon_core.distances.base import Distance, Source
from kanon_core.distances.coordinates import Coordinates, balanced
from kanon_core.distances.encodings import Encoding, Scale, Sphere
from kanon_core.distances.values.geo import EARTH_RADIUS_KM, Place


@dataclass(frozen=True)
class GreatCircle(Distance):
    """Kilometers along the surface of the earth, d(u, v) = 2R · arcsin(|u − v| / 2) for unit vectors u, v; R
    = 6371.0088 km.

    It is chosen for the column of latitudes and measures it together with the longitudes, the table's
    quasi-identifier of that kind: a place is one attribute with the latitude's weight, and weight and
    distance of the longitudes do not count. Takes latitudes; a metric (a place with latitude 90° is the pole,
    whatever its longitude); bound: the way along the box around all places. Cost O(n); the last digit is that
    of the machine's sine and arcsine.

    When to use: for places, where a degree of longitude is not a degree of latitude.

    Reference: R. W. Sinnott, Virtues of the haversine, Sky and Telescope 68, 1984 (the same angle, from the
    chord).
    """

    title: ClassVar[str] = "Great circle"
    sentence: ClassVar[str] = "Kilometers between two places along the surface of the earth."
    formula: ClassVar[str] = r"d(u,v)=2R\arcsin\frac{\lVert u-v\rVert}{2}"
    kinds: ClassVar[tuple[str, ...]] = ("latitude",)
    unit: ClassVar[str] = "km"
    form: ClassVar[str] = "points"

    def unsuitable(self, column: Source) -> list[str]:
        """Return why the column does not suit: the table has no longitudes."""
        reasons = super().unsuitable(column)
        if reasons or isinstance(column, Place):
            return reasons
        return [
            tr(
                "“{title}” needs a quasi-identifier of kind longitude beside “{name}”; give a column that"
                " role and kind, or choose another distance."
            ).format(title=self.title, name=column.attribute.name)
        ]

    def bound(self, column: Source) -> float:
        """The way along the box, east–west where it is widest; half a great circle at most."""
        assert isinstance(column, Place)
        (south, west), (north, east) = np.radians(column.box)
        widest = 1.0 if south <= 0 <= north else max(np.cos(south), np.cos(north))
        way = north - south + min(east - west, np.pi) * widest
        return float(EARTH_RADIUS_KM * min(way, np.pi)) * (1 + 1e-9)

    def coordinates(self, column: Any, tick: Tick = silent) -> Coordinates | None:
        """Return three coordinates, through the globe; a place is one attribute, scaled as a number is."""
        return balanced(self.points(column), column.has_missing, _whole(column))

    def points(self, column: Any) -> np.ndarray:
        """Return the points on a globe of radius 1; see `Distance.points`."""
        return _on_globe(column.degrees)

    def along(self, column: Any) -> np.ndarray | None:
        """Return the order along a straight line: from the place farthest from the mean of all to the place
        farthest from that one."""
        points = np.round(_on_globe(column.degrees), 12)
        missing = np.isnan(points[:, 0])
        if missing.all():
            return points[:, 0]
        ends = [points[~missing].mean(axis=0)]
        for _ in range(2):
            ends.append(points[np.nanargmax(((points - ends[-1]) ** 2).sum(axis=1))])
        return np.asarray((points * (ends[2] - ends[1])).sum(axis=1))

    def _encode(self, column: Any, scale: Scale, tick: Tick) -> Encoding:
        return Sphere(_on_globe(column.degrees), scale.gap)


def _on_globe(degrees: np.ndarray) -> np.ndarray:
    """float64 (n, 3): unit vectors; ``degrees`` (n, 2)."""
    latitude, longitude = np.radians(degrees).T
    flat = np.cos(latitude)
    return np.column_stack([flat * np.cos(longitude), flat * np.sin(longitude), np.sin(latitude)])


def _whole(column: Place) -> tuple[np.ndarray, float] | None:
    """Return, for a part of a table, the center of the whole table and its spread in radii of the earth, from
    the mean and the deviation of both columns; None where the whole is not known."""
    latitude, longitude = column.latitude, column.longitude
    if latitude.whole is None or longitude.whole is None:
        return None
    center = np.array([[latitude.mean, longitude.mean]])
    shrink = np.cos(np.radians(latitude.mean))
    spread = np.radians(np.hypot(latitude.deviation, longitude.deviation * shrink))
    return _on_globe(center)[0], min(float(spread), 1.0)
