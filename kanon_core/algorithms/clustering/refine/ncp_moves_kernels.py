"""Compiled changes of a partition, each accepted only if it lowers the normalized certainty penalty.

`sweep` moves a record or exchanges two, `dissolve` moves a group's records to its neighbors, `polish` tries
every group for every record that may leave its own. Group sizes stay within k..2k-1. Each does a bounded
amount of work per call and returns where to continue.
"""

from typing import NamedTuple

import numpy as np

from kanon_core.algorithms.clustering.refine.ncp_groups_kernels import (
    Groups,
    Records,
    penalty_exchanged,
    penalty_now,
    penalty_with,
    put,
    settle,
    span,
    take,
)
from kanon_core.base.compiled import by_reference, kernel

TINY = 1e-11  # a change must save more than this, which exceeds rounding errors
ALIKE = 3  # records of one cell that are tried


@by_reference
class Nearby(NamedTuple):
    """Equal records (cells, each a point) and their nearest cells.

    cell (n,): cell of a record; first (c + 1,): records of cell c are first[c] .. first[c+1]-1; near (c, m):
    nearest cells, nearest first, -1 = no more; radius (c,): distance that k records are within.
    """

    points: Records
    cell: np.ndarray
    first: np.ndarray
    near: np.ndarray
    radius: np.ndarray


@by_reference
class Clock(NamedTuple):
    """Times of the last changes: now (1,), changed (m,) per group, tried (n,) per record; seen (m,) is
    scratch."""

    now: np.ndarray
    changed: np.ndarray
    tried: np.ndarray
    seen: np.ndarray


@kernel
def neighbors(groups: Groups, nearby: Nearby, clock: Clock, r: int, near_groups: np.ndarray) -> int:
    """List other groups with records near r, nearest first, in near_groups; return how many."""
    clock.now[0] += 1
    now = clock.now[0]
    clock.seen[groups.label[r]] = now
    count = 0
    c = nearby.cell[r]
    for i in range(-1, nearby.near.shape[1]):
        b = c if i < 0 else nearby.near[c, i]
        if b < 0:
            break
        size = nearby.first[b + 1] - nearby.first[b]
        for j in range(min(ALIKE, size)):
            g = groups.label[nearby.first[b] + (r + j) % size]
            if clock.seen[g] != now:
                clock.seen[g] = now
                near_groups[count] = g
                count += 1
                if count == near_groups.size:
                    return count
    return count


@kernel
def best_exchange(groups: Groups, r: int, b: int, with_r: float, best: float) -> tuple[int, float]:
    """Return the record of group b whose exchange for r lowers the loss most, -1 if none beats best, and the
    change."""
    a, partner = groups.label[r], -1
    floor = groups.size[b] * (with_r - groups.penalty[b]) - groups.size[a] * groups.relief[r]
    if floor - groups.size[b] * groups.most[b] >= best:
        return partner, best
    s = groups.head[b]
    while s >= 0:
        if floor - groups.size[b] * groups.relief[s] < best:
            change = groups.size[b] * (penalty_exchanged(groups, b, s, r) - groups.penalty[b])
            if change - groups.size[a] * groups.relief[r] < best:
                change += groups.size[a] * (penalty_exchanged(groups, a, r, s) - groups.penalty[a])
                if change < best:
                    best, partner = change, s
        s = groups.after[s]
    return partner, best


@kernel
def relocate(groups: Groups, clock: Clock, r: int, b: int, partner: int) -> None:
    """Move r to group b, and partner (if not -1) to the group r has left."""
    a = groups.label[r]
    take(groups, r)
    if partner >= 0:
        take(groups, partner)
        put(groups, partner, a)
    put(groups, r, b)
    settle(groups, a)
    settle(groups, b)
    clock.now[0] += 1
    clock.changed[a] = clock.changed[b] = clock.now[0]


@kernel
def improve(groups: Groups, clock: Clock, r: int, near_groups: np.ndarray, k: int) -> float:
    """Make the best move or exchange of record r with these groups; return the saving."""
    a = groups.label[r]
    leave = groups.penalty[a] + (groups.size[a] - 1) * groups.relief[r]
    best, to, partner = -TINY, -1, -1
    unmoved = clock.changed[a] <= clock.tried[r]
    for b in near_groups:
        if unmoved and clock.changed[b] <= clock.tried[r]:
            continue
        size = groups.size[b]
        with_r = penalty_with(groups, b, r)
        if groups.size[a] > k and size < 2 * k - 1:
            change = (size + 1) * with_r - size * groups.penalty[b] - leave
            if change < best:
                best, to, partner = change, b, -1
        s, change = best_exchange(groups, r, b, with_r, best)
        if s >= 0:
            best, to, partner = change, b, s
    clock.tried[r] = clock.now[0]
    if to < 0:
        return 0.0
    relocate(groups, clock, r, to, partner)
    return -best


@kernel
def sweep(groups: Groups, nearby: Nearby, clock: Clock, at: int, k: int, work: int) -> tuple[int, float]:
    """Improve records from `at` on until about `work` groups were tried; return next record and savings."""
    room = np.empty(ALIKE * (nearby.near.shape[1] + 1), np.int64)
    saved = 0.0
    while at < groups.label.size and work > 0:
        work -= 1
        if groups.label[at] >= 0 and groups.penalty[groups.label[at]] > 0:
            found = room[: neighbors(groups, nearby, clock, at, room)]
            for b in found:
                work -= 1 + groups.size[b] // 32
            saved += improve(groups, clock, at, found, k)
        at += 1
    return at, saved


@kernel
def cheapest(groups: Groups, near_groups: np.ndarray, r: int, k: int) -> tuple[int, float]:
    """Return the group, among these that may grow, whose loss r raises least, -1 if none, and the rise."""
    best, to = np.inf, -1
    for b in near_groups:
        size = groups.size[b]
        if 0 < size < 2 * k - 1:
            change = (size + 1) * penalty_with(groups, b, r) - size * groups.penalty[b]
            if change < best:
                best, to = change, b
    return to, best


@kernel
def dissolve(groups: Groups, nearby: Nearby, clock: Clock, at: int, k: int, work: int) -> tuple[int, float]:
    """Dissolve groups from `at` on if their records cost less elsewhere; return next group and savings."""
    found = np.empty(ALIKE * (nearby.near.shape[1] + 1), np.int64)
    members, homes = np.empty((2, 2 * k), np.int64)
    saved = 0.0
    while at < groups.size.size and work > 0:
        a = at
        at += 1
        work -= 1
        if groups.size[a] == 0 or groups.penalty[a] <= 0:
            continue
        old = groups.size[a] * groups.penalty[a]
        m = 0
        r = groups.head[a]
        while r >= 0:
            members[m] = r
            m += 1
            r = groups.after[r]
        done, new = 0, 0.0
        for r in members[:m]:
            count = neighbors(groups, nearby, clock, r, found)
            work -= count
            to, cost = cheapest(groups, found[:count], r, k)
            new += cost
            if new >= old - TINY:
                break
            take(groups, r)
            put(groups, r, to)
            groups.penalty[to] = penalty_now(groups, to)
            homes[done] = to
            done += 1
        if done == m:
            saved += old - new
            clock.now[0] += 1
        for i in range(done):
            to = homes[i]
            if done < m:
                take(groups, members[i])
                put(groups, members[i], a)
                groups.penalty[to] = penalty_now(groups, to)
            elif clock.changed[to] < clock.now[0]:
                clock.changed[to] = clock.now[0]
                settle(groups, to)
        groups.penalty[a] = old / m if done < m else 0.0
    return at, saved


@kernel
def polish(groups: Groups, clock: Clock, at: int, k: int, work: int) -> tuple[int, float]:
    """Move records from `at` on to the best of all groups if it helps; return next record and savings."""
    saved = 0.0
    while at < groups.label.size and work > 0:
        r = at
        at += 1
        a = groups.label[r]
        if a < 0 or groups.size[a] <= k or groups.penalty[a] <= 0:
            continue
        leave = groups.penalty[a] + (groups.size[a] - 1) * groups.relief[r]
        best, to = -TINY, -1
        for b in range(groups.size.size):
            size = groups.size[b]
            if b == a or size == 0 or size >= 2 * k - 1 or groups.penalty[b] >= leave:
                continue
            work -= 1
            change = (size + 1) * penalty_with(groups, b, r) - size * groups.penalty[b] - leave
            if change < best:
                best, to = change, b
        work -= groups.size.size // 8
        if to >= 0:
            relocate(groups, clock, r, to, -1)
            saved -= best
    return at, saved


@kernel
def loss(records: Records, order: np.ndarray, starts: np.ndarray, seen: np.ndarray) -> float:
    """Return Σ |g| W(g) over the groups order[starts[g]:starts[g+1]]; seen: -1 for every value, scratch."""
    total = 0.0
    for g in range(starts.size - 1):
        members = order[starts[g] : starts[g + 1]]
        penalty = 0.0
        for a in range(records.width.size):
            low, high = np.inf, -np.inf
            for r in members:
                low = min(low, records.numeric[r, a])
                high = max(high, records.numeric[r, a])
            penalty += records.width[a] * span(low, high)
        for a in range(records.step.size):
            kinds = 0
            for r in members:
                kinds += seen[records.values[r, a]] != g
                seen[records.values[r, a]] = g
            penalty += records.step[a] * (kinds - 1)
        total += penalty * members.size
    return total
