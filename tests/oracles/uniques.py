"""Minimal uniques, scores, distinction and separation by their definitions, record by record."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import combinations
from math import prod

Record = Sequence[Hashable]


def minimal_uniques(
    records: Sequence[Record], owners: Sequence[int], most: int
) -> dict[tuple[int, ...], list[int]]:
    """By set of columns, whose each minimal unique is, ascending: values that only one owner's records have,
    while every proper part of them is another's too."""

    def alone(columns: Sequence[int], record: int) -> bool:
        same = [
            other
            for other in range(len(records))
            if all(records[other][c] == records[record][c] for c in columns)
        ]
        return len({owners[other] for other in same}) == 1

    found: dict[tuple[int, ...], list[int]] = {}
    for size in range(1, most + 1):
        for columns in combinations(range(len(records[0])), size):
            values = {}
            for record in range(len(records)):
                parts = (part for few in range(size) for part in combinations(columns, few) if part)
                if alone(columns, record) and not any(alone(part, record) for part in parts):
                    values[tuple(records[record][c] for c in columns)] = owners[record]
            if values:
                found[columns] = sorted(values.values())
    return found


def scores(found: dict[tuple[int, ...], list[int]], subjects: int, columns: int, most: int) -> list[float]:
    """SUDA's score of each subject: the sum, over its minimal uniques, of ∏ (columns − i) for
    i = size … most − 1."""
    return [
        float(
            sum(
                prod(columns - i for i in range(len(which), most)) * owners.count(subject)
                for which, owners in found.items()
            )
        )
        for subject in range(subjects)
    ]


def distinction(values: Sequence[Hashable], owners: Sequence[int]) -> float:
    """Different values / different pairs of an owner and a value."""
    return len(set(values)) / len(set(zip(values, owners, strict=True)))


def separation(values: Sequence[Hashable], owners: Sequence[int]) -> float:
    """Return the share of pairs of records of different owners whose values differ; 1 without a pair."""
    pairs = [(a, b) for a, b in combinations(range(len(values)), 2) if owners[a] != owners[b]]
    return sum(values[a] != values[b] for a, b in pairs) / len(pairs) if pairs else 1.0


def alone(values: Sequence[Hashable], owners: Sequence[int]) -> int:
    """Return the number of owners who have a value that no other has."""
    of: dict[Hashable, set[int]] = {}
    for value, owner in zip(values, owners, strict=True):
        of.setdefault(value, set()).add(owner)
    return len({next(iter(these)) for these in of.values() if len(these) == 1})
