"""Which attribute has lost most over all clusters, wherever they are: the one that the next round cuts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from kanon_core.algorithms.partitioning.topdown.clusters_kernels import Records
    from kanon_core.scale.passes.cutting import Summed


class Lost(NamedTuple):
    """What some clusters have lost, in whole units as `clusters_kernels.Work` counts them, and of how many
    clusters each attribute is open. Those of other clusters may be added."""

    spread: np.ndarray  # int64 (p,)
    units: np.ndarray  # int64 (c + s,)
    opened: np.ndarray  # int64 (p + c + s,)


class Cluster(NamedTuple):
    """A cluster that is still cut over all parts: how many records it has, what was counted of them, which
    attributes are closed, bool (p + c + s,), and the items at which it must not be cut."""

    size: int
    summed: Summed
    closed: np.ndarray
    refused: list[int]


def together(lost: Iterable[Lost]) -> Lost:
    """That of all."""
    return Lost(*(np.asarray(np.sum(each, axis=0, dtype=np.int64)) for each in zip(*lost, strict=True)))


def widest_of(nothing: Records, lost: Lost, records: int) -> int:
    """The open attribute that has lost most; −1 = none is open. ``nothing``: of `reading.Frame`; ``records``
    of the whole table."""
    from kanon_core.algorithms.partitioning.topdown.clusters_kernels import ALL, new_work
    from kanon_core.algorithms.partitioning.topdown.topdown_kernels import widest

    work = new_work(nothing, 1, 0)._replace(**lost._asdict())
    work.made[ALL] = records
    return int(widest(nothing, work))


def lost_by(nothing: Records, clusters: Sequence[Cluster], k: int) -> Lost:
    """What these have lost. Cost O(clusters · (values + items))."""
    from kanon_core.algorithms.partitioning.topdown.clusters_kernels import new_work
    from kanon_core.algorithms.partitioning.topdown.topdown_kernels import account

    m, p = len(clusters), nothing.numeric.shape[1]
    read = [one.summed for one in clusters]
    nodes = [[node_of(nothing, one, j) for j in range(nothing.categories)] for one in read]
    kinds = [[np.count_nonzero(one.counts(j)) for j in range(nothing.categories)] for one in read]
    sets = range(len(nothing.scale) - nothing.categories)
    common = [
        [np.count_nonzero(occurring(nothing, one.summed, j)[1] == one.size) for j in sets] for one in clusters
    ]
    work = new_work(nothing, 1, 0)._replace(
        start=np.zeros(m, np.int64),
        end=np.array([one.size for one in clusters], np.int64),
        low=np.array([one.answer["least"] for one in read], np.float64).reshape(m, p),
        high=np.array([one.answer["greatest"] for one in read], np.float64).reshape(m, p),
        kinds=np.array(kinds, np.int64).reshape(m, -1),
        node=np.array(nodes, np.int32).reshape(m, -1),
        common=np.array(common, np.int64).reshape(m, -1),
    )
    for c in range(m):
        account(nothing, work, c, 1)
    opened = np.array([~one.closed & (one.size >= 2 * k) for one in clusters]).sum(axis=0)
    return Lost(work.spread, work.units, opened)


def node_of(nothing: Records, summed: Summed, category: int) -> int:
    """The lowest node above all values of a cluster, −1 = the column has no hierarchy."""
    from kanon_core.algorithms.partitioning.topdown.clusters_kernels import above

    node = -1
    for token in np.flatnonzero(summed.counts(category)) + nothing.first[category]:
        leaf = int(nothing.trees.leaf[token])
        if leaf >= 0:
            node = above(nothing.trees, node, leaf)
    return int(node)


def occurring(nothing: Records, summed: Summed, j: int) -> tuple[np.ndarray, np.ndarray]:
    """The items of a column of item sets that occur in a cluster, ascending, and how often each does."""
    if "items" not in summed.answer:  # there are no item sets
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    bounds = nothing.first[nothing.singles + j : nothing.singles + j + 2] - nothing.first[nothing.singles]
    first, last = np.searchsorted(summed.answer["items"], bounds)
    return summed.answer["items"][first:last], summed.answer["often"][first:last]
