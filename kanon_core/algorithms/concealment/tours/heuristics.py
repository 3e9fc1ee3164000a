"""The nine heuristics for the shortest round tour, with one signature (k-concealment paper, table 7).

Each is a function ``(cities, tick) -> tour``: the cities in the order in which the tour visits them, int64
(n). Cities are records numbered at random: all heuristics start from city 0, and ties go to the lowest
number, so the numbering is the only random choice. The definitions are those of the package TSP for R (M.
Hahsler, K. Hornik, Journal of Statistical Software 23(2), 2007), except that two-opt fully counts the edge
that closes the tour.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

_WORK_PER_CALL = 500_000
"""Work between checks for compiled code: about a millisecond compiled, a few tenths of a second
uncompiled."""


class Cities(NamedTuple):
    """``distances`` float64 (n, n), symmetric, ≥ 0; ``numbers`` int64 (n): the record that each city is."""

    distances: np.ndarray
    numbers: np.ndarray


Beat = Callable[[], None]
"""A function called at least every 0.2 s; an exception that it raises stops the work."""

Heuristic = Callable[[Cities, Beat], np.ndarray]


def identity(cities: Cities, tick: Beat) -> np.ndarray:
    """Return the tour in the order of the record numbers."""
    return np.argsort(cities.numbers)


def random(cities: Cities, tick: Beat) -> np.ndarray:
    """Return the tour in random order."""
    return np.arange(len(cities.numbers))


def _insertion(rule: str) -> Heuristic:
    """Return the heuristic that inserts cities in the order of a rule of `tour_kernels`. O(n²)."""

    def inserted(cities: Cities, tick: Beat) -> np.ndarray:
        from kanon_core.algorithms.concealment.tours import tour_kernels as kernels

        n = len(cities.numbers)
        after, length = _one_city(n)
        gap = cities.distances[0].copy()
        step = 1 + _WORK_PER_CALL // (2 * n)
        for start in range(1, n, step):
            tick()
            stop = min(n, start + step)
            kernels.insert(cities.distances, getattr(kernels, rule), after, length, gap, start, stop)
        return _in_order(after)

    return inserted


def cheapest_insertion(cities: Cities, tick: Beat) -> np.ndarray:
    """Return the tour that always inserts the city and position that add least. O(n² log n)."""
    from kanon_core.algorithms.concealment.tours.tour_kernels import insert_cheapest

    n = len(cities.numbers)
    after, length = _one_city(n)
    levels = (n - 1).bit_length()
    winners = np.full((n, 2 << levels), -1, np.int16)
    winners[:, 1 << np.arange(levels + 1)] = 0
    step = 1 + _WORK_PER_CALL // (100 * n)
    for start in range(1, n, step):
        tick()
        insert_cheapest(cities.distances, after, length, winners, start, min(n, start + step))
    return _in_order(after)


def nearest_neighbor(cities: Cities, tick: Beat) -> np.ndarray:
    """Return the tour that starts in a random city and goes on to the nearest unvisited city. O(n²)."""
    from kanon_core.algorithms.concealment.tours.tour_kernels import neighbor_tour

    tour = np.zeros(len(cities.numbers), np.int64)
    tick()
    neighbor_tour(cities.distances, 0, tour)
    return tour


def repetitive_nearest_neighbor(cities: Cities, tick: Beat) -> np.ndarray:
    """Return the shortest of the nearest-neighbor tours from all cities. O(n³) at worst, typically O(n² log
    n)."""
    from kanon_core.algorithms.concealment.tours.tour_kernels import neighbor_tours

    n = len(cities.numbers)
    ranked = np.empty((n, n), np.int16)
    rows = 1 + _WORK_PER_CALL // (20 * n)
    for start in range(0, n, rows):
        tick()
        ranked[start : start + rows] = np.argsort(
            cities.distances[start : start + rows], axis=1, kind="stable"
        )
    tour, best, least = np.zeros(n, np.int64), np.zeros(n, np.int64), np.array([np.inf])
    starts = 1 + _WORK_PER_CALL // (n * n)
    for start in range(0, n, starts):
        tick()
        neighbor_tours(cities.distances, ranked, start, min(n, start + starts), tour, best, least)
    return best


def two_opt(cities: Cities, tick: Beat) -> np.ndarray:
    """Return a random tour after two-opt: reverse the part that shortens it most until none does. About n
    passes of O(n²)."""
    return shortened(cities.distances, random(cities, tick), tick)


def shortened(distances: np.ndarray, tour: np.ndarray, tick: Beat) -> np.ndarray:
    """Return the result of two-opt from this tour; distances float64 (n, n)."""
    from kanon_core.algorithms.concealment.tours.two_opt_kernels import shorten

    n, tour = len(tour), tour.astype(np.int64)
    along = distances[np.ix_(tour, tour)]
    step = distances[tour, np.roll(tour, -1)]
    passes = 1 + _WORK_PER_CALL // (n * n)
    tick()
    while shorten(along, step, tour, passes):
        tick()
    return tour


HEURISTICS: dict[str, Heuristic] = {
    "identity": identity,
    "random": random,
    "nearest insertion": _insertion("NEAREST"),
    "cheapest insertion": cheapest_insertion,
    "farthest insertion": _insertion("FARTHEST"),
    "arbitrary insertion": _insertion("ARBITRARY"),
    "nearest neighbor": nearest_neighbor,
    "repetitive nearest neighbor": repetitive_nearest_neighbor,
    "two-opt": two_opt,
}
"""The nine heuristics by name, in the order of the paper's table 7."""


def _one_city(n: int) -> tuple[np.ndarray, np.ndarray]:
    after = np.full(n, -1, np.int64)
    after[0] = 0
    return after, np.zeros(n)


def _in_order(after: np.ndarray) -> np.ndarray:
    tour = np.zeros(len(after), np.int64)
    for place in range(1, len(after)):
        tour[place] = after[tour[place - 1]]
    return tour
