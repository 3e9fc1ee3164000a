"""The cheapest node of a lattice of levels, found without looking at most of them.

A node names a level of every column. A node above another is at least as coarse in every column, so its
classes are as large or larger, and no more records are in classes that are too small.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import later, tr

Node = tuple[int, ...]


class NodeCost(NamedTuple):
    """The cost of a node: the number of records in classes that are too small, and how much more it costs to
    leave these out than to publish them there."""

    few: int
    extra: float


class Cheapest(NamedTuple):
    """The node of the least loss, that loss, and how many nodes were looked at."""

    node: Node
    loss: float
    looks: int


def cheapest(
    base: np.ndarray, gap: np.ndarray, look: Callable[[Node], NodeCost], most: int, tick: Tick = silent
) -> Cheapest:
    """The node of least ``base`` + ``extra`` among those where at most ``most`` records are left out.

    ``base`` float64, one axis a column: the loss where all records are published; ``gap`` ≥ 0 of the same
    shape: the least that a left out record adds to it. The last node must have few = 0.

    A way leads up from the cheapest node that may still be the best; bisection finds the lowest node on it
    that leaves out few enough records (as in Flash). If a node leaves out too many, all nodes below it do too
    and are ruled out. If it leaves out f, all nodes below cost base + f · gap or more. The search ends when
    no other node can cost less than the best. Each look also costs O(nodes).

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
            if not open_[node]:  # too expensive by now, like all nodes above it on this way
                high = middle - 1
                continue
            tick(1 - float(open_.mean()), tr(NOTE))
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


NOTE = later("looking at levels")


def _upward(node: Node, base: np.ndarray, open_: np.ndarray) -> list[Node]:
    """Nodes from this one up, each the cheapest of those one level above the last that are still open."""
    way = [node]
    while True:
        higher = [axis for axis, size in enumerate(base.shape) if node[axis] + 1 < size]
        above = [(*node[:axis], node[axis] + 1, *node[axis + 1 :]) for axis in higher]
        above = [one for one in above if open_[one]]
        if not above:
            return way
        node = min(above, key=base.__getitem__)
        way.append(node)
