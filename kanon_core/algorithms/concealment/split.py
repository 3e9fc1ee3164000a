"""König's theorem at work: a regular bipartite graph is a union of perfect matchings."""

from __future__ import annotations

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr


def split_regular(partners: np.ndarray, tick: Tick = silent) -> np.ndarray:
    """The r perfect matchings, int64 (r, n), of the r-regular bipartite graph with edges j → partners[j, s],
    (n, r).

    Row t is a permutation P with P[j] one of j's partners; together the rows use every edge once. A perfect
    matching exists by Hall's theorem; taking it away leaves a graph of degree r − 1, and so on. Cost O(r² n
    √n) at worst, O(r² n) as a rule. Raises ValueError when a column does not occur exactly r times.

    Reference: D. König, Über Graphen und ihre Anwendung auf Determinantentheorie und Mengenlehre, Math.
    Annalen 77, 1916.
    """
    n, degree = partners.shape
    if (np.bincount(partners.ravel(), minlength=n) != degree).any():
        raise ValueError(tr("The graph to split must have as many edges at every column as at every row."))
    left = np.sort(partners, axis=1)
    matchings = np.empty((degree, n), np.int64)
    for t in range(degree - 1):
        tick(t / degree, "splitting")
        matchings[t] = _perfect(left)
        left = left[left != matchings[t][:, None]].reshape(n, degree - t - 1)
    if degree:
        matchings[-1] = left[:, 0]
    return matchings


def _perfect(partners: np.ndarray) -> np.ndarray:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    n, degree = partners.shape
    edges = np.ones(partners.size, np.int8)
    starts = np.arange(0, partners.size + 1, degree)
    graph = csr_array((edges, partners.ravel(), starts), shape=(n, n))
    return np.asarray(maximum_bipartite_matching(graph, perm_type="column"), np.int64)
