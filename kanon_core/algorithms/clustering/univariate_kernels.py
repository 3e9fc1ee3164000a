"""Compiled loops of optimal univariate microaggregation: a stable sort, the shortest path, the labels.

All arrays are one-dimensional and contiguous; n is the number of records. No kernel allocates more than O(k).
"""

import numpy as np

from kanon_core.base.compiled import inlined, kernel

_LONG_RUN = 64  # records in one bucket above which a general sort is used


@inlined
def _rank(value: float) -> np.uint64:
    """Return the rank of a float among all floats; both zeros have the same rank."""
    top = np.uint64(1) << np.uint64(63)
    bits = np.uint64(np.float64(value + 0.0).view(np.uint64))
    return ~bits if bits & top else bits | top


@kernel
def position_keys(
    values: np.ndarray, low: float, high: float, position_bits: int, keys: np.ndarray
) -> np.uint64:
    """Write keys (n) that sort by bucket, then position; return the number of rank bits dropped. O(n).

    A value's bucket is its rank above that of `low` without the lowest bits: as few are dropped as leave
    `position_bits` bits of the key for the position.
    """
    lowest, room = _rank(low), np.uint64(64 - position_bits)
    span, drop = (_rank(high) - lowest) >> room, np.uint64(0)
    while span >> drop:
        drop += np.uint64(1)
    for i in range(keys.size):
        bucket = (_rank(values[i]) - lowest) >> drop
        keys[i] = bucket << np.uint64(position_bits) | np.uint64(i)
    return drop


@kernel
def repair_order(values: np.ndarray, ascending: np.ndarray, drop: np.uint64, order: np.ndarray) -> bool:
    """Sort `order` (n), in which buckets are in order, within buckets; return False if one is too long. O(n).

    `ascending` holds the sorted values. Equal values stay in the order of their positions.
    """
    lowest, start = _rank(ascending[0]), 0
    for p in range(1, order.size + 1):
        if (
            p < order.size
            and (_rank(ascending[p]) - lowest) >> drop == (_rank(ascending[p - 1]) - lowest) >> drop
        ):
            continue
        if ascending[start] != ascending[p - 1]:
            if p - start > _LONG_RUN:
                return False
            for i in range(start + 1, p):
                record, q = order[i], i
                while q > start and values[order[q - 1]] > values[record]:
                    order[q] = order[q - 1]
                    q -= 1
                order[q] = record
        start = p
    return True


@kernel
def _two_sides(
    x: np.ndarray,
    pivot: int,
    k: int,
    inverse: np.ndarray,
    loss: np.ndarray,
    left: np.ndarray,
    right: np.ndarray,
) -> None:
    """Compute mean (row 0) and SSE (row 1) of x[pivot-m:pivot], m < 2k, and of x[pivot:pivot+m], m < k. O(k).

    The left SSE includes the loss of all records before. Welford's update; means are offsets from the side's
    record next to the pivot, which avoids cancellation.
    """
    mean, sse = 0.0, 0.0
    for m in range(1, min(2 * k - 1, pivot) + 1):
        d = (x[pivot - m] - x[pivot - 1]) - mean
        step = d * inverse[m]
        mean += step
        sse += d * (d - step)
        left[0, m] = mean
        left[1, m] = sse + loss[m]
    mean, sse = 0.0, 0.0
    for m in range(1, min(k - 1, x.size - pivot) + 1):
        d = (x[pivot + m - 1] - x[pivot]) - mean
        step = d * inverse[m]
        mean += step
        sse += d * (d - step)
        right[0, m] = mean
        right[1, m] = sse


@kernel
def _row_minima(
    k: int,
    pivot: int,
    rows: int,
    gap: float,
    inverse: np.ndarray,
    left: np.ndarray,
    right: np.ndarray,
    best: np.ndarray,
    least: np.ndarray,
) -> None:
    """Find, for each end pivot + r, r < rows, the best number of records left of the pivot, and the loss.

    The best start never decreases as the end increases (the cost is concave Monge), so each end is searched
    only between the starts of two solved ends: halving strides, O(k log k). A tie goes to the shorter group.
    """
    stride = 1
    while 2 * stride <= rows:
        stride *= 2
    while stride:
        for row in range(stride, rows + 1, 2 * stride):
            r = row - 1
            fewest, most = max(1, k - r), min(2 * k - 1 - r, pivot)
            if row > stride:
                most = min(most, best[row - stride])
            if row + stride <= rows:
                fewest = max(fewest, best[row + stride])
            smallest, at, mean = np.inf, fewest, gap + right[0, r]
            for m in range(fewest, most + 1):
                d = mean - left[0, m]
                cost = left[1, m] + d * d * (m * r * inverse[m + r])
                if cost < smallest:
                    smallest, at = cost, m
            best[row] = at
            least[r] = smallest + right[1, r]
        stride //= 2


@kernel
def shortest_path(x: np.ndarray, k: int, pivot: int, stop: int, loss: np.ndarray, size: np.ndarray) -> int:
    """Extend the shortest path over ascending x (n), k ends at a time, until the pivot is ≥ `stop` or > n.

    F(j) = min over i ≤ j − k of F(i) + SSE(x[i:j]) is the least loss of the first j records; size[j] (n + 1)
    becomes the size of their last group, k … 2k − 1. A block finds F at j = pivot … pivot + k − 1: every
    group that ends there spans the pivot, and joining the two sides is SSE = SSE_l + SSE_r + m·r / (m + r) ·
    (mean_r − mean_l)², m records left and r right of it: sums of squares, without cancellation. State between
    calls: the returned pivot (at first k) and loss (2k), loss[m] = F(pivot − m) less the smallest, which
    keeps the precision of small differences (at first loss[k] = 0, all others infinite).
    """
    inverse = 1.0 / np.maximum(1, np.arange(2 * k))
    left, right = np.zeros((2, 2 * k)), np.zeros((2, k))
    best, least = np.zeros(k + 1, np.int64), np.zeros(k)
    while pivot <= x.size and pivot < stop:
        _two_sides(x, pivot, k, inverse, loss, left, right)
        rows = min(k, x.size + 1 - pivot)
        gap = x[pivot] - x[pivot - 1] if pivot < x.size else 0.0
        _row_minima(k, pivot, rows, gap, inverse, left, right, best, least)
        for m in range(k - 1, 0, -1):
            loss[m + k] = loss[m]
        for r in range(rows):
            loss[k - r] = least[r]
            size[pivot + r] = best[r + 1] + r
        smallest = np.inf
        for m in range(1, 2 * k):
            smallest = min(smallest, loss[m])
        for m in range(1, 2 * k):
            loss[m] -= smallest
        pivot += k
    return pivot


@kernel
def write_labels(size: np.ndarray, order: np.ndarray, labels: np.ndarray) -> int:
    """Label the groups, ascending by value, from the sizes of the last groups; return their number. O(n)."""
    groups, end = 0, order.size
    while end > 0:
        end -= size[end]
        groups += 1
    group, end = groups, order.size
    while end > 0:
        group -= 1
        for p in range(end - size[end], end):
            labels[order[p]] = group
        end -= size[end]
    return groups
