"""Slow twins for one number: loss, the optimum by trying everything and by recurrence, MDAV and V-MDAV.

Partitions of sorted values are tuples of sizes. Sums are exact (fractions) wherever an oracle decides
something.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np


def exact_sse(values) -> Fraction:
    """Sum of squared errors about the mean, without rounding."""
    exact = [Fraction(float(v)) for v in values]
    total = sum(exact, Fraction(0))
    return sum((v * v for v in exact), Fraction(0)) - total * total / len(exact)


def exact_loss(values, labels) -> Fraction:
    """SSE of a labeled partition, without rounding."""
    values, labels = np.asarray(values), np.asarray(labels)
    return sum((exact_sse(values[labels == label]) for label in np.unique(labels)), Fraction(0))


def exact_loss_of_sizes(ascending, sizes) -> Fraction:
    """SSE of consecutive runs, without rounding."""
    return exact_loss(ascending, np.repeat(np.arange(len(sizes)), sizes))


def loss_of_sizes(ascending: np.ndarray, sizes: np.ndarray) -> float:
    """SSE of consecutive runs in float64, about each run's own mean."""
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    local = ascending - np.repeat(ascending[starts], sizes)
    mean = np.add.reduceat(local, starts) / sizes
    return float(np.sum((local - np.repeat(mean, sizes)) ** 2))


def compositions(n: int, k: int) -> Iterator[tuple[int, ...]]:
    """Every way to cut n records into runs of at least k."""
    if n >= k:
        yield (n,)
    for first in range(k, n - k + 1):
        for rest in compositions(n - first, k):
            yield (first, *rest)


def least_loss(values, k: int) -> Fraction:
    """The least SSE over all contiguous partitions into groups of at least k."""
    ascending = np.sort(values)
    return min(exact_loss_of_sizes(ascending, sizes) for sizes in compositions(len(ascending), k))


def plain_optimal_sizes(ascending: np.ndarray, k: int) -> np.ndarray:
    """Hansen and Mukherjee's recurrence in O(n k), one record after the other, in plain numpy."""
    n = len(ascending)
    loss, last = np.full(n + 1, np.inf), np.zeros(n + 1, np.int64)
    loss[0] = 0.0
    counts = np.arange(1, 2 * k)
    for end in range(k, n + 1):
        sizes = counts[: min(end, 2 * k - 1)]
        local = ascending[end - len(sizes) : end][::-1] - ascending[end - 1]
        sums, squares = np.cumsum(local), np.cumsum(local * local)
        total = (loss[end - sizes] + squares - sums * sums / sizes)[k - 1 :]
        last[end] = k + int(np.argmin(total))
        loss[end] = total.min()
    groups, end = [], n
    while end:
        groups.append(last[end])
        end -= groups[-1]
    return np.array(groups[::-1])


def mdav_sizes(ascending: np.ndarray, k: int) -> np.ndarray:
    """MDAV (ILD paper, §2.3.4) on ascending values: k records from the end farther from the mean, then the
    other."""
    low, high = 0, len(ascending)
    left, right = [], []
    sums = np.concatenate([[0.0], np.cumsum(ascending)])
    while high - low >= 2 * k:
        both = high - low >= 3 * k
        mean = (sums[high] - sums[low]) / (high - low)
        from_low = mean - ascending[low] >= ascending[high - 1] - mean
        if from_low or both:
            left.append(k)
            low += k
        if not from_low or both:
            right.append(k)
            high -= k
    return np.array([*left, high - low, *right[::-1]])


def vmdav_sizes(ascending: np.ndarray, k: int, gamma: float = 1.0) -> np.ndarray:
    """V-MDAV (ILD paper, §2.3.4) on ascending values: one fixed center, groups extended while d_in < γ ·
    d_out."""
    center = ascending.mean()
    low, high = 0, len(ascending)
    left, right = [], []
    while high - low >= k:
        from_low = center - ascending[low] >= ascending[high - 1] - center
        line = ascending[low:high] if from_low else -ascending[low:high][::-1]
        size = k
        while size < min(2 * k - 1, len(line)):
            inward = line[size + 1] - line[size] if size + 1 < len(line) else np.inf
            if not line[size] - line[size - 1] < gamma * inward:
                break
            size += 1
        if from_low:
            left.append(size)
            low += size
        else:
            right.append(size)
            high -= size
    if not left or not right:
        (left or right)[-1] += high - low
        return np.array([*left, *right[::-1]])
    rest = ascending[low:high]
    nearer_left = (
        int(np.sum(rest - ascending[low - 1] <= ascending[high % len(ascending)] - rest)) if len(rest) else 0
    )
    left[-1] += nearer_left
    right[-1] += len(rest) - nearer_left
    return np.array([*left, *right[::-1]])
