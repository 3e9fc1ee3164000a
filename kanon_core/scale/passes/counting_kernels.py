"""Compiled passes over the rows of a part: the node of each row in the tree of cuts, and the counts of each
node."""

from typing import NamedTuple

import numpy as np

from kanon_core.base.compiled import by_reference, kernel
from kanon_core.base.sorting_kernels import times


@by_reference
class Rows(NamedTuple):
    """The rows of a part as the cuts see them: numbers scaled to 0..1 by the whole table's range, missing =
    −1; values of categories numbered so that no two attributes share a number."""

    numeric: np.ndarray  # float64 (n, p)
    values: np.ndarray  # int64 (n, q)
    counts: np.ndarray  # int64 (n,), how many equal rows each stands for; (0,): each for itself


@by_reference
class Cuts(NamedTuple):
    """A tree of cuts: a node is cut by an attribute (categories from p on) or is a leaf."""

    attribute: np.ndarray  # int64 (nodes,), −1 = a leaf
    edge: np.ndarray  # float64 (nodes,), the last number of the left side
    left: np.ndarray  # int64 (nodes,)
    right: np.ndarray  # int64 (nodes,)
    first: np.ndarray  # int64 (nodes + 1,), where the values of the left side begin
    members: np.ndarray  # int64, those values, ascending in each node


@by_reference
class Counted(NamedTuple):
    """The counts of m nodes, by attribute of numbers (p) or by value (v); numbers between two ends, both
    included, are counted in bins."""

    ends: np.ndarray  # float64 (m, p, 2), which numbers are counted in bins
    least: np.ndarray  # float64 (m, p)
    greatest: np.ndarray  # float64 (m, p)
    missing: np.ndarray  # int64 (m, p)
    below: np.ndarray  # int64 (m, p), numbers below the first end, missing ones too
    before: np.ndarray  # float64 (m, p), the greatest of these
    bins: np.ndarray  # int64 (m, p, bins)
    counts: np.ndarray  # int64 (m, v)


@kernel
def leaf_of(rows: Rows, cuts: Cuts, into: np.ndarray) -> None:
    """Write the leaf of each row into ``into``, int64 (n). Cost O(n · depth)."""
    p = rows.numeric.shape[1]
    for i in range(into.size):
        node = 0
        while cuts.attribute[node] >= 0:
            a = cuts.attribute[node]
            if a < p:
                goes = rows.numeric[i, a] <= cuts.edge[node]
            else:
                value = rows.values[i, a - p]
                low, high = cuts.first[node], cuts.first[node + 1]
                while low < high:
                    middle = (low + high) // 2
                    if cuts.members[middle] < value:
                        low = middle + 1
                    else:
                        high = middle
                goes = low < cuts.first[node + 1] and cuts.members[low] == value
            node = cuts.left[node] if goes else cuts.right[node]
        into[i] = node


@kernel
def bin_of(number: float, first: float, last: float, bins: int) -> int:
    """Return the bin of a number between two ends; a greater number is in no lower bin."""
    if last <= first:
        return 0
    return min(int((number - first) / (last - first) * bins), bins - 1)


@kernel
def count(rows: Rows, group: np.ndarray, into: Counted) -> None:
    """Add the rows to the counts of their ``group``, int64 (n,), −1 = none. Cost O(n · attributes)."""
    bins = into.bins.shape[2]
    for i in range(group.size):
        g = group[i]
        if g < 0:
            continue
        often = times(rows.counts, i)
        for a in range(rows.numeric.shape[1]):
            x = rows.numeric[i, a]
            into.least[g, a] = min(into.least[g, a], x)
            into.greatest[g, a] = max(into.greatest[g, a], x)
            into.missing[g, a] += often * (x < 0.0)
            first, last = into.ends[g, a, 0], into.ends[g, a, 1]
            if x < first:
                into.below[g, a] += often
                into.before[g, a] = max(into.before[g, a], x)
            elif x <= last:
                into.bins[g, a, bin_of(x, first, last, bins)] += often
        for a in range(rows.values.shape[1]):
            into.counts[g, rows.values[i, a]] += often
