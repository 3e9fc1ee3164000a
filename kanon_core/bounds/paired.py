"""A lower bound of SSE that makes records agree on who their neighbors are."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.bounds.nearest import Near

_PLACES_AT_MOST = 20_000_000
_PATIENCE, _SHRINK, _INERTIA = 8, 0.8, 0.9


class Pairs(NamedTuple):
    """Records and the others that either of the two is near.

    ``squares`` float64 (n, c): squared distances of these others, nearest first, infinite where a record has
    fewer; beyond them come ``rest`` float64 (n, k − 1), which no other record falls below. ``pair`` int64
    (n, c): the number of the pair that a place stands for, −1 where the other does not have this record;
    ``sign`` is 1 for one and −1 for the other of the two.
    """

    squares: np.ndarray
    rest: np.ndarray
    pair: np.ndarray
    sign: np.ndarray


def paired(near: Near, k: int) -> Pairs:
    """Each record's near others, and those that it is near to; the farthest near one bounds all the rest."""
    records, distances = near.records[:, :-1], near.distances
    n, count = records.shape
    own, other = np.repeat(np.arange(n), count), records.ravel()
    one_way = ~np.isin(other * n + own, own * n + other)
    squares = distances[:, :-1].ravel() ** 2
    own, other = np.concatenate([own, other[one_way]]), np.concatenate([other, own[one_way]])
    squares = np.concatenate([squares, squares[one_way]])
    order = np.lexsort((squares, own))
    own, other, squares = own[order], other[order], squares[order]
    starts = np.searchsorted(own, np.arange(n))
    place = np.arange(len(own)) - starts[own]
    width = min(int(place.max()) + 1, max(count, _PLACES_AT_MOST // n))
    kept = place < width
    own, other, squares, place = own[kept], other[kept], squares[kept], place[kept]
    _, pair, counts = np.unique(
        np.minimum(own, other) * n + np.maximum(own, other), return_inverse=True, return_counts=True
    )
    number = np.where(counts[pair] == 2, np.cumsum(counts == 2)[pair] - 1, -1)
    found = np.full((n, width), np.inf), np.full((n, width), -1), np.zeros((n, width))
    for grid, values in zip(found, (squares, number, np.where(own < other, 1.0, -1.0)), strict=True):
        grid[own, place] = values
    return Pairs(found[0], np.repeat(distances[:, -1:] ** 2, k - 1, axis=1), found[1], found[2])


def agreed(pairs: Pairs, k: int, above: float, steps: int, tick: Tick = silent) -> float:
    """The greatest lower bound of SSE found in so many steps of a subgradient.

    SSE of a group of k is Σ over its records i of Σ_j d²(i, j) / 2k. Adding λ_ij to i's view of the pair and
    taking it off j's changes no group's sum; so for every λ with λ_ij = −λ_ji

        L(λ) = Σ_i (the k − 1 least of d²(i, j) + λ_ij over j) / 2k

    is at most the SSE of any partition into groups of k. It is also at most that of larger groups. Let u_i be
    the term of i; of any k records the u_i sum to at most their SSE. Add this up over all subsets of k of a
    group of m: each pair stands in equally many, and so does each record, which gives
    Σ u_i ≤ m (k − 1) / (k (m − 1)) · SSE ≤ SSE. λ = 0 is the bound by nearest neighbors.

    ``above``: a loss that was reached, which sets the size of the steps. Cost O(n · c) a step.
    """
    n, count = pairs.squares.shape
    rows, nobody = np.arange(n)[:, None], int(pairs.pair.max(initial=-1)) + 1
    sign, pair = np.pad(pairs.sign, ((0, 0), (0, k - 1))), np.pad(pairs.pair, ((0, 0), (0, k - 1)))
    pair[:, count:] = -1
    pair[pair < 0] = nobody
    squares = np.concatenate([pairs.squares, pairs.rest], axis=1)
    multipliers, direction = np.zeros(nobody + 1), np.zeros(nobody + 1)
    best, size, waited = -math.inf, 1.0, 0
    for step in range(steps):
        tick(step / steps, "")
        seen = squares + sign * multipliers[pair]
        chosen = np.argpartition(seen, k - 2, axis=1)[:, : k - 1]
        value = float(seen[rows, chosen].sum()) / (2 * k)
        waited = 0 if value > best else waited + 1
        best = max(best, value)
        if waited > _PATIENCE:
            size, waited = size * _SHRINK, 0
        slope = np.bincount(pair[rows, chosen].ravel(), sign[rows, chosen].ravel(), nobody + 1)
        slope[nobody] = 0.0
        direction = _INERTIA * direction + slope
        length = float(direction @ direction)
        if length == 0.0:  # all agree: the bound is as good as it gets
            break
        multipliers += size * (above - value) * k / length * direction
    return best
