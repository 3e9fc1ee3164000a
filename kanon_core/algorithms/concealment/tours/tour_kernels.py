"""Tours by insertion and by nearest neighbors. Cities are records numbered in random order.

``distances`` float64 (n, n), symmetric, ≥ 0. A growing tour is ``after`` int64 (n): the next city, −1 for
cities not on the tour; ``length`` float64 (n): the distance from a city to the next.
"""

import numpy as np

from kanon_core.base.compiled import kernel, uncompiled_twin

NEAREST, FARTHEST, ARBITRARY = 0, 1, 2


@kernel
def insert(
    distances: np.ndarray,
    rule: int,
    after: np.ndarray,
    length: np.ndarray,
    gap: np.ndarray,
    start: int,
    stop: int,
) -> None:
    """Grow a tour from ``start`` to ``stop`` cities; insert each where the tour grows least. O(n) per city.

    ``rule`` chooses the next city: the least (NEAREST) or greatest (FARTHEST) distance to the tour, which is
    the distance to its nearest city, or the next number (ARBITRARY). ``gap`` float64 (n): distances to the
    tour.
    """
    n = distances.shape[0]
    for size in range(start, stop):
        city = size if rule == ARBITRARY else -1
        if rule != ARBITRARY:
            for c in range(n):
                if after[c] < 0 and (
                    city < 0 or (gap[c] < gap[city] if rule == NEAREST else gap[c] > gap[city])
                ):
                    city = c
        best, least = -1, np.inf
        for i in range(n):
            if after[i] >= 0:
                growth = distances[city, i] + distances[city, after[i]] - length[i]
                if growth < least:
                    best, least = i, growth
        after[city], length[city] = after[best], distances[city, after[best]]
        after[best], length[best] = city, distances[city, best]
        for c in range(n):
            gap[c] = min(gap[c], distances[city, c])


@kernel
def growth_at(distances: np.ndarray, after: np.ndarray, length: np.ndarray, city: int, i: int) -> float:
    """Return the growth of the tour if ``city`` is inserted after i; infinite for i = −1."""
    if i < 0:
        return np.inf
    return float(distances[city, i] + distances[city, after[i]] - length[i])


@kernel
def replay(
    distances: np.ndarray,
    after: np.ndarray,
    length: np.ndarray,
    winners: np.ndarray,
    city: int,
    leaf: int,
    half: int,
) -> None:
    """Replay the matches of ``leaf`` in the city's tournament: ``winners`` int16 (2 · half,), node 1 is the
    root, −1 = no position."""
    winners[half + leaf] = leaf
    node = (half + leaf) >> 1
    while node >= 1:
        a, b = int(np.int64(winners[2 * node])), int(np.int64(winners[2 * node + 1]))
        first = growth_at(distances, after, length, city, a)
        second = growth_at(distances, after, length, city, b)
        winners[node] = b if second < first else a
        node >>= 1


@kernel
def insert_cheapest(
    distances: np.ndarray, after: np.ndarray, length: np.ndarray, winners: np.ndarray, start: int, stop: int
) -> None:
    """Grow a tour from ``start`` to ``stop`` cities; each time, insert the city and position that add least.

    Each city has a tournament of all positions: ``winners`` int16 (n, 2 · half), half = the power of two ≥ n;
    before the first call, with start = 1, city 0 has won its matches, and all else is −1. An insertion
    changes two positions: O(log n) for each city, O(n² log n) in all.
    """
    n, half = distances.shape[0], winners.shape[1] // 2
    for _ in range(start, stop):
        city, least = -1, np.inf
        for c in range(n):
            if after[c] < 0:
                growth = growth_at(distances, after, length, c, int(np.int64(winners[c, 1])))
                if growth < least:
                    city, least = c, growth
        place = int(np.int64(winners[city, 1]))
        after[city], length[city] = after[place], distances[city, after[place]]
        after[place], length[place] = city, distances[city, place]
        for c in range(n):
            if after[c] < 0:
                replay(distances, after, length, winners[c], c, place, half)
                replay(distances, after, length, winners[c], c, city, half)


@kernel
def neighbor_tour(distances: np.ndarray, first: int, tour: np.ndarray) -> None:
    """Write the tour that starts at ``first`` and goes on to the nearest unvisited city, int64 (n). O(n²)."""
    n = distances.shape[0]
    left = np.ones(n, np.bool_)
    tour[0] = city = first
    left[city] = False
    for place in range(1, n):
        best = -1
        for c in range(n):
            if left[c] and (best < 0 or distances[city, c] < distances[city, best]):
                best = c
        tour[place] = city = best
        left[city] = False


@kernel
def neighbor_tours(
    distances: np.ndarray,
    ranked: np.ndarray,
    start: int,
    stop: int,
    tour: np.ndarray,
    best: np.ndarray,
    least: np.ndarray,
) -> None:
    """Make nearest-neighbor tours from the cities start … stop − 1; write the first cheapest to ``best`` and
    its cost to ``least`` (1,).

    ``ranked`` int16 (n, n): row c lists all cities by distance from c, ties by number. Visited cities are
    skipped.
    """
    n = distances.shape[0]
    left = np.empty(n, np.bool_)
    for first in range(start, stop):
        left[:] = True
        tour[0] = city = first
        left[city] = False
        cost = 0.0
        for place in range(1, n):
            rank = 0
            while not left[ranked[city, rank]]:
                rank += 1
            tour[place] = ranked[city, rank]
            cost += distances[city, tour[place]]
            city = tour[place]
            if cost >= least[0]:
                break
            left[city] = False
        cost += distances[city, first]
        if cost < least[0]:
            least[0] = cost
            for i in range(tour.size):
                best[i] = tour[i]


@uncompiled_twin(neighbor_tours)
def neighbor_tours_abreast(
    distances: np.ndarray,
    ranked: np.ndarray,
    start: int,
    stop: int,
    tour: np.ndarray,
    best: np.ndarray,
    least: np.ndarray,
) -> None:
    """Do the work of `neighbor_tours`, extending all tours by one city at a time; ``tour`` is not changed."""
    n, count = len(distances), stop - start
    tours, costs = np.empty((count, n), np.int64), np.zeros(count)
    tours[:, 0] = city = np.arange(start, stop)
    rows, left = np.arange(count), np.ones((count, n), bool)
    for place in range(1, n):
        left[rows, city] = False
        following = np.where(left, distances[city], np.inf).argmin(axis=1)
        costs += distances[city, following]
        tours[:, place] = city = following
    costs += distances[city, tours[:, 0]]
    cheapest = int(costs.argmin())
    if costs[cheapest] < least[0]:
        least[0], best[:] = costs[cheapest], tours[cheapest]


@uncompiled_twin(insert_cheapest)
def insert_cheapest_abreast(
    distances: np.ndarray, after: np.ndarray, length: np.ndarray, winners: np.ndarray, start: int, stop: int
) -> None:
    """Do the work of `insert_cheapest` on the tournaments of all cities at once."""
    half = winners.shape[1] // 2

    def growths(cities: np.ndarray, places: np.ndarray) -> np.ndarray:
        grown = distances[cities, places] + distances[cities, after[places]] - length[places]
        return np.where(places < 0, np.inf, grown)

    for _ in range(start, stop):
        waiting = np.flatnonzero(after < 0)
        city = waiting[growths(waiting, winners[waiting, 1]).argmin()]
        place = winners[city, 1]
        after[city], length[city] = after[place], distances[city, after[place]]
        after[place], length[place] = city, distances[city, place]
        waiting = waiting[waiting != city]
        for leaf in (place, city):
            winners[waiting, half + leaf] = leaf
            node = (half + int(leaf)) >> 1
            while node:
                one, other = winners[waiting, 2 * node], winners[waiting, 2 * node + 1]
                better = growths(waiting, other) < growths(waiting, one)
                winners[waiting, node] = np.where(better, other, one)
                node >>= 1
