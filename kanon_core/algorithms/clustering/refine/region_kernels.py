"""One region of a few neighboring groups: losses and changes, computed from squared distances alone.

The SSE of a group of m records is the sum of the squared distances over its pairs, divided by m. With

- ``pairs[g]``: the sum of d² over the pairs inside group g, and
- ``sums[g, i]``: the sum of d² from record i to the members of g,

moving x from A to B leaves ``pairs[A] − sums[A, x]`` and ``pairs[B] + sums[B, x]`` (MIL paper, formula (6)),
and swapping x of A with z of B leaves ``pairs[A] − sums[A, x] + sums[A, z] − d²(x, z)``, and likewise for B;
both take constant time. Sums have a fixed order, so that every machine gives the same grouping.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kanon_core.base.compiled import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Points(NamedTuple):
    """Records as points: d²(a, b) = Σ (x_a − x_b)² + Σ w [c_a ≠ c_b]."""

    numeric: Floats  # (n, p)
    codes: NDArray[np.int32]  # (n, q)
    weights: Floats  # (q,)


class Region(NamedTuple):
    """The records 0 … r−1 of a region and their grouping; groups of size 0 are unused."""

    gaps: Floats  # (r, r) squared distances
    near: Ints  # (r, m) the nearest other records, nearest first
    group: Ints  # (r,) group of a record
    place: Ints  # (r,) its position among the group's members
    members: Ints  # (g, 2k) records of a group, the first size[g] places
    size: Ints  # (g,)
    sums: Floats  # (g, r) sum of squared distances from the group's members to each record
    pairs: Floats  # (g,) sum of squared distances over the group's pairs


@kernel
def scan(points: Points, u: int, records: np.ndarray) -> np.ndarray:
    """Return d² from record u to each of the given records, (len(records),)."""
    numeric, codes, weights = points
    gaps = np.zeros(records.shape[0])
    for i in range(records.shape[0]):
        x = records[i]
        for p in range(numeric.shape[1]):
            step = numeric[x, p] - numeric[u, p]
            gaps[i] += step * step
        for q in range(codes.shape[1]):
            if codes[x, q] != codes[u, q]:
                gaps[i] += weights[q]
    return gaps


def least_gaps(gaps: np.ndarray, group: np.ndarray, groups: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the least gap among the members of each group, and the group's size."""
    least = np.full(groups, np.inf)
    np.minimum.at(least, group, gaps)
    return least, np.bincount(group, minlength=groups)


@kernel
def squared_distances(points: Points, records: np.ndarray) -> np.ndarray:
    """Return d² of all pairs of the given records, (r, r); O(r² (p + q))."""
    numeric, codes, weights = points
    r = records.shape[0]
    gaps = np.zeros((r, r))
    column = np.empty(r)
    code = np.empty(r, np.int32)
    for p in range(numeric.shape[1]):
        for i in range(r):
            column[i] = numeric[records[i], p]
        for i in range(r):
            for j in range(r):
                step = column[j] - column[i]
                gaps[i, j] += step * step
    for q in range(codes.shape[1]):
        for i in range(r):
            code[i] = codes[records[i], q]
        for i in range(r):
            for j in range(r):
                gaps[i, j] += weights[q] if code[i] != code[j] else 0.0
    return gaps


@kernel
def nearest(gaps: np.ndarray, m: int) -> np.ndarray:
    """Return the m nearest other records of each record, nearest first, ties by number: (r, m)."""
    r = gaps.shape[0]
    near = np.empty((r, m), np.int64)
    least = np.empty(m)
    for i in range(r):
        row = near[i]
        held = 0
        worst = np.inf
        for j in range(r):
            gap = gaps[i, j]
            if gap >= worst or j == i:
                continue
            at = held if held < m else m - 1
            held = min(held + 1, m)
            while at > 0 and least[at - 1] > gap:
                least[at] = least[at - 1]
                row[at] = row[at - 1]
                at -= 1
            least[at] = gap
            row[at] = j
            if held == m:
                worst = least[m - 1]
    return near


@kernel
def open_region(gaps: np.ndarray, group: np.ndarray, groups: int, k: int, m: int) -> Region:
    """Return the region of records with squared distances ``gaps``, in groups 0 … groups−1 of ``group``."""
    r = gaps.shape[0]
    place = np.empty(r, np.int64)
    members = np.zeros((groups, 2 * k), np.int64)
    size = np.zeros(groups, np.int64)
    sums = np.zeros((groups, r))
    pairs = np.zeros(groups)
    for x in range(r):
        g = group[x]
        pairs[g] += sums[g, x]
        for i in range(r):
            sums[g, i] += gaps[x, i]
        place[x] = size[g]
        members[g, size[g]] = x
        size[g] += 1
    return Region(gaps, nearest(gaps, m), group, place, members, size, sums, pairs)


@kernel
def region_loss(gaps: np.ndarray, group: np.ndarray, groups: int) -> float:
    """Return the SSE of a grouping, Σ_groups Σ_pairs d² / size, summed in record order."""
    pairs = np.zeros(groups)
    size = np.zeros(groups, np.int64)
    for i in range(gaps.shape[0]):
        size[group[i]] += 1
        for j in range(i):
            if group[j] == group[i]:
                pairs[group[i]] += gaps[i, j]
    total = 0.0
    for g in range(groups):
        if size[g] > 0:
            total += pairs[g] / size[g]
    return total


@kernel
def move(region: Region, x: int, b: int) -> None:
    """Move record x to group b; O(r)."""
    gaps, size, sums = region.gaps, region.size, region.sums
    a = region.group[x]
    region.pairs[a] -= sums[a, x]
    region.pairs[b] += sums[b, x]
    for i in range(gaps.shape[0]):
        sums[a, i] -= gaps[x, i]
        sums[b, i] += gaps[x, i]
    size[a] -= 1
    last = region.members[a, size[a]]
    region.members[a, region.place[x]] = last
    region.place[last] = region.place[x]
    region.members[b, size[b]] = x
    region.place[x] = size[b]
    size[b] += 1
    region.group[x] = b


@kernel
def swap(region: Region, x: int, z: int) -> None:
    """Swap records x and z of different groups; O(r)."""
    gaps, sums, group, place = region.gaps, region.sums, region.group, region.place
    a, b = group[x], group[z]
    region.pairs[a] += sums[a, z] - sums[a, x] - gaps[x, z]
    region.pairs[b] += sums[b, x] - sums[b, z] - gaps[x, z]
    for i in range(gaps.shape[0]):
        step = gaps[x, i] - gaps[z, i]
        sums[a, i] -= step
        sums[b, i] += step
    region.members[a, place[x]] = z
    region.members[b, place[z]] = x
    place[x], place[z] = place[z], place[x]
    group[x], group[z] = b, a


@kernel
def move_change(region: Region, x: int, b: int) -> float:
    """Return the change of the SSE if record x moves to group b; x's own group keeps at least one record."""
    a = region.group[x]
    size, sums, pairs = region.size, region.sums, region.pairs
    without = (pairs[a] - sums[a, x]) / (size[a] - 1) - pairs[a] / size[a]
    if size[b] == 0:
        return float(without)
    return float(without + (pairs[b] + sums[b, x]) / (size[b] + 1) - pairs[b] / size[b])


@kernel
def swap_change(region: Region, x: int, z: int) -> float:
    """Return the change of the SSE if x and z of different groups are swapped."""
    a, b = region.group[x], region.group[z]
    sums, gap = region.sums, region.gaps[x, z]
    return float(
        (sums[a, z] - sums[a, x] - gap) / region.size[a] + (sums[b, x] - sums[b, z] - gap) / region.size[b]
    )


@kernel
def empty(region: Region, g: int) -> None:
    """Clear the rounding errors in the sums of a group without members."""
    region.pairs[g] = 0.0
    for i in range(region.sums.shape[1]):
        region.sums[g, i] = 0.0


@kernel
def partition_sse(points: Points, labels: np.ndarray, order: np.ndarray) -> float:
    """Return the SSE of a partition: Σ (x − mean)² + Σ_q w_q/2 · (size − Σ_v count_v² / size).

    ``labels``: 0 … g − 1; ``order``: the records by group, the order of the sums. O(n (p + q)).
    """
    numeric, codes, weights = points
    n, values = order.shape[0], 0
    for i in range(n):
        for q in range(codes.shape[1]):
            values = max(values, codes[i, q] + 1)
    counts = np.zeros(values)
    total = 0.0
    start = 0
    while start < n:
        stop = start + 1
        while stop < n and labels[order[stop]] == labels[order[start]]:
            stop += 1
        size = stop - start
        for p in range(numeric.shape[1]):
            mean = 0.0
            for i in order[start:stop]:
                mean += numeric[i, p]
            mean /= size
            for i in order[start:stop]:
                total += (numeric[i, p] - mean) * (numeric[i, p] - mean)
        for q in range(codes.shape[1]):
            square = 0.0  # Σ_v count_v², from (c + 1)² − c² = 2 c + 1
            for i in order[start:stop]:
                square += 2.0 * counts[codes[i, q]] + 1.0
                counts[codes[i, q]] += 1.0
            for i in order[start:stop]:
                counts[codes[i, q]] = 0.0
            total += 0.5 * weights[q] * (size - square / size)
        start = stop
    return total
