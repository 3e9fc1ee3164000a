"""Opening a group for an item set, in `refine_sets`: what that may gain, and who comes from where."""

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
from kanon_core.base.compiled import inner

FAR = 2  # records that share up to this many items more where they are may be taken to fill a group up to k
# Records looked at to replace those that leave, for one opening; then only spare ones come.
MOST_EFFORT = 200_000


@inner
def gather(state: State, supporters: np.ndarray) -> int:
    """Count the supporters in each group, in `held`; returns how many groups, listed in `touched`."""
    groups, held, touched = state.groups, state.held, state.touched
    count = 0
    for r in supporters:
        g = groups.of[r]
        if held[g] == 0:
            touched[count] = g
            count += 1
        held[g] += 1
    return count


@inner
def forecast(state: State, supporters: np.ndarray, length: int) -> float:
    """A guess of how many items more are shown when a group opens for a set of ``length`` items; −1 = it
    would stay below k.

    With ``hope`` 0 … 1, half to all of the records that a group of k cannot spare are taken to be replaceable
    if they gain, and none to all if they do not; the other members of a dissolved group to lose a fifth of
    their items to none.
    """
    sets, groups, k = state.sets, state.groups, state.sets.k
    count = gather(state, supporters)
    gain, come, exists, hope = 0.0, 0, False, state.hope[0]
    near0, near1, near2 = 0, 0, 0
    for a in range(count):
        g = state.touched[a]
        c, d, size = state.held[g], length - groups.count[g], groups.size[g]
        state.held[g] = 0
        spare = max(size - k, 0)
        lent = min(spare, c) + np.int64(max(c - spare, 0) * hope)
        if d > 0:
            take = c
            if g >= sets.blocks and spare < c < size:
                dissolved = c * d - (size - c) * (groups.count[g] - 1) * (1.0 - hope) * 0.2
                if dissolved > spare * d:
                    gain += dissolved
                    come += c
                    continue
                more = np.int64((c - spare) * (0.5 + 0.5 * hope))
                take = spare + more
                gain -= more * 0.2
            gain += take * d
            come += take
        elif d == 0:
            exists = exists or c == size
            near0 += lent
        elif d == -1:
            near1 += lent
        elif d == -FAR:
            near2 += lent
    need = k - come - near0
    if exists or need <= 0:
        return gain
    if need > near1 + near2:
        return -1.0
    return gain - need - max(need - near1, 0)


@inner
def dissolves(state: State, g: int, stamp: int, gain: int) -> bool:
    """Send the members of g without the stamp to their best other groups, if less than ``gain`` is lost."""
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


@inner
def refill(state: State, g: int, stamp: int, most: int, drop: int) -> int:
    """Bring up to ``most`` records that fit g from groups with more than k, each losing less than
    ``drop``."""
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


@inner
def by_count(state: State, count: int, length: int) -> None:
    """The touched groups in `order`, those that share least first; all beyond ``length`` + FAR last."""
    groups, bucket = state.groups, state.bucket
    last = length + FAR + 1
    bucket[: last + 1] = 0
    for a in range(count):
        bucket[min(groups.count[state.touched[a]], last)] += 1
    total = 0
    for a in range(last + 1):
        here = bucket[a]
        bucket[a] = total
        total += here
    for a in range(count):
        g = state.touched[a]
        c = min(groups.count[g], last)
        state.order[bucket[c]] = g
        bucket[c] += 1


@inner
def hand_over(state: State, g: int, target: int, supporters: np.ndarray, stamp: int, take: int) -> None:
    """Move ``take`` supporters from group g to the target. Cost: the fewer of members and supporters."""
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


@inner
def come_in(state: State, target: int, supporters: np.ndarray, stamp: int, count: int, length: int) -> int:
    """Bring the supporters that gain; returns how many groups gave some, listed in `donors`."""
    sets, groups = state.sets, state.groups
    donors = 0
    for a in range(count):
        g = state.order[a]
        c, d = state.held[g], length - groups.count[g]
        if d <= 0 or g == target:
            continue
        take = c
        spare = max(groups.size[g] - sets.k, 0)
        if g >= sets.blocks and spare < c < groups.size[g]:
            take = spare
            near = groups.size[g] - c <= 2 * sets.k and groups.made[EFFORT] <= MOST_EFFORT
            if near and dissolves(state, g, stamp, (c - spare) * d):
                take = c
            else:
                take += refill(state, g, stamp, c - spare, d)
        if take > 0:
            state.donors[donors] = g
            donors += 1
        hand_over(state, g, target, supporters, stamp, take)
        if groups.size[g] == 0 and g >= sets.blocks:
            leave(state, g)
    return donors


@inner
def fill_up(
    state: State, target: int, supporters: np.ndarray, stamp: int, count: int, length: int, donors: int
) -> int:
    """Bring supporters that gain nothing, or lose, until the target has k; returns how many groups gave some
    so far.

    They come from groups that can spare them or get others in their place.
    """
    groups, k = state.groups, state.sets.k
    for a in range(count):
        g = state.order[a]
        need = k - groups.size[target]
        if need <= 0:
            break
        if g == target or not length <= groups.count[g] <= length + FAR or groups.size[g] < k:
            continue
        most = min(state.held[g], need)
        take = min(most, groups.size[g] - k)
        if take < most:
            take += refill(state, g, stamp, most - take, 1)
        if take == 0:
            continue
        state.donors[donors] = g
        donors += 1
        hand_over(state, g, target, supporters, stamp, take)
    return donors


@inner
def opened(state: State, word: np.ndarray, supporters: np.ndarray) -> bool:
    """Open a group that shares the word (or go on with the one there is) and bring supporters; everything is
    written down.

    Records come where they gain. From groups that would fall below k only as many as can be spared or
    replaced, or all members leave, the others for their best other groups. Returns False when the group stays
    below k: then undo.
    """
    groups, sets = state.groups, state.sets
    length = len(word)
    count = gather(state, supporters)
    groups.made[EFFORT] = 0
    groups.made[STAMP] += 1
    stamp = groups.made[STAMP]
    for r in supporters:
        state.inside[r] = stamp
    target = -1
    for a in range(count):
        g = state.touched[a]
        if groups.count[g] == length and state.held[g] == groups.size[g]:
            target = g
    if target < 0:
        if groups.made[FREE] == 0:
            for a in range(count):
                state.held[state.touched[a]] = 0
            return False
        target = found(state, word, length)
    by_count(state, count, length)
    donors = come_in(state, target, supporters, stamp, count, length)
    most = groups.size[target]
    for a in range(count):
        g = state.order[a]
        if g != target and length <= groups.count[g] <= length + FAR:
            most += state.held[g]
    if most >= sets.k:
        donors = fill_up(state, target, supporters, stamp, count, length, donors)
    for a in range(count):
        state.held[state.order[a]] = 0
    if groups.size[target] < sets.k:
        return False
    for a in range(donors):
        g = state.donors[a]
        if g >= sets.blocks and groups.size[g] > 0:
            tighten(state, g)
    tighten(state, target)
    return True
