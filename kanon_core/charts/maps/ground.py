"""Land, sea, coasts and borders painted under a picture, from the bundled outlines of Natural Earth."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any

import numpy as np

from kanon_core.charts.canvas.painting import Canvas
from kanon_core.charts.maps.extent import Extent, Size
from kanon_core.charts.maps.files import VENDOR, bundled
from kanon_core.charts.maps.rectangles import DARK, LIGHT

SEA, LAND, COAST, BORDER = range(1, 5)
"""Numbers of the palette of `ground`."""
_OVERVIEW_FROM = 40.0
"""Degrees across from which the coarser outlines do."""


@dataclass(frozen=True)
class Outlines:
    """Lines one after another: ``points`` float64 (p, 2), longitude and latitude; ``line`` int64 (p): which
    line a point is of; ``sheet`` int64 (p): which cell of the map that line belongs to."""

    points: np.ndarray
    line: np.ndarray
    sheet: np.ndarray


@cache
def outlines(level: str) -> tuple[Outlines, Outlines]:
    """The rings of land and the lines of borders of a bundled file, "overview" or "detail"."""
    content = json.loads(bundled(VENDOR / "basemap" / f"{level}.json"))
    sheets = np.repeat(np.arange(len(content["land"])), [len(cell) for cell in content["land"]])
    rings = list(chain.from_iterable(content["land"]))
    borders = content["borders"]
    return _decoded(rings, sheets, content), _decoded(borders, np.zeros(len(borders), np.int64), content)


def _decoded(lines: list[list[int]], sheets: np.ndarray, content: dict[str, Any]) -> Outlines:
    counts = np.array([len(line) // 2 for line in lines])
    steps = np.fromiter(chain.from_iterable(lines), np.int64).reshape(-1, 2)
    line = np.repeat(np.arange(len(lines)), counts)
    summed = np.cumsum(steps, axis=0)
    starts = np.cumsum(counts) - counts
    before = summed[starts] - steps[starts]
    return Outlines((summed - before[line]) / content["scale"], line, sheets[line])


def ground(extent: Extent, size: Size) -> np.ndarray:
    """Sea, land, coasts and borders as numbers of a palette: uint8 (height, width), row 0 the northernmost.

    Cost: the outlines in view, and the pixels; the outlines are read once (0.2 s).
    """
    west, south, east, north = extent
    land, borders = outlines("overview" if east - west > _OVERVIEW_FROM else "detail")
    if east > 180:
        land, borders = _twice_around(land), _twice_around(borders)
    canvas = Canvas((west, east), (south, north), *size)
    solid = _filled(land, extent, size)
    canvas.pixels = np.where(solid, LAND, SEA).astype(np.uint8)
    coast = np.zeros_like(solid)
    coast[:, 1:] |= solid[:, 1:] != solid[:, :-1]
    coast[1:] |= solid[1:] != solid[:-1]
    start, end = _edges(borders, extent, closed=False)
    ink = np.full(len(start), BORDER, np.uint8)
    canvas.segments((start[:, 0], start[:, 1]), (end[:, 0], end[:, 1]), ink)
    canvas.pixels[coast] = COAST
    return canvas.pixels


def _twice_around(lines: Outlines) -> Outlines:
    """The lines, and the same a turn of the earth farther east, for extents over 180°."""
    turned = lines.points + (360.0, 0.0)
    line, sheet = (np.concatenate([of, of + of.max(initial=0) + 1]) for of in (lines.line, lines.sheet))
    return Outlines(np.concatenate([lines.points, turned]), line, sheet)


def ground_inks(theme: str) -> list[tuple[str, float]]:
    """The palette of `ground`, and last the color of lines of one's own."""
    colors = DARK if theme == "dark" else LIGHT
    return [(colors[name], 1.0) for name in ("sea", "land", "coast", "border", "line")]


def ground_source(extent: Extent, size: Size, theme: str) -> str:
    """`ground` as a picture: a data address."""
    canvas = Canvas((extent[0], extent[2]), (extent[1], extent[3]), *size)
    canvas.pixels = ground(extent, size)
    return canvas.source(ground_inks(theme))


def _edges(lines: Outlines, extent: Extent, closed: bool) -> tuple[np.ndarray, np.ndarray]:
    """Start and end of every step of the lines whose box touches the extent; with ``closed`` also the step
    from the last point of a line to its first, and a third column, the sheet."""
    west, south, east, north = extent
    starts = np.flatnonzero(np.r_[True, np.diff(lines.line) != 0])
    low = np.minimum.reduceat(lines.points, starts)
    high = np.maximum.reduceat(lines.points, starts)
    seen = (low[:, 0] <= east) & (high[:, 0] >= west) & (low[:, 1] <= north) & (high[:, 1] >= south)
    chosen = np.flatnonzero(seen[lines.line])
    after = chosen + 1
    last = np.isin(chosen, np.r_[starts[1:], len(lines.line)] - 1)
    if closed:
        after = np.where(last, starts[lines.line[chosen]], after)
    else:
        chosen, after = chosen[~last], after[~last]
    begin = np.column_stack([lines.points[chosen], lines.sheet[chosen]])
    return begin, lines.points[after] if len(after) else np.zeros((0, 2))


def _filled(land: Outlines, extent: Extent, size: Size) -> np.ndarray:
    """Which pixels' centers lie on land, bool (height, width): in a ring of some sheet, and not in a lake.

    Every row is crossed by the rings of a sheet an odd number of times to the left of what lies inside.
    Neighboring sheets overlap a little, so each is filled by itself.
    """
    (width, height), (west, south, east, north) = size, extent
    begin, end = _edges(land, extent, closed=True)
    x0, x1 = ((part[:, 0] - west) / (east - west) * width for part in (begin, end))
    y0, y1 = ((north - part[:, 1]) / (north - south) * height for part in (begin, end))
    first, last = (
        np.clip(np.ceil(part - 0.5), 0, height) for part in (np.minimum(y0, y1), np.maximum(y0, y1))
    )
    count = (last - first).astype(np.int64)
    edge = np.repeat(np.arange(len(count)), count)
    row = np.arange(len(edge)) - (np.cumsum(count) - count)[edge] + first.astype(np.int64)[edge]
    share = (row + 0.5 - y0[edge]) / (y1 - y0)[edge]
    column = np.clip(np.ceil(x0[edge] + share * (x1 - x0)[edge] - 0.5), 0, width).astype(np.int64)
    found, sheet = np.zeros((height, width), bool), begin[edge, 2]
    for one in np.unique(sheet):
        spots = (row * (width + 1) + column)[sheet == one]
        crossed = np.bincount(spots, minlength=height * (width + 1)).reshape(height, width + 1)
        found |= (crossed.cumsum(1)[:, :width] & 1).astype(bool)
    return found
