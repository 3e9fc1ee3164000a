"""The density of published records, for maps that have too many rectangles to tell apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kanon_core.charts.maps.boxes import Boxes
from kanon_core.charts.maps.units import Floats

FRAME = (640, 300)
"""Width and height in pixels of the map for which squares are counted; on others they are up to twice as
large or as small."""
_LEVELS = 65_535
DEEPEST = 18
"""The zoom at which the map ends."""
_MASKS = (
    (16, 0x0000FFFF0000FFFF),
    (8, 0x00FF00FF00FF00FF),
    (4, 0x0F0F0F0F0F0F0F0F),
    (2, 0x3333333333333333),
    (1, 0x5555555555555555),
)


def density(boxes: Boxes, cell: int) -> dict[str, Any]:
    """Return the records in each square of ``cell`` × ``cell`` pixels, at the zoom at which all fit `FRAME`.

    The records of a rectangle are spread evenly over the squares that it touches. ``zoom``: of the web
    Mercator map; ``x``, ``y``: column and row of the first square, ``wide``, ``rows``: how many there are;
    ``sums``: uint16 (rows, wide), the root of each count as a share of the root of ``most``: a count of a
    thousandth of ``most`` is off by 0.05 % or less. O(g + squares).
    """
    left, right = across(boxes.west), across(boxes.east)
    top, bottom = down(boxes.north), down(boxes.south)
    extent = max(np.ptp([left, right]) / FRAME[0], np.ptp([top, bottom]) / FRAME[1], 2.0**-30)
    zoom = int(np.clip(np.floor(-np.log2(256 * extent)), 0, DEEPEST))
    squares = 256 * 2**zoom / cell
    x0, y0 = (np.floor(edge * squares).astype(np.int64) for edge in (left, top))
    x1, y1 = (np.ceil(edge * squares).astype(np.int64) for edge in (right, bottom))
    x1, y1 = np.maximum(x1, x0 + 1), np.maximum(y1, y0 + 1)
    x, y = int(x0.min()), int(y0.min())
    sums = _spread(boxes.published / ((x1 - x0) * (y1 - y0)), x0 - x, x1 - x, y0 - y, y1 - y)
    most = float(sums.max())
    levels = np.rint(np.sqrt(sums / most) * _LEVELS)
    return {
        "zoom": zoom,
        "x": x,
        "y": y,
        "wide": sums.shape[1],
        "rows": len(sums),
        "most": most,
        "sums": levels,
    }


def densest(places: Boxes, cell: int) -> list[int]:
    """Return, for each zoom from 0 to `DEEPEST`, the most places in one square of ``cell`` pixels, a power of
    two: the end of a scale that is the same for all releases of these places. A square consists of four of
    the next zoom, so places are sorted once, along a curve through the smallest squares. O(n log n).

    >>> densest(Boxes.places(np.array([35.7, 35.7, 35.9]), np.array([139.7, 139.7, 139.9])), 4)[2:6]
    [3, 3, 2, 2]
    """
    if not len(places):
        return [0] * (DEEPEST + 1)
    finest = 256 * 2**DEEPEST // cell
    x, y = (
        np.clip(np.floor(at * finest), 0, finest - 1).astype(np.int64)
        for at in (across(places.west), down(places.north))
    )
    along, most = np.sort(_apart(x) | _apart(y) << 1), []
    for _ in range(DEEPEST + 1):
        ends = np.flatnonzero(np.diff(along, append=-1))
        most.append(int(np.diff(ends, prepend=-1).max()))
        along >>= 2
    return most[::-1]


def _apart(numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return numbers below 2^32 with a zero bit after each of their bits."""
    for shift, mask in _MASKS:
        numbers = (numbers | numbers << shift) & mask
    return numbers


def _spread(
    each: Floats,
    x0: npt.NDArray[np.int64],
    x1: npt.NDArray[np.int64],
    y0: npt.NDArray[np.int64],
    y1: npt.NDArray[np.int64],
) -> Floats:
    """Add each number to all squares of its rectangle: at the four corners, then by sums along both axes."""
    shape = (int(y1.max()) + 1, int(x1.max()) + 1)
    places = np.concatenate([y * shape[1] + x for x, y in ((x0, y0), (x1, y0), (x0, y1), (x1, y1))])
    corners = np.bincount(places, np.concatenate([each, -each, -each, each]), shape[0] * shape[1])
    sums: Floats = corners.reshape(shape).cumsum(axis=0).cumsum(axis=1)
    sums[sums < 1e-9 * sums.max()] = 0
    return sums[:-1, :-1]


def across(longitude: Floats) -> Floats:
    """Return longitudes on the web Mercator map, whose width is 1."""
    return longitude / 360 + 0.5


def down(latitude: Floats) -> Floats:
    """Return latitudes on the web Mercator map, whose height is 1; 0 is north."""
    sine = np.sin(np.radians(np.clip(latitude, -85.0511287798, 85.0511287798)))
    place: Floats = 0.5 - np.log((1 + sine) / (1 - sine)) / (4 * np.pi)
    return place
