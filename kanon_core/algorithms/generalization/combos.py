"""Combinations of items that too few records have."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def all_often(sets: csr_array, k: int, m: int) -> bool:
    """Return whether each combination of at most ``m`` ≥ 1 items that a set has is in k sets or more.

    ``sets`` int64 (sets, items), 1 if a set has an item. Cost at most Σ |set|^m.
    """
    counts = np.asarray(sets.sum(axis=0)).ravel()
    if ((counts > 0) & (counts < k)).any():
        return False
    if m == 1:
        return True
    if m == 2:
        return bool((sets.T @ sets).data.min(initial=k) >= k)
    columns = sets.tocsc()
    for item in np.flatnonzero(counts):
        rows = columns.indices[columns.indptr[item] : columns.indptr[item + 1]]
        if not all_often(sets[np.sort(rows)][:, item + 1 :], k, m - 1):
            return False
    return True


def rare_combinations(
    sets: csr_array, weight: np.ndarray, k: int, m: int, tick: Callable[[], None] = lambda: None
) -> Iterator[np.ndarray]:
    """Yield blocks of combinations of exactly ``m`` items that one record or more, but fewer than k, have:
    int64 (…, m), ascending in each row, in ascending order.

    ``sets``: as in `all_often`, each for ``weight`` records; every smaller combination has k records or none.
    Cost at most Σ |set|^m.
    """
    if m == 1:
        counts = sets.T @ weight
        yield np.flatnonzero((counts > 0) & (counts < k))[:, None]
        return
    if m == 2:
        tick()
        yield _rare_pairs(sets, weight, k)
        return
    columns = sets.tocsc()
    for item in np.flatnonzero(np.diff(columns.indptr)):
        rows = np.sort(columns.indices[columns.indptr[item] : columns.indptr[item + 1]])
        later = sets[rows][:, item + 1 :]
        for block in rare_combinations(later, weight[rows], k, m - 1, tick):
            if len(block):
                yield np.column_stack([np.full(len(block), item), block + item + 1])


def _rare_pairs(sets: csr_array, weight: np.ndarray, k: int) -> np.ndarray:
    """Return the rare pairs i < j, int64 (…, 2), ascending."""
    from scipy.sparse import coo_array, triu

    weighted = sets.multiply(weight[:, None]).tocsr()
    counts = coo_array(triu(weighted.T @ sets, 1))
    few = counts.data < k
    first, second = (side[few].astype(np.int64) for side in counts.coords)
    order = np.lexsort((second, first))
    return np.column_stack([first[order], second[order]])
