"""Sorting: sort the records by some columns and make each k consecutive records a group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.algorithms.base import Algorithm, Run, unsortable
from kanon_core.base.kinds import Columns
from kanon_core.base.words import tr
from kanon_core.covers.cover import Partition
from kanon_core.distances.chosen import distance_of, names_of, sources
from kanon_core.table.columns.columns import Categories, Items
from kanon_core.table.table import Table


@dataclass(frozen=True)
class Sorting(Algorithm):
    """Groups of k consecutive records after a sort; the last takes the rest, k … 2k − 1 records.

    The sort is stable, by the named columns, the most important first: numbers and dates ascending,
    categories by their text, missing values last. A distance chosen for a column may define another order
    (`kanon_core.distances.base.Distance.along`): a tree branch by branch, a circle from the end of its widest
    gap on, places, graphs and matrices along the line between two values that are far apart. Without names:
    all quasi-identifiers, categories first, then numbers, each in column order.

    When to use: as the baseline a better algorithm must beat. The ILD paper's D_A names the number, D_B the
    category, D_C no column. Cost: O(n log n) per named column.

    Reference: ILD paper, §4.1.2.
    """

    title: ClassVar[str] = "Sorting"
    family: ClassVar[str] = "clustering"
    summary: ClassVar[str] = (
        "Sorts the records by columns you choose and groups each k in a row: a fast baseline."
    )
    takes_distances: ClassVar[bool] = True

    by: Annotated[
        tuple[str, ...],
        Columns(help="columns to sort by, most important first; none = all quasi-identifiers"),
    ] = ()

    def unsuitable(self, table: Table, k: int) -> list[str]:
        """Return the reasons of every algorithm, and a reason for each named column that is not a
        quasi-identifier."""
        return super().unsuitable(table, k) + unsortable(table, self.by)

    @property
    def by_ranks(self) -> bool:
        """Always True."""
        return True

    def sort_keys(self, table: Table) -> list[np.ndarray]:
        """Return numbers, dates in seconds, codes of texts in their order, or the order that a chosen
        distance defines."""
        return [self._key(table, name) for name in self._names(table)]

    def parted(self, table: Table) -> list[str]:
        """Return a reason for each column whose chosen distance defines the order: it may depend on all
        values."""
        return [
            tr(
                "The order of column “{name}” comes from the distance chosen for it and depends on all"
                " records; for a table in many files, choose no distance for the column, or sort by other"
                " columns."
            ).format(name=name)
            for name in self._names(table)
            if self._along(table, name) is not None
        ]

    def cover(self, table: Table, k: int, run: Run) -> Partition:
        """Return the groups in sorted order; log ``order`` (by = the columns, order of the records), then
        each ``group``."""
        run.tick(0.0, tr("sorting the records"))
        order = np.lexsort(self.sort_keys(table)[::-1])
        if run.log is not None:
            run.log.write("order", by=self._names(table), order=order)
        count = len(table) // k
        labels = np.empty(len(table), np.int64)
        labels[order] = np.minimum(np.arange(len(table)) // k, count - 1)
        result = Partition(labels)
        run.write_groups(result)
        run.tick(1.0, tr("sorting the records"))
        return result

    def _names(self, table: Table) -> list[str]:
        if self.by:
            return list(self.by)
        categories_first = sorted(table.quasi, key=lambda column: not isinstance(column, Categories))
        return [column.attribute.name for column in categories_first]

    @staticmethod
    def _key(table: Table, name: str) -> np.ndarray:
        column, along = table[name], Sorting._along(table, name)
        if along is not None:
            return along
        assert not isinstance(column, Items)  # `unsuitable` refuses item sets
        return column.codes if isinstance(column, Categories) else column.values

    @staticmethod
    def _along(table: Table, name: str) -> np.ndarray | None:
        measured = next(source for source in sources(table.quasi) if name in names_of(source))
        return distance_of(measured.attribute).along(measured)
