"""Greedy: match each record in turn with its nearest free partner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.algorithms.base import Run
from kanon_core.algorithms.concealment.matchings import Design, DistanceWord, MatchingMethod
from kanon_core.base.kinds import Choice
from kanon_core.base.words import tr

RESTARTS = 100
_WORK_PER_CALL = 20_000_000


@dataclass(frozen=True)
class Greedy(MatchingMethod):
    """Complete k-concealment by nearest free partners: k − 1 matchings, each built in random record order.

    For each further matching P: U₁ = U₂ = all records; while U₁ is not empty, draw x from U₁ at random, let y
    be the record of U₂ nearest to x such that no earlier matching has the edge (x, y), set P(x) = y, and
    remove x and y. Distance: definition 2.2 of the paper, or those chosen for the columns; ties go to the
    lowest record number.

    A matching is at a dead end if every free partner of x has been used. The report counts dead ends. By
    default one assignment repairs the matching and keeps as many of its edges as possible. As in the paper,
    the matching can instead be drawn again, at most 100 times; then it is repaired.

    When to use: a quick first look. Results of `Tours` and `OptimalConcealment` cost less. Cost: O(k n²)
    time, an n × n matrix: up to 5,000 records. A repair takes O(n³) at worst.

    Departure: as printed, y is the nearest of all records, which is x itself; therefore used edges are
    excluded.

    Reference: k-concealment paper, §3.1, algorithm 1.
    """

    title: ClassVar[str] = "Greedy concealment"
    summary: ClassVar[str] = (
        "Matches the records, in random order, with their nearest free partners: a quick first look."
    )

    dead_end: Annotated[
        str,
        Choice(
            {
                "repair": "complete it by one assignment",
                "restart": "draw the matching again, up to 100 times",
            },
            help="what to do with a matching when no free partner is left",
        ),
    ] = "repair"
    distance: DistanceWord = "range"

    def matchings(self, distances: np.ndarray, k: int, run: Run, rng: np.random.Generator) -> np.ndarray:
        """Return the k matchings for these distances; see `MatchingMethod.matchings`.

        Also logs ``turns`` (number of the matching, order of the records, targets, −1 = none) for each
        matching begun.
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
    """Return one greedy matching without used edges, int64 (n); −1 for records left at a dead end."""
    from kanon_core.algorithms.concealment.matching_kernels import extend

    n = len(design.distances)
    order, free, targets = rng.permutation(n), np.ones(n, bool), np.full(n, -1, np.int64)
    done, stop = 0, 0
    while done == stop < n:
        design.run.tick((number - 1 + done / n) / (design.k - 1), tr("matching records"))
        stop = min(n, done + 1 + _WORK_PER_CALL // n)
        done = extend(design.distances, design.used, order, free, targets, done, stop)
    if design.run.log is not None:
        design.run.log.write("turns", number=number, order=order, targets=targets)
    return targets
