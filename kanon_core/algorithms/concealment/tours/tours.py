"""Tours: match every record with the next one on a short round tour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.algorithms.base import Run
from kanon_core.algorithms.concealment.matchings import Design, DistanceWord, MatchingMethod
from kanon_core.algorithms.concealment.tours.heuristics import HEURISTICS, Cities, shortened
from kanon_core.base.kinds import Choice
from kanon_core.base.words import later

_MEANINGS = {
    "best": later("all nine; use the cheapest tour"),
    "identity": later("in the order of the records"),
    "random": later("in random order"),
    "nearest insertion": later("insert the record nearest to the tour"),
    "cheapest insertion": later("insert the record that lengthens the tour least"),
    "farthest insertion": later("insert the record farthest from the tour"),
    "arbitrary insertion": later("insert the records in random order"),
    "nearest neighbor": later("go on to the nearest unvisited record"),
    "repetitive nearest neighbor": later("start from every record; use the shortest tour"),
    "two-opt": later("reverse parts of a random tour until no reversal shortens it"),
}


@dataclass(frozen=True)
class Tours(MatchingMethod):
    """Complete k-concealment by traveling salesman heuristics: the matchings 2, 4, … are round tours.

    P₂ matches every record with the next one on a short tour through all records, P₃ is the reversed tour, P₄
    a tour without any edge of the first, P₅ its reverse, and so on. A tour comes from one of nine heuristics
    (`heuristics`), or is the shortest of all nine. Distance: definition 2.2 of the paper, or those chosen for
    the columns.

    Used edges get a distance longer than any tour. A tour with a used edge is rejected. If all are rejected,
    two-opt moves remove the used edges of the cheapest; if some remain, the report counts a dead end, and the
    matching of least cost replaces the tour. Such a matching may share an edge with its own reverse; then a
    matching of least cost replaces the reverse too.

    When to use: the best of the paper's methods for records far apart; for dense data `Clustered` is better.
    `OptimalConcealment` never costs more. Cost: two-opt takes about n passes of O(n²), the rest is O(n² log
    n); n × n matrices (about 1 GB at n = 5,000, the limit).

    Reference: k-concealment paper, §3.3, algorithm 3 and table 7.
    """

    title: ClassVar[str] = "Tours"
    summary: ClassVar[str] = (
        "Matches every record with its neighbors on short round tours through all records."
    )

    heuristic: Annotated[str, Choice(_MEANINGS, help="heuristic that finds the tours")] = "best"
    distance: DistanceWord = "range"

    def matchings(self, distances: np.ndarray, k: int, run: Run, rng: np.random.Generator) -> np.ndarray:
        """Return the k matchings for these distances; see `MatchingMethod.matchings`.

        Also logs ``tour`` (number of the matching, heuristic, cost, fits = it has no used edge, targets) for
        each tour tried, and ``mended`` (number, heuristic, targets) if used edges were removed from the
        cheapest.
        """
        design = Design(distances, k, run)
        names = tuple(HEURISTICS) if self.heuristic == "best" else (self.heuristic,)
        for number in range(1, k):
            targets = self._found(design, names, rng) if number % 2 else np.argsort(design.found[-1])
            design.add(targets if design.fits(targets) else design.repaired(np.full(len(targets), -1)))
        return design.matchings

    def _found(self, design: Design, names: tuple[str, ...], rng: np.random.Generator) -> np.ndarray:
        """Return the cheapest tour that fits, as a matching; if none fits, the cheapest after removing used
        edges where possible."""
        n, number = len(design.distances), len(design.found)
        numbers = rng.permutation(n)
        closed = (design.used | design.used.T)[np.ix_(numbers, numbers)]
        np.fill_diagonal(closed, False)
        longest = float(design.distances.max()) or 1.0
        cities = Cities(design.distances[np.ix_(numbers, numbers)] / longest, numbers)
        cities.distances[closed] = 1.0 + n
        tours = []
        for place, name in enumerate(names):
            share = (number - 1 + place / len(names)) / (design.k - 1)

            def tick(share: float = share, name: str = name) -> None:
                design.run.tick(share, name)

            tick()
            tour = HEURISTICS[name](cities, tick)
            fits, cost = _judged(tour, numbers, closed, design)
            tours.append((not fits, cost, place, tour))
            if design.run.log is not None:
                about = {"heuristic": name, "targets": _as_matching(tour, numbers)}
                design.run.log.write("tour", number=number, cost=cost, fits=fits, **about)
        overlaps, _, place, tour = min(tours)
        if overlaps:
            tour = shortened(closed.astype(np.float64), tour, tick)
        targets = _as_matching(tour, numbers)
        if overlaps and design.run.log is not None:
            design.run.log.write("mended", number=number, heuristic=names[place], targets=targets)
        return targets


def _judged(tour: np.ndarray, numbers: np.ndarray, closed: np.ndarray, design: Design) -> tuple[bool, float]:
    following = np.roll(tour, -1)
    cost = design.distances[numbers[tour], numbers[following]].sum()
    return not closed[tour, following].any(), float(cost)


def _as_matching(tour: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    targets = np.empty(len(tour), np.int64)
    targets[numbers[tour]] = numbers[np.roll(tour, -1)]
    return targets
