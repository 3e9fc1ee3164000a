"""Coordinates of records whose plain Euclidean or Manhattan distances equal, or bound, those of a loss."""

from __future__ import annotations

import numpy as np

from kanon_core.distances.mixed import points_of
from kanon_core.table.columns.columns import Categories, Column, Items, Numbers
from kanon_core.table.columns.numbers import goes_round
from kanon_core.table.hierarchy.placed import placed
from kanon_core.table.table import Table


def euclidean(table: Table) -> np.ndarray:
    """float64 (n, d): Euclidean distances between its rows are those of the mixed distance
    (`kanon_core.distances.mixed`): its numbers, and of each category a column that is √(w / 2) or 0.

    >>> import kanon_core as kc, pandas as pd
    >>> table = kc.Table.from_frame(pd.DataFrame({"city": ["Rome", "Rome", "Paris"]}))
    >>> places = euclidean(table)
    >>> round(float(((places[0] - places[2]) ** 2).sum()), 9)
    2.0
    """
    points = points_of(table)
    shown = [
        _indicated(codes, np.sqrt(weight / 2))
        for codes, weight in zip(points.codes.T, points.weights, strict=True)
    ]
    return np.column_stack([points.numeric, *shown])


def manhattan(table: Table) -> np.ndarray:
    """float64 (n, d): no cell that holds two records can have a smaller certainty penalty
    (`kanon_core.metrics.NCP`, weighted mean over the quasi-identifiers) than the Manhattan distance of their
    rows.

    Of numbers and of value sets it is that penalty itself. It is less where a present and a missing number
    share a cell, and where a hierarchy groups values: two of them cost at least its smallest group. Columns
    of item sets are left out: they can cost nothing.
    """
    total = sum(column.attribute.weight for column in table.quasi) or 1.0
    parts = [_widths(column, column.attribute.weight / total) for column in table.quasi]
    return np.column_stack([np.zeros((len(table), 0)), *parts])


def _widths(column: Column, weight: float) -> np.ndarray:
    if isinstance(column, Numbers) and goes_round(column):
        return _arcs(column, weight)
    if isinstance(column, Numbers):
        low, high = column.range
        values = weight * (column.values - low) / (high - low) if high > low else column.values * 0.0
        if not column.has_missing:
            return np.asarray(values)
        missing = np.where(column.missing, weight / 2, 0.0)
        return np.column_stack([np.where(column.missing, weight / 2, values), missing])
    if isinstance(column, Items):
        return np.zeros((len(column.sizes), 0))
    return _indicated(column.codes, weight * _apart(column) / 2)


def _arcs(column: Numbers, weight: float) -> np.ndarray:
    """Two waves, a quarter of the period apart; neither rises faster than the way round."""
    circle, (low, high) = column.circle, column.range
    assert circle is not None
    unit = weight / (high - low) / 2 if high > low else 0.0
    shifts = (0.0, circle.period / 4)
    waves = [unit * circle.way(np.mod(column.values - low + shift, circle.period)) for shift in shifts]
    if not column.has_missing:
        return np.column_stack(waves)
    return np.column_stack([np.where(column.missing, unit * circle.period / 4, wave) for wave in waves])


def _apart(column: Categories) -> float:
    """The least penalty of a cell that holds two different values."""
    if column.attribute.hierarchy is None:
        return 1 / max(len(column.labels) - 1, 1)
    penalties = placed(column).penalty()
    return float(penalties[penalties > 0].min(initial=1.0))


def _indicated(codes: np.ndarray, value: float) -> np.ndarray:
    """A column for each value: ``value`` where a record has it, else 0."""
    return np.where(codes[:, None] == np.unique(codes), value, 0.0)
