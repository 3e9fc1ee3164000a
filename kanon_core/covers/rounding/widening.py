"""Intervals widened outwards to the points of a grid."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kanon_core.covers.cells import Arcs, Intervals
from kanon_core.covers.rounding.choice import grid_of
from kanon_core.covers.rounding.grids import Grid
from kanon_core.table.columns.numbers import Numbers

_LIMITS = {"latitude": 90.0, "longitude": 180.0}


def with_round_ends(between: Intervals | Arcs, column: Numbers) -> Intervals | Arcs:
    """The intervals, widened to the grid that the column's ``round_to`` asks for (`choice.grid_of`).

    The low end goes down and the high end up to the nearest point of the grid. An interval of one value is
    widened like any other: to the points around the value or, where the value is a point itself, from it to
    the next. So no cell is a single value, and an end that is somebody's value cannot be told from one that
    is not, as long as several values of the column lie between neighboring points. Degrees end at ±90 and
    ±180, or go on over ±180 where the column does. Missing values stay as they are. Rounding again to the
    same step changes nothing; where "auto" finds no step, the intervals stay as they are. Cost O(m log m) for
    m intervals.

    >>> import kanon_core as kc
    >>> table = kc.read_table(b"age\\n21\\n38\\n40\\n")
    >>> column = table.with_schema(table.schema.with_round_ends({"age": "10"}))["age"]
    >>> intervals = Intervals(np.array([21.0, 40.0]), np.array([38.0, 40.0]), np.zeros(2, bool))
    >>> with_round_ends(intervals, column).texts(column, np.arange(2))
    ['[20, 40]', '[40, 50]']
    """
    circle, line = column.circle, between.as_intervals()
    around = circle is not None and (circle.cut != circle.first or isinstance(between, Arcs))
    known = ~np.isnan(line.low)
    low, high = line.low.copy(), line.high.copy()
    grid = grid_of(column, line)
    if grid is None:
        return between
    limit = np.inf if around else _LIMITS.get(column.attribute.kind, np.inf)
    low[known], high[known] = _outwards(low[known], high[known], grid, limit)
    found = Intervals(low, high, line.partly_missing, step=grid.step)
    if circle is None or not around:
        return found
    return replace(Arcs.of(found, circle), step=grid.step)


def _outwards(low: np.ndarray, high: np.ndarray, grid: Grid, limit: float) -> tuple[np.ndarray, np.ndarray]:
    """Both ends at points of the grid, at most ``limit`` from 0, and never equal."""
    first, last = grid.below(low), grid.above(high)
    single = first == last
    beyond = single & (grid.at(last) >= limit)  # the next point is no degree
    first, last = first - beyond, last + (single & ~beyond)
    return np.maximum(grid.at(first), -limit), np.minimum(grid.at(last), limit)
