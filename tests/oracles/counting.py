"""Counts of a part's rows, and the leaves to which cuts send them, row by row."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_core.scale.passes.tree import Tree

Row = tuple[Sequence[float], Sequence[int]]
"""A row: its numbers (missing = −1), and the numbers of its categories."""


def leaf(tree: Tree, row: Row) -> int:
    """The leaf that a row lies in."""
    numbers, values = row
    node = 0
    while node in tree.cuts:
        cut, (left, right) = tree.cuts[node], tree.sides[node]
        if cut.attribute < len(numbers):
            goes = numbers[cut.attribute] <= cut.edge
        else:
            goes = values[cut.attribute - len(numbers)] in cut.members
        node = left if goes else right
    return node


def bin_of(number: float, first: float, last: float, bins: int) -> int:
    """The bin of a number between two ends."""
    return 0 if last <= first else min(int((number - first) / (last - first) * bins), bins - 1)


def summary(
    rows: Sequence[Row], ends: Sequence[tuple[float, float]], values: int, bins: int
) -> dict[str, list]:
    """Return the counts of rows that all lie in one node; ``ends`` of the numbers counted in bins."""
    columns = [[numbers[a] for numbers, _ in rows] for a in range(len(ends))]
    pairs = list(zip(columns, ends, strict=True))
    return {
        "least": [min(column, default=float("inf")) for column in columns],
        "greatest": [max(column, default=-float("inf")) for column in columns],
        "missing": [sum(x < 0 for x in column) for column in columns],
        "below": [sum(x < first for x in column) for column, (first, _) in pairs],
        "before": [
            max((x for x in column if x < first), default=-float("inf")) for column, (first, _) in pairs
        ],
        "bins": [
            [
                sum(first <= x <= last and bin_of(x, first, last, bins) == b for x in column)
                for b in range(bins)
            ]
            for column, (first, last) in pairs
        ],
        "counts": [sum(list(own).count(value) for _, own in rows) for value in range(values)],
    }
