"""The step of `refine_sets`: take a few groups apart, and open groups for sets on random paths."""

import numpy as np

from kanon_core.algorithms.partitioning.refine_sets.fit_kernels import best_group
from kanon_core.algorithms.partitioning.refine_sets.open_kernels import opened
from kanon_core.algorithms.partitioning.refine_sets.state_kernels import (
    EFFORT,
    LONGEST,
    SHORT,
    SHOWN,
    TOP,
    WRITTEN,
    State,
    commit,
    compact,
    leave,
    move,
    undo,
)
from kanon_core.algorithms.partitioning.refine_sets.store_kernels import WORK, Store, explore, wanting
from kanon_core.base.compiled import kernel
from kanon_core.base.random_kernels import below, draw

POOL = 6000  # members of the groups taken apart at once, at most, about


@kernel
def has_space(state: State) -> bool:
    """Return whether journal and letters have room for one more opening, whatever it changes."""
    sets, groups = state.sets, state.groups
    n = len(groups.of)
    lines = groups.made[WRITTEN] + 3 * n + 2 * len(groups.head) + 2
    letters = groups.made[TOP] + len(sets.items) // sets.k + 2 * groups.made[LONGEST]
    return bool(lines <= len(state.journal) and letters <= len(groups.letters))


@kernel
def ruin(state: State, wanted: int, near: np.ndarray, shown: int, random: np.ndarray) -> int:
    """Take apart up to ``wanted`` groups of records drawn from ``near`` that share fewer than ``shown``
    items; returns how many records of `pool` were in them."""
    sets, groups, pool = state.sets, state.groups, state.pool
    count = 0
    for _ in range(4 * wanted):
        r = near[below(draw(random), len(near))]
        g = int(np.int64(groups.of[r]))
        large = g < sets.blocks or groups.size[g] > 4 * sets.k + 4
        if large or groups.key[g] < 0 or groups.count[g] >= shown:
            continue
        leave(state, g)
        r = groups.head[g]
        while r >= 0:
            pool[count] = r
            count += 1
            r = groups.after[r]
        wanted -= 1
        if wanted == 0 or count > POOL:
            break
    for a in range(count):
        move(state, pool[a], best_group(state, pool[a]))
    return count


@kernel
def reform(state: State, store: Store, ruined: int, random: np.ndarray) -> None:
    """Take up to ``ruined`` groups apart that would gain by a set of a random record, open groups for it and
    for sets of the records set free, and keep that if no fewer items are shown then. −1: only look at
    sets."""
    groups = state.groups
    before, r, tries, turn = groups.made[SHOWN], wanting(state, random), 0, 0
    while turn <= tries:
        items, records, expected = explore(state, store, r, random)
        if turn == 0 and ruined > 0 and records > 0:
            wanted = 1 + below(draw(random), ruined)
            free = ruin(state, wanted, store.best[:records], items, random)
            tries = free // 2
        if expected > 0 and ruined >= 0 and has_space(state):
            line, now = groups.made[WRITTEN], groups.made[SHOWN]
            fine = opened(state, store.path[:items], store.best[:records])
            store.made[WORK] += groups.made[EFFORT]
            if not fine or groups.made[SHOWN] < now:
                undo(state, line)
        turn += 1
        if turn <= tries:
            r = state.pool[below(draw(random), 2 * tries)]
    if groups.made[SHORT] == 0 and groups.made[SHOWN] >= before:
        commit(state)
    else:
        undo(state, 0)


@kernel
def improve(state: State, store: Store, ruined: int, random: np.ndarray, work: int) -> int:
    """Continue the search until about ``work`` records were looked at, and try at least one change; returns
    how many records were looked at."""
    store.made[WORK] = tried = 0
    while store.made[WORK] < work:
        compact(state)
        reform(state, store, ruined, random)
        store.made[WORK] += 100
        tried += 1
    return tried
