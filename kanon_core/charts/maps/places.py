"""Names of places from the bundled gazetteer, set into a picture so that no two collide."""

from __future__ import annotations

import base64
import json
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np

from kanon_core.charts.maps.extent import Extent, Size
from kanon_core.charts.maps.files import VENDOR, bundled

CREDIT = "GeoNames"
"""Who is to be named wherever names are shown (CC BY 4.0)."""
FONT_PIXELS = 11
_STEPS = 40_000
_ASKED = 400
_PIXELS_EACH = 9_000
_WIDE, _NARROW = 1.05, 0.6
_GAP, _DOT = 3, 5

Box = tuple[float, float, float, float]
"""Left, top, right and bottom in pixels."""


@dataclass(frozen=True)
class Label:
    """A name at a place (degrees), written to one ``side`` of its dot: "right", "left", "above", "below"."""

    name: str
    longitude: float
    latitude: float
    side: str
    box: Box


@cache
def gazetteer() -> tuple[tuple[str, ...], np.ndarray]:
    """Names of places, the most populous first, and float64 (n, 2): their latitude and longitude."""
    content = json.loads(bundled(VENDOR / "places" / "places.json"))
    three = np.frombuffer(base64.b64decode(content["places"]), np.uint8).reshape(-1, 2, 3)
    steps = three.astype(np.int64) @ np.array([1, 1 << 8, 1 << 16])
    return tuple(content["names"]), steps / _STEPS - [90, 180]


def labels(extent: Extent, size: Size, taken: Iterable[Box] = ()) -> list[Label]:
    """The names of the largest places in an extent that find room in a picture of ``size`` pixels.

    In order of population each takes the first side of its dot where it stays inside the picture and off the
    names set before it and the boxes ``taken``; one without room is left out. At most one name for 9,000
    pixels, and at least three. Cost: the gazetteer, and 400 places.
    """
    west, south, east, north = extent
    names, places = gazetteer()
    latitude, longitude = places.T
    if east > 180:
        longitude = np.where(longitude < east - 360, longitude + 360, longitude)
    inside = (longitude > west) & (longitude < east) & (latitude > south) & (latitude < north)
    found, boxes = list[Label](), list(taken)
    most = max(3, size[0] * size[1] // _PIXELS_EACH)
    for number in np.flatnonzero(inside)[:_ASKED].tolist():
        x = (longitude[number] - west) / (east - west) * size[0]
        y = (north - latitude[number]) / (north - south) * size[1]
        for side, box in _sides(x, y, text_width(names[number])):
            if _free(box, boxes, size):
                place = float(longitude[number]), float(latitude[number])
                found.append(Label(names[number], *place, side, box))
                boxes.append(box)
                break
        if len(found) == most:
            break
    return found


def text_width(text: str) -> float:
    """About how many pixels a label is wide, rather more than less.

    >>> text_width("Tokyo") < text_width("Yokohama") < text_width("東京都千代田区")
    True
    """
    wide = sum(_WIDE if unicodedata.east_asian_width(sign) in "WF" else _NARROW for sign in text)
    return FONT_PIXELS * wide + 4


def _sides(x: float, y: float, width: float) -> list[tuple[str, Box]]:
    """The boxes of a label and its dot at a place, by side, the best first."""
    half, away = FONT_PIXELS / 2 + 3, _DOT / 2
    return [
        ("right", (x - away, y - half, x + away + 2 + width, y + half)),
        ("left", (x - away - 2 - width, y - half, x + away, y + half)),
        ("above", (x - width / 2, y - away - 2 * half, x + width / 2, y + away)),
        ("below", (x - width / 2, y - away, x + width / 2, y + away + 2 * half)),
    ]


def _free(box: Box, taken: list[Box], size: Size) -> bool:
    left, top, right, bottom = box
    if left < 2 or top < 2 or right > size[0] - 2 or bottom > size[1] - 2:
        return False
    return not any(
        left < b[2] + _GAP and right + _GAP > b[0] and top < b[3] + _GAP and bottom + _GAP > b[1]
        for b in taken
    )
