"""Groups of item sets on Python lists: what they show, the best partition of a few records, and the largest shared subsets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

Basket = frozenset[int]


def shown(labels: Sequence[int], sets: Sequence[Basket]) -> int:
    """Σ |group| · |items that all members have|; records of a label below 0 show nothing."""
    total = 0
    for label in {label for label in labels if label >= 0}:
        members = [sets[r] for r, own in enumerate(labels) if own == label]
        total += len(members) * len(frozenset.intersection(*members))
    return total


def best(sets: Sequence[Basket], k: int) -> int:
    """The most that any partition into groups of k or more shows."""
    return max(shown(labels, sets) for labels in partitions(len(sets)) if smallest(labels) >= k)


def smallest(labels: Sequence[int]) -> int:
    """Records of the smallest group."""
    return min(list(labels).count(label) for label in set(labels))


def partitions(n: int, used: int = 0) -> Iterator[tuple[int, ...]]:
    """Every partition of n records as labels numbered by first occurrence."""
    if n == 0:
        yield ()
        return
    for label in range(used + 1):
        for rest in partitions(n - 1, max(used, label + 1)):
            yield (label, *rest)


def most(record: int, sets: Sequence[Basket], k: int) -> int:
    """The size of the largest subset of a record's items that k records have."""
    own = sets[record]
    return max(
        size
        for size in range(len(own) + 1)
        if any(sum(set(part) <= other for other in sets) >= k for part in combinations(sorted(own), size))
        or size == 0
    )
