"""Complete k-concealment the slow way: definition 2.2 in plain Python, and the optimum over all sets of
permutations."""

from __future__ import annotations

import itertools

import numpy as np


def distance(a, b, kinds, ranges):
    """d(a, b) of two records, by definition 2.2; None is a missing value, at 1 from every present one."""
    total = 0.0
    for x, y, kind, width in zip(a, b, kinds, ranges, strict=True):
        if x is None or y is None:
            total += x is not y
        elif kind == "categorical":
            total += x != y
        else:
            total += abs(x - y) / width if width > 0 else 0.0
    return total


def least_cost(distances: np.ndarray, k: int) -> float:
    """Least cost of k − 1 edge-disjoint permutations without fixed points, by trying them all; n ≤ 7, k ≤ 4.

    Every matching may be taken to use more than the one before it (their order is of no matter).
    """
    n = len(distances)
    free = [p for p in itertools.permutations(range(n)) if all(i != p[i] for i in range(n))]
    permutations = np.array(free, np.int64).reshape(len(free), n)
    costs = distances[np.arange(n), permutations].sum(1)
    order = np.argsort(costs, kind="stable")
    return float(_least(permutations[order], costs[order], k - 1, np.inf))


def _least(permutations, costs, count, bound):
    """Permutations by ascending cost; a set's cheapest comes first, so the others cost at least as much
    each."""
    if count == 0:
        return 0.0
    for place in range(len(costs)):
        if count * costs[place] >= bound:
            break
        others = permutations[place + 1 :]
        disjoint = (others != permutations[place]).all(1)
        rest = _least(others[disjoint], costs[place + 1 :][disjoint], count - 1, bound - costs[place])
        bound = min(bound, costs[place] + rest)
    return bound
