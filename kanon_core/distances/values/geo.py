"""Geometry on the earth: places, and areas and diagonals of rectangles of latitude and longitude, in
kilometers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kanon_core.table.columns.columns import Numbers
from kanon_core.table.schema import Attribute

EARTH_RADIUS_KM = 6371.0088
"""Mean radius of the earth (IUGG), in kilometers; the earth is taken as a sphere of this radius."""

Degrees = npt.ArrayLike
Kilometers = npt.NDArray[np.float64]


def rectangle_area_km2(south: Degrees, west: Degrees, north: Degrees, east: Degrees) -> Kilometers:
    """Area of rectangles of latitude and longitude, in square kilometers.

    On a sphere of radius R a rectangle between two parallels and two meridians has the area
    A = R² · |sin(north) − sin(south)| · |east − west|, the last in radians.

    The four edges are in degrees, of any shapes that broadcast together; the result has the broadcast shape
    and is never negative. A rectangle over the 180° meridian has an east edge above 180: east − west is taken
    as it is.
    Cost: O(1) per rectangle. Differs from the ellipsoid WGS84 by less than 0.01 % in middle latitudes.

    >>> rectangle_area_km2(35, 139, 36, 140).round().item()
    10066.0
    """
    low, high = np.radians(south), np.radians(north)
    width = np.radians(np.subtract(east, west))
    # sin b − sin a = 2 cos((a+b)/2) sin((b−a)/2) keeps its digits when the rectangle is a few meters high.
    height = 2 * np.cos((low + high) / 2) * np.sin((high - low) / 2)
    return np.asarray(EARTH_RADIUS_KM**2 * np.abs(height) * np.abs(width), dtype=np.float64)


def rectangle_diagonal_km(south: Degrees, west: Degrees, north: Degrees, east: Degrees) -> Kilometers:
    """Length of the diagonal of rectangles of latitude and longitude, in kilometers.

    The great-circle distance from the south-west to the north-east corner by the haversine formula, d = 2R ·
    arcsin √(sin²(Δφ/2) + cos φ₁ · cos φ₂ · sin²(Δλ/2)). It tells a street from a point, both of area 0. The
    edges are as in `rectangle_area_km2`. Cost: O(1) per rectangle.

    >>> rectangle_diagonal_km(35, 139, 36, 139).round(1).item()
    111.2
    """
    low, high = np.radians(south), np.radians(north)
    half_height = np.sin((high - low) / 2)
    half_width = np.sin(np.radians(np.subtract(east, west)) / 2)
    haversine = half_height**2 + np.cos(low) * np.cos(high) * half_width**2
    return np.asarray(2 * EARTH_RADIUS_KM * np.arcsin(np.sqrt(np.clip(haversine, 0, 1))), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Place:
    """The latitude and the longitude of every record as one; its attribute is that of the latitude."""

    latitude: Numbers
    longitude: Numbers

    @property
    def attribute(self) -> Attribute:
        """The attribute of the latitude, whose distance, weight and role are those of the place."""
        return self.latitude.attribute

    @property
    def missing(self) -> np.ndarray:
        """n booleans: one of the two is missing."""
        return np.asarray(self.latitude.missing | self.longitude.missing)

    @property
    def has_missing(self) -> bool:
        """True if one of the two is ever missing."""
        return self.latitude.has_missing or self.longitude.has_missing

    @property
    def box(self) -> np.ndarray:
        """float64 (2, 2), degrees: the corners of the box around all places, or of the whole table's
        degrees."""
        if self.latitude.whole is not None and self.longitude.whole is not None:
            return np.column_stack([self.latitude.range, self.longitude.range])
        places = self.degrees[~self.missing]
        return np.array([places.min(0), places.max(0)]) if len(places) else np.zeros((2, 2))

    @property
    def keys(self) -> np.ndarray:
        """The degrees."""
        return self.degrees

    @property
    def degrees(self) -> np.ndarray:
        """float64 (n, 2): latitude and longitude, both NaN where one is missing."""
        both = np.column_stack([self.latitude.values, self.longitude.values])
        both[self.missing] = np.nan
        return both
