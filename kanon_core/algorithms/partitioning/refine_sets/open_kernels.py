"""Opening of a group for an item set, in `refine_sets`: the possible gain, and the origin of its records."""

import numpy as np

from kanon_core.algorithms.partitioning.refine_sets.fit_kernels import best_group, marked, shared, tighten
from kanon_core.algorithms.partitioning.refine_sets.state_kernels import (
    EFFORT,
    FREE,
    STAMP,
    State,
    enlist,
    found,
    leave,
    move,
    unlist,
)
from kanon_core.base.compiled import kernel

FAR = 2  # records whose group shares up to this many more items may fill a group up to k
MOST_EFFORT = 200_000  # records examined to replace those that leave; beyond it, only spare ones move


@kernel
def forecast(state: State, supporters: np.ndarray, length: int) -> int:
    """Return an estimate of the additional items shown if a group opens for a set of ``length`` items and all
    records that gain move there; −1 = it would stay below k."""
    groups = state.groups
    gain, near0, near1, near2 = 0, 0, 0, 0
    for r in supporters:
        more = length - groups.count[groups.of[r]]
        gain += max(more, 0)
        near0 += more >= 0
        near1 += more == -1
        near2 += more == -FAR
    need = max(state.sets.k - near0, 0)
    return gain - need - max(need - near1, 0) if need <= near1 + near2 else -1


@kernel
def dissolves(state: State, g: int, stamp: int, gain: int) -> bool:
    """Move the members of g without the stamp to their best other groups if this loses less than ``gain``."""
    groups, leaving, goal = state.groups, state.leaving, state.goal
    count = 0
    r = groups.head[g]
    while r >= 0:
        if state.inside[r] != stamp:
            leaving[count] = r
            count += 1
        r = groups.after[r]
    unlist(groups, g)
    for a in range(count):
        goal[a] = best_group(state, leaving[a])
        groups.made[EFFORT] += 10
        gain += groups.count[goal[a]] - groups.count[g]
        if gain <= 0:
            break
    enlist(state, g)
    if gain <= 0:
        return False
    for a in range(count):
        move(state, leaving[a], goal[a])
    return True


@kernel
def refill(state: State, g: int, stamp: int, most: int, drop: int) -> int:
    """Move up to ``most`` records that fit g from groups above k, each losing less than ``drop``; return how
    many."""
    sets, groups = state.sets, state.groups
    new, key, come = marked(state, shared(groups, g)), groups.key[g], 0
    for loss in range(drop):
        if groups.made[EFFORT] > MOST_EFFORT:
            break
        groups.made[EFFORT] += sets.first[key + 1] - sets.first[key]
        for p in range(sets.first[key], sets.first[key + 1]):
            r = sets.holders[p]
            h = groups.of[r]
            if come == most:
                return come
            fewer = groups.count[h] - groups.count[g]
            if h == g or fewer != loss or groups.size[h] <= sets.k or state.inside[r] == stamp:
                continue
            has = 0
            for q in range(sets.starts[r], sets.starts[r + 1]):
                has += state.mark[sets.items[q]] == new
            if has == groups.count[g]:
                move(state, r, g)
                come += 1
    return come


@kernel
def hand_over(state: State, g: int, target: int, supporters: np.ndarray, stamp: int, take: int) -> None:
    """Move ``take`` supporters from group g to the target. Cost: the minimum of members and supporters."""
    groups = state.groups
    if len(supporters) < groups.size[g]:
        for r in supporters:
            if take == 0:
                return
            if groups.of[r] == g:
                move(state, r, target)
                take -= 1
        return
    r = groups.head[g]
    while r >= 0 and take > 0:
        after = groups.after[r]
        if state.inside[r] == stamp:
            move(state, r, target)
            take -= 1
        r = after


@kernel
def opened(state: State, word: np.ndarray, supporters: np.ndarray) -> bool:
    """Open a group that shares the word, or use the existing one, and move supporters there; the journal
    records all changes. Return False if the group stays below k: then `undo`.

    First, supporters that gain move: from groups that would fall below k, only as many as are spare or
    replaced, or all, and the other members move to their best other groups. Then, until the group has k,
    those that lose nothing or up to `FAR` items.
    """
    sets, groups, held, touched = state.sets, state.groups, state.held, state.touched
    length, target, donors = len(word), -1, 0
    groups.made[EFFORT] = 0
    groups.made[STAMP] += 1
    stamp, count = groups.made[STAMP], 0
    for r in supporters:
        state.inside[r] = stamp
        g = groups.of[r]
        if held[g] == 0:
            touched[count] = g
            count += 1
        held[g] += 1
    for a in range(count):
        if groups.count[touched[a]] == length and held[touched[a]] == groups.size[touched[a]]:
            target = touched[a]
    if target < 0 and groups.made[FREE] > 0:
        target = found(state, word, length)
    for turn in range(FAR + 2 if target >= 0 else 0):
        for a in range(count):
            g = touched[a]
            c, size, gain = held[g], groups.size[g], length - groups.count[g]
            if g == target or (gain <= 0 if turn == 0 else gain != 1 - turn):
                continue
            spare = max(size - sets.k, 0)
            most = c if turn == 0 else min(c, sets.k - groups.size[target])
            if most <= 0 or (size < sets.k and turn > 0):
                continue
            take = min(most, spare)
            if turn == 0 and (g < sets.blocks or c == size):
                take = c
            elif turn == 0 and spare < c and size - c <= 2 * sets.k and groups.made[EFFORT] <= MOST_EFFORT:
                take = c if dissolves(state, g, stamp, (c - spare) * gain) else spare
            if take < most:
                take += refill(state, g, stamp, most - take, max(gain, 1))
            if take > 0:
                state.donors[donors] = g
                donors += 1
                hand_over(state, g, target, supporters, stamp, take)
            if groups.size[g] == 0 and g >= sets.blocks:
                leave(state, g)
    for a in range(count):
        held[touched[a]] = 0
    if target < 0 or groups.size[target] < sets.k:
        return False
    for a in range(donors):
        if state.donors[a] >= sets.blocks and groups.size[state.donors[a]] > 0:
            tighten(state, state.donors[a])
    tighten(state, target)
    return True
