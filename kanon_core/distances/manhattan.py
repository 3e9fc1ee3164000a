"""The distance of k-concealment: a sum over attributes, each between 0 and 1.

    d(a, b) = Σ_numeric w |a − b| / range  +  Σ_categorical w [a ≠ b]                     [000, definition 2.2]

Missing is a value of its own: it lies as far from every present number as the two ends of the column do (1 in units of
the range), and at 0 from another missing one. A column without range adds nothing. In plain units numbers are not divided
by the range, so that two degrees are 2: the costs of table 8 are of this kind. Weights w are 1 in the paper.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kanon_core.data.columns import Categories, Column, Numbers
from kanon_core.errors import KanonError
from kanon_core.progress import Tick, silent

MATRIX_AT_MOST = 5_000
"""More records than this get no n × n matrix."""

_PAIRS_PER_CALL = 4_000_000  # times attributes and about a nanosecond each


@dataclass(frozen=True, eq=False)
class ManhattanPoints:
    """n records as points of this distance.

    ``numeric`` float64 (n, p), scaled and weighted, NaN = missing (adds 0; its mismatch is a code); ``codes`` int32
    (n, q); ``weights`` float64 (q): what a mismatch adds to the distance.
    """

    numeric: np.ndarray
    codes: np.ndarray
    weights: np.ndarray

    def __len__(self) -> int:
        return len(self.numeric)

    def take(self, rows: np.ndarray) -> ManhattanPoints:
        """The points of these record numbers, at the same scale."""
        numeric, codes = self.numeric[rows], self.codes[rows]
        return ManhattanPoints(np.ascontiguousarray(numeric), np.ascontiguousarray(codes), self.weights)


def manhattan_points(columns: tuple[Column, ...], units: str = "range") -> ManhattanPoints:
    """The points of these columns; ``units`` is "range" or "plain". Cost O(n · columns)."""
    numeric: list[np.ndarray] = []
    codes: list[np.ndarray] = []
    weights: list[float] = []
    n = len(columns[0].missing) if columns else 0
    for column in columns:
        weight = column.attribute.weight
        if isinstance(column, Categories):
            codes.append(column.codes)
            weights.append(weight)
        if isinstance(column, Numbers):
            low, high = column.range
            span = high - low if high > low else 1.0
            unit = span if units == "range" else 1.0
            numeric.append((column.values - low) / unit * weight)
            if column.missing.any():
                codes.append(column.missing.astype(np.int32))
                weights.append(span / unit * weight)
    return ManhattanPoints(
        _stacked(numeric, n, np.float64), _stacked(codes, n, np.int32), np.array(weights, np.float64)
    )


def pair_distances(points: ManhattanPoints, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """float64, of the shape of ``first`` and ``second``: the distance of each pair of record numbers."""
    from kanon_core.distances import manhattan_kernels as kernels

    a, b = np.broadcast_arrays(np.asarray(first, np.int64), np.asarray(second, np.int64))
    found = kernels.pairs(points.numeric, points.codes, points.weights, a.ravel().copy(), b.ravel().copy())
    return found.reshape(a.shape)


def distance_rows(points: ManhattanPoints, rows: np.ndarray) -> np.ndarray:
    """float64 (len(rows), n): the distances of these records to all records. The caller bounds len(rows) · n."""
    from kanon_core.distances import manhattan_kernels as kernels

    return kernels.rows_of(*_by_column(points), points.weights, np.asarray(rows, np.int64))


def distance_matrix(points: ManhattanPoints) -> np.ndarray:
    """float64 (n, n), for at most `MATRIX_AT_MOST` records; raises KanonError beyond."""
    if len(points) > MATRIX_AT_MOST:
        raise KanonError(
            f"A matrix of all distances is made for at most {MATRIX_AT_MOST:,} records, and these are {len(points):,}."
        )
    return distance_rows(points, np.arange(len(points)))


def nearest(
    points: ManhattanPoints,
    count: int,
    prices: np.ndarray | None = None,
    tick: Tick = silent,
    note: str = "nearest records",
) -> tuple[np.ndarray, np.ndarray]:
    """Of each record i: the ``count`` ≤ n − 1 other records j of the least d(i, j) + prices[j] (prices 0 when left out).

    Gives record numbers int64 (n, count), the nearest first, and those sums float64 (n, count). Among equals the next
    record number after i comes first, cyclically: equal records get different neighbors. All pairs are compared, in
    blocks: O(n² · attributes), exact.
    """
    from kanon_core.distances import manhattan_kernels as kernels

    n = len(points)
    prices = np.zeros(n) if prices is None else np.ascontiguousarray(prices, np.float64)
    columns = _by_column(points)
    found, values = np.empty((n, count), np.int64), np.empty((n, count))
    step = max(1, _PAIRS_PER_CALL // n)
    for start in range(0, n, step):
        kernels.cheapest(*columns, points.weights, prices, start, min(n, start + step), found, values)
        tick(min(1.0, (start + step) / n), note)
    return found, values


def _by_column(points: ManhattanPoints) -> tuple[np.ndarray, np.ndarray]:
    return np.ascontiguousarray(points.numeric.T), np.ascontiguousarray(points.codes.T)


def _stacked(parts: list[np.ndarray], n: int, dtype: type) -> np.ndarray:
    return np.ascontiguousarray(np.column_stack(parts), dtype=dtype) if parts else np.zeros((n, 0), dtype)
