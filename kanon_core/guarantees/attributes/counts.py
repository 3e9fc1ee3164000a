"""The values of a sensitive column, and how often each occurs in each class."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from kanon_core.table.columns.columns import Column, Items, Numbers
from kanon_core.table.columns.keys import tallied
from kanon_core.table.hierarchy.placed import Placed, placed


class Values(NamedTuple):
    """A sensitive column as codes: int (n), below ``distinct``; ``ordered`` when neighbors are nearer than
    others. Missing is a value of its own, after all others: ``has_missing``. ``occurring`` int64 (distinct):
    how often each value occurs in the whole table, where these codes are of a part of it. ``places``: those
    of the values in the column's hierarchy."""

    name: str
    codes: np.ndarray
    distinct: int
    ordered: bool
    has_missing: bool = False
    occurring: np.ndarray | None = None
    places: Placed | None = None

    @property
    def counts(self) -> np.ndarray:
        """int64 (distinct): how often each value occurs in the whole table."""
        if self.occurring is not None:
            return self.occurring
        return np.bincount(self.codes, minlength=self.distinct)

    @property
    def shares(self) -> np.ndarray:
        """float64 (distinct): the share of each value in the whole table."""
        return np.asarray(self.counts / self.counts.sum())


def values_of(column: Column) -> Values:
    """The values of a column; none for item sets, which these guarantees cannot protect."""
    name = column.attribute.name
    if isinstance(column, Items):
        return Values(name, np.zeros(len(column.starts) - 1, np.int32), 0, False)
    if isinstance(column, Numbers):
        distinct, codes = np.unique(column.values, return_inverse=True)
        missing = bool(np.isnan(distinct[-1:]).any())
        on_line = column.attribute.kind != "cyclic"  # where the first and the last value are farthest apart
        return Values(name, codes.astype(np.int32), len(distinct), on_line, missing)
    places = None if column.attribute.hierarchy is None else placed(column)
    return Values(name, column.codes, len(column.labels), False, column.has_missing, places=places)


@dataclass(frozen=True, eq=False)
class Counts:
    """The number of records of each class that have each value, class by class, for the values that occur in
    it.

    ``owner`` int64 (m): the class; ``codes`` int64 (m): the value, ascending in each class; ``counts`` int64
    (m), at least 1. ``values``: those of the whole table. ``numbers`` int64 (classes): which class of the
    release each is, where some are left out.
    """

    values: Values
    owner: np.ndarray
    codes: np.ndarray
    counts: np.ndarray
    numbers: np.ndarray | None = None

    def of(self, which: np.ndarray) -> np.ndarray:
        """int64: the numbers, in the release, of the classes that are marked."""
        marked = np.flatnonzero(which)
        return marked if self.numbers is None else np.asarray(self.numbers[marked])

    def known(self) -> Counts:
        """The same without missing values; classes that have no other are left out."""
        if not self.values.has_missing:
            return self
        last = self.values.distinct - 1
        kept = self.codes != last
        numbers, owner = np.unique(self.owner[kept], return_inverse=True)
        values = self.values._replace(distinct=last, has_missing=False, occurring=self.values.counts[:last])
        return Counts(values, owner, self.codes[kept], self.counts[kept], numbers)

    @cached_property
    def distinct(self) -> np.ndarray:
        """int64 (classes): how many different values each class has."""
        return np.bincount(self.owner)

    @cached_property
    def first(self) -> np.ndarray:
        """int64 (classes): where the values of each class begin."""
        return np.asarray(np.cumsum(self.distinct) - self.distinct)

    @cached_property
    def sizes(self) -> np.ndarray:
        """int64 (classes): how many records each class has."""
        return np.bincount(self.owner, self.counts).astype(np.int64)

    @cached_property
    def shares(self) -> np.ndarray:
        """float64 (m): the share of the class that has the value."""
        return np.asarray(self.counts / self.sizes[self.owner])

    @cached_property
    def greatest(self) -> np.ndarray:
        """float64 (classes): the share of the most frequent value of each class."""
        return np.asarray(np.maximum.reduceat(self.counts, self.first) / self.sizes)


def counted(classes: np.ndarray, values: Values) -> Counts:
    """The counts of these classes, int64 (n), 0 … without gaps, −1 = not published; at least one is. Cost
    O(n log n), whatever the number of values."""
    pairs = classes.astype(np.int64) * values.distinct + values.codes
    if (gone := classes < 0).any():
        pairs = pairs[~gone]
    keys, counts = tallied(pairs)
    return Counts(values, keys // values.distinct, keys % values.distinct, counts)


def in_one_class(values: Values) -> Counts:
    """The counts of a single class that holds all records of the whole table."""
    codes = np.flatnonzero(values.counts)
    return Counts(values, np.zeros(len(codes), np.int64), codes, values.counts[codes])
