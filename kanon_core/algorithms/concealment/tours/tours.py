"""Tours: every record hides behind the next one on a short round tour."""

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
    "best": later("all nine, the cheapest tour kept"),
    "identity": later("in the order of the records"),
    "random": later("in random order"),
    "nearest insertion": later("insert the record nearest to the tour"),
    "cheapest insertion": later("insert the record that lets the tour grow least"),
    "farthest insertion": later("insert the record farthest from the tour"),
    "arbitrary insertion": later("insert the records in random order"),
    "nearest neighbor": later("on to the nearest record not yet visited"),
    "repetitive nearest neighbor": later("the same from every record, the shortest kept"),
    "two-opt": later("reverse parts of a random tour until no reversal shortens it"),
}


@dataclass(frozen=True)
class Tours(MatchingMethod):
    """Complete k-concealment by heuristics for the traveling salesman: the matchings 2, 4, … are round tours.

    P₂ leads every record to the one that follows on a short tour through all records, P₃ is the same tour
    backwards, P₄ a tour without any edge of the first, P₅ it backwards, and so on. A tour comes from one of
    nine heuristics (`heuristics`) or is the shortest of all. Distance: definition 2.2 of the paper, or those
    chosen for the columns.

    Used edges get a distance longer than any tour. A tour that still holds one is rejected; if all are, one
    of the least cost has its used edges removed by two-opt moves; if some stay, that is a dead end, counted,
    and the matching of least cost takes the place of the tour. Such a matching may share an edge with its own
    reverse; then a matching of least cost also takes the next place.

    When to use: the best of the paper's methods where records are far apart; in dense data `Clustered` is
    better. `OptimalConcealment` is never above it. Cost: two-opt takes about n passes of O(n²), the rest is
    O(n² log n); n × n matrices (about 1 GB at n = 5,000, the limit).

    Reference: k-concealment paper, §3.3, algorithm 3 and table 7.
    """

    title: ClassVar[str] = "Tours"
    summary: ClassVar[str] = (
        "Every record hides behind its neighbors on a short round tour through all records."
    )

    heuristic: Annotated[str, Choice(_MEANINGS, help="how the tours are found")] = "best"
    distance: DistanceWord = "range"

    def matchings(self, distances: np.ndarray, k: int, run: Run, rng: np.random.Generator) -> np.ndarray:
        """Return the k matchings for these distances; see `MatchingMethod.matchings`.

        Logs besides the event ``tour`` (number of the matching, heuristic, cost, fits = holds no used edge,
        targets) for each tour tried, and ``mended`` (number, heuristic, targets) where used edges had to be
        taken out of the cheapest.
        """
        design = Design(distances, k, run)
        names = tuple(HEURISTICS) if self.heuristic == "best" else (self.heuristic,)
        for number in range(1, k):
            targets = self._found(design, names, rng) if number % 2 else np.argsort(design.found[-1])
            design.add(targets if design.fits(targets) else design.repaired(np.full(len(targets), -1)))
        return design.matchings

    def _found(self, design: Design, names: tuple[str, ...], rng: np.random.Generator) -> np.ndarray:
        """The cheapest tour that fits, as a matching; if none does, the cheapest with used edges removed
        where possible."""
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
