"""Compiled building of groups under the normalized certainty penalty: greedy start and rebuilt neighborhoods.

`start` grows one group after another from the records with the closest company, always adding the record that
widens the group least (after Byun et al., Efficient k-anonymization using clustering techniques, DASFAA 2007,
whose k-member algorithm begins with the farthest record instead). `rebuild` takes a few neighboring groups
apart, forms them anew and keeps the result only if it costs less.
"""

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
from kanon_core.base.compiled import kernel

SURVEYED = 40  # cells visited at most per neighbor looked for, when neighbors are found
SEARCHED = 120  # and when groups are grown, where a bad choice stays


@kernel
def survey(
    tree: Tree, points: Records, nearby: Nearby, weight: np.ndarray, at: int, k: int, work: int
) -> int:
    """Find the nearest cells and the radius of cells from `at` on; returns the next cell.

    weight: records per cell. The radius is that of the cells found if these hold fewer than k records.
    """
    m = nearby.near.shape[1]
    gaps = np.empty(m)
    cells = np.empty(m, np.int64)
    scratch = np.empty((2, tree.start.size))
    while at < weight.size and work > 0:
        size = nearest(tree, points, at, weight, gaps, cells, scratch, SURVEYED * m)
        have = weight[at]
        by = np.argsort(gaps[:size], kind="mergesort")
        for i in range(size):
            nearby.near[at, i] = cells[by[i]]
            if have < k:
                nearby.radius[at] = gaps[by[i]]
                have += weight[cells[by[i]]]
        at += 1
        work -= 1
    return at


@kernel
def draw(
    tree: Tree,
    nearby: Nearby,
    leaf: np.ndarray,
    left: np.ndarray,
    c: int,
    amount: int,
    labels: np.ndarray,
    g: int,
) -> None:
    """Give group g `amount` records of cell c that are left."""
    end = nearby.first[c + 1] - left[c]
    for r in range(end, end + amount):
        labels[r] = g
    left[c] -= amount
    node = leaf[c]
    while node >= 0:
        tree.alive[node] -= amount
        node = tree.parent[node]


@kernel
def widening(points: Records, low: np.ndarray, high: np.ndarray, holds: np.ndarray, g: int, c: int) -> float:
    """How much the penalty of the growing group g rises with cell c."""
    total = 0.0
    for a in range(points.step.size):
        if holds[points.values[c, a]] != g:
            total += points.step[a]
    for a in range(points.width.size):
        x = points.numeric[c, a]
        if x < low[a] or x > high[a]:
            total += points.width[a] * (span(min(x, low[a]), max(x, high[a])) - span(low[a], high[a]))
    return total


@kernel
def widen(points: Records, low: np.ndarray, high: np.ndarray, holds: np.ndarray, g: int, c: int) -> None:
    """Let the growing group g hold cell c."""
    for a in range(points.step.size):
        holds[points.values[c, a]] = g
    for a in range(points.width.size):
        low[a] = min(low[a], points.numeric[c, a])
        high[a] = max(high[a], points.numeric[c, a])


@kernel
def start(
    tree: Tree,
    points: Records,
    nearby: Nearby,
    leaf: np.ndarray,
    left: np.ndarray,
    seeds: np.ndarray,
    holds: np.ndarray,
    labels: np.ndarray,
    state: np.ndarray,
    k: int,
    work: int,
) -> bool:
    """Form groups of k from the cells in the order of seeds; state: next seed, next group. True when done.

    leaf: node of a cell; left: records of a cell without group; holds: scratch per value, -1 at first;
    labels (n,): filled; the fewer than k records that remain keep -1.
    """
    size = 3 * k + 8
    gaps = np.empty(size)
    cells = np.empty(size, np.int64)
    scratch = np.empty((2, tree.start.size))
    low = np.empty(points.width.size)
    high = np.empty(points.width.size)
    while tree.alive[0] >= k:
        if work <= 0:
            return False
        c = seeds[state[0]]
        if left[c] == 0:
            state[0] += 1
            continue
        g = state[1]
        state[1] += 1
        low[:] = np.inf
        high[:] = -np.inf
        need = k
        count = 0
        if left[c] < need:
            count = nearest(tree, points, c, left, gaps, cells, scratch, SEARCHED * size)
        while need > 0:
            widen(points, low, high, holds, g, c)
            amount = min(need, left[c])
            draw(tree, nearby, leaf, left, c, amount, labels, g)
            need -= amount
            least = np.inf
            for i in range(count):
                b = cells[i]
                if need == 0 or left[b] == 0:
                    continue
                more = widening(points, low, high, holds, g, b)
                if more == 0.0:
                    amount = min(need, left[b])
                    draw(tree, nearby, leaf, left, b, amount, labels, g)
                    need -= amount
                elif more < least:
                    least = more
                    c = b
            work -= count
        work -= 4 * size
    return True


@kernel
def chance(dice: np.ndarray, sides: int) -> int:
    """The next random number below `sides`; dice (1,): the generator's state."""
    dice[0] = dice[0] * 6364136223846793005 + 1442695040888963407
    return int(((dice[0] >> 33) & 0x7FFFFFFF) % sides)


@kernel
def collect(groups: Groups, found: np.ndarray, count: int, pool: np.ndarray, homes: np.ndarray) -> int:
    """List the members of the groups found and their groups; returns how many."""
    m = 0
    for i in range(count):
        r = groups.head[found[i]]
        while r >= 0:
            pool[m] = r
            homes[m] = found[i]
            m += 1
            r = groups.after[r]
    return m


@kernel
def next_seed(
    points: Records, cell: np.ndarray, rest: np.ndarray, size: int, last: int, way: int, dice: np.ndarray
) -> int:
    """Position of the record with which the next group begins: random, or farthest from the last one."""
    if way == 0 or last < 0:
        return chance(dice, size)
    best = -1.0
    at = 0
    for i in range(size):
        gap = distance(points, cell[rest[i]], cell[last])
        if gap > best:
            best = gap
            at = i
    return at


@kernel
def form(
    groups: Groups,
    records: Records,
    points: Records,
    nearby: Nearby,
    rest: np.ndarray,
    size: int,
    ids: np.ndarray,
    wanted: int,
    k: int,
    way: int,
    dice: np.ndarray,
) -> None:
    """Form `wanted` groups of k from the records in rest, then add the others where they cost least."""
    last = -1
    for j in range(wanted):
        g = ids[j]
        at = next_seed(points, nearby.cell, rest, size, last, way, dice)
        last = rest[at]
        for _ in range(k):
            r = rest[at]
            size -= 1
            rest[at] = rest[size]
            put(groups, records, r, g)
            if groups.size[g] == k:
                break
            now = penalty_now(groups, records, g)
            least = np.inf
            for i in range(size):
                price = penalty_with(groups, records, g, rest[i])
                if price < least:
                    least = price
                    at = i
                    if price <= now:
                        break
        groups.penalty[g] = penalty_now(groups, records, g)
    for i in range(size):
        to, _ = cheapest(groups, records, ids, wanted, rest[i], k)
        put(groups, records, rest[i], to)
        groups.penalty[to] = penalty_now(groups, records, to)
    for j in range(wanted):
        settle(groups, records, ids[j])


@kernel
def descend(
    groups: Groups,
    records: Records,
    clock: Clock,
    pool: np.ndarray,
    m: int,
    ids: np.ndarray,
    count: int,
    k: int,
) -> None:
    """Move and exchange the records of the pool between its groups while that helps."""
    others = np.empty(count, np.int64)
    for i in range(m):
        clock.tried[pool[i]] = -1
    busy = True
    while busy:
        busy = False
        for i in range(m):
            r = pool[i]
            if groups.penalty[groups.label[r]] <= 0:
                continue
            n = 0
            for j in range(count):
                if ids[j] != groups.label[r]:
                    others[n] = ids[j]
                    n += 1
            busy |= improve(groups, records, clock, r, others, n, k) > 0


@kernel
def rebuild(
    groups: Groups,
    records: Records,
    points: Records,
    nearby: Nearby,
    clock: Clock,
    spare: np.ndarray,
    dice: np.ndarray,
    k: int,
    most: int,
    work: int,
) -> tuple[int, int, float]:
    """Rebuild neighborhoods of up to `most` groups around random records until `work` is used up.

    spare: empty groups, spare[0] their number. Returns tries, successes and savings.
    """
    n = groups.label.size
    room = 2 * k * (most + 1)
    pool, homes, rest = np.empty((3, room), np.int64)
    ids = np.empty(room // k + 1, np.int64)
    tries = 0
    wins = 0
    saved = 0.0
    while work > 0:
        tries += 1
        r = chance(dice, n)
        work -= 30
        if groups.penalty[groups.label[r]] <= 0:
            continue
        count = 1 + neighbors(groups, nearby, clock, r, ids[1:most])
        ids[0] = groups.label[r]
        m = collect(groups, ids, count, pool, homes)
        work -= m * count
        old = 0.0
        for i in range(count):
            old += groups.size[ids[i]] * groups.penalty[ids[i]]
        for i in range(m):
            take(groups, records, pool[i])
            rest[i] = pool[i]
        wanted = m // k
        if chance(dice, 4) == 0 and (wanted - 1) * (2 * k - 1) >= m:
            wanted -= 1
        for i in range(count, wanted):
            ids[i] = spare[spare[0] - i + count]
        form(groups, records, points, nearby, rest, m, ids, wanted, k, chance(dice, 2), dice)
        descend(groups, records, clock, pool, m, ids, wanted, k)
        for i in range(m):
            clock.tried[pool[i]] = -1
        new = 0.0
        for i in range(wanted):
            new += groups.size[ids[i]] * groups.penalty[ids[i]]
        if new < old - TINY:
            wins += 1
            saved += old - new
            clock.now[0] += 1
            for i in range(wanted):
                clock.changed[ids[i]] = clock.now[0]
            spare[0] -= max(0, wanted - count)
            for i in range(wanted, count):
                spare[0] += 1
                spare[spare[0]] = ids[i]
                settle(groups, records, ids[i])
            continue
        for i in range(m):
            take(groups, records, pool[i])
        for i in range(m):
            put(groups, records, pool[i], homes[i])
        for i in range(max(count, wanted)):
            settle(groups, records, ids[i])
    return tries, wins, saved
