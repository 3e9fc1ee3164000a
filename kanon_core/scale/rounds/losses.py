"""Which attribute has lost most over all clusters, wherever they are: the one that the next round cuts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from kanon_core.algorithms.partitioning.topdown.clusters_kernels import Records
    from kanon_core.scale.cutting import Summed


class Lost(NamedTuple):
    """What some clusters have lost, in whole units as `clusters_kernels.Work` counts them, and of how many
    clusters each attribute is open. Those of other clusters may be added."""

    spread: np.ndarray  # int64 (p,)
    units: np.ndarray  # int64 (c,)
    opened: np.ndarray  # int64 (p + c,)


class Cluster(NamedTuple):
    """A cluster that is still cut over all parts: how many records it has, what was counted of them, and
    which attributes are closed, bool (p + c,)."""

    size: int
    summed: Summed
    closed: np.ndarray


def together(lost: Iterable[Lost]) -> Lost:
    """That of all."""
    return Lost(*(np.asarray(np.sum(each, axis=0, dtype=np.int64)) for each in zip(*lost, strict=True)))


def widest_of(nothing: Records, lost: Lost) -> int:
    """The open attribute that has lost most; −1 = none is open. ``nothing``: of `reading.Frame`."""
    from kanon_core.algorithms.partitioning.topdown.clusters_kernels import new_work
    from kanon_core.algorithms.partitioning.topdown.topdown_kernels import widest

    return int(widest(nothing, new_work(nothing, 1, 0)._replace(**lost._asdict())))


def lost_by(nothing: Records, clusters: Sequence[Cluster], k: int) -> Lost:
    """What these have lost. Cost O(clusters · values)."""
    from kanon_core.algorithms.partitioning.topdown.clusters_kernels import new_work
    from kanon_core.algorithms.partitioning.topdown.topdown_kernels import account

    m, p = len(clusters), nothing.numeric.shape[1]
    read = [one.summed for one in clusters]
    nodes = [[node_of(nothing, one, j) for j in range(nothing.categories)] for one in read]
    kinds = [[np.count_nonzero(one.counts(j)) for j in range(nothing.categories)] for one in read]
    work = new_work(nothing, 1, 0)._replace(
        start=np.zeros(m, np.int64),
        end=np.array([one.size for one in clusters], np.int64),
        low=np.array([one.answer["least"] for one in read], np.float64).reshape(m, p),
        high=np.array([one.answer["greatest"] for one in read], np.float64).reshape(m, p),
        kinds=np.array(kinds, np.int64).reshape(m, -1),
        node=np.array(nodes, np.int32).reshape(m, -1),
        common=np.zeros((m, 0), np.int64),
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
