"""V-MDAV's loop on an index: groups around the records farthest from the center, extended by near records."""

import numpy as np

from kanon_core.algorithms.clustering.mdav_kernels import Centroid
from kanon_core.algorithms.clustering.nearest.index_kernels import BUILT, SIZE, WORK, Index, refresh, remove
from kanon_core.algorithms.clustering.nearest.search_kernels import nearest, take_nearest
from kanon_core.base.compiled import kernel

GROUPS, PLACED, SEEDS = range(3)  # places in `state`: groups made, records placed, seeds tried


@kernel
def squares_from_centroid(ix: Index, centroid: Centroid, squares: np.ndarray) -> None:
    """Write the squared distances (n,) of all records from the centroid."""
    for i in range(squares.shape[0]):
        square = 0.0
        for j in range(ix.numeric.shape[1]):
            difference = ix.numeric[i, j] - centroid.mean[j]
            square += difference * difference
        for j in range(ix.codes.shape[1]):
            square += centroid.terms[ix.codes[i, j]]
        squares[i] = square


@kernel
def form_groups(
    ix: Index,
    k: int,
    gamma: float,
    seeds: np.ndarray,
    state: np.ndarray,
    squares: np.ndarray,
    sequence: np.ndarray,
    ends: np.ndarray,
    margins: np.ndarray,
    budget: int,
) -> None:
    """Form groups until about `budget` nodes were visited, the index is half empty or fewer than k records
    are left.

    seeds (n,): all records, the farthest from the center first. Group g ends before `ends[g]` in `sequence`.
    margins (n, 3): d_in, d_out and number of each record that joined by extension; in the row after a group,
    those of the record that did not join.
    """
    stop = ix.counts[WORK] + budget
    while ix.counts[SIZE] >= k and 2 * ix.counts[SIZE] >= ix.counts[BUILT] and ix.counts[WORK] < stop:
        while ix.leaf_of[seeds[state[SEEDS]]] < 0:
            state[SEEDS] += 1
        start = state[PLACED]
        take_nearest(ix, seeds[state[SEEDS]], squares, sequence[start : start + k])
        state[PLACED] = extend(ix, gamma, start, start + k, start + 2 * k - 1, sequence, margins)
        ends[state[GROUPS]] = state[PLACED]
        state[GROUPS] += 1


@kernel
def extend(
    ix: Index, gamma: float, start: int, stop: int, limit: int, sequence: np.ndarray, margins: np.ndarray
) -> int:
    """Let records join the group sequence[start:stop] while d_in < gamma d_out, up to `limit`; return the new
    stop."""
    n = ix.leaf_of.shape[0]
    square, record = np.empty(1), np.empty(1, np.int64)
    pair, pair_records = np.empty(2), np.empty(2, np.int64)
    while stop < limit and ix.counts[SIZE] > 0:
        square[0], record[0] = np.inf, n
        for place in range(start, stop):
            nearest(ix, sequence[place], square, record)
        # The nearest of e_min is e_min itself; the second nearest is its nearest other record.
        for place in range(2):
            pair[place], pair_records[place] = np.inf, n
        nearest(ix, record[0], pair, pair_records)
        inside, outside = np.sqrt(square[0]), np.sqrt(pair[0])
        margins[stop, 0], margins[stop, 1], margins[stop, 2] = inside, outside, record[0]
        if not inside < gamma * outside:
            break
        sequence[stop] = record[0]
        stop += 1
        remove(ix, record[0])
        refresh(ix, record[0])
    return stop
