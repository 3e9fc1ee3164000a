"""Which of a column's item sets have all that a cell publishes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kanon_core.base.errors import KanonError
from kanon_core.base.words import tr
from kanon_core.table.columns.columns import Items
from kanon_core.table.columns.sets import incidence, set_keys

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MEMBERS_AT_MOST = 50_000_000
"""More pairs of a published and a containing original item set than this are refused (4 bytes each)."""

_PAIRS_AT_ONCE = 5_000_000


def item_ranks(column: Items) -> np.ndarray:
    """int32 (n): a number for each different item set."""
    return set_keys(column.starts, column.items).astype(np.int32)


def supersets(
    column: Items, starts: np.ndarray, items: np.ndarray, cell: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of cells {items, groups}: the numbers (`item_ranks`) of the item sets that have all they publish, as
    starts and ascending numbers, and which of these sets of numbers each entry of ``cell`` has.

    Raises KanonError for more than `MEMBERS_AT_MOST` in all. Cost O(cells · different item sets) at most.
    """
    numbers, column = item_ranks(column), column.closure.sets
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
                    "More than {limit:,} pairs of a published and an original item set of column “{name}”"
                    " fit; take a sample of the records."
                ).format(limit=MEMBERS_AT_MOST, name=column.attribute.name)
            )
    return np.cumsum(np.concatenate(counts)), np.concatenate(found), place


def _sharing_all(shared: csr_array, sizes: np.ndarray, total: int) -> tuple[np.ndarray, np.ndarray]:
    """Of each row the columns that share all its items (of ``total`` columns all, if it has no item), and how
    many."""
    rows = np.repeat(np.arange(len(sizes)), np.diff(shared.indptr))
    whole = shared.data == sizes[rows]
    empty = np.repeat(np.flatnonzero(sizes == 0), total)
    every = np.tile(np.arange(total), int((sizes == 0).sum()))
    keys = np.sort(np.concatenate([rows[whole] * total + shared.indices[whole], empty * total + every]))
    return (keys % total).astype(np.int32), np.bincount(keys // total, minlength=len(sizes))
