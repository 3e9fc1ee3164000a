"""Initial arrays of a search of `refine_sets`, made without compiled loops."""

from __future__ import annotations

import numpy as np

from kanon_core.algorithms.partitioning.refine_sets.state_kernels import (
    FREE,
    LONGEST,
    SHOWN,
    SPARE,
    TOP,
    Baskets,
    Groups,
    State,
)
from kanon_core.algorithms.partitioning.refine_sets.store_kernels import Store
from kanon_core.base.arrays import filled

ROOM = 16  # entries of the store, as a multiple of the items of all records
MOST = 30_000_000  # entries of the store at most (4 bytes each)


def new_baskets(starts: np.ndarray, items: np.ndarray, width: int, blocks: np.ndarray, k: int) -> Baskets:
    """Return records as item sets (CSR) and their blocks 0 … b − 1, without items that fewer than k records
    have: no group can show them."""
    n, count = len(starts) - 1, int(blocks.max()) + 1
    often = np.bincount(items, minlength=width)
    record, kept = np.repeat(np.arange(n), np.diff(starts)), often[items] >= k
    sizes = np.bincount(record[kept], minlength=n) + 1
    begins = np.concatenate([[0], np.cumsum(sizes)])
    row = np.empty(begins[-1], np.int32)
    last = np.zeros(len(row), bool)
    last[begins[1:] - 1] = True
    row[last], row[~last] = width + blocks, items[kept]
    holders = np.repeat(np.arange(n, dtype=np.int32), sizes)[np.argsort(row, kind="stable")]
    first = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=width + count))])
    return Baskets(begins, row, first, holders, width, count, k)


def new_state(sets: Baskets, labels: np.ndarray) -> State:
    """Return the groups of the labels 0 … m − 1, and scratch. Memory about 250 bytes per record."""
    n, symbols, longest = len(labels), len(sets.first) - 1, int(np.diff(sets.starts).max())
    groups = laid_out(sets, labels)
    count = len(groups.head)
    return State(
        sets,
        groups,
        **filled(np.int64, 0, mark=symbols, inside=n, held=count),
        **filled(np.int64, 0, touched=count, donors=count, order=count, bucket=longest + 8, goal=n, pool=n),
        **filled(np.int32, -1, journal=(8 * n + 6 * count + 64, 4), word=longest, leaving=n),
    )


def laid_out(sets: Baskets, labels: np.ndarray) -> Groups:
    """Return a group for each label ≥ 0, with all items that it can share; other records, and groups that
    share nothing, are in the groups of their blocks."""
    count, symbols, n = sets.blocks + len(labels) // sets.k + SPARE, len(sets.first) - 1, len(labels)
    of, begin, length, letters = _shared(sets, labels)
    m, longest = len(length), int(np.diff(sets.starts).max())
    groups = Groups(
        made=np.zeros(8, np.int64),
        **filled(np.int64, 0, size=count, begin=count, count=count, free=count),
        **filled(np.int32, -1, of=n, after=n, before=n, listed=symbols),
        **filled(np.int32, -1, head=count, key=count, next=count, previous=count),
        letters=np.full(4 * (len(sets.items) // sets.k + 2 * longest + sets.blocks) + 4096, -1, np.int32),
    )
    groups.of[:], groups.begin[:m], groups.count[:m] = of, begin, length
    groups.size[:] = np.bincount(of, minlength=count)
    groups.letters[: len(letters)] = letters
    groups.made[TOP], groups.made[LONGEST], groups.made[FREE] = len(letters), longest, count - m
    groups.made[SHOWN] = (groups.size * groups.count).sum()
    groups.free[: count - m] = np.arange(count - 1, m - 1, -1)
    own, often = np.repeat(np.arange(m), length), np.diff(sets.first)[letters]
    by = np.lexsort((often, own))
    groups.key[:m] = letters[by[begin]]  # the rarest
    _chain(np.asarray(of), groups.head, groups.after, groups.before)
    _chain(groups.key[:m], groups.listed, groups.next, groups.previous)
    return groups


def _shared(sets: Baskets, labels: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return the group of each record, numbered after those of the blocks; the start and the number of each
    group's shared items; and the shared items by group."""
    symbols, labels = len(sets.first) - 1, labels.astype(np.int64)
    own = np.repeat(labels, np.diff(sets.starts))
    keys, times = np.unique(own[own >= 0] * symbols + sets.items[own >= 0], return_counts=True)
    keys = keys[times == np.bincount(labels[labels >= 0], minlength=1)[keys // symbols]]
    names, length = np.unique(keys // symbols, return_counts=True)
    keys = keys[np.repeat(length, length) > 1]
    names, length = names[length > 1], np.append(np.ones(sets.blocks, np.int64), length[length > 1])
    of = sets.items[sets.starts[1:] - 1].astype(np.int64) - sets.width
    place = np.searchsorted(names, labels)
    there = np.append(names, -2)[place] == labels
    of[there] = sets.blocks + place[there]
    letters = np.append(sets.width + np.arange(sets.blocks), keys % symbols)
    return of, np.cumsum(length) - length, length, letters


def _chain(of: np.ndarray, head: np.ndarray, after: np.ndarray, before: np.ndarray) -> None:
    """Link those with equal ``of`` in order."""
    by = np.argsort(of, kind="stable")
    same = of[by[1:]] == of[by[:-1]]
    after[by[:-1][same]], before[by[1:][same]] = by[1:][same], by[:-1][same]
    first = by[np.append(True, ~same)]
    head[of[first]] = first


def new_store(sets: Baskets) -> Store:
    """Return an empty store for item sets and the records that have them."""
    n, longest, symbols = len(sets.starts) - 1, int(np.diff(sets.starts).max()), len(sets.first) - 1
    entries = min(ROOM * len(sets.items), MOST)
    count = entries // max(2 * sets.k, 8) + 1
    return Store(
        **filled(np.int64, 0, begin=count, count=count, start=count, often=(2, longest), made=4),
        **filled(np.int32, -1, held=count, having=n, best=n),
        **filled(np.int32, -1, path=longest, place=symbols, table=1 << int(2 * count).bit_length()),
        **filled(np.int32, None, letters=6 * count + longest, records=entries),
    )
