"""The nine tour heuristics and the cost of every matching in plain Python: what the compiled ones are
compared with."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np


def length(distances: np.ndarray, tour: list[int]) -> float:
    """The length of a round tour."""
    return sum(float(distances[a, b]) for a, b in zip(tour, [*tour[1:], tour[0]], strict=True))


def _place(distances: np.ndarray, tour: list[int], city: int) -> tuple[float, int]:
    """The least growth of the tour by this city, and the lowest city it may then be inserted behind."""
    pairs = zip(tour, [*tour[1:], tour[0]], strict=True)
    return min((float(distances[city, a] + distances[city, b] - distances[a, b]), a) for a, b in pairs)


def insertion(distances: np.ndarray, rule: str) -> list[int]:
    """A tour grown from city 0; ``rule``: nearest, farthest, arbitrary (by number), cheapest; the lowest
    among equals."""
    tour, left = [0], list(range(1, len(distances)))

    def gap(city: int) -> float:
        return min(float(distances[city, t]) for t in tour)

    keys = {
        "nearest": gap,
        "farthest": lambda city: -gap(city),
        "arbitrary": lambda city: city,
        "cheapest": lambda city: _place(distances, tour, city)[0],
    }
    while left:
        city = min(left, key=keys[rule])
        left.remove(city)
        tour.insert(tour.index(_place(distances, tour, city)[1]) + 1, city)
    return tour


def neighbor(distances: np.ndarray, start: int) -> list[int]:
    """Always on to the nearest city not yet visited."""
    tour, left = [start], set(range(len(distances))) - {start}
    while left:
        tour.append(min(left, key=lambda c: (float(distances[tour[-1], c]), c)))
        left.remove(tour[-1])
    return tour


def repetitive(distances: np.ndarray) -> list[int]:
    """The shortest of the tours from every city."""
    return min((neighbor(distances, c) for c in range(len(distances))), key=lambda t: length(distances, t))


def two_opt(distances: np.ndarray, tour: list[int]) -> list[int]:
    """Always the reversal that shortens the tour most, measured by the whole tour's length."""
    tour = list(tour)
    while True:
        best, least = tour, length(distances, tour) - 1e-7
        for i, j in itertools.combinations(range(1, len(tour)), 2):
            turned = tour[:i] + tour[i : j + 1][::-1] + tour[j + 1 :]
            if length(distances, turned) < least - 1e-12:
                best, least = turned, length(distances, turned)
        if best is tour:
            return tour
        tour = best


def canonical(tour: list[int] | np.ndarray) -> list[int]:
    """The same round tour from city 0 on, in the direction of the smaller second city."""
    cities = [int(c) for c in tour]
    at = cities.index(0)
    forward = cities[at:] + cities[:at]
    return min(forward, [0, *forward[:0:-1]])


def best_matchings(distances: np.ndarray, k: int) -> float:
    """The least cost of k edge-disjoint perfect matchings, the first the identity, by trying all (n ≤ 5)."""
    n = len(distances)
    derangements = [p for p in itertools.permutations(range(n)) if all(p[j] != j for j in range(n))]
    cost = {p: sum(float(distances[j, p[j]]) for j in range(n)) for p in derangements}
    best = math.inf
    for chosen in itertools.combinations(derangements, k - 1):
        if all(len(set(targets)) == k - 1 for targets in zip(*chosen, strict=True)):
            best = min(best, sum(cost[p] for p in chosen))
    return best


def pairings(records: list[int]) -> Iterator[list[tuple[int, int]]]:
    """Every way to pair an even number of records."""
    if not records:
        yield []
        return
    one, *others = records
    for other in others:
        for rest in pairings([o for o in others if o != other]):
            yield [(one, other), *rest]


def best_pairs(distances: np.ndarray) -> float:
    """The least total distance of pairs of all records, each counted in both directions, by trying all (n ≤
    10, even)."""
    ways = pairings(list(range(len(distances))))
    return min(2 * sum(float(distances[a, b]) for a, b in way) for way in ways)
