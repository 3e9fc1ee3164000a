"""Clustered: divide the records into clusters and apply k-concealment to each."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.algorithms.base import Algorithm, Log, Run
from kanon_core.algorithms.concealment.greedy import Greedy
from kanon_core.algorithms.concealment.lottery import Lottery
from kanon_core.algorithms.concealment.matchings import (
    concealment,
    distances_of,
    too_large,
    unmeasured,
    write_matchings,
)
from kanon_core.algorithms.concealment.tours.tours import Tours
from kanon_core.base.kinds import Choice
from kanon_core.base.options import Nested
from kanon_core.base.words import later, tr
from kanon_core.covers.cover import Cover, Partition
from kanon_core.guarantees import Guarantees, KConcealment
from kanon_core.table.table import Table


@dataclass(frozen=True)
class Clustered(Algorithm):
    """Complete k-concealment within Ward clusters of at least k records, by another method in each.

    Ward's method repeatedly joins the two clusters whose union raises the sum of squared distances least;
    distances are those of definition 2.2 of the paper, or those chosen for the columns, updated by the
    Lance–Williams formula. The option ``cut`` decides how to cut the dendrogram: ``paper`` undoes the last
    joins as long as no cluster falls below k (which gives the paper's figures); ``fine`` splits every
    cluster, from the root down, as long as both parts keep k records.

    When to use: on dense data, and always with `Lottery`: small clusters have few matchings, and random draws
    find good ones. ``fine`` suits the lottery for every k, tours for k = 2 and 3. Cost: O(n²) for the
    dendrogram, n × n matrices: up to 5,000 records; then the cost of the method in each cluster.

    Reference: k-concealment paper, §3.4, algorithm 4; J. H. Ward, Journal of the American Statistical
    Association 58, 1963.
    """

    title: ClassVar[str] = "Clustered"
    family: ClassVar[str] = "concealment"
    summary: ClassVar[str] = (
        "Divides the records into clusters of similar records and applies k-concealment to each."
    )
    randomized: ClassVar[bool] = True
    takes_distances: ClassVar[bool] = True

    inner: Annotated[
        Greedy | Lottery | Tours,
        Nested(("Greedy", "Lottery", "Tours"), help="the method for each cluster"),
    ] = field(default_factory=Lottery)
    cut: Annotated[
        str,
        Choice(
            {
                "paper": "at one height of the dendrogram, as in the paper",
                "fine": "split while both parts keep k records",
            },
            help="how to divide the records into clusters",
        ),
    ] = "paper"

    @property
    def by_distances(self) -> bool:
        """True if its inner method uses distances."""
        return self.inner.by_distances

    def guarantees(self, k: int) -> Guarantees:
        """Return k-concealment."""
        return (KConcealment(k),)

    def unsuitable(self, table: Table, k: int) -> list[str]:
        """Return reasons for more than 5,000 records, and for columns that their distance cannot measure."""
        reasons = super().unsuitable(table, k) + too_large(table, self.title)
        return reasons + unmeasured(table, self.inner.distance)

    def cover(self, table: Table, k: int, run: Run) -> Cover:
        """Return the matchings; report their cost, the dead ends and the number of clusters.

        Logs ``cluster`` (members, events of the inner method, whose record numbers are positions of the
        members) for each cluster, then ``matching`` (number, targets).
        """
        run.tick(0.0, tr("forming clusters"))
        distances = distances_of(table, self.inner.distance, run.tick)
        labels = clusters(distances, k, self.cut)
        count = int(labels.max()) + 1
        run.report[later("clusters")] = count
        matchings = np.empty((k, len(table)), np.int64)
        rng, places = run.rng, np.argsort(labels, kind="stable")
        for number, members in enumerate(np.split(places, np.cumsum(np.bincount(labels))[:-1])):
            part = run.part(number / count, (number + 1) / count)
            part.log = None if run.log is None else Log()  # a cluster has its own record numbers
            found = self.inner.matchings(distances[np.ix_(members, members)], k, part, rng)
            matchings[:, members] = members[found]
            if run.log is not None:
                run.log.write("cluster", members=members, events=part.log.events if part.log else [])
        write_matchings(matchings, run)
        return concealment(matchings, distances, run)


def clusters(distances: np.ndarray, k: int, cut: str) -> np.ndarray:
    """Return the labels, int64 (n), of Ward's clusters of at least k ≤ n records, by their lowest record.

    ``cut`` "paper": the most clusters at one height that all have k records; "fine": every cluster is split
    as long as both parts keep k. Cost O(n²).
    """
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import squareform

    n = len(distances)
    joins = linkage(squareform(distances, checks=False), "ward")
    children = joins[:, :2].astype(np.int64)
    sizes = np.concatenate([np.ones(n, np.int64), joins[:, 3].astype(np.int64)])
    both = (sizes[children] >= k).all(axis=1)
    if cut == "paper":
        # Keep the last join of a cluster below k, and all joins before it.
        both = np.arange(n - 1) > np.flatnonzero(~both).max(initial=-1)
    labels = np.zeros(2 * n - 1, np.int64)
    open_above = np.ones(2 * n - 1, bool)  # every join above a node is undone
    for join in range(n - 2, -1, -1):
        node = n + join
        undone = bool(open_above[node] and both[join])
        open_above[children[join]] = undone
        labels[children[join]] = children[join] if undone else labels[node]
    return Partition(labels[:n]).groups
