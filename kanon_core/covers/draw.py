"""Draw the row of each record of a k-concealment release, instead of computing it.

The cover lists, for each record, k rows that could be its own: a graph in which every record and every row
has k edges. An attacker who knows the program and all quasi-identifiers can compute this graph. If the
program also determined each record's own row, the attacker could undo the release by running the program
again. So the release's secret seed draws one perfect matching of the graph, which assigns each record's
other columns to a row. Where a table was cut into fragments, each fragment draws by itself.

Attackers who know the algorithm: R. C. Wong, A. W. Fu, K. Wang, J. Pei, Minimality attack in privacy
preserving data publishing, VLDB 2007; X. Xiao, Y. Tao, N. Koudas, Transparent anonymization: thwarting
adversaries who know the algorithm, ACM Transactions on Database Systems 35(2), 2010; G. Cormode, N. Li, T.
Li, D. Srivastava, Minimizing minimality and maximizing utility: analyzing method-based attacks on anonymized
data, PVLDB 3(1), 2010.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from kanon_core.base.randomness import generator, seed_of
from kanon_core.table.columns.keys import order_of


def drawn(rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """int64 (n): one of the k edges of each record, so that all lead to different rows.

    ``rows`` int64 (n, k): the rows that each record has an edge to; each row is one of k records'. Where the
    degree d is even, the edges are split at random into two halves, and the draw goes on with one of them.
    Where it is odd, a random perfect matching is found: with probability 1/d it is the result, else it is
    taken away. This draws, uniformly, one of the k factors of a random 1-factorization, without making the
    others.

    Each edge is drawn with probability exactly 1/d, by induction over d. Even: with probability 1/2 it is in
    the half that the draw goes on with, and from that half it is drawn with 2/d. Odd: if it is in the
    matching, it is drawn with 1/d; if not, with (1 − 1/d) · 1/(d − 1) = 1/d. Cost O(n k) for the splits, and
    one matching for each odd degree.

    >>> drawn(np.array([[0, 1], [1, 2], [2, 0]]), np.random.default_rng(1)).tolist() in ([0, 1, 2], [1, 2, 0])
    True
    """
    *_, last = stages(rows, rng)
    return np.ascontiguousarray(last[:, 0])


def stages(rows: np.ndarray, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """The edges that are left after each part of the draw (see `drawn`), int64 (n, d): all of them first, one
    of each record at the end.

    >>> [len(left.T) for left in stages(np.array([[0, 1], [1, 2], [2, 0]]), np.random.default_rng(1))]
    [2, 1]
    """
    yield rows
    while (degree := rows.shape[1]) > 1:
        if degree % 2:
            matching = _perfect_matching(rows, rng)
            if rng.integers(degree) == 0:
                rows = matching[:, None]
            else:
                rows = rows[rows != matching[:, None]].reshape(-1, degree - 1)
        else:
            rows = _half(rows, rng)
        yield rows


def stages_in_fragments(
    rows: np.ndarray, seed: int, fragment: np.ndarray, paths: Sequence[str]
) -> Iterator[np.ndarray]:
    """Yield the stages for a graph whose edges lie in fragments: all edges, then one of each record. Each
    fragment draws by itself, with a seed of its own (`seed_of`), so that its draw does not depend on the
    other fragments. ``fragment`` int64 (n): the fragment of each record; ``paths``: by fragment."""
    yield rows
    last, place = np.empty((len(rows), 1), np.int64), np.empty(len(rows), np.int64)
    ends = np.cumsum(np.bincount(fragment, minlength=len(paths)))[:-1]
    for path, members in zip(paths, np.split(order_of(fragment), ends), strict=True):
        place[members] = np.arange(len(members))
        own = drawn(place[rows[members]], generator(seed_of(seed, path)))
        last[members, 0] = members[own]
    yield last


def _half(rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """int64 (n, d / 2): one half of a random Euler split.

    At every record and every row the edges are paired at random. Pairs join edges to closed walks, along
    which edges go to one half and the other by turns; which begins is drawn for each walk.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    n, degree = rows.shape
    edges = rng.permuted(rows, axis=1).ravel()  # neighbors 2 i and 2 i + 1 are paired at their record
    mixed = rng.permutation(len(edges))
    at_row = mixed[np.argsort(edges[mixed], kind="stable")]
    numbers, paired = np.arange(len(edges)), np.empty(len(edges), np.int64)
    paired[at_row[0::2]], paired[at_row[1::2]] = at_row[1::2], at_row[0::2]
    # Two steps along a walk, over a record and over a row, stay in the same half.
    two_on = csr_array((np.ones(len(edges), np.int8), (numbers, paired[numbers ^ 1])))
    count, half = connected_components(two_on, directed=False)
    other = half[numbers ^ 1]
    first = rng.integers(2, size=count)[np.minimum(half, other)] == 1
    return np.asarray(edges[(half < other) == first].reshape(n, degree // 2), np.int64)


def _perfect_matching(rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """int64 (n): a perfect matching of the graph with records and rows in random order; there is one, for the
    graph is regular (König)."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    n, degree = rows.shape
    records, numbers = rng.permutation(n), rng.permutation(n)
    targets = rng.permuted(numbers[rows[records]], axis=1)
    starts = np.arange(0, n * degree + 1, degree)
    graph = csr_array((np.ones(n * degree, np.int8), targets.ravel(), starts), shape=(n, n))
    found = maximum_bipartite_matching(graph, perm_type="column")
    matching = np.empty(n, np.int64)
    matching[records] = np.argsort(numbers)[found]
    return matching
