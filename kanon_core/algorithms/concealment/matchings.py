"""Common parts of the methods of complete k-concealment: distances, edge-disjoint matchings, repairs."""

from __future__ import annotations

from typing import Annotated, ClassVar

import numpy as np

from kanon_core.algorithms.base import Algorithm, Run
from kanon_core.base.kinds import Choice
from kanon_core.base.progress import Tick, silent, stage
from kanon_core.base.words import later, tr
from kanon_core.covers.cover import Concealment, Cover
from kanon_core.distances.base import ValueDistance
from kanon_core.distances.chosen import distance_of, names_of, parts_of, reasons, sources
from kanon_core.distances.encodings import VALUES_AT_MOST
from kanon_core.distances.manhattan import (
    MATRIX_AT_MOST,
    WORDS,
    ManhattanPoints,
    distance_matrix,
    manhattan_points,
    points_of_parts,
    too_many_values,
)
from kanon_core.guarantees import Guarantees, KConcealment
from kanon_core.table.table import Table

DistanceWord = Annotated[
    str,
    Choice(WORDS, help="distance between two records: the weighted sum over the columns"),
]


class Design:
    """The edge-disjoint perfect matchings found so far: the design graph of complete k-concealment
    (k-concealment paper, definition 2.6).

    A matching is a permutation P, int64 (n): ``P[j]`` is the published row that has an edge to record j. The
    first is the identity. ``used`` bool (n, n): the edges (j, P[j]) of all; ``distances`` float64 (n, n),
    symmetric, ≥ 0.
    """

    def __init__(self, distances: np.ndarray, k: int, run: Run) -> None:
        n = len(distances)
        self.distances, self.k, self.run = distances, k, run
        self.used = np.zeros((n, n), bool)
        self.found: list[np.ndarray] = []
        run.report.setdefault(later("dead ends"), 0)
        self.add(np.arange(n))

    @property
    def matchings(self) -> np.ndarray:
        """Return the matchings so far, int64 (i, n)."""
        return np.array(self.found, np.int64)

    def fits(self, targets: np.ndarray) -> bool:
        """Return whether a permutation uses no edge of the matchings so far: not over(P, L), definition
        2.11."""
        return not self.used[np.arange(len(targets)), targets].any()

    def add(self, targets: np.ndarray) -> None:
        """Add this permutation, which must fit, as the next matching; log ``matching`` (number, targets)."""
        if self.run.log is not None:
            self.run.log.write("matching", number=len(self.found), targets=targets)
        self.used[np.arange(len(targets)), targets] = True
        self.found.append(targets)

    def repaired(self, targets: np.ndarray) -> np.ndarray:
        """Return the next matching after a dead end, by one assignment; count the dead end.

        ``targets`` int64 (n): a permutation with overlaps, or an incomplete one (−1 = no target). The result
        keeps as many of its unused edges as possible, and the others cost least; logs ``repair`` (number,
        given, targets). Another matching always exists: without i edge-disjoint perfect matchings, the
        complete bipartite graph is (n − i)-regular (König). Cost O(n³).
        """
        from scipy.optimize import linear_sum_assignment

        self.run.report["dead ends"] += 1
        self.run.tick(None, tr("repairing a matching"))
        n = len(targets)
        priority = 2 * n * float(self.distances.max()) or 1.0
        costs = np.where(self.used, (n + 1) * priority, self.distances)
        drawn = np.flatnonzero(targets >= 0)
        kept = drawn[~self.used[drawn, targets[drawn]]]
        costs[kept, targets[kept]] -= priority
        found = np.asarray(linear_sum_assignment(costs)[1], np.int64)
        if self.run.log is not None:
            self.run.log.write("repair", number=len(self.found), given=targets, targets=found)
        return found


class Measuring(Algorithm):
    """Base of the methods with an option ``distance``, a `DistanceWord`, which are frozen dataclasses."""

    family: ClassVar[str] = "concealment"
    takes_distances: ClassVar[bool] = True

    distance: str

    @property
    def by_distances(self) -> bool:
        """True if the option ``distance`` is "chosen"."""
        return self.distance == "chosen"


class MatchingMethod(Measuring):
    """Base of the randomized methods that find matchings one by one in a matrix of all distances. Subclasses
    define `matchings`."""

    randomized: ClassVar[bool] = True

    def guarantees(self, k: int) -> Guarantees:
        """Return k-concealment."""
        return (KConcealment(k),)

    def unsuitable(self, table: Table, k: int) -> list[str]:
        """Return reasons for more than 5,000 records, and for columns that their distance cannot measure."""
        return super().unsuitable(table, k) + too_large(table, self.title) + unmeasured(table, self.distance)

    def cover(self, table: Table, k: int, run: Run) -> Cover:
        """Return the matchings; report their cost and the dead ends; log ``matching`` (number, targets) for
        each."""
        distances = distances_of(table, self.distance, run.tick)
        return concealment(self.matchings(distances, k, run, run.rng), distances, run)

    def matchings(self, distances: np.ndarray, k: int, run: Run, rng: np.random.Generator) -> np.ndarray:
        """Return the k matchings for these distances, int64 (k, n); distances float64 (n, n), symmetric, n ≥
        k ≥ 1."""
        raise NotImplementedError  # pragma: no cover - every method overrides it


def total_cost(matchings: np.ndarray, distances: np.ndarray) -> float:
    """Return Σ over matchings and records j of d(j, P(j)) (definition 2.8); matchings int64 (i, n)."""
    return float(distances[np.arange(matchings.shape[1]), matchings].sum())


def points_of(table: Table, distance: str, tick: Tick = silent) -> ManhattanPoints:
    """Return the quasi-identifiers as points of this distance (`kanon_core.distances.manhattan`)."""
    if distance == "chosen":
        return points_of_parts(parts_of(table, stage(tick, 0, 0)), len(table))
    return manhattan_points(table.quasi, distance)


def distances_of(table: Table, distance: str, tick: Tick = silent) -> np.ndarray:
    """Return the distances between all records, float64 (n, n)."""
    return distance_matrix(points_of(table, distance, tick))


def concealment(matchings: np.ndarray, distances: np.ndarray, run: Run) -> Concealment:
    """Return the cover of these matchings; report their cost."""
    run.report[later("cost")] = total_cost(matchings, distances)
    run.tick(1.0, tr("matching records"))
    return Concealment(matchings)


def write_matchings(matchings: np.ndarray, run: Run) -> None:
    """Log an event ``matching`` (number, targets) for each, int64 (i, n)."""
    for number, targets in enumerate(matchings if run.log is not None else ()):
        run.log.write("matching", number=number, targets=targets)  # type: ignore[union-attr]


def too_large(table: Table, title: str) -> list[str]:
    """Return a reason if the table is too large for a method that stores all distances."""
    n = len(table)
    if n <= MATRIX_AT_MOST:
        return []
    return [
        tr(
            "{title} keeps the distances between all records in memory, which is possible up to {limit:,}"
            " records; this table has {n:,}. Choose another algorithm, or take a sample of the records."
        ).format(title=title, limit=MATRIX_AT_MOST, n=n)
    ]


def unmeasured(table: Table, distance: str) -> list[str]:
    """Return a reason for each column with too many values for its chosen distance; empty for another
    ``distance`` than "chosen"."""
    if distance != "chosen" or reasons(table.quasi):
        return []
    found = []
    for source in sources(table.quasi):
        chosen = distance_of(source.attribute)
        count = len(chosen.values(source)[1]) if isinstance(chosen, ValueDistance) else 0
        if count > VALUES_AT_MOST:
            found.append(too_many_values(names_of(source)[0], count))
    return found
