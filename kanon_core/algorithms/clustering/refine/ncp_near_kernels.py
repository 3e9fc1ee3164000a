"""Compiled neighbor search under the NCP distance: a k-d tree for mixed records.

The distance of two records is the penalty of a group of the two: weighted |x - y| in every numeric attribute
(1 between missing and present) plus the step of every categorical attribute in which they differ. Equal
records are one point, a *cell*. Nodes hold intervals and value sets (64-bit masks; values of large domains
share bits, and the bound stays valid), so the search is exact within its budget of visited points.
"""

from typing import NamedTuple

import numpy as np

from kanon_core.algorithms.clustering.refine.ncp_groups_kernels import Records, span
from kanon_core.base.compiled import by_reference, kernel
from kanon_core.base.sorting_kernels import order

LEAF = 16


@by_reference
class Tree(NamedTuple):
    """A tree over the points of cells; order (c,): the cells, sorted by node.

    start, end, left, right, parent (-1 = none) of a node; low, high (m, p) and mask (m, q): its box and value
    set; alive (m,): records left below it (greedy search only); stack: nodes still to be cut; state: nodes
    made, nodes on the stack.
    """

    points: Records
    order: np.ndarray
    start: np.ndarray
    end: np.ndarray
    left: np.ndarray
    right: np.ndarray
    parent: np.ndarray
    low: np.ndarray
    high: np.ndarray
    mask: np.ndarray
    alive: np.ndarray
    stack: np.ndarray
    state: np.ndarray


def new_tree(points: Records) -> Tree:
    """Return a tree of one node, to be cut by `grow`."""
    cells, p = points.numeric.shape
    nodes = cells // 2 + 8
    start, end, left, right, parent, alive = np.full((6, nodes), -1)
    start[0], end[0] = 0, cells
    low, high = np.zeros((2, nodes, p))
    mask, stack = np.zeros((nodes, points.values.shape[1]), np.int64), np.zeros(nodes, np.int64)
    lists = start, end, left, right, parent
    return Tree(points, np.arange(cells), *lists, low, high, mask, alive, stack, np.array([1, 1]))


def cell_hashes(records: Records) -> np.ndarray:
    """Return one 64-bit number per record; equal records have equal numbers."""
    out = np.zeros(len(records.values), np.int64)
    for column in (*records.numeric.view(np.int64).T, *records.values.T):
        out = (out ^ column) * 0x1E3779B97F4A7C15
        out ^= out >> 29
    return out


@kernel
def describe(tree: Tree, node: int) -> None:
    """Compute the box and the value set of a node."""
    points = tree.points
    tree.low[node] = np.inf
    tree.high[node] = -np.inf
    tree.mask[node] = 0
    for i in range(tree.start[node], tree.end[node]):
        c = tree.order[i]
        for a in range(points.width.size):
            tree.low[node, a] = min(tree.low[node, a], points.numeric[c, a])
            tree.high[node, a] = max(tree.high[node, a], points.numeric[c, a])
        for a in range(points.step.size):
            tree.mask[node, a] |= np.int64(1) << (points.values[c, a] & 63)


@kernel
def cut_keys(tree: Tree, node: int, often: np.ndarray) -> np.ndarray:
    """Return sort keys of the node's cells in the attribute with the largest typical gap.

    The typical gap is a quarter of the range for a numeric attribute; for a categorical one, its step times
    the share of cells without the most frequent value, which comes first. often: zeros (values,).
    """
    points, cells = tree.points, tree.order[tree.start[node] : tree.end[node]]
    best, attribute = 0.0, -1
    for a in range(points.width.size):
        gap = points.width[a] * span(tree.low[node, a], tree.high[node, a]) / 4
        if gap > best:
            best, attribute = gap, a
    for a in range(points.step.size):
        top = 0
        for c in cells:
            often[points.values[c, a]] += 1
            top = max(top, often[points.values[c, a]])
        for c in cells:
            often[points.values[c, a]] = 0
        gap = points.step[a] * (1 - top / cells.size)
        if gap > best:
            best, attribute = gap, points.width.size + a
    keys = np.zeros(cells.size)
    if attribute < points.width.size:
        for i in range(cells.size):
            keys[i] = points.numeric[cells[i], max(attribute, 0)]
        return keys
    column = points.values[:, attribute - points.width.size]
    for c in cells:
        often[column[c]] += 1
    for i in range(cells.size):
        keys[i] = -often[column[cells[i]]] * float(often.size) + column[cells[i]]
    for c in cells:
        often[column[c]] = 0
    return keys


@kernel
def cut_point(keys: np.ndarray) -> int:
    """Return the position at which to cut sorted keys: between different keys near the middle if possible."""
    m = keys.size
    for i in range(m // 4):
        if keys[m // 2 - i - 1] != keys[m // 2 - i]:
            return m // 2 - i
        if keys[m // 2 + i] != keys[m // 2 + i + 1]:
            return m // 2 + i + 1
    return m // 2


@kernel
def grow(tree: Tree, often: np.ndarray, budget: int) -> bool:
    """Cut nodes of more than LEAF cells until about `budget` cells were visited; return True when done."""
    while tree.state[1] > 0:
        if budget <= 0:
            return False
        tree.state[1] -= 1
        node = tree.stack[tree.state[1]]
        start, end = tree.start[node], tree.end[node]
        budget -= end - start
        describe(tree, node)
        if end - start <= LEAF:
            continue
        keys = cut_keys(tree, node, often)
        by = order(keys)
        cells, ordered = np.empty(by.size, np.int64), np.empty(by.size)
        for i in range(by.size):
            cells[i], ordered[i] = tree.order[start + by[i]], keys[by[i]]
        for i in range(by.size):
            tree.order[start + i] = cells[i]
        middle = start + cut_point(ordered)
        left = tree.state[0]
        tree.state[0] += 2
        tree.left[node], tree.right[node] = left, left + 1
        for side in range(2):
            tree.parent[left + side] = node
            tree.start[left + side] = start if side == 0 else middle
            tree.end[left + side] = middle if side == 0 else end
            tree.stack[tree.state[1] + 1 - side] = left + side
        tree.state[1] += 2
    return True


@kernel
def distance(points: Records, c: int, b: int) -> float:
    """Return the NCP distance of two cells."""
    total = 0.0
    for a in range(points.step.size):
        if points.values[c, a] != points.values[b, a]:
            total += points.step[a]
    for a in range(points.width.size):
        x, y = points.numeric[c, a], points.numeric[b, a]
        total += points.width[a] * span(min(x, y), max(x, y))
    return total


@kernel
def bound(tree: Tree, c: int, node: int) -> float:
    """Return a lower bound of the distance from cell c to any cell below the node."""
    points = tree.points
    total = 0.0
    for a in range(points.step.size):
        if not (tree.mask[node, a] >> (points.values[c, a] & 63)) & 1:
            total += points.step[a]
    for a in range(points.width.size):
        x = points.numeric[c, a]
        if x < tree.low[node, a]:
            total += points.width[a] * min(1.0, tree.low[node, a] - x)
        elif x > tree.high[node, a]:
            total += points.width[a] * min(1.0, x - tree.high[node, a])
    return total


@kernel
def push(gaps: np.ndarray, cells: np.ndarray, size: int, gap: float, cell: int) -> int:
    """Insert a cell into the heap of the nearest ones, the farthest on top; return the heap's new size."""
    if size < gaps.size:
        i = size
        size += 1
        while i > 0 and gaps[(i - 1) // 2] < gap:
            gaps[i], cells[i] = gaps[(i - 1) // 2], cells[(i - 1) // 2]
            i = (i - 1) // 2
    else:
        i = 0
        while 2 * i + 1 < size:
            child = 2 * i + 1
            if child + 1 < size and gaps[child + 1] > gaps[child]:
                child += 1
            if gaps[child] <= gap:
                break
            gaps[i], cells[i] = gaps[child], cells[child]
            i = child
    gaps[i], cells[i] = gap, cell
    return size


@kernel
def nearest(
    tree: Tree, c: int, left: np.ndarray, gaps: np.ndarray, cells: np.ndarray, work: np.ndarray, budget: int
) -> int:
    """Find up to gaps.size nearest other cells of c that have records left; return how many.

    gaps, cells: the result, in heap order. work (2, nodes): scratch. At most `budget` cells are visited once
    the heap is full. Cells are numbered in tree order.
    """
    points = tree.points
    size, top = 0, 1
    work[:, 0] = 0.0
    while top > 0:
        top -= 1
        node = int(work[1, top])
        if size == gaps.size and (work[0, top] >= gaps[0] or budget < 0):
            continue
        if tree.left[node] < 0:
            budget -= tree.end[node] - tree.start[node]
            for b in range(tree.start[node], tree.end[node]):
                if left[b] > 0 and b != c:
                    gap = distance(points, c, b)
                    if size < gaps.size or gap < gaps[0]:
                        size = push(gaps, cells, size, gap, b)
            continue
        one, two = tree.left[node], tree.right[node]
        near, far = bound(tree, c, one), bound(tree, c, two)
        if near > far:
            one, two, near, far = two, one, far, near
        if tree.alive[two] > 0:
            work[0, top], work[1, top] = far, two
            top += 1
        if tree.alive[one] > 0:
            work[0, top], work[1, top] = near, one
            top += 1
    return size
