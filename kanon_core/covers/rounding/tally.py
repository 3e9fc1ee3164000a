"""Counts of numbers in parts of a table, from which a step is chosen exactly as from the median of all
numbers.

Steps change only at certain points of the scale, which divide it into stretches. So it is enough to know the
stretch of the median. If the median is between two numbers of different stretches, these are the largest of
the lower and the smallest of the upper stretch, which are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from kanon_core.covers.rounding.choice import LONGEST

_BIN, _COUNT, _LOW, _HIGH = range(4)


def tally(values: np.ndarray, factor: float) -> np.ndarray:
    """float64 (b, 4): the stretches in which ``factor`` times these values lie, ascending; of each its
    number, how many values lie there, the least and the largest of them.

    ``values`` float64, finite and positive. Cost O(n log n).

    >>> tally(np.array([11.0, 12.0, 30.0]), 1.0)[:, 1:].tolist()
    [[2.0, 11.0, 12.0], [1.0, 30.0, 30.0]]
    """
    values = np.sort(values)
    bins = np.searchsorted(_points(), factor * values) + np.searchsorted(_points(), factor * values, "right")
    first = np.flatnonzero(np.diff(bins, prepend=-1))
    last = np.append(first[1:], len(values)) - 1
    return np.column_stack([bins[first], last - first + 1, values[first], values[last[: len(first)]]]).astype(
        np.float64
    )


def merged(tallies: Sequence[np.ndarray]) -> np.ndarray:
    """The tally of all parts, in whatever order.

    >>> one, other = tally(np.array([11.0, 30.0]), 1.0), tally(np.array([12.0]), 1.0)
    >>> bool((merged([one, other]) == tally(np.array([11.0, 12.0, 30.0]), 1.0)).all())
    True
    """
    rows = np.concatenate([np.zeros((0, 4)), *tallies])
    rows = rows[np.argsort(rows[:, _BIN], kind="stable")]
    first = np.flatnonzero(np.diff(rows[:, _BIN], prepend=-1))
    if not len(first):
        return rows
    ways = {_BIN: np.minimum, _COUNT: np.add, _LOW: np.minimum, _HIGH: np.maximum}
    return np.column_stack([way.reduceat(rows[:, column], first) for column, way in ways.items()])


def median_of(counts: np.ndarray) -> float:
    """The median, or a number in the same stretch; 0 of no values.

    >>> median_of(tally(np.array([1.0, 4.0, 7.0, 100.0]), 1.0))
    5.5
    """
    count = int(counts[:, _COUNT].sum())
    if not count:
        return 0.0
    ends = np.cumsum(counts[:, _COUNT])
    lower, upper = np.searchsorted(ends, [(count - 1) // 2, count // 2], "right").tolist()
    if lower == upper:
        return float(counts[lower, _LOW])
    return float((counts[lower, _HIGH] + counts[upper, _LOW]) / 2)


def least_of(counts: np.ndarray) -> float:
    """The smallest value; 0 of no values."""
    return float(counts[:, _LOW].min()) if len(counts) else 0.0


@cache
def _points() -> np.ndarray:
    """float64, ascending: 1, 2 and 5 · 10^e, and the lengths of days, months and years."""
    steps = {float(f"{digit}e{e}") for e in range(-324, 309) for digit in (1, 2, 5)} - {0.0, np.inf}
    return np.array(sorted(steps | set(LONGEST.values())))
