"""A column encoded by its distance: plain arrays, in one of five shapes.

    Line      a place on a line:            d = |a − b|, or ``gap`` when one of the two is missing
    Mismatch  a code:                       d = 1 where the codes differ
    Matrix    a code of one of V values:    d = a cell of a V × V matrix
    Computed  the same with too many values for a matrix: its rows are computed when asked for
    Sphere    a place on the earth:         d = kilometers along the great circle, or ``gap``

All have ``len()`` (records) and ``pairs(first, second)``. Every distance is symmetric, ≥ 0, and 0 between a
record and itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kanon_core.distances.values.geo import EARTH_RADIUS_KM

VALUES_AT_MOST = 5_000
"""The most different values in a V × V matrix (200 MB); of more, rows are computed on request."""


class Scale(NamedTuple):
    """The scale on which a column is measured, taken once from the original column and also used for its
    published cells. On a line, the place of a value x is (x − origin) / unit; a missing value is ``gap`` away
    from every present one."""

    origin: float
    unit: float
    gap: float


@dataclass(frozen=True, eq=False)
class Line:
    """``values`` float64 (n), NaN = missing."""

    values: np.ndarray
    gap: float

    def __len__(self) -> int:
        return len(self.values)

    def pairs(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """float64: |a − b| of each pair of record numbers, which broadcast together."""
        a, b = self.values[first], self.values[second]
        return _bridged(np.abs(a - b), np.isnan(a), np.isnan(b), self.gap)


@dataclass(frozen=True, eq=False)
class _Coded:
    codes: np.ndarray

    def __len__(self) -> int:
        return len(self.codes)


@dataclass(frozen=True, eq=False)
class Mismatch(_Coded):
    """``codes`` int32 (n); a missing value has a code of its own."""

    def pairs(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """float64: 1 where the codes of a pair of record numbers differ."""
        return np.asarray(self.codes[first] != self.codes[second]).astype(np.float64)


@dataclass(frozen=True, eq=False)
class Matrix(_Coded):
    """``codes`` int32 (n); ``cells`` float64 (V, V): the values' distances; missing is the last value."""

    cells: np.ndarray

    @property
    def size(self) -> int:
        """V, the number of different values."""
        return len(self.cells)

    def rows(self, codes: np.ndarray) -> np.ndarray:
        """float64 (r, V): the distances of these values to all values."""
        return np.asarray(self.cells[codes])

    def pairs(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """float64: the distance of each pair of record numbers, which broadcast together."""
        return np.asarray(self.cells[self.codes[first], self.codes[second]])


@dataclass(frozen=True, eq=False)
class Computed(_Coded):
    """``codes`` int32 (n) of ``size`` = V values; ``rows(codes)`` computes float64 (r, V)."""

    size: int
    rows: Callable[[np.ndarray], np.ndarray]

    def pairs(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """float64: the distance of each pair; computes a row of V for each different first value."""
        a, b = np.broadcast_arrays(self.codes[first], self.codes[second])
        found = np.zeros(a.shape)
        for code in np.unique(a):
            here = a == code
            found[here] = self.rows(np.array([code]))[0, b[here]]
        return found


@dataclass(frozen=True, eq=False)
class Sphere:
    """``points`` float64 (n, 3): unit vectors from the center of the earth, NaN = missing."""

    points: np.ndarray
    gap: float

    def __len__(self) -> int:
        return len(self.points)

    def pairs(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """float64, kilometers: 2R · arcsin(|u − v| / 2) of each pair of record numbers."""
        u, v = self.points[first], self.points[second]
        chord = np.sqrt(((u - v) ** 2).sum(axis=-1))
        apart = 2 * EARTH_RADIUS_KM * np.arcsin(np.minimum(chord / 2, 1.0))
        return _bridged(apart, np.isnan(u[..., 0]), np.isnan(v[..., 0]), self.gap)


Encoding = Line | Mismatch | Matrix | Computed | Sphere


class Beyond(NamedTuple):
    """The parts of a distance that are neither a difference of numbers nor a mismatch of codes.

    ``codes`` int32 (n, m): the value of each of m attributes whose distances are in matrices. Those of
    attribute x are ``sizes[x]`` × ``sizes[x]`` numbers of ``cells`` float64 from ``starts[x]`` on, row by
    row, times ``weights[x]``. ``places`` float64 (n, 3): unit vectors, NaN = missing (adds 0; its mismatch is
    a code); without places (n, 0). ``reach``: the weighted diameter of the earth.
    """

    codes: np.ndarray
    cells: np.ndarray
    starts: np.ndarray
    sizes: np.ndarray
    weights: np.ndarray
    places: np.ndarray
    reach: float


class Arrays(NamedTuple):
    """Points as kernels take them: those of `kanon_core.distances.manhattan.ManhattanPoints`."""

    numeric: np.ndarray
    codes: np.ndarray
    weights: np.ndarray
    beyond: Beyond


def _bridged(apart: np.ndarray, first: np.ndarray, second: np.ndarray, gap: float) -> np.ndarray:
    return np.where(first & second, 0.0, np.where(first | second, gap, apart))


def stacked(columns: Iterable[np.ndarray], n: int, dtype: type) -> np.ndarray:
    """Columns of n records side by side: (n, columns), contiguous."""
    found = list(columns)
    return np.ascontiguousarray(np.column_stack(found), dtype=dtype) if found else np.zeros((n, 0), dtype)
