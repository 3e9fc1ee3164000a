"""A cut through the hierarchies of items: the published node of each item, the same in all records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from kanon_core.algorithms.generalization.combos import rare_combinations
from kanon_core.algorithms.generalization.itemnodes import ItemNodes
from kanon_core.table.columns.set_arrays import chosen_sets, incidence, set_keys


class Cut(NamedTuple):
    """``published`` int64 (nodes and tops): the published node of each: itself, one above it, or −1 for
    nothing. ``cost`` float64: the current NCP of all items below each node, summed over records. ``held``:
    the number of items below each node, over all records. ``ends`` and ``owners``: the records that have each
    node. ``whole``: suppress the whole column if any of its items would become the top.
    """

    nodes: ItemNodes
    whole: bool
    published: np.ndarray
    cost: np.ndarray
    held: np.ndarray
    ends: np.ndarray
    owners: np.ndarray

    @classmethod
    def of(cls, nodes: ItemNodes, whole: bool = False) -> Cut:
        """Return the cut that publishes every item unchanged."""
        count = len(nodes.parent)
        held = np.bincount(nodes.nodes, nodes.below, count).astype(np.int64)
        high = np.flatnonzero(nodes.parent >= nodes.first[-1])
        np.add.at(held, nodes.parent[high], held[high])
        return cls(nodes, whole, np.arange(count), np.zeros(count), held, *nodes.holders)

    @property
    def shown(self) -> np.ndarray:
        """Return the published nodes, booleans as ``nodes.nodes``: those of the cut and those above."""
        return np.asarray((self.published == np.arange(len(self.published)))[self.nodes.nodes])

    def rare(self, k: int, size: int, tick: Callable[[], None]) -> Iterator[np.ndarray]:
        """Yield blocks of combinations of ``size`` nodes of the cut that fewer than k records have, the most
        frequent nodes first; int64 (…, size)."""
        nodes, lowest = self.nodes, self.shown & self._lowest()
        often = np.diff(self.ends)
        order = np.lexsort((np.arange(len(often)), -often))
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        sizes = np.bincount(nodes.owner[lowest], minlength=len(nodes.starts) - 1)
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        members = rank[nodes.nodes[lowest]]
        members = members[np.lexsort((members, np.repeat(np.arange(len(sizes)), sizes)))].astype(np.int32)
        keys = set_keys(starts, members)
        first = np.unique(keys, return_index=True)[1]
        sets = incidence(*chosen_sets(starts, members, first), len(order))
        for block in rare_combinations(sets, np.bincount(keys), k, size, tick):
            yield order[block]

    def _lowest(self) -> np.ndarray:
        """Return items, and groups to which items were generalized, booleans as ``nodes.nodes``."""
        tip = np.ones(len(self.published), bool)
        inner = self.nodes.parent[(self.published == np.arange(len(tip))) & (self.nodes.parent >= 0)]
        tip[inner] = False
        return np.asarray(tip[self.nodes.nodes])

    def often(self, nodes: Sequence[int]) -> int:
        """Return the number of records that have all these nodes; all records for no nodes."""
        lists = sorted((self.owners[self.ends[node] : self.ends[node + 1]] for node in nodes), key=len)
        if not lists:
            return len(self.nodes.starts) - 1
        found = lists[0]
        for other in lists[1:]:
            at = np.minimum(np.searchsorted(other, found), max(len(other) - 1, 0))
            found = found[other[at] == found] if len(other) else found[:0]
        return len(found)

    def cheapest(self, combination: Sequence[int], k: int) -> list[int]:
        """Return the published node of each member of a combination: the cheapest choice on their ways up
        (`way`) that k records have; at equal cost the lowest nodes, the last members first."""
        ways = [self.way(node) for node in combination]
        choices = [_settled(one, ways) for one in product(*ways)]
        priced = sorted((round(self._price(one), 6), place) for place, one in enumerate(choices))
        for _, place in priced:
            if self.often([node for node in set(choices[place]) if node >= 0]) >= k:
                return list(choices[place])
        raise AssertionError  # pragma: no cover - all records have the empty combination

    def way(self, node: int) -> list[int]:
        """Return the node, all above it, and last ~g, which suppresses g: the highest group, or (``whole``)
        the top, with all items of the column."""
        *way, top = self.nodes.ways(node)
        return [*way, ~(top if self.whole else way[-1])]

    def _price(self, choice: Sequence[int]) -> float:
        """Return the NCP that a choice adds, summed over records."""
        price = 0.0
        for node in dict.fromkeys(choice):
            root = max(node, ~node)
            price += self.held[root] * (self.nodes.penalty[root] if node >= 0 else 1.0) - self.cost[root]
        return price

    def generalize(self, node: int) -> np.ndarray:
        """Publish all nodes below a node as that node, or suppress all below ~node; return the nodes below,
        booleans (nodes and tops)."""
        root, parent = max(node, ~node), self.nodes.parent
        below = np.arange(len(parent)) == root
        while (more := below[parent] & (parent >= 0) & ~below).any():
            below = below | more
        self.published[below] = max(node, -1)
        now = self.held[root] * (self.nodes.penalty[root] if node >= 0 else 1.0)
        self.cost[self.nodes.ways(root)] += now - self.cost[root]
        return np.asarray(below)


def _settled(choice: Sequence[int], ways: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the choice with each node replaced by the highest chosen node above it."""
    return tuple(max((node for node in choice if node in way), key=way.index) for way in ways)
