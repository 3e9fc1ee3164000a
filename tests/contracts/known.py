"""The combinations of known items that are rare among published records, found by counting every one."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np

from kanon_core.release.release import Release
from kanon_core.table.columns.columns import Items

Row = tuple[tuple, frozenset]
"""The published part of a record: its single values, and its items, each with its column."""


def as_published(release: Release) -> list[Row]:
    """Return the published row of each record that is not suppressed; the single values are texts."""
    shown = np.flatnonzero(~release.suppressed)
    texts, cell = release.texts(shown), release.row[shown]
    sets = [p for p in release.by_row if isinstance(release.table[p.attribute.name], Items)]
    names = [name for name in texts if name not in {p.attribute.name for p in sets}]
    return [
        (
            tuple(texts[name][i] for name in names),
            frozenset(
                (p.attribute.name, release.table[p.attribute.name].closure.sets.labels[item])
                for p in sets
                for item in p.cells.items[p.cells.starts[c] : p.cells.starts[c + 1]]
            ),
        )
        for i, c in enumerate(cell.tolist())
    ]


def rare(rows: list[Row], k: int, m: int) -> list[int]:
    """Records from 1 on of which some combination of the single values and at most m items is published by
    fewer than k.

    Items that stand in the very same rows are one item as often as m allows: sets of thousands are counted
    once.
    """
    counts: Counter = Counter()
    few = [(single, _few(items, rows, m)) for single, items in rows]
    for single, items in few:
        for size in range(m + 1):
            counts.update((single, some) for some in combinations(sorted(items), size))
    return [
        i + 1
        for i, (single, items) in enumerate(few)
        if any(
            counts[single, some] < k for size in range(m + 1) for some in combinations(sorted(items), size)
        )
    ]


def _few(items: frozenset, rows: list[Row], m: int) -> frozenset:
    if len(items) < 100:
        return items
    kinds: dict[tuple, list] = {}
    for item in sorted(items):
        kinds.setdefault(tuple(i for i, (_, others) in enumerate(rows) if item in others), []).append(item)
    return frozenset(item for alike in kinds.values() for item in alike[:m])
