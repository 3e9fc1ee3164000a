"""Plain twins of Refine's parts: the loss by its definition, every move and swap, the best partition of a few
records."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np


def plain_gaps(numeric, codes, weights) -> np.ndarray:
    """All squared distances d²(a, b) = Σ (x_a − x_b)² + Σ w [c_a ≠ c_b], (n, n)."""
    far = ((numeric[:, None] - numeric[None]) ** 2).sum(axis=2)
    return far + ((codes[:, None] != codes[None]) * weights).sum(axis=2)


def plain_sse(numeric, codes, weights, labels) -> float:
    """Σ of the squared distances to the centers, categories as columns of zeros and √(w / 2); −1 is no
    group."""
    shown = [
        (codes[:, q, None] == np.unique(codes[:, q])) * np.sqrt(weight / 2)
        for q, weight in enumerate(weights)
    ]
    points = np.hstack([numeric, *shown])
    groups = [points[labels == g] for g in np.unique(labels) if g >= 0]
    return sum(float(((members - members.mean(axis=0)) ** 2).sum()) for members in groups)


def neighbors(labels, k) -> Iterator[np.ndarray]:
    """Every partition one move or one swap away, with groups of k … 2k − 1 records."""
    size = np.bincount(labels)
    for x, a in enumerate(labels):
        for b in range(len(size)):
            if a != b and size[a] > k and size[b] < 2 * k - 1:
                moved = labels.copy()
                moved[x] = b
                yield moved
    for x, y in combinations(range(len(labels)), 2):
        if labels[x] != labels[y]:
            swapped = labels.copy()
            swapped[x], swapped[y] = labels[y], labels[x]
            yield swapped


def least_sse(gaps, k) -> float:
    """The smallest SSE of all partitions into groups of k … 2k − 1, by dynamic programming over sets: n ≤ 14
    or so."""
    n = len(gaps)
    best = np.full(2**n, np.inf)
    best[0] = 0.0
    for left in range(1, 2**n):
        records = [i for i in range(n) if left >> i & 1]
        for m in range(k, min(2 * k, len(records) + 1)):
            for others in combinations(records[1:], m - 1):
                group = [records[0], *others]
                rest = left & ~sum(1 << i for i in group)
                if best[rest] < np.inf:
                    best[left] = min(best[left], best[rest] + gaps[np.ix_(group, group)].sum() / (2 * m))
    return float(best[-1])
