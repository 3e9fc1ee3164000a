"""Compiled bookkeeping of groups whose loss is the normalized certainty penalty (NCP).

The penalty W(g) of a group g is the weighted mean over the attributes of

    numeric      (largest - smallest value) / range of the column;
                 1 if the group holds both missing and present values, 0 if all are missing
    categorical  (distinct values - 1) / (values of the column - 1)

and the group's loss is |g| W(g). Every function costs O(attributes); `settle` also visits the group's
members.

Source: J. Xu et al., Utility-based anonymization using local recoding, KDD 2006 (the measure).
"""

from typing import NamedTuple

import numpy as np

from kanon_core.base.compiled import by_reference, kernel


@by_reference
class Records(NamedTuple):
    """A table as the kernels read it (n records, p numeric and q categorical attributes).

    numeric: (n, p) float64, every column scaled to 0..1, missing = -1. values: (n, q) int64, numbers that no
    two categorical columns share, 0..v-1. width: (p,) float64, weight of a numeric attribute; all attributes'
    weights add up to 1. step: (q,) float64, cost of one more value of a categorical attribute.
    """

    numeric: np.ndarray
    values: np.ndarray
    width: np.ndarray
    step: np.ndarray


@by_reference
class Groups(NamedTuple):
    """Groups of records as linked lists, with the values that price a change in O(attributes).

    label (n,): group of a record, -1 = none; head (m,), after (n,), before (n,): the lists; size (m,). box
    (m, p, 4): smallest, second smallest, largest, second largest value (multiplicities count). kinds (m, q):
    distinct values; counts: frequency of a value in a group, at its `slot`. keys: empty when counts is a full
    m x v table, else the keys of a hash table; tally: v, used keys. penalty (m,): W(g); relief (n,): W(g) -
    W(g without the record); most (m,): the group's largest relief.
    """

    records: Records
    label: np.ndarray
    head: np.ndarray
    after: np.ndarray
    before: np.ndarray
    size: np.ndarray
    box: np.ndarray
    kinds: np.ndarray
    counts: np.ndarray
    keys: np.ndarray
    tally: np.ndarray
    penalty: np.ndarray
    relief: np.ndarray
    most: np.ndarray


FULL_TABLE = 1 << 25  # counts beyond this many go into a hash table


def new_groups(records: Records, capacity: int) -> Groups:
    """Return empty groups 0..capacity-1 over the records."""
    n, p = records.numeric.shape
    q = records.values.shape[1]
    v = int(records.values.max()) + 1 if records.values.size else 1
    full = capacity * v <= FULL_TABLE
    slots = capacity * v if full else 1 << (4 * n * q - 1).bit_length()
    box = np.full((capacity, p, 4), np.inf)
    box[:, :, 2:] = -np.inf
    label, after, before = np.full((3, n), -1)
    lists = label, np.full(capacity, -1), after, before, np.zeros(capacity, np.int64)
    kinds, counts = np.zeros((capacity, q), np.int64), np.zeros(slots, np.int32)
    keys, tally = np.full(0 if full else slots, -1), np.array([v, 0])
    penalty, most = np.zeros((2, capacity))
    return Groups(records, *lists, box, kinds, counts, keys, tally, penalty, np.zeros(n), most)


@kernel
def slot(groups: Groups, g: int, value: int) -> int:
    """Return the position of the count of a value in group g."""
    key = g * groups.tally[0] + value
    if groups.keys.size == 0:
        return int(key)
    last = groups.keys.size - 1
    h = ((key * 0x1E3779B97F4A7C15) >> 24) & last
    while groups.keys[h] != key and groups.keys[h] != -1:
        h = (h + 1) & last
    return int(h)


@kernel
def span(low: float, high: float) -> float:
    """Return the width of a numeric interval; 1 if it mixes missing (-1) and present values."""
    if low < 0.0 <= high:
        return 1.0
    return high - low


@kernel
def stretch(groups: Groups, g: int, a: int, x: float) -> None:
    """Extend the interval of group g in numeric attribute a to x."""
    box = groups.box
    if x < box[g, a, 0]:
        box[g, a, 0], box[g, a, 1] = x, box[g, a, 0]
    elif x < box[g, a, 1]:
        box[g, a, 1] = x
    if x > box[g, a, 2]:
        box[g, a, 2], box[g, a, 3] = x, box[g, a, 2]
    elif x > box[g, a, 3]:
        box[g, a, 3] = x


@kernel
def put(groups: Groups, r: int, g: int) -> None:
    """Add record r, which is in no group, to group g."""
    records = groups.records
    first = groups.head[g]
    groups.after[r] = first
    groups.before[r] = -1
    if first >= 0:
        groups.before[first] = r
    groups.head[g] = r
    groups.size[g] += 1
    groups.label[r] = g
    for a in range(records.values.shape[1]):
        at = slot(groups, g, records.values[r, a])
        if groups.counts[at] == 0:
            groups.kinds[g, a] += 1
        groups.counts[at] += 1
        if groups.keys.size and groups.keys[at] == -1:
            groups.keys[at] = g * groups.tally[0] + records.values[r, a]
            groups.tally[1] += 1
    for a in range(records.numeric.shape[1]):
        stretch(groups, g, a, records.numeric[r, a])
    if groups.tally[1] * 4 > groups.keys.size * 3:
        rehash(groups)


@kernel
def rehash(groups: Groups) -> None:
    """Remove the keys of values that are no longer in their group."""
    records = groups.records
    groups.keys[:] = -1
    groups.counts[:] = 0
    groups.tally[1] = 0
    for r in range(groups.label.size):
        g = groups.label[r]
        if g < 0:
            continue
        for a in range(records.values.shape[1]):
            at = slot(groups, g, records.values[r, a])
            if groups.keys[at] == -1:
                groups.keys[at] = g * groups.tally[0] + records.values[r, a]
                groups.tally[1] += 1
            groups.counts[at] += 1


@kernel
def take(groups: Groups, r: int) -> None:
    """Remove record r from its group."""
    records = groups.records
    g = groups.label[r]
    if groups.before[r] >= 0:
        groups.after[groups.before[r]] = groups.after[r]
    else:
        groups.head[g] = groups.after[r]
    if groups.after[r] >= 0:
        groups.before[groups.after[r]] = groups.before[r]
    groups.size[g] -= 1
    groups.label[r] = -1
    for a in range(records.values.shape[1]):
        at = slot(groups, g, records.values[r, a])
        groups.counts[at] -= 1
        if groups.counts[at] == 0:
            groups.kinds[g, a] -= 1
    for a in range(records.numeric.shape[1]):
        x = records.numeric[r, a]
        if groups.box[g, a, 1] < x < groups.box[g, a, 3]:
            continue
        groups.box[g, a, :2] = np.inf
        groups.box[g, a, 2:] = -np.inf
        s = groups.head[g]
        while s >= 0:
            stretch(groups, g, a, records.numeric[s, a])
            s = groups.after[s]


@kernel
def penalty_now(groups: Groups, g: int) -> float:
    """Return W(g), computed from the box and the distinct values."""
    records = groups.records
    total = 0.0
    for a in range(records.width.size):
        total += records.width[a] * span(groups.box[g, a, 0], groups.box[g, a, 2])
    for a in range(records.step.size):
        total += records.step[a] * (groups.kinds[g, a] - 1)
    return total


@kernel
def penalty_with(groups: Groups, g: int, r: int) -> float:
    """Return W(g and record r), r not in g."""
    records = groups.records
    total = 0.0
    for a in range(records.width.size):
        x = records.numeric[r, a]
        total += records.width[a] * span(min(x, groups.box[g, a, 0]), max(x, groups.box[g, a, 2]))
    for a in range(records.step.size):
        known = groups.counts[slot(groups, g, records.values[r, a])] > 0
        total += records.step[a] * (groups.kinds[g, a] - known)
    return total


@kernel
def penalty_without(groups: Groups, g: int, s: int) -> float:
    """Return W(g without its record s); g has at least two records."""
    records = groups.records
    total = 0.0
    for a in range(records.width.size):
        box = groups.box[g, a]
        x = records.numeric[s, a]
        total += records.width[a] * span(box[1] if x == box[0] else box[0], box[3] if x == box[2] else box[2])
    for a in range(records.step.size):
        alone = groups.counts[slot(groups, g, records.values[s, a])] == 1
        total += records.step[a] * (groups.kinds[g, a] - 1 - alone)
    return total


@kernel
def penalty_exchanged(groups: Groups, g: int, s: int, r: int) -> float:
    """Return W(g without its record s but with record r)."""
    records = groups.records
    total = 0.0
    for a in range(records.width.size):
        box = groups.box[g, a]
        x = records.numeric[s, a]
        y = records.numeric[r, a]
        low = min(y, box[1] if x == box[0] else box[0])
        high = max(y, box[3] if x == box[2] else box[2])
        total += records.width[a] * span(low, high)
    for a in range(records.step.size):
        kinds = groups.kinds[g, a]
        if records.values[s, a] != records.values[r, a]:
            kinds -= groups.counts[slot(groups, g, records.values[s, a])] == 1
            kinds += groups.counts[slot(groups, g, records.values[r, a])] == 0
        total += records.step[a] * (kinds - 1)
    return total


@kernel
def settle(groups: Groups, g: int) -> None:
    """Update penalty, relief and most of group g after changes."""
    groups.most[g] = 0.0
    groups.penalty[g] = 0.0
    if groups.size[g] == 0:
        return
    groups.penalty[g] = penalty_now(groups, g)
    r = groups.head[g]
    while r >= 0:
        groups.relief[r] = groups.penalty[g]
        if groups.size[g] > 1:
            groups.relief[r] -= penalty_without(groups, g, r)
        groups.most[g] = max(groups.most[g], groups.relief[r])
        r = groups.after[r]


@kernel
def fill(groups: Groups, labels: np.ndarray, done: int, work: int) -> int:
    """Put `work` more records, the last ones first, into the groups of their labels, and `settle` every group
    when none is left; return how many are done."""
    stop = min(labels.size, done + work)
    for r in range(labels.size - done - 1, labels.size - stop - 1, -1):
        put(groups, r, labels[r])
    if stop == labels.size:
        for g in range(groups.size.size):
            settle(groups, g)
    return int(stop)
