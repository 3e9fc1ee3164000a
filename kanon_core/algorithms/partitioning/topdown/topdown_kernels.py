"""Compiled top-down pass over numbers, categories and item sets (set-valued paper, Algorithm 1)."""

import numpy as np

from kanon_core.algorithms.partitioning.constraints_kernels import keeps
from kanon_core.algorithms.partitioning.topdown.clusters_kernels import (
    ALL,
    ATTRIBUTE,
    CLUSTERS,
    CUTS,
    KEPT,
    LIMIT,
    NEXT,
    REFUSED,
    ROUND,
    SUPPRESSED,
    Limits,
    Records,
    Work,
    charge,
    extent,
    measure_numbers,
)
from kanon_core.algorithms.partitioning.topdown.frequencies_kernels import enroll, forget, shrink, tally
from kanon_core.algorithms.partitioning.topdown.pivot_kernels import choose_pivot
from kanon_core.algorithms.partitioning.topdown.splits_kernels import (
    part_items,
    part_nodes,
    part_numbers,
    part_values,
)
from kanon_core.base.compiled import inlined, kernel


@kernel
def begin(records: Records, work: Work, limits: Limits) -> None:
    """Count the cluster of all records, and open every attribute of positive weight for it."""
    work.end[0] = work.order.size
    work.made[CLUSTERS] = 1
    work.made[ATTRIBUTE] = -1
    found = tally(records, work, 0, work.order.size)
    enroll(records, work, 0, limits.k, found, True)
    forget(work, found)
    for a in range(work.spread.size):
        measure_numbers(records, work, 0, a)
    account(records, work, 0, 1)
    for a in range(records.weight.size):
        work.closed[0, a] = work.closed[0, a] or records.weight[a] <= 0.0
        work.opened[a] = not work.closed[0, a]


@kernel
def account(records: Records, work: Work, c: int, sign: int) -> None:
    """Add cluster c to the losses, or subtract it (sign −1)."""
    n = work.end[c] - work.start[c]
    for a in range(work.spread.size):
        work.spread[a] += sign * n * extent(records, work.low[c, a], work.high[c, a])
    for j in range(records.categories):
        work.units[j] += sign * n * charge(records.trees, work.node[c, j], work.kinds[c, j])
    for j in range(work.common.shape[1]):
        work.units[records.categories + j] += sign * n * work.common[c, j]


@kernel
def loss(records: Records, work: Work, a: int) -> float:
    """Return the weighted loss of an attribute over all records: NCP, or NCP*_sv of item sets."""
    p = work.spread.size
    if a < p:
        return float(records.weight[a] * (work.spread[a] / records.unit + work.made[SUPPRESSED]))
    share = work.units[a - p] / records.scale[a - p]
    if a < p + records.categories:
        return float(records.weight[a] * (share + work.made[SUPPRESSED]))
    return float(records.weight[a] * (work.made[ALL] - share))


@kernel
def widest(records: Records, work: Work) -> int:
    """Return the open attribute of the largest loss, the first column on ties; −1 = none is open."""
    best = -1
    most = -np.inf
    for a in records.turn:
        if work.opened[a] > 0 and loss(records, work, a) > most:
            most = loss(records, work, a)
            best = a
    return best


@inlined
def may_be_cut(work: Work, limits: Limits, c: int) -> bool:
    """Return whether cluster c is large enough for two of k, or for k and some suppressed records."""
    n = work.end[c] - work.start[c]
    spare = limits.suppressed > work.made[SUPPRESSED] and work.common.shape[1] > 0
    return bool(n >= 2 * limits.k or (n > limits.k and spare))


@kernel
def leave_numbers(records: Records, work: Work, c: int, start: int, end: int) -> None:
    """Correct the numeric extremes of cluster c after order[start:end] has left it."""
    for a in range(work.spread.size):
        for i in range(start, end):
            x = records.numeric[work.order[i], a]
            work.lows[c, a] -= x == work.low[c, a]
            work.highs[c, a] -= x == work.high[c, a]
        if work.lows[c, a] == 0 or work.highs[c, a] == 0:
            measure_numbers(records, work, c, a)


@kernel
def divide(
    records: Records, work: Work, limits: Limits, c: int, middle: int, a: int, pivot: int, suppress: bool
) -> bool:
    """Make the end of cluster c, from `middle` on, a new cluster, or suppress it; return False, without a
    change, if sensitive values would violate the rule."""
    end = work.end[c]
    new = -1 if suppress else work.made[CLUSTERS]
    found = tally(records, work, middle, end)
    if limits.rule.active and not admits(records, work, limits, c, middle, suppress):
        forget(work, found)
        return False
    note_cut(work, a, pivot, c, new, middle)
    account(records, work, c, -1)
    work.end[c] = middle
    shrink(records, work, c, limits.k)
    leave_numbers(records, work, c, middle, end)
    if suppress:
        work.made[SUPPRESSED] += end - middle
    else:
        work.start[new] = middle
        work.end[new] = end
        enroll(records, work, new, limits.k, found, may_be_cut(work, limits, new))
        work.made[CLUSTERS] += 1
        for b in range(work.spread.size):
            measure_numbers(records, work, new, b)
        account(records, work, new, 1)
        for b in range(work.opened.size):
            work.closed[new, b] = work.closed[c, b]
            if not work.closed[c, b] and may_be_cut(work, limits, new):
                work.open[b, work.opened[b]] = new
                work.opened[b] += 1
    account(records, work, c, 1)
    if not may_be_cut(work, limits, c):
        work.slots[c] = 0
        work.watched[c] = 0
    forget(work, found)
    return True


@kernel
def admits(records: Records, work: Work, limits: Limits, c: int, middle: int, suppress: bool) -> bool:
    """Return whether both parts of cluster c keep the rule; `amount` holds the counts of the part from
    `middle`."""
    rule = limits.rule
    base = records.first[records.categories]
    stays = np.zeros(rule.total.size, np.int64)
    for s in range(work.at[c], work.at[c] + work.watched[c]):
        t = work.token[s]
        if records.categories <= records.column[t] < records.singles:
            stays[t - base] = work.often[s] - work.amount[t]
    if not keeps(rule, stays, middle - work.start[c]):
        return False
    leaves = work.amount[base : base + rule.total.size]
    return suppress or keeps(rule, leaves, work.end[c] - middle)


@kernel
def note_cut(work: Work, a: int, pivot: int, c: int, new: int, middle: int) -> None:
    """Append a cut."""
    row = work.cuts[work.made[CUTS]]
    row[0], row[1], row[2], row[3] = work.made[ROUND], a, pivot, c
    row[4], row[5], row[6], row[7] = new, work.start[c], middle, work.end[c]
    work.made[CUTS] += 1


@kernel
def cut(records: Records, work: Work, limits: Limits, c: int, a: int) -> int:
    """Specialize attribute a in cluster c; return 1 = done, 0 = not allowed, 2 = try another pivot. A refused
    pivot is not tried again in parts of this cluster."""
    p, k, n = work.spread.size, limits.k, work.end[c] - work.start[c]
    slot, pivot, suppress = -1, -1, False
    if not may_be_cut(work, limits, c):
        return 0
    if a >= p + records.categories:
        column, spare = (
            records.singles + a - p - records.categories,
            limits.suppressed - work.made[SUPPRESSED],
        )
        slot = choose_pivot(records, work, c, column, k, spare, limits.lowest)
        if slot < 0:
            return 0
        pivot, suppress = work.token[slot], n - work.often[slot] < k
        middle = part_items(work, c, slot)
    elif n < 2 * k:
        return 0
    elif a < p:
        middle = part_numbers(records, work, limits, c, a)
    elif work.node[c, a - p] >= 0:
        middle = part_nodes(records, work, limits, c, a - p)
    else:
        middle = part_values(records, work, limits, c, a - p)
    if middle > 0 and divide(records, work, limits, c, middle, a, pivot, suppress):
        return 1
    if slot < 0:
        return 0
    work.shared[slot] = REFUSED
    return 2


@kernel
def open_round(work: Work, a: int) -> None:
    """Begin a round, which cuts each open cluster of attribute a once."""
    work.made[ATTRIBUTE] = a
    work.made[ROUND] += 1
    work.made[NEXT] = 0
    work.made[KEPT] = 0
    work.made[LIMIT] = work.opened[a]


@kernel
def go_on(records: Records, work: Work, limits: Limits, budget: int) -> int:
    """Continue the round for about `budget` records and tokens; return the remaining budget, less than 1 if
    the round is not done."""
    a = work.made[ATTRIBUTE]
    while work.made[NEXT] < work.made[LIMIT]:
        if budget <= 0:
            return budget
        c = work.open[a, work.made[NEXT]]
        budget -= 10 + work.slots[c] + work.end[c] - work.start[c]
        done = cut(records, work, limits, c, a)
        if done == 2:
            continue
        work.made[NEXT] += 1
        if done == 1:
            work.open[a, work.made[KEPT]] = c
            work.made[KEPT] += 1
        else:
            work.closed[c, a] = True
    for i in range(work.made[LIMIT], work.opened[a]):
        work.open[a, work.made[KEPT]] = work.open[a, i]
        work.made[KEPT] += 1
    work.opened[a] = work.made[KEPT]
    work.made[ATTRIBUTE] = -1
    return max(budget, 1)


@kernel
def specialize(records: Records, work: Work, limits: Limits, budget: int) -> bool:
    """Count all records at the first call, then continue the rounds for about `budget` records and tokens;
    return True when no attribute is open."""
    if work.made[CLUSTERS] == 0:
        begin(records, work, limits)
        return False
    while True:
        if work.made[ATTRIBUTE] < 0:
            a = widest(records, work)
            if a < 0:
                return True
            open_round(work, a)
        budget = go_on(records, work, limits, budget)
        if work.made[ATTRIBUTE] >= 0:
            return False
