"""Published values of a circle: arcs, some of which cross the place where the circle is cut."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from kanon_core.covers.cells.base import Ranges
from kanon_core.covers.cells.intervals import Intervals, TwoEnds
from kanon_core.table.columns.circle import Circle
from kanon_core.table.columns.columns import Column, Numbers
from kanon_core.table.columns.keys import ranked
from kanon_core.table.notation.cell_parts import GAPS


@dataclass(frozen=True)
class Arcs(TwoEnds):
    """Cells from ``low`` round to ``high``, both on the line of the ``circle``: where low > high, the arc
    crosses the cut, as [22, 2] crosses midnight."""

    circle: Circle

    @classmethod
    def of(cls, between: Intervals, circle: Circle) -> Arcs:
        """Return the arcs of intervals that may go past both ends of the line, by up to a period; an interval
        as long as the circle becomes the whole circle."""
        whole = between.high - between.low >= circle.period
        low = np.where(whole, circle.cut, circle.within(between.low))
        high = np.where(whole, circle.cut + circle.period, circle.within(between.high))
        return cls(low, high, between.partly_missing, circle)

    @property
    def over(self) -> np.ndarray:
        """Booleans (m): the arc crosses the cut."""
        return np.asarray(self.low > self.high)

    def texts(self, column: Column, cell: np.ndarray) -> list[str]:
        """Return the texts, see `TwoEnds.texts`; the whole circle is written from its first to its last
        place, as in [−180, 180]: its two ends are one place on the line."""
        assert isinstance(column, Numbers)
        texts, circle = super().texts(column, cell), self.circle
        whole = np.flatnonzero((self.high - self.low)[cell] >= circle.period)
        if len(whole):
            first = circle.first
            ends = Intervals(np.array([first]), np.array([first + circle.period]), np.zeros(1, bool))
            uncut = replace(column, circle=replace(circle, cut=first))
            (text,) = ends.texts(uncut, np.zeros(1, np.int64))
            gaps = self.partly_missing[cell]
            for place in whole.tolist():
                texts[place] = text + (GAPS if gaps[place] else "")
        return texts

    def hold(self, column: Column, cell: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Return whether the arcs allow these values; see `SingleValues.hold`."""
        low, high = self.low[cell], self.high[cell]
        after, before = low <= values, values <= high
        inside = np.where(low > high, after | before, after & before)
        gone = np.isnan(values)
        return np.asarray(np.where(gone, np.isnan(low) | self.partly_missing[cell], inside))

    def penalty(self, column: Column) -> np.ndarray:
        """Return the length of the arc / range of the column, which is the period of a cyclic one; for other
        cells, see `Intervals.penalty`."""
        return self._line.penalty(column)

    def ranges(self, column: Column, cell: np.ndarray) -> Ranges:
        """Return the ranges, see `Cells.ranges`; an arc over the cut holds the first and the last values, and
        equal lists of values are stored once."""
        assert isinstance(column, Numbers)
        distinct = np.unique(column.present)
        low, high, over = self.low[cell], self.high[cell], self.over[cell]
        before, end = np.searchsorted(distinct, low), np.searchsorted(distinct, high, "right")
        nothing = np.isnan(low)
        none = over & (end == 0) & (before == len(distinct))
        some = np.flatnonzero(over & ~none)
        size, first = np.ones(len(cell), np.int64), np.full(len(cell), -1, np.int64)
        first[some], size[some], members = _listed(end[some], before[some], len(distinct))
        return Ranges(
            ranked(column.values),
            np.where(nothing | over, 0, before),
            np.where(nothing | none, -1, np.where(over, len(distinct), end) - 1),
            self.partly_missing[cell] | nothing,
            first,
            size,
            members,
        )

    def as_intervals(self) -> Intervals:
        """Return intervals on an unrolled line: the high end of an arc over the cut is a period later."""
        return self._line

    @cached_property
    def _line(self) -> Intervals:
        high = np.where(self.over, self.high + self.circle.period, self.high)
        return Intervals(self.low, high, self.partly_missing, step=self.step)


def _listed(end: np.ndarray, start: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return lists of the numbers below ``count`` that are less than ``end[i]`` or at least ``start[i]``:
    where each list begins, how long it is, and the lists one after another, each different one once."""
    _, which, same = np.unique(end * (count + 1) + start, return_index=True, return_inverse=True)
    ends, starts = end[which], start[which]
    sizes = ends + count - starts
    first = np.cumsum(sizes) - sizes
    place = np.arange(sizes.sum()) - np.repeat(first, sizes)
    later = place >= np.repeat(ends, sizes)
    members = place + np.where(later, np.repeat(starts - ends, sizes), 0)
    return first[same], sizes[same], members.astype(np.int32)
