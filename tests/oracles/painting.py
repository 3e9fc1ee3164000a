"""Painting pixel by pixel, hulls by looking at every pair, the colors of a PNG: slow twins of
`kanon_core.charts`."""

from __future__ import annotations

import math
import struct
import zlib
from itertools import pairwise

import numpy as np


def pixel(value: float, ends: tuple[float, float], count: int) -> int:
    """The pixel of a coordinate, from the low end."""
    low, high = ends
    return count - 1 if value == high else math.floor((value - low) * (count / (high - low)))


def painted_discs(pixels: np.ndarray, spans, points, radius: int) -> np.ndarray:
    """A copy of the picture with a disc for each (x, y, color), one after the other."""
    pixels = pixels.copy()
    height, width = pixels.shape
    for x, y, color in points:
        column, row = pixel(x, spans[0], width), height - 1 - pixel(y, spans[1], height)
        if not (0 <= column < width and 0 <= row < height):
            continue
        for r in range(max(row - radius, 0), min(row + radius + 1, height)):
            for c in range(max(column - radius, 0), min(column + radius + 1, width)):
                if (r - row) ** 2 + (c - column) ** 2 <= radius * radius + radius / 2:
                    pixels[r, c] = color
    return pixels


def painted_segments(pixels: np.ndarray, spans, lines) -> np.ndarray:
    """A copy of the picture with each (x0, y0, x1, y1, color) drawn in steps along its longer side."""
    pixels = pixels.copy()
    height, width = pixels.shape
    for x0, y0, x1, y1, color in lines:
        a, b = pixel(x0, spans[0], width), pixel(x1, spans[0], width)
        c, d = height - 1 - pixel(y0, spans[1], height), height - 1 - pixel(y1, spans[1], height)
        steps = max(abs(b - a), abs(d - c))
        for i in range(steps + 1):
            share = i / max(steps, 1)
            column, row = math.floor(a + share * (b - a) + 0.5), math.floor(c + share * (d - c) + 0.5)
            if 0 <= column < width and 0 <= row < height:
                pixels[row, column] = color
    return pixels


def read_png(data: bytes) -> tuple[np.ndarray, bytes, bytes]:
    """Palette numbers, palette and opacities of an indexed PNG without row filters; every checksum is
    checked."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, place = {}, 8
    while place < len(data):
        (size,) = struct.unpack(">I", data[place : place + 4])
        kind, body = data[place + 4 : place + 8], data[place + 8 : place + 8 + size]
        assert struct.unpack(">I", data[place + 8 + size : place + 12 + size])[0] == zlib.crc32(kind + body)
        chunks[kind] = body
        place += 12 + size
    width, height, depth, color = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    assert (depth, color) == (8, 3)
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, width + 1)
    assert not rows[:, 0].any()
    return rows[:, 1:], chunks[b"PLTE"], chunks[b"tRNS"]


def hull_corners(points: list[tuple[float, float]]) -> set[tuple[float, float]]:
    """The corners of the convex hull: the points that do not lie between or among others.

    A point is a corner when some line through it has all other distinct points strictly on one side, or on
    one ray.
    """
    distinct = sorted(set(points))
    if len(distinct) <= 2:
        return set(distinct)
    corners = set()
    for p in distinct:
        others = [(x - p[0], y - p[1]) for x, y in distinct if (x, y) != p]
        angles = sorted(math.atan2(y, x) for x, y in others)
        gaps = [b - a for a, b in pairwise(angles)] + [angles[0] + 2 * math.pi - angles[-1]]
        if max(gaps) > math.pi + 1e-9:
            corners.add(p)
    return corners
