"""Triangles that a fractional grouping leaves open: b near a, c near a, and b far from c."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from kanon_core.bounds.nearest import Pairs

_OPEN = 0.05
_PER_PART = 50_000


class Triangles(NamedTuple):
    """One inequality each, x_ab + x_ac − x_bc ≤ 1: who is in a group with a is in a group with each other.

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
        """float64 (m): by how much shares x of the pairs violate each."""
        near, also, far = shares[self.sides]
        return np.asarray(near + also - far - 1)

    def charged(self, pairs: int) -> np.ndarray:
        """float64 (pairs): what the prices add to the cost of each pair."""
        near, also, far = (np.bincount(side, self.prices, pairs) for side in self.sides)
        return np.asarray(near + also - far)

    def renewed(self, pairs: Pairs, shares: np.ndarray, tick: Callable[[], None]) -> Triangles:
        """Those that cost something, and those that the shares violate."""
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
    """The sides of violated triangles whose three pairs are all known."""
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
