"""Combinations of more items than the compiled count takes, counted item by item."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kanon_core.base.progress import Tick
from kanon_core.base.words import tr
from kanon_core.table.columns.keys import row_keys

if TYPE_CHECKING:
    from kanon_core.guarantees.identity.combinations_kernels import Count
    from kanon_core.table.columns.items import Items

COUNTED_AT_MOST = 20_000_000
"""The most combinations that are counted, in about ten minutes."""

_WORK_PER_TICK, _VISIT = 200_000, 1_000
"""The number of items between two ticks, and the cost of a visit itself, in items."""


def combinations_of(columns: list[Items], k: int, m: int) -> int:
    """Return the number of combinations of at most m − 1 items in the different records of these columns,
    over items that k or more records have: the most that a check of m items counts. Cost O(items)."""
    sizes = np.zeros(len(columns[0].sizes), np.int64)
    for column in columns:
        sets = column.closure.sets
        often = np.bincount(sets.items, minlength=len(sets.labels)) >= k
        owner = np.repeat(np.arange(len(sizes)), sets.sizes)
        sizes += np.bincount(owner[often[sets.items]], minlength=len(sizes))
    keys = row_keys(np.column_stack([column.keys for column in columns]))
    different = sizes[np.unique(keys, return_index=True)[1]]
    found, counts = np.unique(different, return_counts=True)
    pairs = zip(found.tolist(), counts.tolist(), strict=True)
    return sum(count * sum(comb(size, few) for few in range(1, m)) for size, count in pairs)


def too_many(columns: list[Items], k: int, m: int) -> list[str]:
    """Return why combinations of m items cannot be counted, in a sentence; empty when they can."""
    if not columns or (count := combinations_of(columns, k, m)) <= COUNTED_AT_MOST:
        return []
    return [
        tr(
            "Checking {m} known items needs up to {count:.0e} combinations, but at most {most:.0e} are"
            " counted (about ten minutes); choose fewer known items, or leave out the longest records."
        ).format(m=m, count=count, most=COUNTED_AT_MOST)
    ]


class _Walk(NamedTuple):
    """The state that all visits share: the sets and their sizes, k, m, the number of visits so far, and the
    number of items visited since the last tick."""

    sets: Count
    sizes: np.ndarray
    k: int
    m: int
    tick: Tick
    done: list[int]


def count_deeper(count: Count, k: int, m: int, tick: Tick) -> None:
    """Count the combinations of at most m items that doubtful sets hold, as `count_combinations` does.

    From the rarest item on, each is joined by more frequent ones as long as a doubtful set has all of them.
    Cost: one visit, O(items of the sets that have them), for each combination of fewer than m items.
    """
    walk = _Walk(count, np.diff(count.starts), k, m, tick, [0, 0])
    for item in range(len(count.among) - 1, -1, -1):
        _visit(walk, count.owners[count.owner_at[item] : count.owner_at[item + 1]], item, 1)


def _visit(walk: _Walk, rows: np.ndarray, last: int, size: int) -> None:
    """Join a combination of ``size`` items, which these sets have, with each item before ``last``."""
    from kanon_core.guarantees.identity.combinations_kernels import LEAST

    count = walk.sets
    if not count.doubtful[rows].any():
        return
    sizes = walk.sizes[rows]
    _tell(walk, int(sizes.sum()))
    first = count.starts[rows] - (np.cumsum(sizes) - sizes)
    items = count.items[np.repeat(first, sizes) + np.arange(int(sizes.sum()))]
    before = items < last
    row, items = np.repeat(rows, sizes)[before], items[before]
    doubtful = count.doubtful[row]
    if not doubtful.any():
        return
    records = np.bincount(items, count.weight[row])
    asked = np.unique(items[doubtful])
    count.made[LEAST] = min(count.made[LEAST], int(records[asked].min()))
    gone = row[(records[items] < walk.k) & doubtful]
    count.failing[gone] = True
    count.doubtful[gone] = False
    if size + 1 < walk.m:
        for item in asked[records[asked] >= walk.k].tolist():
            _visit(walk, row[items == item], item, size + 1)


def _tell(walk: _Walk, items: int) -> None:
    """Count a visit to so many items, and tick after some visits."""
    walk.done[0] += 1
    walk.done[1] += _VISIT + items
    if walk.done[1] > _WORK_PER_TICK:
        walk.done[1] = 0
        walk.tick(None, tr("audit: {count:,} combinations of items counted").format(count=walk.done[0]))
