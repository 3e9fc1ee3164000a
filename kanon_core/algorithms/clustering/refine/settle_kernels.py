"""A check of every single move and swap of a partition, computed from the centers of its groups.

The squared distance from a record x to the center of group g (means of numeric attributes, shares of the
categories) is D(x, g) = Σ (x − mean)² + Σ_{y in g} w(x, y) / size − Σ_{pairs of g} w(y, z) / size², where
w(x, y) = Σ_q w_q [c_xq ≠ c_yq]. Then, for x in A (n records) and y in B (m records),

- moving x to B changes the SSE by −n/(n − 1) · D(x, A) + m/(m + 1) · D(x, B)   (MIL paper, (6) and (7)),
- swapping x and y by D(x, B) − D(x, A) + D(y, A) − D(y, B) − d²(x, y) · (1/n + 1/m).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kanon_core.algorithms.clustering.refine.region_kernels import Points
from kanon_core.base.compiled import by_reference, kernel

TOLERANCE = 1e-12
"""A change must lower the SSE by more than this share of its terms, which rounding cannot produce."""


@by_reference
class Groups(NamedTuple):
    """A partition laid out for changes; every group has k … 2k − 1 records."""

    points: Points
    labels: np.ndarray  # int64 (n,)
    members: np.ndarray  # int64 (g, 2k), the first size[g] places
    size: np.ndarray  # int64 (g,)
    means: np.ndarray  # float64 (g, p)
    spread: np.ndarray  # float64 (g,), Σ_{pairs} w / size²
    own: np.ndarray  # float64 (n,), D(x, own group)
    changed: np.ndarray  # int64 (g,), when the group last changed
    checked: np.ndarray  # int64 (g,), when it was last compared with the groups of higher numbers


def lay_out(points: Points, labels: np.ndarray, k: int) -> Groups:
    """Return the layout of a partition with labels 0 … g − 1 and groups of k … 2k − 1. `settle` computes the
    centers first, and changes ``labels`` in place."""
    size = np.bincount(labels)
    g, n = len(size), len(labels)
    order = np.argsort(labels, kind="stable")
    members = np.zeros((g, 2 * k), np.int64)
    members[labels[order], np.arange(n) - np.repeat(np.cumsum(size) - size, size)] = order
    means, spread, own = np.zeros((g, points.numeric.shape[1])), np.zeros(g), np.zeros(n)
    changed, checked = np.zeros(g, np.int64), np.full(g, -1)
    return Groups(points, labels, members, size, means, spread, own, changed, checked)


@kernel
def mismatch(points: Points, x: int, y: int) -> float:
    """Return w(x, y)."""
    square = 0.0
    for q in range(points.codes.shape[1]):
        if points.codes[x, q] != points.codes[y, q]:
            square += points.weights[q]
    return square


@kernel
def center(groups: Groups, g: int) -> None:
    """Recompute a group's center and its records' distances to it; O(size · p + size² · q)."""
    members, means, points = groups.members[g, : groups.size[g]], groups.means[g], groups.points
    means[:] = 0.0
    spread = 0.0
    for i in range(members.shape[0]):
        for p in range(means.shape[0]):
            means[p] += points.numeric[members[i], p]
        if points.codes.shape[1] > 0:
            for j in range(i):
                spread += mismatch(points, members[i], members[j])
    for p in range(means.shape[0]):
        means[p] /= members.shape[0]
    groups.spread[g] = spread / members.shape[0] ** 2
    for x in members:
        groups.own[x] = from_center(groups, x, g)


@kernel
def from_center(groups: Groups, x: int, g: int) -> float:
    """Return D(x, g); O(p + size · q)."""
    points, square = groups.points, 0.0
    if points.codes.shape[1] > 0:
        for i in range(groups.size[g]):
            square += mismatch(points, x, groups.members[g, i])
        square = max(0.0, square / groups.size[g] - groups.spread[g])
    for p in range(points.numeric.shape[1]):
        step = points.numeric[x, p] - groups.means[g, p]
        square += step * step
    return square


@kernel
def between(points: Points, x: int, y: int) -> float:
    """Return d²(x, y)."""
    square = mismatch(points, x, y)
    for p in range(points.numeric.shape[1]):
        step = points.numeric[x, p] - points.numeric[y, p]
        square += step * step
    return square


@kernel
def best_move(
    groups: Groups, a: int, b: int, k: int, far: np.ndarray, best: float, choice: np.ndarray
) -> float:
    """Find the best move from a to b that beats ``best``; ``far``: distances of a's members to b's center."""
    n, m = groups.size[a], groups.size[b]
    if n <= k or m >= 2 * k - 1:
        return best
    for i in range(n):
        x = groups.members[a, i]
        left, joined = n / (n - 1) * groups.own[x], m / (m + 1) * far[i]
        change = joined - left
        if change < best and change < -TOLERANCE * (joined + left):
            best = change
            choice[0], choice[1] = x, -1
    return best


@kernel
def best_swap(
    groups: Groups, a: int, b: int, far_a: np.ndarray, far_b: np.ndarray, best: float, choice: np.ndarray
) -> float:
    """Find the best swap of a member of a with one of b that beats ``best``; far_a, far_b: distances to the
    other's center.

    Since d²(x, y) ≤ 2 D(x, B) + 2 D(y, B), most pairs are excluded without computing their distance.
    """
    n, m = groups.size[a], groups.size[b]
    share = 1.0 / n + 1.0 / m
    for i in range(n):
        x = groups.members[a, i]
        gain_x = far_a[i] - groups.own[x]
        for j in range(m):
            y = groups.members[b, j]
            gain = gain_x + far_b[j] - groups.own[y]
            if gain - 2.0 * share * (far_a[i] + groups.own[y]) >= best:
                continue
            change = gain - share * between(groups.points, x, y)
            if change < best and change < -TOLERANCE * (far_a[i] + far_b[j] + groups.own[x] + groups.own[y]):
                best = change
                choice[0], choice[1] = x, y
    return best


@kernel
def improve_pair(groups: Groups, a: int, b: int, k: int) -> bool:
    """Make the best move or swap between two groups; return whether there was one."""
    n, m = groups.size[a], groups.size[b]
    far_a, far_b = np.empty(n), np.empty(m)
    for i in range(n):
        far_a[i] = from_center(groups, groups.members[a, i], b)
    for j in range(m):
        far_b[j] = from_center(groups, groups.members[b, j], a)
    choice = np.empty(2, np.int64)
    choice[0] = choice[1] = -1
    best = best_move(groups, a, b, k, far_a, 0.0, choice)
    best = best_move(groups, b, a, k, far_b, best, choice)
    best = best_swap(groups, a, b, far_a, far_b, best, choice)
    if best == 0.0:
        return False
    for x in choice:
        if x >= 0:
            groups.labels[x] = b if groups.labels[x] == a else a
    refill(groups, a, b, n + m)
    center(groups, a)
    center(groups, b)
    return True


@kernel
def refill(groups: Groups, a: int, b: int, count: int) -> None:
    """Rebuild the member lists of two groups from the labels of their records."""
    n = groups.size[a]
    held = np.empty(count, np.int64)
    for i in range(count):
        held[i] = groups.members[a, i] if i < n else groups.members[b, i - n]
    groups.size[a] = groups.size[b] = 0
    for x in held:
        g = groups.labels[x]
        groups.members[g, groups.size[g]] = x
        groups.size[g] += 1


@kernel
def all_checked(groups: Groups) -> bool:
    """Return whether no group has changed since the first of them was checked."""
    last, first = groups.changed[0], groups.checked[0]
    for g in range(groups.size.shape[0]):
        last, first = max(last, groups.changed[g]), min(first, groups.checked[g])
    return bool(last <= first)


@kernel
def settle(groups: Groups, k: int, cursor: np.ndarray, budget: int) -> bool:
    """Make moves and swaps for each pair of groups until none lowers the SSE (return True) or the budget is
    used up.

    The budget counts pairs of groups, their records, and the pairs of records of changed groups. ``cursor``
    (4,) is (0, 1, 0, 0) at first: the current pair, the clock of changes, and the clock when the first
    group's turn began. A pair is checked only if one of its groups changed since its last check.
    """
    count = groups.size.shape[0]
    if cursor[0] == 0 and cursor[1] == 1 and cursor[2] == 0:
        for g in range(count):
            center(groups, g)
    while budget > 0:
        a, b, clock = cursor[0], cursor[1], cursor[2]
        if b >= count:
            groups.checked[a] = cursor[3]
            if a + 1 < count:
                cursor[0] = a + 1
            elif all_checked(groups):
                return True
            else:
                cursor[0] = 0
            cursor[1] = cursor[0] + 1
            cursor[3] = clock
            continue
        budget -= 1
        if max(groups.changed[a], groups.changed[b]) > groups.checked[a]:
            budget -= groups.size[a] + groups.size[b]
            if improve_pair(groups, a, b, k):
                budget -= groups.size[a] * groups.size[b]
                cursor[2] = clock + 1
                groups.changed[a] = clock + 1
                groups.changed[b] = clock + 1
                continue
        cursor[1] = b + 1
    return False
