"""The interface of every kind of published cells, so that no other code has to distinguish the kinds.

A column of a release holds m cells in arrays; its index (`PublishedColumn`) holds the cell of each record.
Texts are made only for the cells that are shown.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self

import numpy as np
import pandas as pd

from kanon_core.table.columns.columns import Column, Items, Numbers
from kanon_core.table.columns.texts import SUPPRESSED
from kanon_core.table.schema import Attribute

if TYPE_CHECKING:
    from kanon_core.covers.cells.intervals import Intervals
    from kanon_core.covers.cells.items import CommonItems
    from kanon_core.covers.cells.valuesets import ValueSets


class Ranges(NamedTuple):
    """Cells as ranges of numbered values, for comparing many records with many rows.

    Cell i holds the values numbered ``low[i]`` … ``high[i]``; where ``first[i]`` ≥ 0 only those of them that
    are among the ascending ``members[first[i]:first[i] + size[i]]``; and missing numbers where ``gaps[i]``.
    """

    values: np.ndarray  # int32 (n), the number of each record's value, −1 = a missing number
    low: np.ndarray  # int64 (m)
    high: np.ndarray  # int64 (m)
    gaps: np.ndarray  # bool (m)
    first: np.ndarray  # int64 (m)
    size: np.ndarray  # int64 (m)
    members: np.ndarray  # int32


class Cells(ABC):
    """The m published cells of one column. ``column`` is the original, ``cell`` an array of cell numbers.

    ``aggregated``: one value (mean, median, mode) is published in place of several.
    """

    aggregated: ClassVar[bool] = False

    @abstractmethod
    def __len__(self) -> int:
        """Return how many cells there are, m."""

    @abstractmethod
    def contain(self, column: Column, rows: np.ndarray, cell: np.ndarray) -> np.ndarray:
        """Booleans: cell ``cell[i]`` is true of record ``rows[i]``."""

    @abstractmethod
    def keys(self) -> np.ndarray:
        """int64 (m): equal cells have equal keys, different ones different keys."""

    @abstractmethod
    def penalties(self, column: Column, cell: np.ndarray) -> np.ndarray:
        """float64 (n): NCP of each record, published with ``cell[i]`` (−1 = suppressed, which costs 1)."""

    @abstractmethod
    def texts(self, column: Column, cell: np.ndarray) -> list[str]:
        """Return these cells as text for people."""

    @abstractmethod
    def taken(self, which: np.ndarray) -> Self:
        """The cells of these numbers, in this order."""

    @abstractmethod
    def ranges(self, column: Column, cell: np.ndarray) -> Ranges:
        """These cells as ranges of the column's numbered values."""

    @property
    def underlying(self) -> Cells:
        """The cells that aggregates hide: the intervals or sets of their records' values; for other cells,
        the cells themselves."""
        return self

    @property
    def sizes(self) -> np.ndarray:
        """int64 (m): how many values a cell of categories allows, or one of item sets publishes."""
        raise TypeError(f"{type(self).__name__} are not counted.")

    def numbers(self) -> np.ndarray | None:
        """float64 (m): the cells as numbers where each is published as one, NaN = missing; None elsewhere."""
        return None

    def as_intervals(self) -> Intervals:
        """Cells of numbers as intervals; TypeError for other columns."""
        raise TypeError(f"{type(self).__name__} are no cells of numbers.")

    def as_sets(self) -> ValueSets:
        """Cells of categories as sets of the values they may stand for; TypeError for other columns."""
        raise TypeError(f"{type(self).__name__} are no cells of categories.")

    def as_items(self) -> CommonItems:
        """Cells of item sets; TypeError for other columns."""
        raise TypeError(f"{type(self).__name__} are no cells of item sets.")

    def choices(self) -> tuple[ValueSets, np.ndarray]:
        """Return, for cells of categories, the different sets of values, and the number of each cell's set,
        int64 (m)."""
        return self.as_sets(), np.arange(len(self))


class SingleValues(Cells):
    """Base of the cells of columns in which a record has one value: numbers and categories."""

    def contain(self, column: Column, rows: np.ndarray, cell: np.ndarray) -> np.ndarray:
        """Return booleans, see `Cells.contain`: the cell allows the record's value."""
        assert not isinstance(column, Items)
        values = column.values if isinstance(column, Numbers) else column.codes
        return self.hold(column, cell, values[rows])

    @abstractmethod
    def hold(self, column: Column, cell: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Booleans: cell ``cell[i]`` allows ``values[i]``, a number or the code of a label."""

    @abstractmethod
    def penalty(self, column: Column) -> np.ndarray:
        """float64 (m): NCP of each cell, 0 for a single value."""

    def penalties(self, column: Column, cell: np.ndarray) -> np.ndarray:
        """Return the `penalty` of each record's cell; see `Cells.penalties`."""
        return np.asarray(np.append(self.penalty(column), 1.0)[cell])


def rows_of(set_of: np.ndarray, published: Sequence[PublishedColumn]) -> np.ndarray:
    """int64 (n): the published row of each record, −1 = suppressed: records of one set, int64 (n), with the
    same cells in all columns have one."""
    row = set_of
    for column in published:
        if column.cell is not set_of:
            kept = np.flatnonzero(set_of >= 0)
            keys = row[kept] * (int(column.cell.max(initial=0)) + 1) + column.cell[kept]
            row = np.full(len(set_of), -1)
            row[kept] = pd.factorize(keys)[0]
    return row


@dataclass(frozen=True, eq=False)
class PublishedColumn:
    """The cells of one quasi-identifier, and which of them each record is published with: ``cell``, int64
    (n), −1 = suppressed."""

    attribute: Attribute
    cells: Cells
    cell: np.ndarray

    def true_of(self, column: Column, rows: np.ndarray) -> np.ndarray:
        """Booleans: what is published of these records is true of them; none of them is suppressed."""
        return self.cells.contain(column, rows, self.cell[rows])

    def penalties(self, column: Column) -> np.ndarray:
        """float64 (n): NCP of each record, 1 for suppressed ones."""
        return self.cells.penalties(column, self.cell)

    def texts(self, column: Column, rows: np.ndarray) -> list[str]:
        """Return what is published of these records, as text a person reads."""
        back, used = pd.factorize(self.cell[rows])
        shown = np.full(len(used), SUPPRESSED, object)
        shown[used >= 0] = self.cells.texts(column, used[used >= 0])
        return list(shown[back].tolist())

    def by_row(self, row: np.ndarray, first: np.ndarray) -> PublishedColumn:
        """The same with a cell for each row of the release: ``row`` int64 (n), ``first`` a record of each."""
        if self.cell is row:
            return self
        return replace(self, cells=self.cells.taken(self.cell[first]), cell=row)
