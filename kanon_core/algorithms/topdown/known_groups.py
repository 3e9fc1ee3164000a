"""Which cuts of the single values are worth the items they cost, when records show items of their own.

The smaller the groups, the fewer items k of their records have in common. So the tree of cuts is made to the end, and then cut back
where a group loses less than its parts: bottom up, a node is a group if its loss is at most that of the best groups below it. Of
these trees the one with the least loss is found [the weakest-link idea of Breiman et al., Classification and Regression Trees, 1984,
§3.3, with a loss that adds up]. The loss is that of the top-down pass: NCP of single values, and suppressed items over items per
record, each times the weight of its column.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kanon_core.algorithms.topdown.known import shown_items
from kanon_core.cells import CommonItems
from kanon_core.cover import Partition
from kanon_core.data.columns import Column, Items
from kanon_core.progress import Tick, stage
from kanon_core.recoding import recode

_PASSES = 1


class Tree(NamedTuple):
    """The groups that there ever were, the first all records: node i is ``order[start[i]:end[i]]``, its parts are ``left[i]`` and
    ``left[i] + 1`` (−1 = never cut), by cut ``cut[i]``. ``depth``: cuts above it."""

    order: np.ndarray
    start: np.ndarray
    end: np.ndarray
    left: np.ndarray
    cut: np.ndarray
    depth: np.ndarray


def tree_of(order: np.ndarray, cuts: np.ndarray) -> Tree:
    """The tree of these cuts (`counts_kernels.Work.cuts`). Cost O(cuts)."""
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
    tree: Tree, quasi: tuple[Column, ...], k: int, m: int, tick: Tick
) -> tuple[np.ndarray, np.ndarray]:
    """The group of each record, int64 (n), and which cuts are made, booleans: those of the least loss.

    What a node loses in items is found by one pass of `shown_items`. Cost: that of a pass for every depth of the tree.
    """
    lost, deepest = np.zeros(len(tree.start)), int(tree.depth.max())
    for depth in range(deepest + 1):
        nodes = np.flatnonzero(tree.depth == depth)
        part = stage(tick, depth / (deepest + 1), (depth + 1) / (deepest + 1))
        lost[nodes] = _losses(tree, nodes, quasi, k, m, part)
    best, made = lost.copy(), np.zeros(int((tree.left >= 0).sum()), bool)
    for parent in np.flatnonzero(tree.left >= 0)[np.argsort(-tree.cut[tree.left >= 0])].tolist():
        parts = best[tree.left[parent]] + best[tree.left[parent] + 1]
        if parts < best[parent]:
            best[parent], made[tree.cut[parent]] = parts, True
    return _labels(tree, made), made


def _labels(tree: Tree, made: np.ndarray) -> np.ndarray:
    """The group of each record after those of the cuts that are made, and not below one that is not."""
    ends, nodes = [], [0]
    while nodes:
        node = nodes.pop()
        if tree.left[node] >= 0 and made[tree.cut[node]]:
            nodes += [int(tree.left[node]), int(tree.left[node]) + 1]
        else:
            made[_below(tree, node)] = False
            ends.append(node)
    return _runs(tree, np.array(ends))


def _below(tree: Tree, node: int) -> list[int]:
    """The cuts of a node and of all below it."""
    found, nodes = [], [node]
    while nodes:
        one = nodes.pop()
        if tree.left[one] >= 0:
            found.append(int(tree.cut[one]))
            nodes += [int(tree.left[one]), int(tree.left[one]) + 1]
    return found


def _runs(tree: Tree, nodes: np.ndarray) -> np.ndarray:
    """int64 (n): which of these nodes each record is in, −1 = in none."""
    labels = np.full(len(tree.order), -1)
    sizes = tree.end[nodes] - tree.start[nodes]
    places = np.repeat(tree.start[nodes] - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
    labels[tree.order[places]] = np.repeat(np.arange(len(nodes)), sizes)
    return labels


def _losses(
    tree: Tree, nodes: np.ndarray, quasi: tuple[Column, ...], k: int, m: int, tick: Tick
) -> np.ndarray:
    """What each of these nodes, of one depth, would lose as a group."""
    labels, sizes = _runs(tree, nodes), tree.end[nodes] - tree.start[nodes]
    cover = Partition(labels)
    first = np.unique(cover.groups, return_index=True)[1][-len(nodes) :]
    lost = np.zeros(len(nodes))
    for column in quasi:
        if not isinstance(column, Items):
            tick(None, f"what groups lose of {column.attribute.name}")
            cells = recode(column, cover).cells
            assert not isinstance(cells, CommonItems)
            lost[labels[first]] += column.attribute.weight * cells.penalty(column)
    lost *= sizes
    sets = [column for column in quasi if isinstance(column, Items)]
    for column, shown in zip(sets, shown_items(sets, labels, k, m, tick, _PASSES), strict=True):
        group = np.repeat(labels, column.sizes)
        gone = np.bincount(group[~shown & (group >= 0)], minlength=len(nodes))
        lost += column.attribute.weight * gone * (len(labels) / max(len(column.items), 1))
    return lost
