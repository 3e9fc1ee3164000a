"""Cells that publish one number for each record and hold the range of its possible originals."""

from __future__ import annotations

import numpy as np

from kanon_core.covers.cells import AggregatedNumbers, Arcs, Intervals
from kanon_core.table.columns.circle import Circle
from kanon_core.table.columns.columns import Numbers

_POLE = 90.0
DAY, MINUTE = 86_400.0, 60.0
"""Lengths in seconds, the unit of dates and times of day."""
_STEPS = {"D": DAY, "s": 1.0, "us": 1e-6}


def standing_for(column: Numbers, values: np.ndarray, low: np.ndarray, high: np.ndarray) -> AggregatedNumbers:
    """Return cells that publish ``values``, each for the range from ``low`` to ``high``; all float64 (n), NaN
    = missing. Values of a circle may exceed its ends: 25 of 24 hours is 1."""
    gone, turns = np.isnan(values), 0.0 if column.circle is None else _turns(values, column.circle)
    values = np.asarray(values - turns) + 0.0
    low, high = (np.where(gone, np.nan, end - turns) + 0.0 for end in (low, high))
    between = Intervals(low, high, np.zeros(len(values), bool))
    if column.circle is None:
        return AggregatedNumbers.of(values, between)
    on_line = column.circle.unrolled(column.circle.written(values))
    return AggregatedNumbers.of(on_line, Arcs.of(between, column.circle))


def _turns(values: np.ndarray, circle: Circle) -> np.ndarray:
    """Return the multiple of the period to subtract from each value, so that it is on the circle's line."""
    end = circle.cut + circle.period
    past, before = values > end, values < circle.cut
    turns = np.where(past, np.ceil((values - end) / circle.period), 0.0)
    return np.where(before, np.floor((values - circle.cut) / circle.period), turns) * circle.period


def written_step(column: Numbers) -> float:
    """Return the step between a column's possible values: 1 for whole and ordinal numbers; a day, a second or
    a microsecond for dates; a second or a minute for times of day; 0 for other numbers."""
    if column.attribute.kind == "datetime":
        return _STEPS[column.unit]
    if is_clock(column):
        return 1.0 if column.circle is not None and column.circle.seconds else MINUTE
    return 1.0 if column.integral or column.levels else 0.0


def within(column: Numbers, counted: bool = True) -> tuple[float, float]:
    """Return the least and the greatest possible value, infinite if unknown: the poles, the ends of an order,
    or, if ``counted``, 0 as the least for columns without negative numbers. A circle has no ends."""
    if column.attribute.kind == "latitude":
        return -_POLE, _POLE
    if column.circle is not None:
        return -np.inf, np.inf
    if column.levels:
        return 0.0, len(column.levels) - 1.0
    counted = counted and column.attribute.kind == "numeric" and column.range[0] >= 0
    return (0.0 if counted else -np.inf), np.inf


def is_clock(column: Numbers) -> bool:
    """Return whether the values are times of day."""
    return column.circle is not None and column.circle.clock
