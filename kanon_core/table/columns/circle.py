"""Circles: hours, weekdays, months, directions and longitudes, whose last value is next to the first.

A circle is cut at its widest gap without a value and unrolled onto a line from there: hours 22, 23, 0 and 1
become 22 … 25. So every algorithm and metric sees neighbors as neighbors; texts are written as they were
read.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

_DECIMALS = 12


@dataclass(frozen=True)
class Circle:
    """Values from ``first`` to ``first`` + ``period``, which are the same place, unrolled from ``cut`` on.

    ``ended``: that place is written as the end (12 of the months), not as ``first``. ``clock``: the values
    are seconds since midnight, written 23:50 or 23:50:07 (``seconds``).

    >>> circle = Circle.around(np.array([22.0, 23, 0, 1]), 24.0)
    >>> circle.cut, circle.unrolled(np.array([23.0, 1])).tolist(), circle.written(np.array([25.0])).tolist()
    (22.0, [23.0, 25.0], [1.0])
    """

    period: float
    first: float = 0.0
    cut: float = 0.0
    ended: bool = False
    clock: bool = False
    seconds: bool = False

    @classmethod
    def around(cls, values: np.ndarray, period: float, first: float = 0.0, part: bool = False) -> Circle:
        """The circle of these present values, float64 within ``first`` … ``first`` + ``period``, cut at the
        first of the widest gaps; at ``first`` where the gap there is no narrower, and for a ``part`` of a
        table, whose gaps are not those of the whole. Cost O(n log n), O(n) within half a period."""
        last = first + period
        ended = bool((values == last).any()) and not bool((values == first).any())
        if part or not len(values) or float(values.max() - values.min()) <= period / 2:
            return cls(period, first, first, ended)
        places = np.unique(np.where(values == last, first, values))
        gaps = np.diff(places)
        if not len(gaps) or gaps.max() <= places[0] + period - places[-1]:
            return cls(period, first, first, ended)
        return cls(period, first, float(places[int(gaps.argmax()) + 1]), ended)

    def unrolled(self, values: np.ndarray) -> np.ndarray:
        """float64: written values on the line from ``cut`` to ``cut`` + ``period``; the first and the last
        value that can be written, 0 and 24 hours, are one."""
        last = self.first + self.period
        same, other = (self.first, last) if self.ended else (last, self.first)
        values = np.where(values == same, other, values)
        if self.cut == self.first:
            return values
        return np.asarray(np.where(values < self.cut, np.round(values + self.period, _DECIMALS), values))

    def written(self, values: np.ndarray) -> np.ndarray:
        """float64: values of the line as they are written; wrapped values are rounded to 12 decimals."""
        last = self.first + self.period
        found = np.where(values > last, np.round(values - self.period, _DECIMALS), values)
        if self.cut != self.first and not self.ended:
            found = np.where(found == last, self.first, found)
        return np.asarray(found)

    def within(self, values: np.ndarray) -> np.ndarray:
        """float64: values beyond either end of the line, moved onto it by one period."""
        past, before = values > self.cut + self.period, values < self.cut
        found = np.where(past, np.round(values - self.period, _DECIMALS), values)
        return np.asarray(np.where(before, np.round(values + self.period, _DECIMALS), found))

    def onward(self, values: np.ndarray, low: np.ndarray) -> np.ndarray:
        """float64: values of the line as they are reached from ``low`` on, up to a period later."""
        return np.asarray(np.where(values < low, values + self.period, values))

    def way(self, apart: np.ndarray) -> np.ndarray:
        """float64: the shorter distance on the circle, from differences between values of the line.

        >>> Circle(24.0).way(np.array([23.0, -1.0, 12.0])).tolist()
        [1.0, 1.0, 12.0]
        """
        apart = np.abs(apart)
        return np.asarray(np.minimum(apart, np.abs(self.period - apart)))
