"""Distances of pairs, rows and nearest records; each adds numbers first, then codes, matrices and places, in
column order. All arrays of ``points`` lie by record in `pairs`, by column (numeric (p, n) …) elsewhere."""

from __future__ import annotations

import math

import numpy as np

from kanon_core.base.compiled import inlined, kernel
from kanon_core.distances.encodings import Arrays, Beyond

_TILE = 1024


@inlined
def arc(beyond: Beyond, x: float, y: float, z: float) -> float:
    """The distance of two places whose unit vectors differ by (x, y, z): 0 if one is missing."""
    chord = math.sqrt(x * x + y * y + z * z)
    return beyond.reach * math.asin(min(0.5 * chord, 1.0)) if chord == chord else 0.0


@kernel
def pairs(points: Arrays, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """float64 (m,): the distance of records first[i] and second[i]."""
    numeric, codes, weights, beyond = points
    found = np.zeros(len(first))
    for i in range(len(first)):
        a, b, total = first[i], second[i], 0.0
        for x in range(numeric.shape[1]):
            apart = abs(numeric[a, x] - numeric[b, x])
            total += apart if apart == apart else 0.0
        for x in range(codes.shape[1]):
            total += weights[x] if codes[a, x] != codes[b, x] else 0.0
        for x in range(len(beyond.sizes)):
            cell = beyond.starts[x] + beyond.codes[a, x] * beyond.sizes[x] + beyond.codes[b, x]
            total += beyond.weights[x] * beyond.cells[cell]
        if beyond.places.shape[1] == 3:
            u, v = beyond.places[a], beyond.places[b]
            total += arc(beyond, u[0] - v[0], u[1] - v[1], u[2] - v[2])
        found[i] = total
    return found


@kernel
def tile(points: Arrays, i: int, start: int, size: int, out: np.ndarray) -> None:
    """out[t] = d(i, start + t) for t < size."""
    numeric, codes, weights, beyond = points
    out[:size] = 0.0
    for x in range(numeric.shape[0]):
        here, line = numeric[x, i], numeric[x, start : start + size]
        for t in range(size):
            apart = abs(line[t] - here)
            out[t] += apart if apart == apart else 0.0
    for x in range(codes.shape[0]):
        code, weight, places = codes[x, i], weights[x], codes[x, start : start + size]
        for t in range(size):
            out[t] += weight if places[t] != code else 0.0
    for x in range(len(beyond.sizes)):
        first = beyond.starts[x] + beyond.codes[x, i] * beyond.sizes[x]
        row, weight, places = beyond.cells[first:], beyond.weights[x], beyond.codes[x, start : start + size]
        for t in range(size):
            out[t] += weight * row[places[t]]
    if beyond.places.shape[0] == 3:
        x, y, z = beyond.places
        for t in range(size):
            other = start + t
            out[t] += arc(beyond, x[other] - x[i], y[other] - y[i], z[other] - z[i])


@kernel
def rows_of(points: Arrays, rows: np.ndarray) -> np.ndarray:
    """float64 (r, n): the distances of these records to all."""
    n = points.numeric.shape[1]
    found = np.empty((len(rows), n))
    for r in range(len(rows)):
        for start in range(0, n, _TILE):
            size = min(_TILE, n - start)
            tile(points, rows[r], start, size, found[r, start : start + size])
    return found


@kernel
def keep_least(
    values: np.ndarray, prices: np.ndarray, start: int, size: int, nearest: np.ndarray, least: np.ndarray
) -> None:
    """Merge values[t] + prices[start + t] of records start + t into the sorted nearest and least (m,)."""
    last = len(least) - 1
    for t in range(size):
        value = values[t] + prices[start + t]
        if value < least[last]:
            place = last
            while place > 0 and least[place - 1] > value:
                least[place], nearest[place] = least[place - 1], nearest[place - 1]
                place -= 1
            least[place], nearest[place] = value, start + t


@kernel
def cheapest(
    points: Arrays, prices: np.ndarray, first: int, stop: int, nearest: np.ndarray, least: np.ndarray
) -> None:
    """Rows first … stop − 1 of nearest int64 and least float64 (n, m): the m records j ≠ i of least d(i, j) +
    prices[j]. Records are visited in the order i + 1, …, n − 1, 0, …, i − 1, and a record never replaces an
    equally good one that was visited before."""
    n = points.numeric.shape[1]
    values = np.empty(_TILE)
    for i in range(first, stop):
        least[i] = np.inf
        for begin, end in ((i + 1, n), (0, i)):
            for start in range(begin, end, _TILE):
                size = min(_TILE, end - start)
                tile(points, i, start, size, values)
                keep_least(values, prices, start, size, nearest[i], least[i])
