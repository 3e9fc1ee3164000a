"""The nearest other records of each record, and the pairs that they are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kanon_core.base.progress import Tick, silent

_ALL_PAIRS_AT_MOST = 3_000
_PER_CALL, _PER_BOX = 5_000, 32
_PLACES_AT_MOST = 20_000_000


class Near(NamedTuple):
    """The nearest others of each record, nearest first: ``records`` int64 (n, count) and ``distances``
    float64 (n, count)."""

    records: np.ndarray
    distances: np.ndarray


def nearest(places: np.ndarray, count: int, norm: int, tick: Tick = silent) -> Near:
    """The ``count`` < n nearest others of each record by Euclidean (``norm`` 2) or Manhattan (1) distance of
    places, float64 (n, d). Cost n² · d up to 3,000 records; above, that of a box tree: about n log n for few
    dimensions."""
    return (
        _compared(places, count, norm)
        if len(places) <= _ALL_PAIRS_AT_MOST
        else _searched(places, count, norm, tick)
    )


class Distances(NamedTuple):
    """The distances from each different place to its neighbors.

    ``to`` float64 (m, count): the distances of one record of the place to its nearest others, nearest first;
    ``records`` int64 (m): how many records are at the place.
    """

    to: np.ndarray
    records: np.ndarray


def distances(places: np.ndarray, count: int, norm: int, tick: Tick = silent) -> Distances:
    """Return the distances of `nearest` without naming the other records; records of equal values are
    searched for once.

    >>> distances(np.array([[1.0], [5.0], [1.0]]), 2, 2).to.tolist()  # of 1, then of 5
    [[0.0, 4.0], [4.0, 4.0]]
    """
    one, records = _different(places)
    if len(one) == len(places):
        near = nearest(places, count, norm, tick)
        return Distances(near.distances, np.ones(len(places), np.int64))
    others = min(count, len(one) - 1)
    near = nearest(places[one], others, norm, tick) if others else Near(*np.zeros((2, len(one), 0), np.int64))
    held = np.concatenate([records[:, None] - 1, records[near.records]], axis=1)
    taken = np.diff(np.minimum(np.cumsum(held, axis=1), count), axis=1, prepend=0)
    far = np.concatenate([np.zeros((len(one), 1)), near.distances], axis=1)
    return Distances(np.repeat(far.ravel(), taken.ravel()).reshape(-1, count), records)


def _compared(places: np.ndarray, count: int, norm: int) -> Near:
    """Compare all pairs, one column after another, so that a first picture need not wait for scipy."""
    apart = np.zeros((len(places), len(places)))
    for column in places.T:
        far = np.subtract.outer(column, column)
        apart += far**2 if norm == 2 else np.abs(far)
    apart = np.sqrt(apart, out=apart) if norm == 2 else apart
    np.fill_diagonal(apart, np.inf)
    found = np.argpartition(apart, count - 1, axis=1)[:, :count] if count < len(places) - 1 else None
    found = np.argsort(apart, axis=1)[:, :count] if found is None else found
    distances = np.take_along_axis(apart, found, 1)
    order = np.argsort(distances, axis=1, kind="stable")
    return Near(np.take_along_axis(found, order, 1), np.take_along_axis(distances, order, 1))


def _searched(places: np.ndarray, count: int, norm: int, tick: Tick) -> Near:
    """Search by a box tree, in the order of its boxes, so that neighbors find what they need in the cache.
    Where many records lie on one spot, a record may not find itself; it then drops the last one found."""
    from scipy.spatial import cKDTree

    tree, shape = cKDTree(places, leafsize=_PER_BOX), (len(places), count)
    found = Near(np.empty(shape, np.int64), np.empty(shape))
    for start in range(0, len(places), _PER_CALL):
        tick(start / len(places), "")
        rows = tree.indices[start : start + _PER_CALL]
        distances, records = tree.query(places[rows], count + 1, p=norm, workers=-1)
        own = records == rows[:, None]
        if not own[:, 0].all():
            own[~own.any(axis=1), -1] = True
            first = np.argsort(~own, axis=1, kind="stable")
            records, distances = (np.take_along_axis(each, first, 1) for each in (records, distances))
        found.records[rows], found.distances[rows] = records[:, 1:], distances[:, 1:]
    return found


def _different(places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a record for each place, int64 (m), and how many records are at the place, int64 (m)."""
    mixed, key = np.random.default_rng(0).random((places.shape[1],)), np.zeros(len(places))
    for column, share in enumerate(mixed):
        key += share * places[:, column]
    order = np.argsort(key, kind="stable")
    new = np.append(True, (places[order[1:]] != places[order[:-1]]).any(axis=1))
    starts = np.flatnonzero(new)
    return order[starts], np.diff(np.append(starts, len(places)))


class Pairs(NamedTuple):
    """The pairs of records of which at least one is near the other.

    ``squares`` float64 (n, c): squared distances of these others, nearest first, infinite where a record has
    fewer; beyond them come ``rest`` float64 (n, k − 1), which no other record falls below. ``pair`` int64
    (n, c): the number of the pair that a place stands for, −1 where the other does not have this record;
    ``sign`` is 1 for one and −1 for the other of the two. ``keys`` int64 (pairs), ascending: low record · n +
    high record of each pair.
    """

    squares: np.ndarray
    rest: np.ndarray
    pair: np.ndarray
    sign: np.ndarray
    keys: np.ndarray

    @property
    def ends(self) -> np.ndarray:
        """int64 (2, pairs): the low and the high record of each pair."""
        return np.stack(np.divmod(self.keys, len(self.squares)))


def paired(near: Near, k: int) -> Pairs:
    """Return the pairs of each record with its nearest others and with those whose nearest others it is
    among; the farthest of the nearest bounds all the rest."""
    records, distances = near.records[:, :-1], near.distances
    n, count = records.shape
    own, other = np.repeat(np.arange(n), count), records.ravel()
    one_way = ~np.isin(other * n + own, own * n + other)
    squares = distances[:, :-1].ravel() ** 2
    own, other = np.concatenate([own, other[one_way]]), np.concatenate([other, own[one_way]])
    squares = np.concatenate([squares, squares[one_way]])
    order = np.lexsort((squares, own))
    own, other, squares = own[order], other[order], squares[order]
    starts = np.searchsorted(own, np.arange(n))
    place = np.arange(len(own)) - starts[own]
    width = min(int(place.max()) + 1, max(count, _PLACES_AT_MOST // n))
    kept = place < width
    own, other, squares, place = own[kept], other[kept], squares[kept], place[kept]
    keys, pair, counts = np.unique(
        np.minimum(own, other) * n + np.maximum(own, other), return_inverse=True, return_counts=True
    )
    number = np.where(counts[pair] == 2, np.cumsum(counts == 2)[pair] - 1, -1)
    found = np.full((n, width), np.inf), np.full((n, width), -1), np.zeros((n, width))
    for grid, values in zip(found, (squares, number, np.where(own < other, 1.0, -1.0)), strict=True):
        grid[own, place] = values
    rest = np.repeat(distances[:, -1:] ** 2, k - 1, axis=1)
    return Pairs(found[0], rest, found[1], found[2], keys[counts == 2])
