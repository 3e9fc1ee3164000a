"""Support of combinations of items: the least number of records that share m items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr
from kanon_core.covers.cells import CommonItems, PublishedColumn
from kanon_core.guarantees.base import Judged
from kanon_core.guarantees.identity.deeper import count_deeper
from kanon_core.table.columns.keys import row_keys

if TYPE_CHECKING:
    from kanon_core.guarantees.identity.combinations_kernels import Count

MOST_ITEMS = 3
"""The most items that the compiled count takes, and that groups of top-down may be made for."""
MOST_KNOWN = 8
"""The most items that an attacker may know; from 4 on they are counted one by one (`deeper`)."""

_WORK_PER_CALL = 3_000_000


def same_single_values(release: Judged) -> np.ndarray:
    """int64 (rows): the same number for rows that are equal in all columns but those of item sets."""
    singles = [column.cells.keys() for column in release.by_row if column.attribute.kind != "items"]
    return row_keys(np.column_stack(singles)) if singles else np.zeros(len(release.held), np.int64)


def item_columns(columns: Sequence[PublishedColumn]) -> list[PublishedColumn]:
    """Return the columns of item sets."""
    return [column for column in columns if column.attribute.kind == "items"]


def all_items(release: Judged) -> CommonItems:
    """The published items of all columns as one set for each row, numbered column after column."""
    owners, items, first, count = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], 0, len(release.held)
    for column in item_columns(release.by_row):
        sets = column.cells.as_items()
        owners.append(np.repeat(np.arange(count), sets.sizes))
        items.append(sets.items + np.int64(first))
        first += int(sets.items.max(initial=-1)) + 1
    owner = np.concatenate(owners)
    order = np.argsort(owner, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=count))]).astype(np.int64)
    return CommonItems(starts, np.concatenate(items)[order].astype(np.int32))


def rarest(
    cells: CommonItems,
    cell: np.ndarray,
    k: int,
    m: int,
    classes: np.ndarray | None = None,
    tick: Tick = silent,
) -> tuple[int, np.ndarray]:
    """Records that share the least shared m items or fewer (as far as they had to be counted), and the cells,
    ascending, with m items that less than k records share. ``cell``: that of each record, −1 = none;
    ``classes``: a number for each cell, only records of one class share items.

    Cells that k records publish need no count: k records publish every combination of their items.
    """
    from kanon_core.guarantees.identity.combinations_kernels import LEAST, SLOT, count_combinations

    sizes = np.bincount(cell[cell >= 0], minlength=len(cells))
    within = np.zeros(len(sizes), np.int64) if classes is None else classes
    shown = np.flatnonzero((sizes > 0) & (cells.sizes > 0))
    keys = row_keys(np.column_stack([cells.keys()[shown], within[shown]]))
    first = np.unique(keys, return_index=True)[1]
    weight = np.bincount(keys, sizes[shown], len(first)).astype(np.int64)
    count = _count(cells.taken(shown[first]), within[shown[first]], weight, k)
    count.made[LEAST] = weight[weight >= k].min(initial=int(sizes.sum()))
    while count.made[SLOT] < len(count.among):
        count_combinations(count, k, min(m, MOST_ITEMS), _WORK_PER_CALL)
        tick(None, tr("audit: counting items that are known together"))
    if m > MOST_ITEMS:
        count_deeper(count, k, m, tick)
    return int(count.made[LEAST]), shown[count.failing[keys]]


def _count(sets: CommonItems, classes: np.ndarray, weight: np.ndarray, k: int) -> Count:
    """These different sets as the kernel reads them: an item of two classes is two items, and the most
    frequent come first."""
    from kanon_core.guarantees.identity.combinations_kernels import Count

    owner = np.repeat(np.arange(len(weight)), sets.sizes)
    width = int(sets.items.max(initial=0)) + 1
    _, which, often = np.unique(classes[owner] * width + sets.items, return_inverse=True, return_counts=True)
    order = np.argsort(-often, kind="stable")
    number = np.empty(len(order), np.int64)
    number[order] = np.arange(len(order))
    items = number[which]
    owners = owner[np.argsort(items, kind="stable")]
    return Count(
        sets.starts,
        items.astype(np.int32),
        np.concatenate([[0], np.cumsum(often[order])]).astype(np.int64),
        owners.astype(np.int32),
        weight,
        weight < k,
        np.zeros(len(weight), np.bool_),
        np.zeros(len(order), np.int64),
        np.zeros(len(order), np.int64),
        np.zeros(len(order), np.bool_),
        np.full(len(weight), -1, np.int32),
        np.zeros(2, np.int64),
    )
