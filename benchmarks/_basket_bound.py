"""Bound that no partition into groups of k can beat: on the items shown, to see how far a search may be from
the best."""

from __future__ import annotations

import numpy as np

from kanon_core.base.progress import Tick, silent

_RECORDS_PER_CALL = 50
_NODES = 20_000


def most_shown(starts: np.ndarray, items: np.ndarray, width: int, k: int, tick: Tick = silent) -> np.ndarray:
    """For each record an upper bound of the items that any group of k or more records with it can show, int64
    (n,).

    It is the size of the largest subset of the record's items that at least k records (it included) have;
    where that takes more than 20,000 nodes of a branch and bound, the k-th largest overlap with any record,
    which is no less. The sum over the records bounds Σ |group| · |common items|; the best partition may stay
    far below it, because the k records that a subset needs are wanted for other subsets too.

    Records as in `refine_sets.refined`. Cost: the records that share an item, for each record; about 10 s for
    BMS-WebView-2.
    """
    from benchmarks._basket_bound_kernels import bounds

    n = len(starts) - 1
    holders = np.repeat(np.arange(n), np.diff(starts))[np.argsort(items, kind="stable")]
    first = np.concatenate([[0], np.cumsum(np.bincount(items, minlength=width))])
    found = np.zeros(n, np.int64)
    for begin in range(0, n, _RECORDS_PER_CALL):
        end = min(begin + _RECORDS_PER_CALL, n)
        found[begin:end] = bounds(starts, items, first, holders, k, begin, end, _NODES)
        tick(end / n, "bounding")
    return found
