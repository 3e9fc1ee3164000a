"""Published item sets: the items that all records of a cell have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from kanon_core.base.errors import KanonError
from kanon_core.base.words import tr
from kanon_core.covers.cells.base import Cells, Ranges
from kanon_core.covers.cells.valuesets import ValueSets
from kanon_core.table.columns.columns import Column, Items
from kanon_core.table.columns.set_arrays import chosen_sets, incidence, set_keys
from kanon_core.table.columns.texts import item_texts

if TYPE_CHECKING:
    from scipy.sparse import csr_array
MEMBERS_AT_MOST = 50_000_000
"""The most pairs of a published and a containing original item set (4 bytes each)."""

_PAIRS_AT_ONCE = 5_000_000


@dataclass(frozen=True)
class CommonItems(Cells):
    """Cells {a, b, …} of item sets: items that every record of the cell has, whatever else it may have.

    Cell i publishes ``items[starts[i]:starts[i + 1]]``, ascending codes of the labels of the column's closure
    (`kanon_core.table.hierarchy.closures`): its own labels, and with a hierarchy the groups above them. A
    cell that has an item has all groups above it.
    """

    starts: np.ndarray
    items: np.ndarray

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def sizes(self) -> np.ndarray:
        """int64 (m): how many items and groups each cell publishes."""
        return np.diff(self.starts)

    def contain(self, column: Column, rows: np.ndarray, cell: np.ndarray) -> np.ndarray:
        """Return booleans, see `Cells.contain`: the record has every published item, and some item of every
        published group. Cost O(items of both)."""
        assert isinstance(column, Items)
        sets = column.closure.sets
        shown = incidence(*chosen_sets(self.starts, self.items, cell), len(sets.labels))
        own = incidence(*chosen_sets(sets.starts, sets.items, rows), len(sets.labels))
        return np.asarray(np.diff(shown.multiply(own).tocsr().indptr) == np.diff(shown.indptr))

    def keys(self) -> np.ndarray:
        """Return the key of each cell, see `Cells.keys`; keys ascend in the order in which the sets first
        appear."""
        return set_keys(self.starts, self.items)

    def penalties(self, column: Column, cell: np.ndarray) -> np.ndarray:
        """NCP_sv of each record, 1 − published / own items (set-valued paper, eq. 8–10); 0 for an empty set.
        An item published as a group counts by 1 − the group's penalty."""
        assert isinstance(column, Items)
        own, shown = column.sizes, self.published_counts(column, cell)
        lost = np.where(own > 0, 1.0 - shown / np.maximum(own, 1), 0.0)
        return np.where(np.asarray(cell) < 0, 1.0, lost)

    def published_counts(self, column: Items, cell: np.ndarray) -> np.ndarray:
        """int64 or float64 (n): how many of its own items each record is published with, 0 when suppressed
        (−1).

        With a hierarchy an item counts by 1 − the penalty of the group as which it is published: values below
        it / all values.
        """
        if column.closure.is_flat:
            return np.asarray(np.append(self.sizes, 0)[cell])
        found = self.shown_as(column, cell)
        worth = np.append(1.0 - column.closure.penalty, 0.0)[found]
        return np.bincount(np.repeat(np.arange(len(cell)), column.sizes), worth, len(cell))

    def shown_as(self, column: Items, cell: np.ndarray) -> np.ndarray:
        """int64 (items of all records): the code in the closure as which each is published, −1 = not; see
        `Closure.shown_as`.

        Only names in the cell's text count: {beer} does not publish a wine of the same record, though both
        are alcohol.
        """
        lowest = column.closure.lowest(self.starts, self.items)
        return column.closure.shown_as((column.starts, column.items), lowest, cell)

    def lowest(self, column: Items) -> CommonItems:
        """Return the cells as their texts name them: without the groups above another member, which is more
        precise."""
        return CommonItems(*column.closure.lowest(self.starts, self.items))

    def texts(self, column: Column, cell: np.ndarray) -> list[str]:
        """``{a, d}``, ``{a}``, ``{}``; groups by their names, and only where nothing below them is
        published."""
        assert isinstance(column, Items)
        sets = column.closure.lowest(*chosen_sets(self.starts, self.items, cell))
        return item_texts(column.closure.sets, *sets, np.arange(len(cell)))

    def taken(self, which: np.ndarray) -> Self:
        """Return the cells of these numbers; see `Cells.taken`."""
        return type(self)(*chosen_sets(self.starts, self.items, which))

    def ranges(self, column: Column, cell: np.ndarray) -> Ranges:
        """Return the ranges: the column's different sets are numbered, and a cell holds those that have all
        that it publishes. Raises KanonError where these are too many (`supersets`)."""
        assert isinstance(column, Items)
        starts, codes, place = supersets(column, self.starts, self.items, cell)
        return ValueSets(starts, codes).ranges_over(column.keys, place)

    def as_items(self) -> CommonItems:
        """Itself."""
        return self


def supersets(
    column: Items, starts: np.ndarray, items: np.ndarray, cell: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return, for cells {items, groups}, the numbers (`Items.keys`) of the item sets that have all published
    items, as starts and ascending numbers, and which of these lists of numbers belongs to each entry of
    ``cell``.

    Raises KanonError for more than `MEMBERS_AT_MOST` numbers in all. Cost O(cells · different item sets) at
    most.
    """
    numbers, column = column.keys, column.closure.sets
    width = len(column.labels)
    first = np.unique(numbers, return_index=True)[1]
    own = incidence(column.starts, column.items, width)[first].T.tocsr()
    cells_of, place = np.unique(cell, return_inverse=True)
    shown = incidence(starts, items, width)[cells_of]
    sizes, step, total = np.diff(shown.indptr), max(1, _PAIRS_AT_ONCE // len(first)), 0
    found, counts = [np.zeros(0, np.int32)], [np.zeros(1, np.int64)]
    for start in range(0, len(cells_of), step):
        part = sizes[start : start + step]
        codes, count = _sharing_all(shown[start : start + step] @ own, part, len(first))
        found.append(codes)
        counts.append(count)
        total += len(codes)
        if total > MEMBERS_AT_MOST:
            raise KanonError(
                tr(
                    "Column “{name}” has more than {limit:,} pairs of a published and an original item set"
                    " that fit; use a sample of the records."
                ).format(limit=MEMBERS_AT_MOST, name=column.attribute.name)
            )
    return np.cumsum(np.concatenate(counts)), np.concatenate(found), place


def _sharing_all(shared: csr_array, sizes: np.ndarray, total: int) -> tuple[np.ndarray, np.ndarray]:
    """Return, for each row, the columns that share all its items (all ``total`` columns if it has no item),
    and how many these are."""
    rows = np.repeat(np.arange(len(sizes)), np.diff(shared.indptr))
    whole = shared.data == sizes[rows]
    empty = np.repeat(np.flatnonzero(sizes == 0), total)
    every = np.tile(np.arange(total), int((sizes == 0).sum()))
    keys = np.sort(np.concatenate([rows[whole] * total + shared.indices[whole], empty * total + every]))
    return (keys % total).astype(np.int32), np.bincount(keys // total, minlength=len(sizes))
