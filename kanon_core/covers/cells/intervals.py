"""Published numbers and dates: intervals."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from kanon_core.covers.cells.base import Ranges, SingleValues
from kanon_core.table.columns.columns import Column, Numbers
from kanon_core.table.columns.keys import ranked, row_keys
from kanon_core.table.columns.texts import interval_text, number_texts
from kanon_core.table.notation.cell_parts import GAPS


@dataclass(frozen=True)
class TwoEnds(SingleValues):
    """Base of intervals and arcs: cells with two ends, ``low`` and ``high`` (float64, m); NaN where the group
    has only missing values.

    ``partly_missing`` (m booleans): the group also holds missing values besides those between the ends.
    ``step``: the ends were widened to multiples of it, as a person writes it; "" = they are values of
    records.
    """

    low: np.ndarray
    high: np.ndarray
    partly_missing: np.ndarray
    step: str = field(default="", kw_only=True)

    def __len__(self) -> int:
        return len(self.low)

    def keys(self) -> np.ndarray:
        """Return the key of each cell, see `Cells.keys`; ascending by low, then high."""
        ends = [np.nan_to_num(ends, nan=np.inf) for ends in (self.low, self.high)]
        return row_keys(np.column_stack([*ends, self.partly_missing]))

    def texts(self, column: Column, cell: np.ndarray) -> list[str]:
        """``[20, 35]`` or, over the end of a circle, ``[22, 2]``; the value alone when both ends are
        equal."""
        assert isinstance(column, Numbers)
        low, high = (number_texts(end[cell], column, True) for end in (self.low, self.high))
        own = number_texts(self.low[cell], column) if column.levels else low
        parts = zip(low, high, own, self.partly_missing[cell], strict=True)
        return [(c if a == b else interval_text(a, b)) + (GAPS if gaps else "") for a, b, c, gaps in parts]

    def taken(self, which: np.ndarray) -> Self:
        """Return the cells of these numbers; see `Cells.taken`."""
        return replace(
            self, low=self.low[which], high=self.high[which], partly_missing=self.partly_missing[which]
        )


@dataclass(frozen=True)
class Intervals(TwoEnds):
    """Cells [low, high]; the ends are in this order."""

    def hold(self, column: Column, cell: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Return whether the cells allow these values, see `SingleValues.hold`; a cell allows NaN, a missing
        value, if it allows missing values."""
        inside = (self.low[cell] <= values) & (values <= self.high[cell])
        if not inside.all():
            gone = np.flatnonzero(np.isnan(values))
            inside[gone] = np.isnan(self.low[cell[gone]]) | self.partly_missing[cell[gone]]
        return np.asarray(inside)

    def penalty(self, column: Column) -> np.ndarray:
        """Width / range of the column, at most 1; 1 where missing and present values mix, 0 where all are
        missing."""
        assert isinstance(column, Numbers)
        low, high = column.range
        width = np.nan_to_num(
            (self.high - self.low) / (high - low) if high > low else np.zeros(len(self.low))
        )
        return np.where(self.partly_missing, 1.0, np.minimum(width, 1.0))

    def ranges(self, column: Column, cell: np.ndarray) -> Ranges:
        """Return the ranges: the column's different numbers are ranked, and a cell of missing values alone
        holds none of them."""
        assert isinstance(column, Numbers)
        distinct = np.unique(column.values[~column.missing])
        low, high, nothing = self.low[cell], self.high[cell], np.isnan(self.low[cell])
        return Ranges(
            ranked(column.values),
            np.where(nothing, 0, np.searchsorted(distinct, low)),
            np.where(nothing, -1, np.searchsorted(distinct, high, "right") - 1),
            self.partly_missing[cell] | nothing,
            np.full(len(cell), -1, np.int64),
            np.ones(len(cell), np.int64),
            np.zeros(0, np.int32),
        )

    def as_intervals(self) -> Intervals:
        """Itself."""
        return self
