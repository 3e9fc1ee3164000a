"""One quasi-identifier as it is published."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from kanon_core.release.cells.base import Cells
from kanon_core.table.columns.columns import Column
from kanon_core.table.columns.texts import SUPPRESSED
from kanon_core.table.schema import Attribute


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
        """What is published of these records, as text a person reads."""
        back, used = pd.factorize(self.cell[rows])
        shown = np.full(len(used), SUPPRESSED, object)
        shown[used >= 0] = self.cells.texts(column, used[used >= 0])
        return list(shown[back].tolist())

    def by_row(self, row: np.ndarray, first: np.ndarray) -> PublishedColumn:
        """The same with a cell for each row of the release: ``row`` int64 (n), ``first`` a record of each."""
        if self.cell is row:
            return self
        return replace(self, cells=self.cells.taken(self.cell[first]), cell=row)
