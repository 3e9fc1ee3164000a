"""The arrays with which a search of `refine_sets` begins."""

import numpy as np

from kanon_core.algorithms.partitioning.refine_sets.fit_kernels import tighten
from kanon_core.algorithms.partitioning.refine_sets.price_kernels import Market
from kanon_core.algorithms.partitioning.refine_sets.search_kernels import CHOSEN, LUKEWARM, PRICED, WARM, Hunt
from kanon_core.algorithms.partitioning.refine_sets.state_kernels import (
    FREE,
    LONGEST,
    SPARE,
    TOP,
    WRITTEN,
    Baskets,
    Groups,
    State,
    put,
    share,
    unlist,
)
from kanon_core.algorithms.partitioning.refine_sets.store_kernels import Store
from kanon_core.base.arrays import filled
from kanon_core.base.compiled import kernel
from kanon_core.base.random_kernels import generator

ROOM = 16  # entries of the store, as a multiple of the items of all records
MOST = 30_000_000  # entries of the store at most (12 bytes each)


def new_hunt(
    starts: np.ndarray,
    items: np.ndarray,
    width: int,
    blocks: np.ndarray,
    labels: np.ndarray,
    k: int,
    seed: int,
) -> Hunt:
    """The search at its start: records as item sets (CSR), the block 0 … b − 1 and the group 0 … m − 1 of
    each.

    Items that fewer than k records have are left out: no group can show them. Memory about 330 bytes a record
    and 150 an item.
    """
    n, count = len(labels), int(blocks.max()) + 1
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
    sets = Baskets(begins, row, first, holders, width, count, k)
    state = _state(sets, _groups(sets, n, int(sizes.max())), n, int(sizes.max()))
    lay_out(state, labels.astype(np.int64))
    random = generator(seed, skip=0)
    heat, done = np.array([k * (LUKEWARM if k >= PRICED else WARM)]), np.zeros(3, np.int64)
    store = _store(sets, n, int(sizes.max()))
    work = filled(np.int64, None, worth=len(store.begin), chosen=CHOSEN, pool=n)
    market, gain = _market(n, len(store.begin)), np.empty((2, CHOSEN))
    return Hunt(state, store, market, random, heat, done, gain=gain, **work)


def _groups(sets: Baskets, n: int, longest: int) -> Groups:
    groups, symbols = sets.blocks + n // sets.k + SPARE, len(sets.first) - 1
    letters = 4 * (len(sets.items) // sets.k + 2 * longest + sets.blocks) + 4096
    made = np.zeros(8, np.int64)
    made[LONGEST] = longest
    return Groups(
        made=made,
        **filled(np.int64, 0, size=groups, begin=groups, count=groups, free=groups),
        **filled(np.int32, -1, of=n, after=n, before=n, listed=symbols, letters=letters),
        **filled(np.int32, -1, head=groups, key=groups, next=groups, previous=groups),
    )


def _state(sets: Baskets, groups: Groups, n: int, longest: int) -> State:
    count, symbols = len(groups.head), len(sets.first) - 1
    lines = 8 * n + 6 * count + 64
    return State(
        sets,
        groups,
        hope=np.zeros(1),
        **filled(np.int64, 0, mark=symbols, inside=n, held=count, bucket=longest + 8),
        **filled(np.int64, 0, touched=count, order=count, donors=count, goal=n),
        **filled(np.int32, -1, journal=(lines, 4), word=longest, leaving=n),
    )


def _store(sets: Baskets, n: int, longest: int) -> Store:
    entries = min(ROOM * len(sets.items), MOST)
    count = entries // max(2 * sets.k, 8) + 1
    table = 1 << int(2 * count).bit_length()
    symbols = len(sets.first) - 1
    return Store(
        **filled(np.int64, 0, begin=count, count=count, start=count, score=count, often=(2, longest), made=4),
        **filled(np.int32, -1, held=count, seen=count, head=n, having=n, best=n),
        **filled(np.int32, -1, path=longest, place=symbols, table=table),
        **filled(np.int32, None, letters=6 * count + longest, records=entries, owner=entries, next=entries),
    )


def _market(n: int, sets: int) -> Market:
    return Market(
        **filled(np.float64, 0, price=n, cost=n, worth=sets),
        **filled(np.int32, -1, floor=n, owner=n, who=n, active=sets),
        wanted=np.zeros(n, np.int32),
        made=np.zeros(3, np.int64),
    )


@kernel
def lay_out(state: State, labels: np.ndarray) -> None:
    """Put the records into their groups; those that share nothing into the group of their block."""
    sets, groups = state.sets, state.groups
    for b in range(sets.blocks):
        at = groups.made[TOP]
        groups.letters[at] = sets.width + b
        groups.made[TOP] += 1
        share(state, b, at, 1)
    for r in range(len(labels)):
        g = sets.blocks + labels[r]
        h = groups.head[g]
        groups.of[r], groups.after[r], groups.before[r] = g, h, -1
        if h >= 0:
            groups.before[h] = r
        groups.head[g] = r
        groups.size[g] += 1
    for g in range(len(groups.head) - 1, sets.blocks - 1, -1):
        if groups.size[g] > 0:
            tighten(state, g)
            groups.made[WRITTEN] = 0
    for g in range(len(groups.head) - 1, sets.blocks - 1, -1):
        if groups.size[g] > 0 and groups.count[g] == 1:
            bare = groups.letters[groups.begin[g]] - sets.width
            while groups.size[g] > 0:
                put(state, groups.head[g], bare)
            unlist(groups, g)
            groups.count[g] = 0
        if groups.size[g] == 0:
            groups.free[groups.made[FREE]] = g
            groups.made[FREE] += 1
