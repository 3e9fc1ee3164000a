"""Records and the others they are near to, as pairs that both of their records look at."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kanon_core.bounds.nearest import Near

_PLACES_AT_MOST = 20_000_000


class Pairs(NamedTuple):
    """Records and the others that either of the two is near.

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
    """Each record's near others, and those that it is near to; the farthest near one bounds all the rest."""
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
