"""Published values of a circle: arcs, of which some go over the place where the circle was cut."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

import numpy as np

from kanon_core.release.cells.base import Ranges, SingleValues
from kanon_core.release.cells.intervals import Intervals
from kanon_core.table.columns.circle import Circle
from kanon_core.table.columns.columns import Column, Numbers
from kanon_core.table.columns.keys import ranked, row_keys
from kanon_core.table.columns.texts import interval_text, number_texts
from kanon_core.table.notation.parts import GAPS


@dataclass(frozen=True)
class Arcs(SingleValues):
    """Cells from ``low`` round to ``high`` (float64, m; on the line of the ``circle``): where low > high the
    arc goes over the cut, as [22, 2] over midnight. NaN and ``partly_missing`` as of `Intervals`."""

    low: np.ndarray
    high: np.ndarray
    partly_missing: np.ndarray
    circle: Circle
    step: str = field(default="", kw_only=True)

    def __len__(self) -> int:
        return len(self.low)

    @classmethod
    def of(cls, between: Intervals, circle: Circle) -> Arcs:
        """The arcs of intervals that may go past both ends of the line, by up to a period; those that are as
        long as the circle are all of it."""
        whole = between.high - between.low >= circle.period
        low = np.where(whole, circle.cut, circle.within(between.low))
        high = np.where(whole, circle.cut + circle.period, circle.within(between.high))
        return cls(low, high, between.partly_missing, circle)

    @property
    def over(self) -> np.ndarray:
        """Booleans (m): the arc goes over the cut."""
        return np.asarray(self.low > self.high)

    def hold(self, column: Column, cell: np.ndarray, values: np.ndarray) -> np.ndarray:
        """As of `SingleValues`."""
        low, high = self.low[cell], self.high[cell]
        after, before = low <= values, values <= high
        inside = np.where(low > high, after | before, after & before)
        gone = np.isnan(values)
        return np.asarray(np.where(gone, np.isnan(low) | self.partly_missing[cell], inside))

    def keys(self) -> np.ndarray:
        """As of `Cells`; ascending by low, then high."""
        ends = [np.nan_to_num(ends, nan=np.inf) for ends in (self.low, self.high)]
        return row_keys(np.column_stack([*ends, self.partly_missing]))

    def penalty(self, column: Column) -> np.ndarray:
        """Length of the arc / range of the column, which is the period of a cyclic one; else as of
        `Intervals`."""
        return self._line.penalty(column)

    def texts(self, column: Column, cell: np.ndarray) -> list[str]:
        """``[22, 2]``, or the value alone when both ends are equal."""
        assert isinstance(column, Numbers)
        low, high = number_texts(self.low[cell], column), number_texts(self.high[cell], column)
        pairs = zip(low, high, self.partly_missing[cell], strict=True)
        return [interval_text(a, b) + (GAPS if gaps else "") for a, b, gaps in pairs]

    def taken(self, which: np.ndarray) -> Self:
        """As of `Cells`."""
        ends = {"low": self.low[which], "high": self.high[which]}
        return replace(self, **ends, partly_missing=self.partly_missing[which])

    def ranges(self, column: Column, cell: np.ndarray) -> Ranges:
        """As of `Intervals`; an arc over the cut holds the first and the last values, which are listed."""
        assert isinstance(column, Numbers)
        distinct = np.unique(column.present)
        low, high, over = self.low[cell], self.high[cell], self.over[cell]
        left = np.searchsorted(distinct, low)
        right = np.searchsorted(distinct, high, "right") - 1
        nothing = np.isnan(low)
        size, first, members = np.ones(len(cell), np.int64), np.full(len(cell), -1, np.int64), []
        reached = 0
        for i in np.flatnonzero(over).tolist():
            held = np.r_[0 : right[i] + 1, left[i] : len(distinct)]
            first[i], size[i] = (reached, len(held)) if len(held) else (-1, 1)
            members.append(held)
            reached += len(held)
        none = over & (first < 0)
        return Ranges(
            ranked(column.values),
            np.where(nothing | over, 0, left),
            np.where(nothing | none, -1, np.where(over, len(distinct) - 1, right)),
            self.partly_missing[cell] | nothing,
            first,
            size,
            np.concatenate([np.zeros(0, np.int32), *members]).astype(np.int32),
        )

    def as_intervals(self) -> Intervals:
        """On a line that goes on: the high end of an arc over the cut lies a period later."""
        return self._line

    @cached_property
    def _line(self) -> Intervals:
        high = np.where(self.over, self.high + self.circle.period, self.high)
        return Intervals(self.low, high, self.partly_missing, step=self.step)
