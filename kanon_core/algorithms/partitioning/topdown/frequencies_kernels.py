"""Compiled frequencies of values and items in each cluster, updated while clusters are cut.

After a cut only the records of the smaller part are counted; the counts of the larger part are the parent's
minus those (the paper counts both). A cluster of many items is cut at the most frequent ones, and frequencies
only fall. So the frequencies of rare items are updated only if one of them may be the next pivot.
"""

import numpy as np

from kanon_core.algorithms.partitioning.topdown.clusters_kernels import (
    CLUSTERS,
    LISTED,
    REFUSED,
    SLOTS,
    Records,
    Work,
    above,
    within,
)
from kanon_core.base.compiled import inlined, kernel
from kanon_core.base.sorting_kernels import smallest

FEW = 128  # number of items up to which all are watched
SHARE = 64  # with more than SHARE · FEW items, 1 / SHARE of them are watched
WAIT = 32  # pivot choices before a cluster with too many watched items chooses them again


@kernel
def tally(records: Records, work: Work, start: int, end: int) -> int:
    """Count the tokens of order[start:end] in `amount`, list them in `seen`; return their number."""
    found = 0
    for i in range(start, end):
        r = work.order[i]
        for j in range(records.starts[r], records.starts[r + 1]):
            t = records.tokens[j]
            if work.amount[t] == 0:
                work.seen[found] = t
                found += 1
            work.amount[t] += 1
    return found


@kernel
def forget(work: Work, tokens: int) -> None:
    """Reset the counts of the `tokens` tokens seen to zero."""
    for i in range(tokens):
        work.amount[work.seen[i]] = 0


@kernel
def shrink(records: Records, work: Work, c: int, k: int) -> None:
    """Subtract `amount` from cluster c, whose `end` has moved already; remove useless slots."""
    n = work.end[c] - work.start[c]
    begin = work.at[c]
    into = begin
    work.node[c] = -1
    for s in range(begin, begin + work.watched[c]):
        t = work.token[s]
        f = work.often[s] - work.amount[t]
        column = records.column[t]
        if column < records.singles:
            if f == 0:
                work.kinds[c, column] -= 1
                continue
            widen(records, work, c, t)
        elif f == n:
            work.common[c, column - records.singles] += 1
            continue
        elif f < k:
            continue
        move_slot(work, s, into)
        work.often[into] = f
        if work.amount[t] > 0 and work.shared[into] != REFUSED:
            work.shared[into] = 0
        into += 1
    close_gap(work, c, into)
    bar = 0
    for column in range(work.bar.shape[1]):
        bar = max(bar, work.bar[c, column])
    if work.watched[c] < work.slots[c] and bar >= n:
        watch(records, work, c, k, -1, n - 1)


@inlined
def close_gap(work: Work, c: int, into: int) -> None:
    """End the watched slots of cluster c before slot `into`, and move the others after them."""
    gap = work.at[c] + work.watched[c] - into
    last = work.at[c] + work.slots[c]
    for i in range(min(gap, work.slots[c] - work.watched[c])):
        move_slot(work, last - 1 - i, into + i)
    work.watched[c] = into - work.at[c]
    work.slots[c] -= gap


@kernel
def enroll(records: Records, work: Work, c: int, k: int, tokens: int, keep: bool) -> None:
    """Count cluster c from `amount` and the `tokens` tokens seen; with slots if ``keep``."""
    n = work.end[c] - work.start[c]
    slots = 0
    entries = 0
    for i in range(tokens):
        column = records.column[work.seen[i]]
        f = work.amount[work.seen[i]]
        if column < records.singles:
            work.kinds[c, column] += 1
            widen(records, work, c, work.seen[i])
            slots += 1
        elif f == n:
            work.common[c, column - records.singles] += 1
        elif f >= k:
            slots += 1
            entries += f
    if keep:
        reserve(work, slots, entries)
        list_items(records, work, c, k, tokens)


@inlined
def widen(records: Records, work: Work, c: int, t: int) -> None:
    """Raise the node of cluster c until it is above a token's value."""
    leaf = records.trees.leaf[t]
    if leaf >= 0:
        column = records.column[t]
        work.node[c, column] = above(records.trees, work.node[c, column], leaf)


@kernel
def list_items(records: Records, work: Work, c: int, k: int, tokens: int) -> None:
    """Fill the slots of cluster c, and the lists of the records that have each item."""
    n = work.end[c] - work.start[c]
    into = work.made[SLOTS]
    work.at[c] = into
    for i in range(tokens):
        t = work.seen[i]
        f = work.amount[t]
        item = records.column[t] >= records.singles
        if item and (f == n or f < k):
            continue
        work.token[into] = t
        work.often[into] = f
        work.shared[into] = 0
        work.list_at[into] = work.made[LISTED]
        work.list_size[into] = f if item else 0
        if item:
            work.spot[t] = work.made[LISTED]
            work.made[LISTED] += f
        into += 1
    for i in range(work.start[c], work.end[c]):
        r = work.order[i]
        for j in range(records.starts[r] + records.singles, records.starts[r + 1]):
            t = records.tokens[j]
            if work.spot[t] >= 0:
                work.listed[work.spot[t]] = r
                work.spot[t] += 1
    for s in range(work.at[c], into):
        work.spot[work.token[s]] = -1
    work.slots[c] = into - work.at[c]
    work.watched[c] = work.slots[c]
    work.made[SLOTS] = into


@inlined
def move_slot(work: Work, source: int, target: int) -> None:
    """Copy a slot to another."""
    work.token[target] = work.token[source]
    work.often[target] = work.often[source]
    work.shared[target] = work.shared[source]
    work.list_at[target] = work.list_at[source]
    work.list_size[target] = work.list_size[source]


@kernel
def reserve(work: Work, slots: int, listed: int) -> None:
    """Make room for more slots and listed records by closing the gaps between clusters."""
    if work.made[SLOTS] + slots <= work.token.size and work.made[LISTED] + listed <= work.listed.size:
        return
    old = work.listed[: work.made[LISTED]].copy()
    slot = 0
    entry = 0
    for c in range(work.made[CLUSTERS]):
        begin = work.at[c]
        work.at[c] = slot
        for s in range(begin, begin + work.slots[c]):
            head = entry
            for i in range(work.list_at[s], work.list_at[s] + work.list_size[s]):
                if within(work, c, old[i]):
                    work.listed[entry] = old[i]
                    entry += 1
            move_slot(work, s, slot)
            work.list_at[slot] = head
            work.list_size[slot] = entry - head
            slot += 1
    work.made[SLOTS] = slot
    work.made[LISTED] = entry


@inlined
def crowded(work: Work, c: int) -> bool:
    """Return whether choosing the watched items of cluster c again may save time."""
    work.wait[c] -= 1
    return bool(work.wait[c] < 0 and work.watched[c] > 2 * FEW + work.slots[c] // 16)


@kernel
def watch(records: Records, work: Work, c: int, k: int, wanted: int, most: int) -> None:
    """Update all slots of cluster c, and choose the watched ones again: all single values, and the items that
    more than `bar` records have, where `bar` is at most `most` in column `wanted` (-1 = in all)."""
    recount(records, work, c, k)
    for j in range(work.common.shape[1]):
        column = records.singles + j
        bar = spared(records, work, c, column, k)
        if wanted == column or wanted < 0:
            bar = min(bar, most)
        work.bar[c, j] = max(bar, k - 1)
    into = work.at[c]
    for s in range(work.at[c], work.at[c] + work.slots[c]):
        column = records.column[work.token[s]]
        if column < records.singles or work.often[s] > work.bar[c, column - records.singles]:
            swap_slots(work, s, into)
            into += 1
    work.watched[c] = into - work.at[c]
    work.wait[c] = WAIT


@kernel
def recount(records: Records, work: Work, c: int, k: int) -> None:
    """Count the unwatched items of cluster c; remove slots that are no longer useful."""
    n = work.end[c] - work.start[c]
    into = work.at[c] + work.watched[c]
    for s in range(into, work.at[c] + work.slots[c]):
        at = work.list_at[s]
        f = 0
        for i in range(at, at + work.list_size[s]):
            r = work.listed[i]
            if within(work, c, r):
                work.listed[at + f] = r
                f += 1
        if f == n:
            work.common[c, records.column[work.token[s]] - records.singles] += 1
        if f == n or f < k:
            continue
        if f < work.often[s] and work.shared[s] != REFUSED:
            work.shared[s] = 0
        move_slot(work, s, into)
        work.often[into] = f
        work.list_size[into] = f
        into += 1
    work.slots[c] = into - work.at[c]
    work.watched[c] = work.slots[c]


@kernel
def spared(records: Records, work: Work, c: int, column: int, k: int) -> int:
    """Return the frequency in cluster c up to which items of the column need no watching: the others are few
    and contain the next pivots."""
    n = work.end[c] - work.start[c]
    often = np.empty(work.slots[c])
    count = 0
    for s in range(work.at[c], work.at[c] + work.slots[c]):
        if records.column[work.token[s]] == column and work.shared[s] != REFUSED and work.often[s] <= n - k:
            often[count] = -work.often[s]
            count += 1
    few = max(FEW, count // SHARE)
    if count <= few:
        return 0
    bar = -int(smallest(often[:count], few))
    return bar if -smallest(often[:count], few // 4) > bar else bar - 1


@inlined
def swap_slots(work: Work, first: int, second: int) -> None:
    """Exchange two slots."""
    for part in (work.token, work.often, work.shared, work.list_size):
        part[first], part[second] = part[second], part[first]
    work.list_at[first], work.list_at[second] = work.list_at[second], work.list_at[first]
