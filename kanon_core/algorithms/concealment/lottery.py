"""Lottery: draw many random matchings and keep the cheapest."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.algorithms.base import Run
from kanon_core.algorithms.concealment.matchings import Design, DistanceWord, MatchingMethod
from kanon_core.base.kinds import Integer
from kanon_core.base.words import tr, tr_n

SHUFFLES = 64
"""Shuffles tried for one draw before overlaps are removed by exchanges."""
SHUFFLED = 4
"""Number of matchings above which no shuffle is tried: fewer than 1 in 100 would be accepted."""
PATIENCE = 1_000
"""Number of overlapping draws, without any other, after which the lottery is at a dead end."""
_WORK_PER_TURN = 3_000_000
_WORK_PER_CALL = 400_000
"""Work between checks for compiled code: a millisecond compiled, half a second uncompiled."""


@dataclass(frozen=True)
class Lottery(MatchingMethod):
    """Complete k-concealment by random draws: k − 1 times, keep the cheapest of t matchings without overlap.

    A random permutation of the records stops at the first edge of an earlier matching and is shuffled again,
    up to 64 times; an accepted permutation is uniform among all matchings without overlap. Their share falls
    as e^−i with the number i of earlier matchings. If none of the 64 is accepted (from i = 5 on none is
    tried), the overlaps of one more are removed: a record exchanges targets with a random other record if
    neither new edge overlaps; if this fails, the draw is void. The lottery ends after t draws, or after 2 t +
    1,000 including void ones. Distance: definition 2.2 of the paper, or those chosen for the columns. If the
    first 1,000 draws are all void, the lottery is at a dead end: the report counts it, and one assignment
    repairs it.

    When to use: as the baseline of random matchings; it gives good results inside `Clustered`, where few
    matchings are possible. Cost: O(k t n) time, an n × n matrix of distances: up to 5,000 records.

    Departure: only accepted draws count towards t; otherwise none would be accepted for larger k.

    Reference: k-concealment paper, §3.2, algorithm 2.
    """

    title: ClassVar[str] = "Lottery"
    summary: ClassVar[str] = "Draws many random matchings and keeps the cheapest."

    draws: Annotated[int, Integer(1, 10_000_000, help="random matchings drawn for each one kept")] = 10_000
    distance: DistanceWord = "range"

    def matchings(self, distances: np.ndarray, k: int, run: Run, rng: np.random.Generator) -> np.ndarray:
        """Return the k matchings for these distances; see `MatchingMethod.matchings`.

        Also logs ``lead`` (number of the matching, accepted: draws so far, cost and targets of the cheapest)
        and, at the end of each matching, ``drawn`` (number, accepted, draws: including void ones).
        """
        design = Design(distances, k, run)
        while len(design.found) < k:
            design.add(self._winner(design, rng))
        return design.matchings

    def _winner(self, design: Design, rng: np.random.Generator) -> np.ndarray:
        from kanon_core.algorithms.concealment.matching_kernels import play

        n, number = len(design.distances), len(design.found)
        targets, best, least = np.arange(n), np.empty(n, np.int64), np.array([math.inf])
        shuffles = SHUFFLES if number <= SHUFFLED else 0
        work = n * min(SHUFFLES, 3**number)
        per_turn, per_call = max(1, _WORK_PER_TURN // work), max(1, _WORK_PER_CALL // work)
        accepted = drawn = 0
        while accepted < self.draws and drawn < (2 * self.draws + PATIENCE if accepted else PATIENCE):
            share = (number - 1 + accepted / self.draws) / (design.k - 1)
            design.run.tick(share, _standing(number + 1, design.k, accepted, float(least[0])))
            draws = min(per_turn, self.draws - accepted)
            for some in _calls(draws, per_call, design.run.log is not None):
                before = float(least[0])
                accepted += play(design.distances, design.used, rng, some, shuffles, targets, best, least)
                if design.run.log is not None and least[0] < before:
                    design.run.log.write(
                        "lead", number=number, accepted=accepted, cost=float(least[0]), targets=best
                    )
            drawn += draws
        if design.run.log is not None:
            design.run.log.write("drawn", number=number, accepted=accepted, draws=drawn)
        return best if accepted else design.repaired(targets)


def _calls(draws: int, most: int, logged: bool) -> Iterator[int]:
    """Yield parts of this many draws; if logged, small parts first, which show how the cost falls."""
    size = 1 if logged else most
    while draws > 0:
        yield min(size, most, draws)
        draws -= min(size, most, draws)
        size *= 2


def _standing(number: int, k: int, draws: int, least: float) -> str:
    """Return the state of the lottery in words, with the best cost so far."""
    said = tr("matching {number} of {k}")
    if draws:
        said = tr_n(
            "matching {number} of {k}, {draws:,} draw, least cost {least:.4g}",
            "matching {number} of {k}, {draws:,} draws, least cost {least:.4g}",
            draws,
        )
    return said.format(number=number, k=k, draws=draws, least=least)
