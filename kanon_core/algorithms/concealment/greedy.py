"""Greedy: each record in turn takes the nearest partner that is free."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.algorithms.base import Run
from kanon_core.algorithms.concealment.matchings import Design, DistanceWord, MatchingMethod
from kanon_core.base.kinds import Choice

RESTARTS = 100
_WORK_PER_CALL = 20_000_000


@dataclass(frozen=True)
class Greedy(MatchingMethod):
    """Complete k-concealment by nearest free partners: k − 1 times, every record in random order draws one
    edge.

    For each further matching P: U₁ = U₂ = all records; while U₁ is not empty, x is drawn from U₁ at random, y
    is the record of U₂ nearest to x such that no matching so far has the edge (x, y); P(x) = y, and both are
    taken away. Distance: definition 2.2 of the paper, or those chosen for the columns; ties go to the lowest
    record number.

    When all that is left for x has been used, the draw is at a dead end. It is counted, and by default
    repaired by one assignment that keeps as many of the edges drawn as possible. As the paper says, it can
    instead be drawn anew, at most 100 times for each matching; then it is repaired.

    When to use: a quick first look. `Tours` and `OptimalConcealment` cost less. Cost: O(k n²) time, an n × n
    matrix: up to 5,000 records. A repair takes O(n³) at worst.

    Departure: as printed, y is the nearest of all records, x itself; hence used edges are left out when y is
    chosen.

    Reference: k-concealment paper, §3.1, algorithm 1.
    """

    title: ClassVar[str] = "Greedy concealment"
    summary: ClassVar[str] = "Every record hides behind the nearest partners still free in its turn."

    dead_end: Annotated[
        str,
        Choice(
            {"repair": "finish by one assignment", "restart": "draw the matching anew, up to 100 times"},
            help="what to do when no free partner is left",
        ),
    ] = "repair"
    distance: DistanceWord = "range"

    def matchings(self, distances: np.ndarray, k: int, run: Run, rng: np.random.Generator) -> np.ndarray:
        """The k matchings for these distances, int64 (k, n); distances float64 (n, n), n ≥ k ≥ 1.

        Logs besides the event ``turns`` (number of the matching, order in which the records have their turn,
        targets, −1 = none) for each matching begun.
        """
        design = Design(distances, k, run)
        for number in range(1, k):
            targets, restarts = drawn(design, rng, number), RESTARTS if self.dead_end == "restart" else 0
            while targets.min() < 0 and restarts:
                run.report["dead ends"] += 1
                targets, restarts = drawn(design, rng, number), restarts - 1
            design.add(targets if targets.min() >= 0 else design.repaired(targets))
        return design.matchings


def drawn(design: Design, rng: np.random.Generator, number: int) -> np.ndarray:
    """One greedy matching, int64 (n), that uses no used edge; −1 for the records left when it comes to a dead
    end."""
    from kanon_core.algorithms.concealment.greedy_kernels import extend

    n = len(design.distances)
    order, free, targets = rng.permutation(n), np.ones(n, bool), np.full(n, -1, np.int64)
    done, stop = 0, 0
    while done == stop < n:
        design.run.tick((number - 1 + done / n) / (design.k - 1), "edges")
        stop = min(n, done + 1 + _WORK_PER_CALL // n)
        done = extend(design.distances, design.used, order, free, targets, done, stop)
    if design.run.log is not None:
        design.run.log.write("turns", number=number, order=order, targets=targets)
    return targets
