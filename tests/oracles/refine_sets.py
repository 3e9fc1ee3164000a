"""Groups of item sets on Python lists: what they show, the best partition of a few records, and the largest
shared subsets."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from math import inf

Basket = frozenset[int]


def shown(labels: Sequence[int], sets: Sequence[Basket]) -> int:
    """Σ |group| · |items that all members have|; records of a label below 0 show nothing."""
    total = 0
    for label in {label for label in labels if label >= 0}:
        members = [sets[r] for r, own in enumerate(labels) if own == label]
        total += len(members) * len(frozenset.intersection(*members))
    return total


def best(sets: Sequence[Basket], k: int) -> int:
    """The most that any partition into groups of k or more shows: the first record's group, then the best of
    the others."""

    @cache
    def most(left: tuple[int, ...]) -> float:
        if not left:
            return 0
        groups = (
            (left[0], *others) for size in range(k - 1, len(left)) for others in combinations(left[1:], size)
        )
        return max(
            (gain(group) + most(tuple(r for r in left if r not in group)) for group in groups), default=-inf
        )

    def gain(group: tuple[int, ...]) -> int:
        return len(group) * len(frozenset.intersection(*(sets[r] for r in group)))

    return int(most(tuple(range(len(sets)))))


def smallest(labels: Sequence[int]) -> int:
    """Records of the smallest group."""
    return min(list(labels).count(label) for label in set(labels))


def most(record: int, sets: Sequence[Basket], k: int) -> int:
    """The size of the largest subset of a record's items that k records have."""
    own = sets[record]
    return max(
        size
        for size in range(len(own) + 1)
        if any(sum(set(part) <= other for other in sets) >= k for part in combinations(sorted(own), size))
        or size == 0
    )


def most_shared(record: int, sets: Sequence[Basket], k: int) -> int:
    """The same for long sets of few records: the most that the record shares with k − 1 others."""
    others = [own for r, own in enumerate(sets) if r != record]
    return max(len(sets[record].intersection(*chosen)) for chosen in combinations(others, k - 1))
