"""The mixed distance: numbers, dates, places and categories in one Euclidean space.

    d²(a, b) = Σ_numeric w (a − b)² / s²  +  Σ_categorical 2 w [a ≠ b]

``s`` is the sample standard deviation of the column; latitude and longitude share one scale, so that a
kilometer is a kilometer in both directions. Two independent draws of a z-scored number differ by E|x − y|² =
2; hence a mismatch of two categories counts 2, and all attributes of weight w weigh alike. Missing is a value
of its own: a missing number lies at the column's mean and mismatches (2 w) every present one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kanon_core.table.columns.columns import Categories, Column, Numbers

MISMATCH = 2.0


@dataclass(frozen=True)
class Points:
    """Records as points of the mixed distance.

    ``numeric`` float64 (n, p), scaled and weighted; ``codes`` int32 (n, q); ``weights`` float64 (q): what a
    mismatch adds to the squared distance. ``numeric_of`` and ``codes_of`` name the attribute behind each
    column.
    """

    numeric: np.ndarray
    codes: np.ndarray
    weights: np.ndarray
    numeric_of: tuple[str, ...]
    codes_of: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.numeric)


@dataclass(frozen=True)
class UnitColumns:
    """Records as NCP sees them.

    ``numeric`` float64 (n, p), each column scaled to 0..1 by its range (0 when constant), NaN = missing;
    ``codes`` int32 (n, q) with ``domains`` int64 (q) the numbers of values; weights of both, summing to 1
    (all 0 when every weight is 0).
    """

    numeric: np.ndarray
    numeric_weights: np.ndarray
    codes: np.ndarray
    domains: np.ndarray
    code_weights: np.ndarray


def points(columns: tuple[Column, ...]) -> Points:
    """The points of these columns (cost O(n · columns))."""
    n = len(columns[0].missing) if columns else 0
    numeric: list[np.ndarray] = []
    codes: list[np.ndarray] = []
    weights: list[float] = []
    numeric_of: list[str] = []
    codes_of: list[str] = []
    scales = _scales(columns)
    for column, scale in zip(columns, scales, strict=True):
        name, weight = column.attribute.name, column.attribute.weight
        if isinstance(column, Numbers):
            present = np.where(column.missing, _mean(column), column.values) - _mean(column)
            numeric.append(present * (np.sqrt(weight) * scale))
            numeric_of.append(name)
        if isinstance(column, Categories) or column.missing.any():
            codes.append(column.codes if isinstance(column, Categories) else column.missing.astype(np.int32))
            weights.append(MISMATCH * weight)
            codes_of.append(name)
    return Points(
        _stacked(numeric, n, np.float64),
        _stacked(codes, n, np.int32),
        np.array(weights, np.float64),
        tuple(numeric_of),
        tuple(codes_of),
    )


def unit_columns(columns: tuple[Column, ...]) -> UnitColumns:
    """The unit columns of these columns (cost O(n · columns))."""
    n = len(columns[0].missing) if columns else 0
    numbers = [c for c in columns if isinstance(c, Numbers)]
    categories = [c for c in columns if isinstance(c, Categories)]
    total = sum(c.attribute.weight for c in columns)
    share = (lambda c: c.attribute.weight / total) if total else (lambda c: 0.0)
    return UnitColumns(
        _stacked([_to_unit(c) for c in numbers], n, np.float64),
        np.array([share(c) for c in numbers], np.float64),
        _stacked([c.codes for c in categories], n, np.int32),
        np.array([len(c.labels) for c in categories], np.int64),
        np.array([share(c) for c in categories], np.float64),
    )


def _to_unit(column: Numbers) -> np.ndarray:
    low, high = column.range
    width = high - low
    return (column.values - low) / width if width > 0 else column.values * 0.0


def _scales(columns: tuple[Column, ...]) -> list[float]:
    """The factor of each numeric column (1 for categories); places get one common factor, east–west shrunk by
    cos(latitude)."""
    deviations = [_deviation(c) if isinstance(c, Numbers) else 1.0 for c in columns]
    shrink = np.ones(len(columns))
    kinds = [c.attribute.kind for c in columns]
    if "latitude" in kinds and "longitude" in kinds:
        lat, lon = kinds.index("latitude"), kinds.index("longitude")
        latitude = columns[lat]
        assert isinstance(latitude, Numbers)
        shrink[lon] = np.cos(np.radians(_mean(latitude)))
        common = np.sqrt((deviations[lat] ** 2 + (deviations[lon] * shrink[lon]) ** 2) / 2)
        deviations[lat] = deviations[lon] = float(common)
    return [float(s / d) if d > 0 else 0.0 for s, d in zip(shrink, deviations, strict=True)]


def _mean(column: Numbers) -> float:
    present = column.values[~column.missing]
    return float(present.mean()) if len(present) and column.comparable else 0.0


def _deviation(column: Numbers) -> float:
    """Sample standard deviation; 0 for a constant column, and for one that cannot be compared (no algorithm
    takes it)."""
    present = column.values[~column.missing]
    if len(present) < 2 or present.min() == present.max() or not column.comparable:
        return 0.0
    return float(present.std(ddof=1))


def _stacked(parts: list[np.ndarray], n: int, dtype: type) -> np.ndarray:
    return np.ascontiguousarray(np.column_stack(parts), dtype=dtype) if parts else np.zeros((n, 0), dtype)
