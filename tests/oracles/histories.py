"""Purchase histories the slow way: paper 002 step by step, and everything that can be tried out."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence

import numpy as np


def paper(
    persons: Sequence[Hashable], price: Sequence[float], quantity: Sequence[float], k: int
) -> list[frozenset[int]]:
    """The groups of records that (purchase-history paper, §2.2) publishes alike; ``persons`` names whose each
    record is, None = nobody's."""
    records: dict[Hashable, list[int]] = defaultdict(list)
    for record, person in enumerate(persons):
        if person is not None:
            records[person].append(record)
    by_count = sorted(records.values(), key=lambda own: -len(own))
    groups = []
    for block in range(len(by_count) // k):
        people = [
            sorted(own, key=lambda i: (-price[i], -quantity[i], i))
            for own in by_count[k * block : k * block + k]
        ]
        groups += [frozenset(row) for row in zip(*people, strict=False)]
    return groups


def partitions(people: Sequence[int], k: int) -> Iterator[list[tuple[int, ...]]]:
    """Every way to put people into blocks of k or more, some of them left out."""
    if not people:
        yield []
        return
    first, *others = people
    yield from partitions(others, k)
    for size in range(k - 1, len(others) + 1):
        for mates in itertools.combinations(others, size):
            rest = [person for person in others if person not in mates]
            for blocks in partitions(rest, k):
                yield [(first, *mates), *blocks]


def most_kept(counts: Sequence[int], k: int) -> int:
    """Return the most records that any blocks of k or more whole people can publish."""
    return max(
        sum(len(block) * min(counts[person] for person in block) for block in blocks)
        for blocks in partitions(range(len(counts)), k)
    )


def shared_by(
    persons: Sequence[Hashable], names: Sequence[Hashable], rows: Sequence[Hashable]
) -> dict[Hashable, int]:
    """By pseudonym: the people whose published history is equal, divided by the pseudonyms that one of them
    has there."""
    history: dict[Hashable, Counter] = defaultdict(Counter)
    owner = {}
    for person, name, row in zip(persons, names, rows, strict=True):
        history[name][row] += 1
        owner[name] = person
    found = {}
    for name, own in history.items():
        alike = [other for other, rows_of in history.items() if rows_of == own]
        found[name] = len(alike) // max(Counter(owner[other] for other in alike).values())
    return found


def likeliest(likelihood: np.ndarray) -> float:
    """The greatest Σ of log-likelihoods of any choice of different people (columns) for all pseudonyms
    (rows)."""
    rows, columns = likelihood.shape
    return max(
        sum(likelihood[row, person] for row, person in enumerate(chosen))
        for chosen in itertools.permutations(range(columns), rows)
    )
