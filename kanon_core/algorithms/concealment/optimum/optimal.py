"""The complete k-concealment of least cost, with a proof of optimality, split into matchings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kanon_core.algorithms.base import Log, Run
from kanon_core.algorithms.concealment.matchings import (
    DistanceWord,
    Measuring,
    points_of,
    unmeasured,
    write_matchings,
)
from kanon_core.algorithms.concealment.optimum.flow import TOLERANCE, least_regular
from kanon_core.base.progress import Tick, silent, stage
from kanon_core.base.words import later, tr
from kanon_core.covers.cover import Concealment
from kanon_core.distances.manhattan import ManhattanPoints, pair_distances
from kanon_core.guarantees import Guarantees, KConcealment
from kanon_core.table.table import Table


@dataclass(frozen=True)
class OptimalConcealment(Measuring):
    """k edge-disjoint perfect matchings P_1 = identity, P_2, …, P_k of least cost Σ_m Σ_j d(j, P_m(j)).

    d is the distance of definition 2.2, or the weighted sum of the distances chosen for the columns; no
    triangle inequality is needed. The paper considers the optimum infeasible among n! matchings. But the cost
    is a sum over edges, so the union of P_2 … P_k is a (k − 1)-regular bipartite graph without the diagonal
    of least cost: a minimum-cost flow with unit capacities. It is solved exactly, and by König's theorem the
    graph is a union of k − 1 perfect matchings, returned in ascending order of cost.

    When to use: always, if the cost matters most; no heuristic costs less. The run reports the cost and a
    dual bound, a lower bound of every complete k-concealment. They agree up to a share of 1e-9 of the cost,
    unless some distances are millions of times the total cost: then the cost is not certified
    (`is_certified`). Cost: O(n² · attributes) time for each of four or five rounds, O(n k) memory.

    Reference: k-concealment paper; T. Tassa, A. Mazza, A. Gionis, Transactions on Data Privacy 5, 2012; D.
    König, Math. Annalen 77, 1916; D. P. Bertsekas, D. A. Castañon, Annals of Operations Research 20, 1989
    (auctions); K. Doka, M. Xue, D. Tsoumakos, P. Karras, ASIACCS 2015 (one assignment after another).
    """

    title: ClassVar[str] = "Optimal concealment"
    summary: ClassVar[str] = "Finds the complete k-concealment of least cost, proven by a lower bound."

    distance: DistanceWord = "range"

    def guarantees(self, k: int) -> Guarantees:
        """Return k-concealment."""
        return (KConcealment(k),)

    def unsuitable(self, table: Table, k: int) -> list[str]:
        """Return reasons also for columns that their distance cannot measure."""
        return super().unsuitable(table, k) + unmeasured(table, self.distance)

    def cover(self, table: Table, k: int, run: Run) -> Concealment:
        """Return the matchings; report ``cost`` and ``dual bound``.

        Logs the events of the auction (`least_regular`), ``certificate`` (cost, bound, and the prices that
        prove it), then each ``matching`` (number, targets).
        """
        points = points_of(table, self.distance, run.tick)
        matchings, cost, bound = optimal_matchings(points, k, run.tick, run.log)
        run.report.update({later("cost"): cost, later("dual bound"): bound})
        write_matchings(matchings, run)
        return Concealment(matchings)


def is_certified(cost: float, bound: float) -> bool:
    """Return whether this lower bound proves the cost to be least, up to a share of 1e-9."""
    return cost - bound <= TOLERANCE * cost


def optimal_matchings(
    points: ManhattanPoints, k: int, tick: Tick = silent, log: Log | None = None
) -> tuple[np.ndarray, float, float]:
    """Return k edge-disjoint perfect matchings of least cost, int64 (k, n), 1 ≤ k ≤ n, their cost, and a dual
    bound.

    ``matchings[m, j]`` is the row matched with record j; the first matching is the identity. The bound is at
    most the cost, and no k edge-disjoint matchings that include the identity cost less than the bound.
    """
    n = len(points)
    identity = np.arange(n)
    if k == n:  # every edge is needed
        matchings = (identity + identity[:, None]) % n
        cost = float(pair_distances(points, identity, matchings).sum())
        return matchings, cost, cost
    if k == 1:
        return identity[None], 0.0, 0.0
    flow = least_regular(points, k - 1, stage(tick, 0, 0.95), log)
    if log is not None:
        log.write("certificate", cost=flow.cost, bound=flow.bound, prices=flow.prices)
    others = split_regular(flow.partners, stage(tick, 0.95, 1))
    costs = pair_distances(points, identity, others).sum(1)
    order = np.argsort(costs, kind="stable")
    return np.vstack([identity, others[order]]), flow.cost, flow.bound


def split_regular(partners: np.ndarray, tick: Tick = silent) -> np.ndarray:
    """Return r perfect matchings, int64 (r, n), that split the r-regular bipartite graph with edges j →
    partners[j, s], (n, r).

    Row t is a permutation P in which P[j] is one of j's partners; together the rows use every edge once. A
    perfect matching exists by Hall's theorem; removing it leaves a graph of degree r − 1. Cost O(r² n √n) at
    worst, O(r² n) typically. Raises ValueError if a column does not occur exactly r times.

    Reference: D. König, Über Graphen und ihre Anwendung auf Determinantentheorie und Mengenlehre, Math.
    Annalen 77, 1916.
    """
    n, degree = partners.shape
    if (np.bincount(partners.ravel(), minlength=n) != degree).any():
        raise ValueError(tr("The graph to split must have as many edges at every column as at every row."))
    left = np.sort(partners, axis=1)
    matchings = np.empty((degree, n), np.int64)
    for t in range(degree - 1):
        tick(t / degree, tr("splitting the graph"))
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
