"""Sorting partitions: sort by some columns and cut every k records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.algorithms.base import Algorithm, Run
from kanon_core.base.kinds import Columns
from kanon_core.base.words import tr
from kanon_core.covers.cover import Partition
from kanon_core.distances.chosen import distance_of, names_of, sources
from kanon_core.table.columns.columns import Categories, Items
from kanon_core.table.table import Table


@dataclass(frozen=True)
class Sorting(Algorithm):
    """Groups of k consecutive records after a sort; the last takes the rest, k … 2k − 1 records.

    The sort is stable, by the named columns in order, the first the most important: numbers and dates
    ascending, categories by their text, missing values last. A distance chosen for a column may say another
    order (`kanon_core.distances.base.Distance.along`): a tree branch by branch, a circle from the end of its
    widest gap on, places, graphs and matrices along the line between two values that are far apart. No name:
    all quasi-identifiers, categories first, then numbers, each in column order.

    When to use: as the baseline a better algorithm must beat. The ILD paper's D_A names the number, D_B the
    category, D_C names none. Cost: O(n log n) per named column.

    Reference: ILD paper, §4.1.2.
    """

    title: ClassVar[str] = "Sorting"
    family: ClassVar[str] = "clustering"
    summary: ClassVar[str] = (
        "Sorts by columns you choose and cuts every k records: fast, and a baseline for the rest."
    )
    takes_distances: ClassVar[bool] = True

    by: Annotated[tuple[str, ...], Columns(help="columns to sort by, most important first; none = all")] = ()

    def unsuitable(self, table: Table, k: int) -> list[str]:
        """Return reasons as for every algorithm, and those of named columns that are no quasi-identifiers of
        the table."""
        reasons = super().unsuitable(table, k)
        quasi = [column.attribute.name for column in table.quasi]
        for name in self.by:
            if name not in quasi and quasi:
                reasons.append(
                    tr("Sorting is by “{name}”, which is no quasi-identifier; choose from {columns}.").format(
                        name=name, columns=", ".join(quasi)
                    )
                )
        return reasons

    @property
    def by_ranks(self) -> bool:
        """Always True: sorting goes by ranks."""
        return True

    def sort_keys(self, table: Table) -> list[np.ndarray]:
        """Return numbers, seconds of dates, codes of texts in their order, or the order that a chosen
        distance defines."""
        return [self._key(table, name) for name in self._names(table)]

    def parted(self, table: Table) -> list[str]:
        """Return reasons for columns whose chosen distance defines an order of its own, since it may depend
        on all values at once."""
        return [
            tr(
                "Column “{name}” is sorted as the distance says that was chosen for it, which needs all"
                " records at once; over many files choose no distance for it, or sort by other columns."
            ).format(name=name)
            for name in self._names(table)
            if self._along(table, name) is not None
        ]

    def cover(self, table: Table, k: int, run: Run) -> Partition:
        """The groups in sorted order; logs ``order`` (by = the columns, order of the records), then each
        ``group``."""
        run.tick(0.0, "sorting")
        order = np.lexsort(self.sort_keys(table)[::-1])
        if run.log is not None:
            run.log.write("order", by=self._names(table), order=order)
        count = len(table) // k
        labels = np.empty(len(table), np.int64)
        labels[order] = np.minimum(np.arange(len(table)) // k, count - 1)
        result = Partition(labels)
        run.write_groups(result)
        run.tick(1.0, "sorting")
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
        assert not isinstance(column, Items)  # no suitable table has any
        return column.codes if isinstance(column, Categories) else column.values

    @staticmethod
    def _along(table: Table, name: str) -> np.ndarray | None:
        measured = next(source for source in sources(table.quasi) if name in names_of(source))
        return distance_of(measured.attribute).along(measured)
