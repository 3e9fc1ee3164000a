"""Pairing: disjoint groups of exactly k, the complete k-anonymity with which concealment is compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.algorithms.base import Run
from kanon_core.algorithms.concealment.matchings import DistanceWord, Measuring, points_of, unmeasured
from kanon_core.algorithms.concealment.pairing.exact import least_cost_pairs, twins
from kanon_core.base.kinds import Flag
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import later, tr
from kanon_core.covers.cover import Cover, Partition
from kanon_core.distances.manhattan import ManhattanPoints, distance_matrix, distance_rows, pair_distances
from kanon_core.table.table import Table

LARGEST_EXACT = 2_000
"""Most records for exact pairing: minutes of linear programming."""
_PAIRS_PER_CALL = 1_000_000


@dataclass(frozen=True)
class Pairing(Measuring):
    """Complete k-anonymity: disjoint groups of exactly k records, greedy or, for k = 2, of least cost.

    Greedy: while at least 2k records are left, a random one and its k − 1 nearest form a group; the rest is
    the last group, of k … 2k − 1 records. Exact: the pairs of least total distance, a minimum-weight perfect
    matching of the complete graph. The cost of a group is the sum of the distances of all its ordered pairs
    (definition 2.4). Distance: definition 2.2 of the paper, or those chosen for the columns; ties go to the
    lowest record number. Equal records are paired first only if the triangle inequality holds.

    When to use: as the baseline for complete k-concealment, whose least cost is never above that of pairing
    (theorem 2.1). For k-anonymity itself, `MDAV` and `Refine` lose less. Cost: greedy O(n² / k) distances, no
    matrix; exact: linear programs over near pairs, with a proof over all pairs, up to 2,000 records. The
    paper does not describe its greedy groups.

    Reference: k-concealment paper, §2.2, §4.2; J. Edmonds, Journal of Research of the National Bureau of
    Standards 69B, 1965.
    """

    title: ClassVar[str] = "Pairing"
    summary: ClassVar[str] = "Forms disjoint groups of k similar records, as a baseline for k-concealment."
    randomized: ClassVar[bool] = True

    exact: Annotated[bool, Flag(help="the pairs of least total distance (k = 2 only)")] = False
    distance: DistanceWord = "range"

    def unsuitable(self, table: Table, k: int) -> list[str]:
        """Return reasons; exact pairing needs k = 2 and an even number of records, at most 2,000."""
        reasons = super().unsuitable(table, k) + unmeasured(table, self.distance)
        if not self.exact or reasons:
            return reasons
        if k != 2:
            reasons.append(
                tr("Exact pairing needs k = 2, not k = {k}; set k to 2, or turn off exact.").format(k=k)
            )
        if len(table) % 2:
            reasons.append(
                tr(
                    "Exact pairing needs an even number of records, but the table has {records:,}; remove one"
                    " record, or turn off exact."
                ).format(records=len(table))
            )
        if len(table) > LARGEST_EXACT:
            reasons.append(
                tr(
                    "Exact pairing is limited to {limit:,} records, but the table has {records:,}; take a"
                    " sample of the records, or turn off exact."
                ).format(limit=LARGEST_EXACT, records=len(table))
            )
        return reasons

    def cover(self, table: Table, k: int, run: Run) -> Cover:
        """Return the groups; report their cost and, if exact, the lower bound that proves it.

        Greedy: logs ``group`` (around = its first record, −1 for the rest; members) in order of forming.
        Exact: logs ``group`` (members), the nearest pairs first, then ``bound`` (bound, cost, twins = the
        number of pairs at distance 0, formed first).
        """
        points = points_of(table, self.distance, run.tick)
        if self.exact:
            distances = distance_matrix(points)
            labels, run.report[later("lower bound")] = best_pairs(distances, run.tick, points.is_metric)
            result = Partition(labels)
        else:
            result = Partition(nearest_groups(points, k, run))
        run.report[later("cost")] = cost_of_groups(result, points, run.tick)
        if self.exact:
            _write_pairs(run, result, distances, points.is_metric)
        run.tick(1.0, tr("forming groups"))
        return result


def best_pairs(
    distances: np.ndarray, tick: Tick = silent, is_metric: bool = True
) -> tuple[np.ndarray, float]:
    """Return the labels, int64 (n), of the pairs of least total distance, and a lower bound of the cost; n
    even.

    If the triangle inequality holds (``is_metric``), records at distance 0 are paired first, at no cost;
    `least_cost_pairs` pairs the rest.
    """
    labels = np.arange(len(distances))
    same = twins(distances) if is_metric else np.zeros((0, 2), np.int64)
    labels[same[:, 1]] = same[:, 0]
    rest = np.setdiff1d(labels, same)
    if not len(rest):
        return labels, 0.0
    partners, bound = least_cost_pairs(distances[np.ix_(rest, rest)], tick)
    labels[rest] = rest[np.minimum(partners, np.arange(len(rest)))]
    return labels, bound


def nearest_groups(points: ManhattanPoints, k: int, run: Run) -> np.ndarray:
    """Return the labels, int64 (n), of the greedy groups of n ≥ k ≥ 1 records, the last of k … 2k − 1."""
    n = len(points)
    labels, left, groups = np.full(n, -1, np.int64), n, 0
    for seed in run.rng.permutation(n).tolist():
        if left < 2 * k:
            break
        if labels[seed] < 0:
            run.tick(1 - left / n, tr("forming groups"))
            away = distance_rows(points, np.array([seed]))[0]
            away[labels >= 0] = np.inf
            away[seed] = -1.0
            near = np.flatnonzero(away <= np.partition(away, k - 1)[k - 1])
            members = near[np.argsort(away[near], kind="stable")[:k]]
            labels[members] = groups
            groups, left = groups + 1, left - k
            if run.log is not None:
                run.log.write("group", around=seed, members=np.sort(members))
    if run.log is not None:
        run.log.write("group", around=-1, members=np.flatnonzero(labels < 0))
    labels[labels < 0] = groups
    return labels


def _write_pairs(run: Run, pairs: Partition, distances: np.ndarray, is_metric: bool) -> None:
    if run.log is None:
        return
    both = pairs.order.reshape(-1, 2)
    for members in both[np.argsort(distances[both[:, 0], both[:, 1]], kind="stable")]:
        run.log.write("group", members=members)
    found = {"bound": run.report["lower bound"], "cost": run.report["cost"]}
    run.log.write("bound", twins=len(twins(distances)) if is_metric else 0, **found)


def cost_of_groups(partition: Partition, points: ManhattanPoints, tick: Tick = silent) -> float:
    """Return Σ over groups of the distances of all ordered pairs (definition 2.4). Cost O(n · group size)."""
    total = 0.0
    for size in np.unique(partition.sizes):
        starts = partition.starts[:-1][partition.sizes == size]
        places = (starts[:, None] + np.arange(size)).ravel()
        starts = np.repeat(starts, size)
        step = 1 + _PAIRS_PER_CALL // int(size)
        for at in range(0, len(places), step):
            tick(None, tr("computing the cost"))
            members = partition.order[starts[at : at + step, None] + np.arange(size)]
            one = partition.order[places[at : at + step, None]]
            total += float(pair_distances(points, one, members).sum())
    return total
