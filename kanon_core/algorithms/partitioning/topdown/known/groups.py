"""The cuts of single values whose gain exceeds the loss of items, when records publish their own items.

The smaller the groups, the fewer items k of their records have in common. So the tree of cuts is grown
completely and then pruned if a group loses less than its parts: bottom up, a node is a group if its loss is
at most that of the best groups below it. The result is the pruned tree of the least loss [the weakest-link
idea of Breiman et al., Classification and Regression Trees, 1984, §3.3, with an additive loss]. The loss is
that of the top-down pass: NCP of single values, and suppressed items over items per record, each times the
weight of its column.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from kanon_core.algorithms.partitioning.topdown.cutting import labels_of
from kanon_core.algorithms.partitioning.topdown.known.shown import Baskets, shown_items
from kanon_core.base.progress import Tick, stage
from kanon_core.base.words import later, tr
from kanon_core.covers.cover import Partition
from kanon_core.covers.recoding import recode
from kanon_core.table.columns.columns import Column, Items
from kanon_core.table.columns.keys import paired
from kanon_core.table.columns.set_arrays import chosen_sets

_PASSES = 1
_LOSS = later("computing the loss of column {name}")


class Tree(NamedTuple):
    """All groups of a pass, the first all records: node i is ``order[start[i]:end[i]]``, its parts are
    ``left[i]`` and ``left[i] + 1`` (−1 = never cut), by cut ``cut[i]``. ``depth``: cuts above it."""

    order: np.ndarray
    start: np.ndarray
    end: np.ndarray
    left: np.ndarray
    cut: np.ndarray
    depth: np.ndarray

    def labels(self, nodes: np.ndarray) -> np.ndarray:
        """Return the node, of these, of each record, int64 (n); −1 = none."""
        return labels_of(self.order, self.start[nodes], self.end[nodes])


def tree_of(order: np.ndarray, cuts: np.ndarray) -> Tree:
    """Return the tree of these cuts (`clusters_kernels.Work.cuts`). Cost O(cuts)."""
    count = 2 * len(cuts) + 1
    start, end, depth = np.zeros(count, np.int64), np.full(count, len(order)), np.zeros(count, np.int64)
    left, cut = np.full(count, -1), np.full(count, -1)
    node = {0: 0}
    for i, (_, _, _, cluster, new, begin, middle, stop) in enumerate(cuts.tolist()):
        parent, first = node[cluster], 2 * i + 1
        left[parent], cut[parent] = first, i
        start[first], end[first], start[first + 1], end[first + 1] = begin, middle, middle, stop
        depth[first] = depth[first + 1] = depth[parent] + 1
        node[cluster], node[new] = first, first + 1
    return Tree(order, start, end, left, cut, depth)


def grouped(
    tree: Tree, singles: Sequence[Column], sets: Sequence[Items], baskets: Baskets, k: int, m: int, tick: Tick
) -> tuple[np.ndarray, np.ndarray]:
    """Return the group of each record, int64 (n), and which cuts are made, booleans, for the least loss.

    One pass of `shown_items` computes a node's loss of items, unless the loss of single values, and then of
    items that fewer than k of its records have, already exceeds that of its parts. Cost: at most a pass for
    every depth of the tree.
    """
    single, deepest = np.zeros(len(tree.start)), int(tree.depth.max())
    for depth in range(deepest + 1):
        tick(0.3 * depth / (deepest + 1), tr("computing the loss of single values"))
        nodes = np.flatnonzero(tree.depth == depth)
        single[nodes] = _of_singles(tree, nodes, singles, tick)
    # Records sorted by node, so that memory is read in order.
    beside = Baskets(*chosen_sets(baskets.starts, baskets.tokens, tree.order), [], baskets.first)
    runs = tree._replace(order=np.arange(len(tree.order)))
    best, made = single.copy(), np.zeros(int((tree.left >= 0).sum()), bool)
    for depth in range(deepest, -1, -1):
        part = stage(tick, 1 - 0.7 * (depth + 1) / (deepest + 1), 1 - 0.7 * depth / (deepest + 1))
        nodes = np.flatnonzero(tree.depth == depth)
        left = tree.left[nodes]
        parts = np.where(left < 0, np.inf, best[left] + best[left + 1])
        for known in sorted({1, m}):
            half = stage(part, 0, 0.3) if known < m else stage(part, 0.3, 1)
            left_over = nodes[best[nodes] <= parts]
            best[left_over] = single[left_over] + _of_items(runs, left_over, sets, beside, k, known, half)
        cut = parts < best[nodes]
        best[nodes[cut]] = parts[cut]
        made[tree.cut[nodes[cut]]] = True
    return _labels(tree, made), made


def _labels(tree: Tree, made: np.ndarray) -> np.ndarray:
    """Return the group of each record; remove from ``made`` the cuts below a cut that is not made."""
    there = np.zeros(len(tree.start), bool)
    there[0] = True
    for node in np.flatnonzero(tree.left >= 0):  # a node comes before its parts
        left, cut = tree.left[node], tree.cut[node]
        made[cut] &= there[node]
        if made[cut]:
            there[[node, left, left + 1]] = False, True, True
    return tree.labels(np.flatnonzero(there))


def _of_singles(tree: Tree, nodes: np.ndarray, columns: Sequence[Column], tick: Tick) -> np.ndarray:
    """Return the loss of single values of each of these nodes, of one depth, as a group."""
    cover, sizes = Partition(tree.labels(nodes)), tree.end[nodes] - tree.start[nodes]
    first = tree.order[tree.start[nodes]]
    lost = np.zeros(len(nodes))
    for column in columns:
        tick(None, tr(_LOSS).format(name=column.attribute.name))
        lost += column.attribute.weight * recode(column, cover).penalties(column)[first]
    return np.asarray(lost * sizes)


def _of_items(
    tree: Tree, nodes: np.ndarray, columns: Sequence[Items], baskets: Baskets, k: int, m: int, tick: Tick
) -> np.ndarray:
    """Return the loss of items of each of these nodes, of one depth, as a group: a lower bound for m = 1, an
    estimate for more."""
    labels, lost = tree.labels(nodes), np.zeros(len(nodes))
    if not len(nodes):
        return lost
    hidden = ~shown_items(baskets, labels, k, m, tick, _PASSES)
    group = np.repeat(labels, np.diff(baskets.starts))
    hidden &= group >= 0
    group, tokens = group[hidden], baskets.tokens[hidden]
    for column, (first, end) in zip(columns, pairwise(baskets.first), strict=True):
        tick(None, tr(_LOSS).format(name=column.attribute.name))
        gone = np.bincount(group[(first <= tokens) & (tokens < end)], minlength=len(nodes))
        lost += column.attribute.weight * gone * (len(labels) / max(len(column.items), 1))
    return lost


def loss_of(
    columns: Sequence[Column], baskets: Baskets, groups: np.ndarray, kept: np.ndarray, tick: Tick
) -> float:
    """Return the loss of a cover of these groups that publishes the ``kept`` tokens, summed over columns and
    records."""
    cover, lost = Partition(groups), 0.0
    first = cover.order[cover.starts[:-1]]
    for column in columns:
        tick(None, tr(_LOSS).format(name=column.attribute.name))
        if not isinstance(column, Items):
            penalties = recode(column, cover).penalties(column)[first]
            lost += column.attribute.weight * float((penalties * cover.sizes).sum())
    sets = [column for column in columns if isinstance(column, Items)]
    for column, places in zip(sets, baskets.places, strict=True):
        gone = np.count_nonzero(~kept[places])
        lost += column.attribute.weight * gone * len(groups) / max(len(places), 1)
    return lost


def classes_of(columns: Sequence[Column], groups: np.ndarray) -> np.ndarray:
    """Return the class of each record, int64 (n): equal for groups with equal single values."""
    cover = Partition(groups)
    key = np.zeros(len(cover.sizes), np.int64)
    for column in columns:
        if not isinstance(column, Items):
            key = paired(key, np.unique(recode(column, cover).cells.keys(), return_inverse=True)[1])
    return np.asarray(key[cover.groups])
