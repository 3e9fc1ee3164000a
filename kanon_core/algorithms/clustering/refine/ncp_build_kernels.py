"""Compiled construction of groups under the normalized certainty penalty: greedy start and rebuilt
neighborhoods.

`start` grows groups one by one from the records with the nearest neighbors, always adding the record that
widens the group least (after Byun et al., DASFAA 2007, who begin with the farthest record instead). `rebuild`
forms a few neighboring groups again if that costs less.
"""

from typing import NamedTuple

import numpy as np

from kanon_core.algorithms.clustering.refine.ncp_groups_kernels import (
    Groups,
    Records,
    penalty_now,
    penalty_with,
    put,
    settle,
    span,
    take,
)
from kanon_core.algorithms.clustering.refine.ncp_moves_kernels import (
    TINY,
    Clock,
    Nearby,
    cheapest,
    improve,
    neighbors,
)
from kanon_core.algorithms.clustering.refine.ncp_near_kernels import Tree, distance, nearest
from kanon_core.base.compiled import by_reference, kernel
from kanon_core.base.sorting_kernels import order

POOL = 50  # approximate number of records of a rebuilt neighborhood
SURVEYED = 40  # most cells visited per neighbor in `survey`
SEARCHED = 120  # the same in `start`, whose choices are not revised


@kernel
def survey(tree: Tree, nearby: Nearby, weight: np.ndarray, at: int, k: int, work: int) -> int:
    """Find the nearest cells and the radius of cells from `at` on; return the next cell.

    weight: records per cell. If the cells found hold fewer than k records, the radius is the farthest of
    them.
    """
    m = nearby.near.shape[1]
    gaps, cells, scratch = np.empty(m), np.empty(m, np.int64), np.empty((2, tree.start.size))
    while at < weight.size and work > 0:
        size = nearest(tree, at, weight, gaps, cells, scratch, SURVEYED * m)
        have = weight[at]
        by = order(gaps[:size])
        for i in range(size):
            nearby.near[at, i] = cells[by[i]]
            if have < k:
                nearby.radius[at] = gaps[by[i]]
                have += weight[cells[by[i]]]
        at += 1
        work -= 1
    return at


@by_reference
class Growth(NamedTuple):
    """Groups that `start` grows.

    leaf (c,): node of a cell; left (c,): its records without group; seeds (c,): first cells of groups, in
    order; holds (values,): the last group with a value, -1 at first; labels (n,): -1 = none; state: next
    seed, next group.
    """

    leaf: np.ndarray
    left: np.ndarray
    seeds: np.ndarray
    holds: np.ndarray
    labels: np.ndarray
    state: np.ndarray


@kernel
def draw(tree: Tree, nearby: Nearby, growth: Growth, c: int, amount: int, g: int) -> None:
    """Add to group g `amount` records of cell c that have no group."""
    end = nearby.first[c + 1] - growth.left[c]
    growth.labels[end : end + amount] = g
    growth.left[c] -= amount
    node = growth.leaf[c]
    while node >= 0:
        tree.alive[node] -= amount
        node = tree.parent[node]


@kernel
def widening(points: Records, box: np.ndarray, holds: np.ndarray, g: int, c: int) -> float:
    """Return the increase of the penalty of group g, whose box is (2, p), if cell c joins."""
    total = 0.0
    for a in range(points.step.size):
        if holds[points.values[c, a]] != g:
            total += points.step[a]
    for a in range(points.width.size):
        x, low, high = points.numeric[c, a], box[0, a], box[1, a]
        if x < low or x > high:
            total += points.width[a] * (span(min(x, low), max(x, high)) - span(low, high))
    return total


@kernel
def start(tree: Tree, nearby: Nearby, growth: Growth, k: int, work: int) -> bool:
    """Form groups of k in the order of the seeds; return True when fewer than k records remain."""
    points, left, holds, state = tree.points, growth.left, growth.holds, growth.state
    size = 3 * k + 8
    gaps, cells = np.empty(size), np.empty(size, np.int64)
    scratch, box = np.empty((2, tree.start.size)), np.empty((2, points.width.size))
    while tree.alive[0] >= k:
        if work <= 0:
            return False
        c = growth.seeds[state[0]]
        if left[c] == 0:
            state[0] += 1
            continue
        g = state[1]
        state[1] += 1
        box[0], box[1] = np.inf, -np.inf
        need, count = k, 0
        if left[c] < need:
            count = nearest(tree, c, left, gaps, cells, scratch, SEARCHED * size)
        while need > 0:
            for a in range(points.step.size):
                holds[points.values[c, a]] = g
            for a in range(points.width.size):
                box[0, a] = min(box[0, a], points.numeric[c, a])
                box[1, a] = max(box[1, a], points.numeric[c, a])
            amount = min(need, left[c])
            draw(tree, nearby, growth, c, amount, g)
            need -= amount
            least = np.inf
            for i in range(count):
                b = cells[i]
                if need == 0 or left[b] == 0:
                    continue
                more = widening(points, box, holds, g, b)
                if more == 0.0:
                    amount = min(need, left[b])
                    draw(tree, nearby, growth, b, amount, g)
                    need -= amount
                elif more < least:
                    least, c = more, b
            work -= count
        work -= 4 * size
    return True


@kernel
def chance(dice: np.ndarray, sides: int) -> int:
    """Return the next random number below `sides`; dice (1,): the state. A linear congruential generator,
    which keeps the groups of earlier versions for a given seed."""
    dice[0] = dice[0] * 6364136223846793005 + 1442695040888963407
    return int(((dice[0] >> 33) & 0x7FFFFFFF) % sides)


@kernel
def collect(groups: Groups, chosen: np.ndarray, pool: np.ndarray, homes: np.ndarray) -> int:
    """List the members of the chosen groups and their groups; return how many."""
    m = 0
    for g in chosen:
        r = groups.head[g]
        while r >= 0:
            pool[m], homes[m] = r, g
            m += 1
            r = groups.after[r]
    return m


@kernel
def next_seed(nearby: Nearby, rest: np.ndarray, last: int, way: int, dice: np.ndarray) -> int:
    """Return the position of the next group's first record: random, or the farthest from the last one."""
    if way == 0 or last < 0:
        return chance(dice, rest.size)
    best, at = -1.0, 0
    for i in range(rest.size):
        gap = distance(nearby.points, nearby.cell[rest[i]], nearby.cell[last])
        if gap > best:
            best, at = gap, i
    return at


@kernel
def form(groups: Groups, nearby: Nearby, rest: np.ndarray, ids: np.ndarray, k: int, dice: np.ndarray) -> None:
    """Form groups ids of k records from rest, then add each other record where it costs least."""
    last, size, way = -1, rest.size, chance(dice, 2)
    for g in ids:
        at = next_seed(nearby, rest[:size], last, way, dice)
        last = rest[at]
        for _ in range(k):
            r = rest[at]
            size -= 1
            rest[at] = rest[size]
            put(groups, r, g)
            if groups.size[g] == k:
                break
            now = penalty_now(groups, g)
            least = np.inf
            for i in range(size):
                price = penalty_with(groups, g, rest[i])
                if price < least:
                    least, at = price, i
                    if price <= now:
                        break
        groups.penalty[g] = penalty_now(groups, g)
    for r in rest[:size]:
        to, _ = cheapest(groups, ids, r, k)
        put(groups, r, to)
        groups.penalty[to] = penalty_now(groups, to)
    for g in ids:
        settle(groups, g)


@kernel
def descend(groups: Groups, clock: Clock, pool: np.ndarray, ids: np.ndarray, k: int) -> None:
    """Move and exchange the records of the pool between its groups while it lowers the loss."""
    others = np.empty(ids.size, np.int64)
    for r in pool:
        clock.tried[r] = -1
    busy = True
    while busy:
        busy = False
        for r in pool:
            if groups.penalty[groups.label[r]] <= 0:
                continue
            n = 0
            for g in ids:
                if g != groups.label[r]:
                    others[n] = g
                    n += 1
            busy |= improve(groups, clock, r, others[:n], k) > 0
    for r in pool:
        clock.tried[r] = -1


@kernel
def loss_of(groups: Groups, ids: np.ndarray) -> float:
    """Return the loss of these groups."""
    total = 0.0
    for g in ids:
        total += groups.size[g] * groups.penalty[g]
    return total


@kernel
def rebuild(
    groups: Groups, nearby: Nearby, clock: Clock, spare: np.ndarray, dice: np.ndarray, k: int, work: int
) -> tuple[int, int]:
    """Rebuild neighborhoods of a few groups around random records until `work` is used up.

    spare: empty groups, spare[0] their number. Return tries and successes.
    """
    most = max(2, min(8, POOL // k))
    room = 2 * k * (most + 1)
    pools, homes, rest = np.empty((3, room), np.int64)
    ids = np.empty(room // k + 1, np.int64)
    tries, wins = 0, 0
    while work > 0:
        tries += 1
        r = chance(dice, groups.label.size)
        work -= 30
        if groups.penalty[groups.label[r]] <= 0:
            continue
        count = 1 + neighbors(groups, nearby, clock, r, ids[1:most])
        ids[0] = groups.label[r]
        m = collect(groups, ids[:count], pools, homes)
        pool = pools[:m]
        work -= m * count
        old = loss_of(groups, ids[:count])
        for i in range(m):
            take(groups, pool[i])
            rest[i] = pool[i]
        wanted = m // k
        if chance(dice, 4) == 0 and (wanted - 1) * (2 * k - 1) >= m:
            wanted -= 1
        for i in range(count, wanted):
            ids[i] = spare[spare[0] - i + count]
        form(groups, nearby, rest[:m], ids[:wanted], k, dice)
        descend(groups, clock, pool, ids[:wanted], k)
        if loss_of(groups, ids[:wanted]) < old - TINY:
            wins += 1
            clock.now[0] += 1
            for g in ids[:wanted]:
                clock.changed[g] = clock.now[0]
            spare[0] -= max(0, wanted - count)
            for g in ids[wanted:count]:
                spare[0] += 1
                spare[spare[0]] = g
                settle(groups, g)
            continue
        for r in pool:
            take(groups, r)
        for i in range(m):
            put(groups, pool[i], homes[i])
        for g in ids[: max(count, wanted)]:
            settle(groups, g)
    return tries, wins
