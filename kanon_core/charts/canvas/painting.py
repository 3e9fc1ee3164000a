"""Painting points and outlines into an indexed PNG on the server.

A browser draws thirty thousand vector markers in seconds and one picture at once, so charts of more than
about a thousand points lay a painted picture under transparent axes. Colors are numbers of a palette, and
later paint covers earlier.
"""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

WIDTH, HEIGHT = 1120, 600
"""Pixels of a painted chart: crisp on a desktop, under a hundred kilobytes."""
VECTORS_AT_MOST = 1_000
"""The most vector markers: with more, a painted picture makes a slider move faster, and so many of its points
can be clicked."""
_AT_ONCE = 1 << 20


@dataclass
class Canvas:
    """A picture of palette numbers (uint8, height × width, 0 = transparent) over a rectangle of data
    coordinates.

    Row 0 is the top. Points outside the rectangle are not painted, lines and rectangles are cut at its edge.
    """

    x_range: tuple[float, float]
    y_range: tuple[float, float]
    width: int = WIDTH
    height: int = HEIGHT
    pixels: np.ndarray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.pixels = np.zeros((self.height, self.width), np.uint8)

    def columns(self, x: np.ndarray) -> np.ndarray:
        """The pixel column of each x, int64; beyond the picture for x outside its range."""
        return _pixel(x, self.x_range, self.width)

    def rows(self, y: np.ndarray) -> np.ndarray:
        """The pixel row of each y, int64, counted from the top."""
        return self.height - 1 - _pixel(y, self.y_range, self.height)

    def discs(self, x: np.ndarray, y: np.ndarray, colors: np.ndarray, radius: int) -> None:
        """Discs of ``radius`` pixels around points, in palette numbers ``colors``; later ones lie on top."""
        columns, rows = self.columns(x), self.rows(y)
        seen = (columns >= 0) & (columns < self.width) & (rows >= 0) & (rows < self.height)
        columns, rows, colors = columns[seen], rows[seen], colors[seen]
        last = _last_of_each(rows * self.width + columns, self.width * self.height)
        dx, dy = _disc(radius)
        # A border as wide as the disc saves the bounds checks: positions then follow from one addition.
        wide = self.width + 2 * radius
        bordered = np.pad(self.pixels, radius)
        centers = (rows[last] + radius) * wide + columns[last] + radius
        spots = centers[:, None] + (dy * wide + dx)[None, :]
        # Of repeated positions in one assignment the last value stays, so that later points cover earlier
        # ones.
        bordered.reshape(-1)[spots.reshape(-1)] = np.repeat(colors[last], len(dx))
        self.pixels = np.ascontiguousarray(
            bordered[radius : radius + self.height, radius : radius + self.width]
        )

    def fills(
        self, low: tuple[np.ndarray, np.ndarray], high: tuple[np.ndarray, np.ndarray], color: np.ndarray
    ) -> None:
        """Filled rectangles."""
        left, right, top, bottom = (side.tolist() for side in self._boxes(low, high))
        for a, b, t, d, number in zip(left, right, top, bottom, color.tolist(), strict=True):
            self.pixels[t:d, a:b] = number

    def _boxes(
        self, low: tuple[np.ndarray, np.ndarray], high: tuple[np.ndarray, np.ndarray]
    ) -> list[np.ndarray]:
        """Columns left..right and rows top..bottom (ends excluded) of rectangles, cut at the edge."""
        left, right = self.columns(low[0]), self.columns(high[0]) + 1
        top, bottom = self.rows(high[1]), self.rows(low[1]) + 1
        cut = [np.clip(side, 0, self.width) for side in (left, right)]
        return cut + [np.clip(side, 0, self.height) for side in (top, bottom)]

    def segments(
        self,
        start: tuple[np.ndarray, np.ndarray],
        end: tuple[np.ndarray, np.ndarray],
        colors: np.ndarray,
        thick: int = 1,
    ) -> None:
        """Straight lines; each is one pixel per step along its longer side, ``thick`` pixels wide."""
        limit = 4 * (self.width + self.height)
        columns = [np.clip(self.columns(end_x), -limit, limit) for end_x in (start[0], end[0])]
        rows = [np.clip(self.rows(end_y), -limit, limit) for end_y in (start[1], end[1])]
        lengths = np.maximum(np.abs(columns[1] - columns[0]), np.abs(rows[1] - rows[0])) + 1
        part = np.cumsum(lengths) // _AT_ONCE
        for chosen in np.split(np.arange(len(part)), np.flatnonzero(np.diff(part)) + 1):
            ends = [side[chosen] for side in (*columns, *rows)]
            self._steps(ends, lengths[chosen], colors[chosen], thick)

    def _steps(self, ends: list[np.ndarray], lengths: np.ndarray, colors: np.ndarray, thick: int) -> None:
        x0, x1, y0, y1 = ends
        line = np.repeat(np.arange(len(lengths)), lengths)
        share = np.arange(len(line)) - (np.cumsum(lengths) - lengths)[line]
        share = share / np.maximum(lengths - 1, 1)[line]
        columns = np.floor(x0[line] + share * (x1 - x0)[line] + 0.5).astype(np.int64)
        rows = np.floor(y0[line] + share * (y1 - y0)[line] + 0.5).astype(np.int64)
        for shift in range(thick * thick):
            c, r = columns + shift % thick, rows + shift // thick
            seen = (c >= 0) & (c < self.width) & (r >= 0) & (r < self.height)
            self.pixels[r[seen], c[seen]] = colors[line[seen]]

    def source(self, palette: Sequence[tuple[str, float]]) -> str:
        """The picture as a data address; ``palette[i]``: color (``#rrggbb``) and opacity of number i + 1."""
        return "data:image/png;base64," + base64.b64encode(png(self.pixels, palette)).decode("ascii")


def picture_below(canvas: Canvas, palette: list[tuple[str, float]]) -> dict[str, Any]:
    """A painted picture as a layout image below the traces, in data coordinates: it zooms with the axes."""
    (left, right), (low, high) = canvas.x_range, canvas.y_range
    ends = {"xref": "x", "yref": "y", "x": left, "y": high, "sizex": right - left, "sizey": high - low}
    return {"source": canvas.source(palette), **ends, "sizing": "stretch", "layer": "below"}


def evenly(count: int, at_most: int) -> np.ndarray:
    """At most so many of the numbers 0 … count − 1, evenly chosen, ascending; int64."""
    if not count:
        return np.zeros(0, np.int64)
    return np.unique(np.linspace(0, count - 1, min(count, at_most)).astype(np.int64))


def png(pixels: np.ndarray, palette: Sequence[tuple[str, float]]) -> bytes:
    """An indexed PNG of palette numbers (uint8, height × width); number 0 is transparent, at most 255 others.

    Eight bits per pixel, no row filter, palette with opacities [W3C, Portable Network Graphics, third
    edition].
    """
    height, width = pixels.shape
    colors = bytes(3) + b"".join(bytes.fromhex(color[1:]) for color, _ in palette)
    opacities = bytes([0, *(round(255 * opacity) for _, opacity in palette)])
    rows = np.zeros((height, width + 1), np.uint8)
    rows[:, 1:] = pixels
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = [(b"IHDR", header), (b"PLTE", colors), (b"tRNS", opacities)]
    parts += [(b"IDAT", zlib.compress(rows.tobytes(), 4)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _pixel(values: np.ndarray, ends: tuple[float, float], count: int) -> np.ndarray:
    low, high = ends
    place = np.floor((np.asarray(values, np.float64) - low) * (count / (high - low)))
    place = np.where(np.asarray(values) == high, count - 1, place)  # the upper end is part of the last pixel
    return np.asarray(np.clip(np.nan_to_num(place, nan=-1e9), -1e9, 1e9), np.int64)


def _last_of_each(spots: np.ndarray, size: int) -> np.ndarray:
    """The positions, ascending, of the last point on each spot; the covered ones need no paint."""
    owner = np.full(size, -1, np.int64)
    owner[spots] = np.arange(len(spots))
    return np.flatnonzero(owner[spots] == np.arange(len(spots)))


def _disc(radius: int) -> tuple[np.ndarray, np.ndarray]:
    dy, dx = np.mgrid[-radius : radius + 1, -radius : radius + 1]
    inside = dx * dx + dy * dy <= radius * radius + radius * 0.5
    return dx[inside], dy[inside]
