"""Published means, medians and modes: one value in place of those of a group."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from kanon_core.covers.cells.base import SingleValues
from kanon_core.covers.cells.intervals import Intervals
from kanon_core.covers.cells.valuesets import ValueSets
from kanon_core.table.columns.columns import Column
from kanon_core.table.columns.keys import row_keys


class _Aggregates(SingleValues):
    """Base of both kinds of aggregates: they read as single values, and their penalty is that of the cells
    they hide."""

    aggregated: ClassVar[bool] = True
    hidden: SingleValues

    @property
    def underlying(self) -> SingleValues:
        """The interval, set or node in whose place the value is published."""
        return self.hidden

    def penalty(self, column: Column) -> np.ndarray:
        """Return the penalty of the hidden cells."""
        return self.hidden.penalty(column)

    @property
    @abstractmethod
    def values(self) -> np.ndarray:
        """(m): the published numbers, or codes of labels."""

    def contain(self, column: Column, rows: np.ndarray, cell: np.ndarray) -> np.ndarray:
        """Return booleans, see `Cells.contain`: the hidden cell contains the record's value, and the
        published value lies in the hidden cell; a missing value only where the group holds missing values."""
        hidden = self.hidden.hold(column, cell, self.values[cell])
        return np.asarray(self.hidden.contain(column, rows, cell) & hidden)


@dataclass(frozen=True)
class AggregatedNumbers(_Aggregates, Intervals):
    """A mean, median or mode of numbers in each cell, in place of the ``hidden`` intervals; NaN = missing."""

    hidden: SingleValues

    @classmethod
    def of(cls, values: np.ndarray, hidden: SingleValues) -> Self:
        """These numbers, float64 (m), in place of the hidden cells."""
        return cls(values, values, np.zeros(len(values), bool), hidden)

    @property
    def values(self) -> np.ndarray:
        """float64 (m)."""
        return self.low

    def taken(self, which: np.ndarray) -> Self:
        """Return the cells of these numbers; see `Cells.taken`."""
        return self.of(self.low[which], self.hidden.taken(which))

    def numbers(self) -> np.ndarray:
        """The values."""
        return self.low


@dataclass(frozen=True)
class AggregatedValues(_Aggregates, ValueSets):
    """The most frequent category of each cell, in place of the ``hidden`` sets or nodes."""

    hidden: SingleValues

    @classmethod
    def of(cls, codes: np.ndarray, hidden: SingleValues) -> Self:
        """These codes, whole numbers (m), in place of the hidden cells."""
        return cls(np.arange(len(codes) + 1), codes, hidden)

    @property
    def values(self) -> np.ndarray:
        """Whole numbers (m)."""
        return self.codes

    def keys(self) -> np.ndarray:
        """Return the key of each cell, see `Cells.keys`; ascending by code."""
        return row_keys(self.codes[:, None])

    def taken(self, which: np.ndarray) -> Self:
        """Return the cells of these numbers; see `Cells.taken`."""
        return self.of(self.codes[which], self.hidden.taken(which))
