"""Several releases of a few people, by brute force: every way in which everybody can have a row in each."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product

import numpy as np

Row = tuple[frozenset[int], str]
"""The values that a cell may stand for, and the unchanged value beside it."""


def followed(people: list[int], releases: list[list[Row]]) -> list[set[tuple[int, ...]]]:
    """By person, the trajectories – the number of a row of each release – that are in some assignment of
    everybody to rows of all releases, with one unchanged value each."""
    found: list[set[tuple[int, ...]]] = [set() for _ in people]
    ways = [
        [
            way
            for way in permutations(range(len(rows)))
            if all(person in rows[row][0] for person, row in zip(people, way, strict=True))
        ]
        for rows in releases
    ]
    for chosen in product(*ways):
        values = [
            {rows[way[person]][1] for rows, way in zip(releases, chosen, strict=True)}
            for person in range(len(people))
        ]
        if all(len(value) == 1 for value in values):
            for person in range(len(people)):
                found[person].add(tuple(way[person] for way in chosen))
    return found


def taken(present: list[Row], earlier: list[Row]) -> Counter[Row]:
    """Return how many of each kind of equal rows of the present release are taken at least. Each earlier row
    takes another present row, one with an overlapping cell and the same unchanged value."""
    least: Counter[Row] = Counter(present)
    possible = [
        way
        for way in permutations(range(len(present)), len(earlier))
        if all(
            row[1] == present[at][1] and row[0] & present[at][0] for row, at in zip(earlier, way, strict=True)
        )
    ]
    assert possible
    for way in possible:
        used = Counter(present[at] for at in way)
        for row in least:
            least[row] = min(least[row], used[row])
    return least


def cells(low: np.ndarray, high: np.ndarray, values: np.ndarray) -> list[frozenset[int]]:
    """The values that each interval holds."""
    return [frozenset(v for v in values.tolist() if a <= v <= b) for a, b in zip(low, high, strict=True)]
