"""Records and groups of equal rows: perfect matchings between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def in_some_matching(
    record: np.ndarray, group: np.ndarray, records: int, size: np.ndarray
) -> np.ndarray | None:
    """Booleans (pairs): the pair is in some assignment of every record to a group, of which ``size[g]``
    records have group g; None where there is no such assignment. Pairs are all different; the sizes add up
    to ``records``.

    A pair is in one if it is in the assignment that was found, or on a cycle that swaps it in: its ends then
    lie in one strongly connected component of the graph in which assigned pairs lead back from group to
    record. Cost: a maximum flow over the pairs.

    T. Tassa, Finding all maximally-matchable edges in a bipartite graph, Theoretical Computer Science 423,
    2012.

    >>> in_some_matching(np.array([0, 0, 1]), np.array([0, 1, 0]), 2, np.array([1, 1])).tolist()
    [False, True, True]
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    flow = assigned(record, group, np.ones(records, np.int64), size)
    if int(flow.sum()) < records or int(size.sum()) != records:
        return None
    ones, nodes = np.ones(len(record), np.int8), records + len(size)
    own = flow > 0
    begin, end = np.where(own, records + group, record), np.where(own, record, records + group)
    graph = csr_array((ones, (begin, end)), (nodes, nodes))
    component = connected_components(graph, directed=True, connection="strong")[1]
    return np.asarray(own | (component[record] == component[records + group]))


def assigned(left: np.ndarray, right: np.ndarray, supply: np.ndarray, room: np.ndarray) -> np.ndarray:
    """int64 (pairs): how much goes from ``left[i]`` to ``right[i]`` in a maximum flow, with at most
    ``supply`` from each on the left and ``room`` to each on the right. Pairs are all different."""
    from scipy.sparse.csgraph import maximum_flow

    if not len(left):
        return np.zeros(0, np.int64)
    graph, (a, b) = _network(left, right, supply, room), (len(supply), len(room))
    flow = maximum_flow(graph, a + b, a + b + 1).flow
    return np.asarray(flow[left, a + right]).ravel().astype(np.int64)


def _network(left: np.ndarray, right: np.ndarray, supply: np.ndarray, room: np.ndarray) -> csr_array:
    """Return the pairs, a source on the left and a sink on the right, with their capacities."""
    from scipy.sparse import csr_array

    a, b = len(supply), len(room)
    source, sink = a + b, a + b + 1
    begin = np.concatenate([left, np.full(a, source), a + np.arange(b)])
    end = np.concatenate([a + right, np.arange(a), np.full(b, sink)])
    most = np.concatenate([np.minimum(supply[left], room[right]), supply, room]).astype(np.int32)
    return csr_array((most, (begin, end)), (a + b + 2, a + b + 2))
