"""Full-domain generalization by looking at every choice of levels, on Python lists and dictionaries."""

from __future__ import annotations

from collections import Counter
from itertools import product

Path = tuple[str, ...]
"""The labels of a value from itself up to the top, one a level; all of a column have equal lengths."""


def levels(paths: dict[str, Path]) -> list[dict[str, str]]:
    """By level, the label of each value; of paths of unequal length the short ones are filled up at the
    value."""
    height = max(map(len, paths.values()))
    filled = {value: (path[0],) * (height - len(path)) + path for value, path in paths.items()}
    return [{value: path[level] for value, path in filled.items()} for level in range(height)]


def penalties(column: list[dict[str, str]], leaves: Path) -> list[dict[str, float]]:
    """By level, values below the label of each value / all values, 0 for one (``leaves``: of the whole
    hierarchy, its labels on each level)."""
    found = []
    for labels in column:
        below = {label: sum(label in path for path in leaves) for label in set(labels.values())}
        found.append({v: below[x] / len(leaves) if below[x] > 1 else 0.0 for v, x in labels.items()})
    return found


def best(
    rows: list[tuple[str, ...]], columns: list[dict[str, Path]], k: int, most: int
) -> tuple[float, tuple[int, ...]]:
    """The least mean NCP of all choices of levels with at most ``most`` records in classes below k, which
    cost 1 each; and such a choice, the first in order."""
    steps = [levels(paths) for paths in columns]
    costs = [penalties(step, tuple(paths.values())) for step, paths in zip(steps, columns, strict=True)]
    least, chosen = float("inf"), ()
    for choice in product(*(range(len(step)) for step in steps)):
        shown = [
            tuple(step[level][value] for step, level, value in zip(steps, choice, row, strict=True))
            for row in rows
        ]
        sizes = Counter(shown)
        few = [sizes[one] < k for one in shown]
        if sum(few) > most or all(few):
            continue
        loss = sum(
            1.0
            if gone
            else sum(cost[at][v] for cost, at, v in zip(costs, choice, row, strict=True)) / len(row)
            for row, gone in zip(rows, few, strict=True)
        ) / len(rows)
        if loss < least - 1e-12:
            least, chosen = loss, choice
    return least, chosen
