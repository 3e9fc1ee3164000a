"""NCP from its definition, and the best change of a partition by trying them all."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from kanon_core.distances.mixed import UnitColumns


def penalty(columns: UnitColumns, members: Sequence[int]) -> float:
    """Weighted mean over the attributes of a group's NCP, in 0..1."""
    total = 0.0
    for a, weight in enumerate(columns.numeric_weights):
        values = [float(columns.numeric[r, a]) for r in members]
        present = [value for value in values if not math.isnan(value)]
        if present and len(present) < len(values):
            total += weight
        elif present:
            total += weight * (max(present) - min(present))
    for a, weight in enumerate(columns.code_weights):
        if columns.domains[a] > 1:
            kinds = len({int(columns.codes[r, a]) for r in members})
            total += weight * (kinds - 1) / (int(columns.domains[a]) - 1)
    return total


def groups_of(labels: Sequence[int]) -> list[list[int]]:
    """Members of each group, suppressed records (−1) left out."""
    found: dict[int, list[int]] = {}
    for record, label in enumerate(labels):
        if label >= 0:
            found.setdefault(int(label), []).append(record)
    return list(found.values())


def ncp(columns: UnitColumns, labels: Sequence[int]) -> float:
    """NCP of a partition: mean over the records in groups."""
    groups = groups_of(labels)
    n = sum(len(group) for group in groups)
    return sum(len(group) * penalty(columns, group) for group in groups) / n


def best_move(columns: UnitColumns, labels: Sequence[int], k: int) -> float:
    """The most that moving one record to another group saves, sizes kept in k … 2k − 1; 0 if none saves
    anything."""
    groups = groups_of(labels)
    n = sum(len(group) for group in groups)
    best = 0.0
    for one in groups:
        for record in one if len(one) > k else ():
            rest = [r for r in one if r != record]
            freed = len(one) * penalty(columns, one) - len(rest) * penalty(columns, rest)
            for two in groups:
                if two is not one and len(two) < 2 * k - 1:
                    added = (len(two) + 1) * penalty(columns, [*two, record]) - len(two) * penalty(
                        columns, two
                    )
                    best = max(best, (freed - added) / n)
    return best


def partitions(records: list[int], k: int) -> Iterator[list[list[int]]]:
    """All partitions of the records into groups of k or more."""
    if not records:
        yield []
        return
    first, rest = records[0], records[1:]
    for choice in range(2 ** len(rest)):
        group = [first] + [r for i, r in enumerate(rest) if choice >> i & 1]
        if len(group) >= k:
            others = [r for i, r in enumerate(rest) if not choice >> i & 1]
            for more in partitions(others, k):
                yield [group, *more]


def least_ncp(columns: UnitColumns, n: int, k: int) -> float:
    """The lowest NCP of all partitions of n records into groups of k or more."""
    return min(
        sum(len(group) * penalty(columns, group) for group in groups) / n
        for groups in partitions(list(range(n)), k)
    )
