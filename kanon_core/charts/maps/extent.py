"""What part of the earth a picture shows."""

from __future__ import annotations

import math

import numpy as np

from kanon_core.base.errors import OptionError
from kanon_core.base.words import tr
from kanon_core.charts.maps.units import Floats
from kanon_core.distances.values.geo import EARTH_RADIUS_KM

WIDTH, HEIGHT = 720, 540
"""Pixels of a picture where nothing else is said."""
NARROWEST, WIDEST = 2e-4, 360.0
"""Degrees across a picture at least and at most: about 20 m, and once around."""
KM_PER_DEGREE = EARTH_RADIUS_KM * math.pi / 180

Extent = tuple[float, float, float, float]
"""West, south, east and north edge in degrees."""
Size = tuple[int, int]
"""Width and height in pixels."""

_MANY = 200
_FAR = 2.5


def whole_extent(latitude: Floats, longitude: Floats, size: Size = (WIDTH, HEIGHT)) -> Extent:
    """The extent around these places in degrees, see `edges`, or the world where there is none."""
    known = np.isfinite(latitude) & np.isfinite(longitude)
    if not known.any():
        return fitted((-180.0, -60.0, 180.0, 75.0), size=size)
    (south, north), (west, east) = edges(latitude[known]), edges(longitude[known])
    return fitted((west, south, east, north), size=size)


def edges(values: Floats) -> tuple[float, float]:
    """The least and the greatest of these numbers (at least one).

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


def fitted(extent: Extent, room: float = 0.04, size: Size = (WIDTH, HEIGHT)) -> Extent:
    """The extent with some room around it, widened so that a picture of ``size`` shows a kilometer equally
    long in both directions.

    Raises OptionError unless west ≤ east and south ≤ north are numbers of degrees.
    """
    west, south, east, north = extent
    if not (np.isfinite(extent).all() and west <= east and south <= north):
        raise OptionError(
            tr("The extent of a map must be four numbers of degrees: west ≤ east and south ≤ north.")
        )
    middle = float(np.clip((south + north) / 2, -90, 90))
    shrink, shape = shrinking(middle), size[0] / size[1]
    across, up = (1 + 2 * room) * (east - west) * shrink, (1 + 2 * room) * (north - south)
    across = float(np.clip(max(across, up * shape), NARROWEST, WIDEST))
    half_x, half_y = across / shrink / 2, across / shape / 2
    center = (west + east) / 2
    return center - half_x, middle - half_y, center + half_x, middle + half_y


def meet(one: Extent, other: Extent) -> bool:
    """Whether two extents share a place.

    >>> meet((0, 0, 2, 2), (1, 1, 3, 3)), meet((0, 0, 2, 2), (3, 0, 4, 2))
    (True, False)
    """
    across = one[0] <= other[2] and other[0] <= one[2]
    return across and one[1] <= other[3] and other[1] <= one[3]


def shrinking(latitude: float) -> float:
    """How long a degree of longitude is beside one of latitude; at least 0.05.

    >>> shrinking(60.0)
    0.5
    """
    return max(round(math.cos(math.radians(latitude)), 12), 0.05)


def width_km(extent: Extent) -> float:
    """Kilometers across the middle of an extent.

    >>> round(width_km((0, -1, 1, 1)), 1)
    111.2
    """
    west, south, east, north = extent
    return (east - west) * shrinking((south + north) / 2) * KM_PER_DEGREE


def ruler(extent: Extent) -> float:
    """The length in km of a ruler: 1, 2 or 5 times a power of ten, at most a quarter of the width.

    >>> ruler((0, -1, 1, 1))
    20.0
    """
    most = width_km(extent) / 4
    power = 10.0 ** math.floor(math.log10(most))
    return next(step * power for step in (5, 2, 1) if step * power <= most)
