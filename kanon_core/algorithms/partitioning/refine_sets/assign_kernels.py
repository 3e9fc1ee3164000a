"""Assigning records to the groups there are, in `refine_sets`: chains of moves, one record out of each group.

With the shared sets given, a record may be in any group that shares a subset of it, and each group needs k.
Where records move along A → B → … → Z, one out of each group, only the sizes of A and Z change, and what is
gained is |shared by Z| − |shared by A|, whatever lies between. So nothing but reachability counts: the
assignment is the best there is once no group with more than k reaches one that shares more (a transportation
problem: Ford & Fulkerson 1962). Groups that share most come first; groups from which one of them was sought
in vain need not be looked at again.
"""

from typing import NamedTuple

import numpy as np

from kanon_core.algorithms.partitioning.refine_sets.fit_kernels import fitting, tighten_all
from kanon_core.algorithms.partitioning.refine_sets.state_kernels import EFFORT, State, commit, move
from kanon_core.algorithms.partitioning.refine_sets.store_kernels import WORK, Store
from kanon_core.base.compiled import inner, kernel

FITS = 16  # pairs of a group and a record that fits it, at most, as a multiple of the records
TEST = 4  # effort of testing whether a record fits a group; following one that does is 1
MOST_EFFORT = 15_000_000  # of one assignment, about: a tenth of a second, half of it to find what fits
UNSEEN, SPENT = -1, -2


class Search(NamedTuple):
    """The records that fit group g, ``fits[first[g] : last[g]]``, and how a search went back from its
    target."""

    fits: np.ndarray  # int32 (pairs,)
    first: np.ndarray  # int64 (groups,)
    last: np.ndarray  # int64 (groups,)
    onward: np.ndarray  # int64 (groups,), the next group of the chain, UNSEEN, or SPENT: a search was in vain
    via: np.ndarray  # int32 (groups,), the record that goes there
    queue: np.ndarray  # int64 (groups,), the groups met


@inner
def new_search(state: State, order: np.ndarray) -> Search:
    """Find the records that fit each group, in the order given, as far as there is room and effort left."""
    sets, groups = state.sets, state.groups
    total = len(groups.head)
    fits, made = np.empty(FITS * len(groups.of), np.int32), 0
    first, last = np.zeros(total, np.int64), np.zeros(total, np.int64)
    for g in order:
        if g >= sets.blocks and groups.key[g] >= 0 and groups.made[EFFORT] < MOST_EFFORT // 2:
            groups.made[EFFORT] += TEST * (sets.first[groups.key[g] + 1] - sets.first[groups.key[g]])
            first[g] = made
            made = last[g] = fitting(state, g, fits, made)
    onward, queue = np.full(total, UNSEEN), np.empty(total, np.int64)
    return Search(fits, first, last, onward, np.empty(total, np.int32), queue)


@inner
def reach(state: State, search: Search, target: int) -> tuple[int, int]:
    """Go back from the target until a group can spare a record and shares less: it (−1 = none), and how many
    were met."""
    groups, onward, queue = state.groups, search.onward, search.queue
    queue[0], count, at = target, 1, 0
    onward[target] = target
    while at < count:
        g = queue[at]
        at += 1
        groups.made[EFFORT] += search.last[g] - search.first[g]
        for p in range(search.first[g], search.last[g]):
            r = search.fits[p]
            h = groups.of[r]
            if onward[h] == UNSEEN:
                onward[h], search.via[h] = g, r
                queue[count] = h
                count += 1
                if groups.size[h] > state.sets.k and groups.count[h] < groups.count[target]:
                    return h, count
    return -1, count


@inner
def fetch(state: State, search: Search, target: int) -> bool:
    """Bring a record to the target by a chain that gains; False if there is none: what was met is spent."""
    g, met = reach(state, search, target)
    gained = g >= 0
    while gained and g != target:
        move(state, search.via[g], search.onward[g])
        g = search.onward[g]
    commit(state)
    for a in range(met):
        search.onward[search.queue[a]] = UNSEEN if gained else SPENT
    return gained


@kernel
def assign(state: State, store: Store) -> None:
    """Move records along chains while more items are shown; then groups share all they can."""
    groups = state.groups
    groups.made[EFFORT] = 0
    order = np.argsort(-groups.count, kind="mergesort")
    search = new_search(state, order)
    for target in order:
        if search.first[target] < search.last[target] and search.onward[target] == UNSEEN:
            while groups.made[EFFORT] < MOST_EFFORT and fetch(state, search, target):
                pass
    store.made[WORK] += groups.made[EFFORT] // TEST
    tighten_all(state)
