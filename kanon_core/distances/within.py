"""Sums of the distances within disjoint groups, without looking at pairs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kanon_core.base.errors import KanonError
from kanon_core.base.words import tr
from kanon_core.distances.manhattan import ManhattanPoints

_COUNTS_PER_RECORD = 100
_CELLS_AT_ONCE = 4_000_000


def sums_within(points: ManhattanPoints, order: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """float64 (n): Σ over the records j of i's group of d(i, j); 0 for a record without a group.

    Group g is the records ``order[starts[g]:starts[g + 1]]``, as in `kanon_core.covers.cover.Partition`. d is
    a sum over attributes, so that each has a closed form: for numbers in ascending order, every gap counts
    once for each pair of a number on its left and one on its right; for categories, the records with another
    value count; for matrices, each value of the group counts as often as it occurs. Cost O(n log n ·
    attributes), whatever the sizes of the groups, and O(n V) for a matrix of V values.

    Raises KanonError for points with places, whose distances have no closed form.
    """
    if points.beyond.places.shape[1]:
        raise KanonError(tr("Distances of places can be summed only pair by pair; choose another distance."))
    sums = np.zeros(len(points))
    blocks = list(_blocks(order, starts)) if points.numeric.shape[1] else []
    for column in points.numeric.T:
        for rows in blocks:
            sums[rows] += _of_numbers(column[rows])
    for codes, weight in zip(points.codes.T, points.weights, strict=True):
        sums[order] += weight * _mismatches(codes[order], np.diff(starts))
    there = points.beyond
    for codes, start, size, weight in zip(
        there.codes.T, there.starts, there.sizes, there.weights, strict=True
    ):
        cells = there.cells[start : start + size * size].reshape(size, size)
        sums[order] += weight * _of_matrix(codes[order], cells, starts)
    return sums


def _of_matrix(codes: np.ndarray, cells: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Return Σ_j cells[i, j] over the records j of each record's group, for groups one after another."""
    from scipy.sparse import csr_array

    found, step = np.zeros(len(codes)), max(1, _CELLS_AT_ONCE // len(cells))
    for first in range(0, len(starts) - 1, step):
        ends = starts[first : first + step + 1]
        of = slice(ends[0], ends[-1])
        ones = np.ones(ends[-1] - ends[0])
        held = csr_array((ones, codes[of], ends - ends[0]), shape=(len(ends) - 1, len(cells)))
        owner = np.repeat(np.arange(len(ends) - 1), np.diff(ends))
        found[of] = np.asarray(held @ cells)[owner, codes[of]]
    return found


def _blocks(order: np.ndarray, starts: np.ndarray) -> Iterator[np.ndarray]:
    """The record numbers of all groups of one size, a row each, for every size."""
    sizes = np.diff(starts)
    for size in np.unique(sizes):
        yield order[starts[:-1][sizes == size][:, None] + np.arange(size)]


def _of_numbers(values: np.ndarray) -> np.ndarray:
    """Σ_j |x_i − x_j| along each row, of the shape of ``values``; missing numbers (NaN) add nothing."""
    order = np.argsort(values, axis=1)
    gaps = np.diff(np.take_along_axis(values, order, axis=1), axis=1)
    present = np.count_nonzero(~np.isnan(values), axis=1)[:, None]
    left = np.arange(1, values.shape[1])
    gaps[np.isnan(gaps)] = 0.0  # NaN is sorted to the end
    ascending = np.zeros(values.shape)
    np.cumsum(gaps * left, axis=1, out=ascending[:, 1:])
    ascending[:, :-1] += np.cumsum((gaps * (present - left))[:, ::-1], axis=1)[:, ::-1]
    sums = np.empty(values.shape)
    np.put_along_axis(sums, order, ascending, axis=1)
    return np.where(np.isnan(values), 0.0, sums)


def _mismatches(codes: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """int64: how many codes of its group differ from each, for groups of these sizes one after another."""
    width = int(codes.max(initial=0)) + 1
    keys = np.repeat(np.arange(len(sizes)) * width, sizes) + codes
    if len(sizes) * width > _COUNTS_PER_RECORD * len(codes):
        keys = np.unique(keys, return_inverse=True)[1]
    return np.asarray(np.repeat(sizes, sizes) - np.bincount(keys)[keys])
