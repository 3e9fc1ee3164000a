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

from kanon_core.distances.encodings import stacked
from kanon_core.table.columns.columns import Categories, Column, Numbers
from kanon_core.table.table import Table

MISMATCH = 2.0


@dataclass(frozen=True)
class Points:
    """Records as points of the mixed distance. ``numeric`` float64 (n, p), scaled and weighted; ``codes``
    int32 (n, q); ``weights`` float64 (q): what a mismatch adds to the squared distance. ``numeric_of`` and
    ``codes_of`` name the attribute behind each column."""

    numeric: np.ndarray
    codes: np.ndarray
    weights: np.ndarray
    numeric_of: tuple[str, ...]
    codes_of: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.numeric)


@dataclass(frozen=True)
class UnitColumns:
    """Records as NCP sees them. ``numeric`` float64 (n, p), each column scaled to 0..1 by its range (0 when
    constant), NaN = missing; ``codes`` int32 (n, q) with ``domains`` int64 (q) the numbers of values; weights
    of both, summing to 1 (all 0 when every weight is 0)."""

    numeric: np.ndarray
    numeric_weights: np.ndarray
    codes: np.ndarray
    domains: np.ndarray
    code_weights: np.ndarray


def points_of(table: Table) -> Points:
    """The quasi-identifiers of a table as points. Cost O(n · columns), once per table.

    >>> import kanon_core as kc, pandas as pd
    >>> table = kc.Table.from_frame(pd.DataFrame({"age": [30, 40, 50], "city": ["Rome", "Rome", "Paris"]}))
    >>> points = points_of(table)
    >>> points.numeric[:, 0].tolist(), points.codes[:, 0].tolist(), points.weights.tolist()
    ([-1.0, 0.0, 1.0], [1, 1, 0], [2.0])
    """
    return table.once("points", lambda: _points(table.quasi, len(table)))


def unit_columns_of(table: Table) -> UnitColumns:
    """The quasi-identifiers scaled to 0..1 by range, as NCP measures them; O(n · columns), once per table."""
    return table.once("unit_columns", lambda: _unit_columns(table.quasi, len(table)))


def _points(columns: tuple[Column, ...], n: int) -> Points:
    numeric: dict[str, np.ndarray] = {}
    codes: dict[str, np.ndarray] = {}
    weights: list[float] = []
    for column, scale in zip(columns, scales_of(columns), strict=True):
        name = column.attribute.name
        if isinstance(column, Numbers):
            numeric[name] = placed_by(column, scale)
        if isinstance(column, Categories) or column.has_missing:
            codes[name] = column.codes if isinstance(column, Categories) else column.missing
            weights.append(MISMATCH * column.attribute.weight)
    return Points(
        stacked(numeric.values(), n, np.float64),
        stacked(codes.values(), n, np.int32),
        np.array(weights, np.float64),
        tuple(numeric),
        tuple(codes),
    )


def _unit_columns(columns: tuple[Column, ...], n: int) -> UnitColumns:
    numbers = [c for c in columns if isinstance(c, Numbers)]
    categories = [c for c in columns if isinstance(c, Categories)]
    total = sum(c.attribute.weight for c in columns) or 1.0
    return UnitColumns(
        stacked(map(_to_unit, numbers), n, np.float64),
        np.array([c.attribute.weight / total for c in numbers], np.float64),
        stacked((c.codes for c in categories), n, np.int32),
        np.array([len(c.labels) for c in categories], np.int64),
        np.array([c.attribute.weight / total for c in categories], np.float64),
    )


def _to_unit(column: Numbers) -> np.ndarray:
    low, high = column.range
    width = high - low
    return (column.values - low) / width if width > 0 else column.values * 0.0


def placed_by(column: Numbers, scale: float) -> np.ndarray:
    """float64 (n): a column of `Points.numeric`, given its factor; missing numbers lie at the mean."""
    mean = column.mean
    present = np.where(column.missing, mean, column.values) if column.has_missing else column.values
    return np.asarray((present - mean) * (np.sqrt(column.attribute.weight) * scale))


def scales_of(columns: tuple[Column, ...]) -> list[float]:
    """Each column's factor, 1 if not numeric; places share one, east–west shrunk by cos(latitude)."""
    deviations = [c.deviation if isinstance(c, Numbers) else 1.0 for c in columns]
    shrink = np.ones(len(columns))
    kinds = [c.attribute.kind for c in columns]
    if "latitude" in kinds and "longitude" in kinds:
        lat, lon = kinds.index("latitude"), kinds.index("longitude")
        latitude = columns[lat]
        assert isinstance(latitude, Numbers)
        shrink[lon] = np.cos(np.radians(latitude.mean))
        common = np.sqrt((deviations[lat] ** 2 + (deviations[lon] * shrink[lon]) ** 2) / 2)
        deviations[lat] = deviations[lon] = float(common)
    return [float(s / d) if d > 0 else 0.0 for s, d in zip(shrink, deviations, strict=True)]
