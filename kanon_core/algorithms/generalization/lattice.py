"""The cheapest node of a lattice of levels, found without evaluating most of them.

A node is a level for every column. A node above another is at least as coarse in every column, so its classes
are as large or larger, and no more records are in classes that are too small.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr

Node = tuple[int, ...]


class NodeCost(NamedTuple):
    """The cost of a node: the number of records in classes that are too small, and the additional loss of
    suppressing them."""

    few: int
    extra: float


class Cheapest(NamedTuple):
    """The node of the least loss, that loss, and the number of nodes evaluated."""

    node: Node
    loss: float
    looks: int


def cheapest(
    base: np.ndarray, gap: np.ndarray, look: Callable[[Node], NodeCost], most: int, tick: Tick = silent
) -> Cheapest:
    """Return the node of least ``base`` + ``extra`` among those that suppress at most ``most`` records.

    ``base`` float64, one axis per column: the loss if all records are published; ``gap`` ≥ 0 of the same
    shape: the least that a suppressed record adds to it. The last node must have few = 0.

    A path goes up from the cheapest node that may still be the best; bisection finds the lowest node on it
    that suppresses few enough records (as in Flash). If a node suppresses too many, so do all nodes below it,
    which are excluded. If it suppresses f, all nodes below cost base + f · gap or more. The search ends when
    no other node can cost less than the best. Each evaluation also costs O(nodes).

    P. Samarati, Protecting respondents' identities in microdata release, IEEE Transactions on Knowledge and
    Data Engineering 13(6), 2001; F. Kohlmayer, F. Prasser, C. Eckert, A. Kemper, K. A. Kuhn, Flash:
    efficient, stable and optimal k-anonymity, PASSAT 2012.
    """
    least, open_, looks = base.copy(), np.ones(base.shape, bool), 0
    best, found = np.inf, tuple(size - 1 for size in base.shape)
    while open_.any():
        start = np.unravel_index(np.argmin(np.where(open_, least, np.inf)), base.shape)
        way = _upward(tuple(int(i) for i in start), base, open_)
        low, high = 0, len(way) - 1
        while low <= high:
            middle = (low + high) // 2
            node = way[middle]
            if not open_[node]:  # excluded, like all nodes above it on this path
                high = middle - 1
                continue
            tick(1 - float(open_.mean()), tr("evaluating levels"))
            seen, below, looks = look(node), tuple(slice(0, i + 1) for i in node), looks + 1
            open_[node] = False
            if seen.few > most:
                open_[below], low = False, middle + 1
                continue
            if base[node] + seen.extra < best:
                best, found = float(base[node] + seen.extra), node
                open_ &= least < best
            least[below] = np.maximum(least[below], base[below] + seen.few * gap[below])
            open_[below] &= least[below] < best
            high = middle - 1
    return Cheapest(found, best, looks)


def _upward(node: Node, base: np.ndarray, open_: np.ndarray) -> list[Node]:
    """Return a path up from this node: each time the cheapest open node one level above the last."""
    way = [node]
    while True:
        higher = [axis for axis, size in enumerate(base.shape) if node[axis] + 1 < size]
        above = [(*node[:axis], node[axis] + 1, *node[axis + 1 :]) for axis in higher]
        above = [one for one in above if open_[one]]
        if not above:
            return way
        node = min(above, key=base.__getitem__)
        way.append(node)
