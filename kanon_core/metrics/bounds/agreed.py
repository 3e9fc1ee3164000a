"""A lower bound of SSE for which records must agree on who their neighbors are. A fractional grouping may
leave triangles open, in which b and c are near a but far from each other; here they are closed."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.metrics.bounds.nearest import Pairs

_PATIENCE, _SHRINK, _INERTIA, _MEMORY = 8, 0.9, 0.9, 0.95
_ALONE, _EVERY, _AFRESH = 300, 10, 0.5
"""The first 300 steps look at pairs alone. Then every tenth looks for triangles, and sizes start at 0.5."""
_OPEN = 0.05
_PER_PART = 50_000


def agreed(
    pairs: Pairs, k: int, above: float, steps: int, seconds: float = math.inf, tick: Tick = silent
) -> float:
    """The greatest lower bound of SSE found in so many steps of a subgradient, or in so many seconds.

    SSE of a group of k is Σ over its records i of Σ_j d²(i, j) / 2k. Adding λ_ij to i's view of the pair and
    taking it off j's changes no group's sum. Nor is any group's sum raised by prices μ ≥ 0 of the triangle
    inequalities x_ab + x_ac − x_bc ≤ 1, in which x says who shares a group: add μ to both views of ab and ac,
    take it off both of bc, and take μ / k off record a's term. So for all λ with λ_ij = −λ_ji and all μ ≥ 0

        L(λ, μ) = Σ_i (the k − 1 least of d²(i, j) + λ_ij + μ's of ij over j) / 2k − Σ μ / k

    is at most the SSE of any partition into groups of k. It is also at most that of larger groups. Let u_i be
    the term of i; of any k records the u_i sum to at most their SSE (of a triangle whose a is not among them,
    the price of bc alone may stand there, which only lowers it). Add this up over all subsets of k of a group
    of m: each pair stands in equally many, and so does each record, which gives
    Σ u_i ≤ m (k − 1) / (k (m − 1)) · SSE ≤ SSE. λ = μ = 0 is the bound by nearest neighbors.

    ``above``: a loss that was reached, which sets the size of the steps. Cost O(n · c) a step, and O(n · k²)
    for the triangles of every tenth.
    """
    search, start = _Search(pairs, k, above), time.perf_counter()
    for step in range(steps):
        spent = max(step / steps, (time.perf_counter() - start) / seconds)
        if (step and spent >= 1) or not search.step(partial(tick, min(spent, 1.0), "")):
            break
    return search.best


class _Search:
    """Multipliers λ and prices μ, and the best bound that they gave."""

    def __init__(self, pairs: Pairs, k: int, above: float) -> None:
        nobody, beyond = len(pairs.keys), ((0, 0), (0, k - 1))
        self.pairs, self.k, self.above, self.nobody = pairs, k, above, nobody
        self.pair = np.pad(np.where(pairs.pair < 0, nobody, pairs.pair), beyond, constant_values=nobody)
        self.sign = np.pad(pairs.sign, beyond)
        self.squares = np.concatenate([pairs.squares, pairs.rest], axis=1)
        self.rows = np.arange(len(self.squares))[:, None]
        self.multipliers, self.direction = np.zeros(nobody + 1), np.zeros(nobody + 1)
        self.shares, self.triangles = np.zeros(nobody), Triangles.none()
        self.best, self.size, self.waited, self.steps = -math.inf, 1.0, 0, 0

    def step(self, tick: Callable[[], None]) -> bool:
        """Compute one bound and new multipliers; return False when all records agree, so that the bound
        cannot become better."""
        tick()
        charged = np.append(self.triangles.charged(self.nobody), 0.0)
        seen = self.squares + self.sign * self.multipliers[self.pair] + charged[self.pair]
        chosen = np.argpartition(seen, self.k - 2, axis=1)[:, : self.k - 1]
        value = float(seen[self.rows, chosen].sum() / 2 - self.triangles.prices.sum()) / self.k
        self._judge(value)
        number, sign = self.pair[self.rows, chosen].ravel(), self.sign[self.rows, chosen].ravel()
        disagreed = np.bincount(number, sign, self.nobody + 1) / 2
        disagreed[self.nobody] = 0.0
        shares = np.bincount(number, minlength=self.nobody + 1)[: self.nobody] / 2
        self.shares = _MEMORY * self.shares + (1 - _MEMORY) * shares if self.steps else shares
        if self.steps >= _ALONE and self.steps % _EVERY == 0:
            self.triangles = self.triangles.renewed(self.pairs, self.shares, tick)
        self.steps += 1
        return self._moved(disagreed, shares, value)

    def _judge(self, value: float) -> None:
        """Keep the best bound; take smaller steps where none was better for a while."""
        self.waited = 0 if value > self.best else self.waited + 1
        self.best = max(self.best, value)
        if self.waited > _PATIENCE:
            self.size, self.waited = self.size * _SHRINK, 0
        if self.steps == _ALONE:
            self.size = _AFRESH

    def _moved(self, disagreed: np.ndarray, shares: np.ndarray, value: float) -> bool:
        sides, prices, heading = self.triangles
        heading = _INERTIA * heading + self.triangles.excess(shares)
        heading = np.where((prices <= 0) & (heading < 0), 0.0, heading)
        self.direction = _INERTIA * self.direction + disagreed
        length = float(self.direction @ self.direction + heading @ heading)
        if length > 0:
            size = self.size * (self.above - value) * self.k / length
            self.multipliers += size * self.direction
            self.triangles = Triangles(sides, np.maximum(0.0, prices + size * heading), heading)
        return length > 0 or self.steps <= _ALONE


class Triangles(NamedTuple):
    """Inequalities x_ab + x_ac − x_bc ≤ 1, one for each triangle: if b and c are in a group with a, they are
    in a group with each other.

    ``sides`` int64 (3, m): the numbers of the pairs ab, ac (ab < ac) and bc. ``prices`` float64 (m), 0 or
    more: what a unit of excess costs; ``heading`` float64 (m): in which direction the price moves.
    """

    sides: np.ndarray
    prices: np.ndarray
    heading: np.ndarray

    @classmethod
    def none(cls) -> Triangles:
        """No triangle."""
        return cls(np.zeros((3, 0), np.int64), np.zeros(0), np.zeros(0))

    def excess(self, shares: np.ndarray) -> np.ndarray:
        """float64 (m): by how much the shares x of the pairs violate each inequality."""
        near, also, far = shares[self.sides]
        return np.asarray(near + also - far - 1)

    def charged(self, pairs: int) -> np.ndarray:
        """float64 (pairs): what the prices add to the cost of each pair."""
        near, also, far = (np.bincount(side, self.prices, pairs) for side in self.sides)
        return np.asarray(near + also - far)

    def renewed(self, pairs: Pairs, shares: np.ndarray, tick: Callable[[], None]) -> Triangles:
        """Return the triangles that have a price, and those that the shares violate now."""
        kept, count = self.prices > 0, len(pairs.keys)
        found = np.concatenate([*_open(pairs, shares, tick), np.zeros((3, 0), np.int64)], axis=1)
        own = self.sides[0, kept] * count + self.sides[1, kept]
        found = found[:, ~np.isin(found[0] * count + found[1], own)]
        more = np.zeros(found.shape[1])
        return Triangles(
            np.concatenate([self.sides[:, kept], found], axis=1),
            np.concatenate([self.prices[kept], more]),
            np.concatenate([self.heading[kept], more]),
        )


def _open(pairs: Pairs, shares: np.ndarray, tick: Callable[[], None]) -> Iterator[np.ndarray]:
    """Yield the sides of violated triangles whose three pairs are all known."""
    strong = np.flatnonzero(shares > _OPEN)
    low, high = pairs.ends[:, strong]
    own, other, number = np.concatenate([low, high]), np.concatenate([high, low]), np.tile(strong, 2)
    order = np.lexsort((number, own))
    own, other, number = own[order], other[order], number[order]
    beyond = np.searchsorted(own, own, side="right")
    for start in range(0, len(own), _PER_PART):
        tick()
        first = np.arange(start, min(start + _PER_PART, len(own)))
        more = beyond[first] - first - 1
        second = np.arange(more.sum()) - np.repeat(np.cumsum(more) - more - first - 1, more)
        first = np.repeat(first, more)
        near = shares[number[first]] + shares[number[second]] > 1 + _OPEN
        first, second = first[near], second[near]
        low, high = np.sort([other[first], other[second]], axis=0)
        wanted = low * len(pairs.squares) + high
        far = np.minimum(np.searchsorted(pairs.keys, wanted), len(pairs.keys) - 1)
        sides = np.stack([number[first], number[second], far])[:, pairs.keys[far] == wanted]
        yield sides[:, shares[sides[0]] + shares[sides[1]] - shares[sides[2]] > 1 + _OPEN]
