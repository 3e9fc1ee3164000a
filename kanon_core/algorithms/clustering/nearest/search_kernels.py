"""Nearest and farthest records of an index, by branch and bound; ties go to the lowest record number."""

import numpy as np

from kanon_core.algorithms.clustering.nearest.index_kernels import (
    AIM,
    LEAVES,
    WORK,
    Index,
    aim,
    before,
    refresh,
    remove,
)
from kanon_core.base.compiled import inlined, kernel

PULL = 0.7


@inlined
def leaf_squares(
    block: np.ndarray, cells: np.ndarray, leaf: int, x: np.ndarray, terms: np.ndarray, squares: np.ndarray
) -> None:
    """Compute the squared distances of a leaf's records from the values x and the codes of `terms`."""
    lanes = squares.shape[0]
    for lane in range(lanes):
        squares[lane] = 0.0
    for j in range(x.shape[0]):
        value = x[j]
        for lane in range(lanes):
            difference = block[leaf, j, lane] - value
            squares[lane] += difference * difference
    for j in range(cells.shape[1]):
        for lane in range(lanes):
            squares[lane] += terms[cells[leaf, j, lane]]


@inlined
def some_within(squares: np.ndarray, limit: float) -> bool:
    """Return whether any is at most limit; counting, unlike an early exit, is vectorized."""
    count = 0
    for square in squares:
        count += square <= limit
    return count > 0


@inlined
def some_beyond(squares: np.ndarray, limit: float) -> bool:
    """Return whether any is at least limit."""
    count = 0
    for square in squares:
        count += square >= limit
    return count > 0


@inlined
def nearest_bound(
    box: np.ndarray, seen: np.ndarray, weights: np.ndarray, node: int, x: np.ndarray, codes: np.ndarray
) -> float:
    """Return a lower bound of the squared distance from (x, codes) to the records of a node."""
    square = 0.0
    for j in range(x.shape[0]):
        gap = max(box[node, 0, j] - x[j], x[j] - box[node, 1, j], 0.0)
        square += gap * gap
    for j in range(codes.shape[0]):
        present = (seen[node, j] >> np.int64(codes[j] & 63)) & 1
        square += 0.0 if present else weights[j]
    return square


@inlined
def farthest_bound(
    box: np.ndarray,
    ends: np.ndarray,
    center: np.ndarray,
    node: int,
    x: np.ndarray,
    terms: np.ndarray,
    greatest: np.ndarray,
    reach: float,
    distance: float,
) -> float:
    """Return an upper bound of the squared distance from (x, terms) to the records of a node that has some.

    It is the least of three bounds: the farthest corner of the box; (reach + distance)^2, by the triangle
    inequality over the reference centroid; and the Lagrangian bound of "in the box, at most reach from the
    reference centroid", which, with that centroid as origin, is the maximum over y in the box of |x - y|^2 -
    (1 + PULL) |y|^2, plus (1 + PULL) reach^2. Only the first is rounded like a distance; the others are
    increased by more than their rounding errors.
    """
    corner, pulled, scale, categories = 0.0, 0.0, 0.0, 0.0
    for j in range(x.shape[0]):
        low, high = box[node, 0, j], box[node, 1, j]
        gap = max(x[j] - low, high - x[j])
        corner += gap * gap
        u = x[j] - center[j]
        y = min(max(u * (-1.0 / PULL), low - center[j]), high - center[j])
        pulled += (y - u) * (y - u) - (1.0 + PULL) * y * y
        scale += u * u + 1e-11 * (x[j] * x[j] + center[j] * center[j])
    for j in range(greatest.shape[0]):
        first = ends[node, 0, j]
        term = terms[first] if first == ends[node, 1, j] else greatest[j]
        corner += term
        categories += term
    pulled += (1.0 + PULL) * reach * reach + 1e-9 * (scale + reach * reach) + categories * (1.0 + 1e-9)
    return min(corner, pulled, (reach + distance) * (reach + distance))


@kernel
def sift_down(squares: np.ndarray, records: np.ndarray, size: int) -> None:
    """Restore a heap, the greatest (square, record) on top, after its top was replaced."""
    parent, square, record = 0, squares[0], records[0]
    child = 1
    while child < size:
        if child + 1 < size and before(
            squares[child], records[child], squares[child + 1], records[child + 1]
        ):
            child += 1
        if not before(square, record, squares[child], records[child]):
            break
        squares[parent], records[parent] = squares[child], records[child]
        parent, child = child, 2 * child + 1
    squares[parent], records[parent] = square, record


@kernel
def sort_heap(squares: np.ndarray, records: np.ndarray) -> None:
    """Turn a heap into ascending order of (square, record)."""
    for end in range(squares.shape[0] - 1, 0, -1):
        squares[0], squares[end] = squares[end], squares[0]
        records[0], records[end] = records[end], records[0]
        sift_down(squares, records, end)


@kernel
def nearest(ix: Index, i: int, squares: np.ndarray, records: np.ndarray) -> None:
    """Replace the pairs of a heap by nearer records of the tree; (inf, n) is an empty entry.

    Distances are squared distances from record i, which need not be in the tree.
    """
    if ix.counts[AIM] != i:
        aim(ix, i)
    x, codes, terms, weights, size = ix.numeric[i], ix.codes[i], ix.terms, ix.weights, squares.shape[0]
    block, cells, record, filled, found = ix.block, ix.cells, ix.record, ix.filled, ix.squares
    box, seen, lowest, stack, bounds = ix.box, ix.seen, ix.lowest, ix.stack, ix.bounds
    first_leaf, visits, top = ix.counts[LEAVES] - 1, 0, 1
    stack[0], bounds[0] = 0, nearest_bound(box, seen, weights, 0, x, codes)
    while top:
        top -= 1
        node = stack[top]
        if not before(bounds[top], lowest[node], squares[0], records[0]):
            continue
        visits += 1
        leaf = node - first_leaf
        if leaf >= 0:
            leaf_squares(block, cells, leaf, x, terms, found)
            if some_within(found, squares[0]):
                for lane in range(filled[leaf]):
                    if before(found[lane], record[leaf, lane], squares[0], records[0]):
                        squares[0], records[0] = found[lane], record[leaf, lane]
                        sift_down(squares, records, size)
            continue
        near, far = 2 * node + 1, 2 * node + 2
        bound = nearest_bound(box, seen, weights, near, x, codes)
        other = nearest_bound(box, seen, weights, far, x, codes)
        if other < bound:
            near, far, bound, other = far, near, other, bound
        stack[top], bounds[top] = far, other
        stack[top + 1], bounds[top + 1] = near, bound
        top += 2
    ix.counts[WORK] += visits


@kernel
def take_nearest(ix: Index, pivot: int, squares: np.ndarray, members: np.ndarray) -> None:
    """Move a pivot and its k - 1 nearest from the tree into `members` (k,): the pivot, then nearest first."""
    members[0], others = pivot, members[1:]
    remove(ix, pivot)
    refresh(ix, pivot)
    for place in range(others.shape[0]):
        squares[place], others[place] = np.inf, ix.leaf_of.shape[0]
    if others.shape[0]:
        nearest(ix, pivot, squares, others)
        sort_heap(squares, others)
    for i in others:
        remove(ix, i)
    for i in others:
        refresh(ix, i)


@kernel
def farthest(ix: Index, x: np.ndarray, terms: np.ndarray, greatest: np.ndarray, distance: float) -> int:
    """Return the record farthest from (x, terms), a point at most `distance` from the reference centroid.

    greatest (q,): the greatest term of each attribute.
    """
    block, cells, record, filled, found = ix.block, ix.cells, ix.record, ix.filled, ix.squares
    box, ends, center, reach, lowest = ix.box, ix.ends, ix.center, ix.reach, ix.lowest
    stack, bounds = ix.stack, ix.bounds
    first_leaf, visits, top, n = ix.counts[LEAVES] - 1, 0, 1, ix.leaf_of.shape[0]
    best, chosen = -1.0, n
    stack[0], bounds[0] = 0, np.inf
    while top:
        top -= 1
        node = stack[top]
        if lowest[node] == n or not before(best, lowest[node], bounds[top], chosen):
            continue
        visits += 1
        leaf = node - first_leaf
        if leaf >= 0:
            leaf_squares(block, cells, leaf, x, terms, found)
            if some_beyond(found, best):
                for lane in range(filled[leaf]):
                    if found[lane] > best or (found[lane] == best and record[leaf, lane] < chosen):
                        best, chosen = found[lane], record[leaf, lane]
            continue
        near, far = 2 * node + 1, 2 * node + 2
        bound = farthest_bound(box, ends, center, near, x, terms, greatest, reach[near], distance)
        other = farthest_bound(box, ends, center, far, x, terms, greatest, reach[far], distance)
        if bound > other:
            near, far, bound, other = far, near, other, bound
        stack[top], bounds[top] = near, bound
        stack[top + 1], bounds[top + 1] = far, other
        top += 2
    ix.counts[WORK] += visits
    return int(chosen)
