"""The step of `refine_sets`: dissolve a few groups, and open groups for sets on random paths."""

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

POOL = 6000  # approximate limit on the members of groups dissolved at once


@kernel
def has_space(state: State) -> bool:
    """Return whether journal and letters have room for any one more opening."""
    sets, groups = state.sets, state.groups
    n = len(groups.of)
    lines = groups.made[WRITTEN] + 3 * n + 2 * len(groups.head) + 2
    letters = groups.made[TOP] + len(sets.items) // sets.k + 2 * groups.made[LONGEST]
    return bool(lines <= len(state.journal) and letters <= len(groups.letters))


@kernel
def ruin(state: State, wanted: int, near: np.ndarray, shown: int, random: np.ndarray) -> int:
    """Dissolve up to ``wanted`` groups of records drawn from ``near`` that share fewer than ``shown`` items;
    return the number of their records, listed in `pool`."""
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
    """Dissolve up to ``ruined`` groups that would gain by a set of a random record, open groups for it and
    for sets of the released records, and keep the change if no fewer items are shown. −1: only explore
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
    """Continue the search until about ``work`` records were examined, with at least one change tried; return
    the number of changes tried."""
    store.made[WORK] = tried = 0
    while store.made[WORK] < work:
        compact(state)
        reform(state, store, ruined, random)
        store.made[WORK] += 100
        tried += 1
    return tried
