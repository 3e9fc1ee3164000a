"""Construction of an index: median splits along the widest attribute, level by level."""

from collections.abc import Callable

import numpy as np

from kanon_core.algorithms.clustering.nearest.index_kernels import (
    BUILT,
    LEAVES,
    SIZE,
    Index,
    before,
    leaf_count,
    summarize,
)
from kanon_core.base.compiled import kernel

SAMPLE = 1000  # records examined to choose the attribute of a split


def build(ix: Index, tick: Callable[[], None]) -> None:
    """Put the remaining records into new leaves; tick after each level. Cost O(n (p + q) log n)."""
    left = np.flatnonzero(ix.leaf_of >= 0)
    ix.order[: left.size] = left
    ix.counts[LEAVES] = leaf_count(int(ix.counts[SIZE]))
    for level in range(int(ix.counts[LEAVES]).bit_length() - 1):
        tick()
        split_level(ix, level)
    tick()
    fill_leaves(ix)


@kernel
def select(keys: np.ndarray, order: np.ndarray, start: int, stop: int, middle: int) -> None:
    """Reorder keys and order between start and stop so that the least (key, record) pairs are before
    middle."""
    stop -= 1
    while start < stop:
        half = (start + stop) // 2
        if before(keys[stop], order[stop], keys[start], order[start]):
            keys[start], keys[stop] = keys[stop], keys[start]
            order[start], order[stop] = order[stop], order[start]
        if before(keys[half], order[half], keys[start], order[start]):
            half = start
        elif before(keys[stop], order[stop], keys[half], order[half]):
            half = stop
        key, record = keys[half], order[half]
        i, j = start, stop
        while i <= j:
            while before(keys[i], order[i], key, record):
                i += 1
            while before(key, record, keys[j], order[j]):
                j -= 1
            if i <= j:
                keys[i], keys[j] = keys[j], keys[i]
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if middle <= j:
            stop = j
        elif middle >= i:
            start = i
        else:
            return


@kernel
def widest(numeric: np.ndarray, codes: np.ndarray, weights: np.ndarray, records: np.ndarray) -> int:
    """Return the attribute, numeric first, whose extreme values among the records are farthest apart."""
    p, q = numeric.shape[1], codes.shape[1]
    chosen, best = 0, -1.0
    for j in range(p):
        low = high = numeric[records[0], j]
        for i in records:
            low, high = min(low, numeric[i, j]), max(high, numeric[i, j])
        if (high - low) ** 2 > best:
            chosen, best = j, (high - low) ** 2
    for j in range(q):
        place = 1
        while weights[j] > best and place < records.shape[0]:
            if codes[records[place], j] != codes[records[0], j]:
                chosen, best = p + j, weights[j]
            place += 1
    return chosen


@kernel
def split_level(ix: Index, level: int) -> None:
    """Split every node of a level at its median along its widest attribute, judged by a sample."""
    n, p = ix.counts[SIZE], ix.numeric.shape[1]
    numeric, codes, keys, order = ix.numeric, ix.codes, ix.keys, ix.order
    for node in range(1 << level):
        start, stop = n * node >> level, n * (node + 1) >> level
        middle = n * (2 * node + 1) >> (level + 1)
        if stop - start < 2:
            continue
        j = widest(numeric, codes, ix.weights, order[start : stop : 1 + (stop - start) // SAMPLE])
        for place in range(start, stop):
            i = order[place]
            keys[place] = numeric[i, j] if j < p else float(codes[i, j - p])
        select(keys, order, start, stop, middle)


@kernel
def fill_leaves(ix: Index) -> None:
    """Copy the records into their leaves and compute every node; radii are unknown (infinite)."""
    n, leaves, order = ix.counts[SIZE], ix.counts[LEAVES], ix.order
    ix.counts[BUILT] = n
    for leaf in range(leaves):
        start, stop = n * leaf // leaves, n * (leaf + 1) // leaves
        ix.filled[leaf] = stop - start
        copy_records(ix.numeric, ix.codes, order[start:stop], ix.block[leaf], ix.cells[leaf])
        for lane in range(stop - start):
            i = order[start + lane]
            ix.leaf_of[i] = leaf
            ix.record[leaf, lane] = i
            ix.radius[leaf, lane] = np.inf
        summarize(ix, leaf, True)


@kernel
def copy_records(
    numeric: np.ndarray, codes: np.ndarray, records: np.ndarray, block: np.ndarray, cells: np.ndarray
) -> None:
    """Copy records into a leaf's block (p, LANES) and cells (q, LANES)."""
    for lane in range(records.shape[0]):
        i = records[lane]
        for j in range(numeric.shape[1]):
            block[j, lane] = numeric[i, j]
        for j in range(codes.shape[1]):
            cells[j, lane] = codes[i, j]
