"""Compiled split rules, one per kind of attribute, which divide the records of a cluster in two.

Each moves the records of the smaller part to the end of the cluster's run and returns the start of that part;
0 = the rule allows no cut.
"""

import numpy as np

from kanon_core.algorithms.partitioning.mondrian_cuts_kernels import median_cut
from kanon_core.algorithms.partitioning.topdown.clusters_kernels import Limits, Records, Trees, Work, within
from kanon_core.base.compiled import inlined, kernel
from kanon_core.base.sorting_kernels import order

RARE = 8  # an item is rare if fewer than one in this many records of its cluster have it


@inlined
def move(work: Work, r: int, to: int) -> None:
    """Swap record r with the one at position `to`."""
    other = work.order[to]
    work.order[work.place[r]] = other
    work.place[other] = work.place[r]
    work.order[to] = r
    work.place[r] = to


@kernel
def part(work: Work, c: int, goes: np.ndarray) -> int:
    """Move the smaller side to the end of cluster c; goes: booleans, its records in order. Return its start.

    Both sides keep their order, so that memory is read forward, which is fast for large tables.
    """
    start = work.start[c]
    many = 0
    for i in range(goes.size):
        many += goes[i]
    tail = 2 * many <= goes.size
    away = np.empty(goes.size, np.int32)
    gone = 0
    for i in range(goes.size):
        r = work.order[start + i]
        leaves = goes[i] == tail
        work.order[start + i - gone] = r
        away[gone] = r
        gone += leaves
    middle = work.end[c] - gone
    for i in range(gone):
        work.order[middle + i] = away[i]
    for i in range(start, work.end[c]):
        work.place[work.order[i]] = i
    return int(middle)


@kernel
def part_numbers(records: Records, work: Work, limits: Limits, c: int, a: int) -> int:
    """Cut cluster c in numeric attribute a."""
    n = work.end[c] - work.start[c]
    numbers = np.empty(n)
    for i in range(n):
        numbers[i] = records.numeric[work.order[work.start[c] + i], a]
    low = work.low[c, a]
    edge = (low + work.high[c, a]) / 2
    left = 0
    for i in range(n if limits.midpoint else 0):
        left += numbers[i] <= edge
    if low < 0.0 or left < limits.k or n - left < limits.k:
        edge, ties = median_cut(numbers, limits.k, True)
        if ties == 0:
            return 0
    return part(work, c, numbers <= edge)


@kernel
def slots_of(records: Records, work: Work, c: int, column: int) -> np.ndarray:
    """Return the slots of cluster c's values in a column of single values, int64."""
    slots, count = np.empty(work.kinds[c, column], np.int64), 0
    for s in range(work.at[c], work.at[c] + work.watched[c]):
        if records.column[work.token[s]] == column:
            slots[count] = s
            count += 1
    return slots


@kernel
def part_values(records: Records, work: Work, limits: Limits, c: int, column: int) -> int:
    """Cut cluster c into its most frequent values and the others, as evenly as possible."""
    slots = slots_of(records, work, c, column)
    tokens = work.token[slots]
    return part_tokens(records, work, c, column, tokens[most_frequent(work.often[slots], tokens, limits.k)])


@kernel
def most_frequent(often: np.ndarray, tokens: np.ndarray, k: int) -> np.ndarray:
    """Return the positions of the values on one side: the most frequent, ties by token, until the sides are
    as even as possible; empty = no cut is allowed. ``often``: frequencies."""
    n = often.sum()
    amounts = np.empty(often.size)
    for i in range(often.size):
        amounts[i] = tokens[i] - often[i] * (tokens.max() + 1.0)
    by = order(amounts)
    best, away, size = 0, n, 0
    for i in range(often.size):
        size += often[by[i]]
        if k <= size <= n - k and abs(size - n // 2) <= away:
            away = abs(size - n // 2)
            best = i + 1
    return by[:best]


@kernel
def part_nodes(records: Records, work: Work, limits: Limits, c: int, column: int) -> int:
    """Cut off the values below one child of cluster c's node."""
    slots = slots_of(records, work, c, column)
    tokens = work.token[slots]
    chosen = best_child(
        records.trees, work.node[c, column], work.often[slots], records.trees.leaf[tokens], limits.k
    )
    return part_tokens(records, work, c, column, tokens[chosen])


@kernel
def best_child(trees: Trees, node: int, often: np.ndarray, leaves: np.ndarray, k: int) -> np.ndarray:
    """Return the positions of the values below the child of a node with the largest gain, its records times
    the excluded values of the node; ties go to the first; empty = no cut is allowed. The other values stay
    together until a later cut. ``often``: frequencies."""
    n = often.sum()
    by = order(leaves.astype(np.float64))
    most, first, last, i = 0, 0, 0, 0
    while i < leaves.size and leaves[by[i]] != node:
        child = leaves[by[i]]
        while trees.parent[child] != node:
            child = trees.parent[child]
        j = i
        size = 0
        while j < leaves.size and leaves[by[j]] < trees.end[child]:
            size += often[by[j]]
            j += 1
        gain = size * (trees.spread[node] - trees.spread[child])
        if k <= size <= n - k and gain > most:
            most, first, last = gain, i, j
        i = j
    return by[first:last]


@kernel
def part_tokens(records: Records, work: Work, c: int, column: int, tokens: np.ndarray) -> int:
    """Cut off the records of cluster c with one of these values."""
    if tokens.size == 0:
        return 0
    for t in tokens:
        work.spot[t] = 0
    goes = np.empty(work.end[c] - work.start[c], np.bool_)
    for i in range(goes.size):
        r = work.order[work.start[c] + i]
        goes[i] = work.spot[records.tokens[records.starts[r] + column]] >= 0
    for t in tokens:
        work.spot[t] = -1
    return part(work, c, goes)


@kernel
def part_items(work: Work, c: int, slot: int) -> int:
    """Cut off the records of cluster c with the slot's item, or the others if they are fewer. If the item is
    rare, only its records are visited."""
    n = work.end[c] - work.start[c]
    rare = RARE * work.often[slot] < n
    goes = np.zeros(0 if rare else n, np.bool_)
    middle = work.end[c] - work.often[slot]
    to = middle
    for i in range(work.list_at[slot], work.list_at[slot] + work.list_size[slot]):
        r = work.listed[i]
        if not within(work, c, r):
            continue
        if rare:
            move(work, r, to)
            to += 1
        else:
            goes[work.place[r] - work.start[c]] = True
    return middle if rare else part(work, c, goes)
