"""The covers of fragments side by side, and what their runs told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from kanon_core.base.anytime import TOO_SHORT, UNCOMPILED
from kanon_core.release.cells import CommonItems, PublishedColumn
from kanon_core.release.cover import Concealment, Cover, Partition
from kanon_core.table.columns.sets import chosen_sets, set_keys

_FLAGS = frozenset({TOO_SHORT, UNCOMPILED})
_ADDED = frozenset({"steps", "rounds", "clusters", "cost", "dead ends", "items", "items shown"})
"""Numbers of a run that may be added up. A loss that is an average may not, nor may a bound: the sum of those
of fragments is no bound of the whole."""


def side_by_side(members: Sequence[np.ndarray], covers: Sequence[Cover]) -> Partition | Concealment:
    """The cover of all records, of those of its parts, each of the records ``members[i]``, int64.

    Groups stay groups; matching m is matching m of all parts together.

    >>> parts = [np.array([0, 3]), np.array([1, 2])]
    >>> side_by_side(parts, [Partition(np.array([0, 0])), Partition(np.array([0, -1]))]).groups.tolist()
    [0, 1, -1, 0]
    """
    n, matchings = sum(map(len, members)), [c.matchings for c in covers if isinstance(c, Concealment)]
    if matchings:
        found = np.empty((len(matchings[0]), n), np.int64)
        for some, own in zip(members, matchings, strict=True):
            found[:, some] = some[own]
        return Concealment(found)
    labels, first = np.empty(n, np.int64), 0
    for some, cover in zip(members, covers, strict=True):
        labels[some] = np.where(cover.set_of < 0, -1, cover.set_of + first)
        first += len(cover.sizes)
    return Partition(labels)


def shown_together(
    members: Sequence[np.ndarray], shown: Sequence[Mapping[str, PublishedColumn]]
) -> dict[str, PublishedColumn]:
    """By name, the columns whose cells the algorithm has chosen itself in every part: item sets, of which
    equal ones are one cell."""
    n = sum(map(len, members))
    return {name: _joined(members, [one[name] for one in shown], n) for name in (shown[0] if shown else ())}


def _joined(members: Sequence[np.ndarray], parts: Sequence[PublishedColumn], n: int) -> PublishedColumn:
    cell, first = np.empty(n, np.int64), 0
    for some, part in zip(members, parts, strict=True):
        cell[some] = np.where(part.cell < 0, -1, part.cell + first)
        first += len(part.cells)
    cells = [part.cells.as_items() for part in parts]
    starts = np.concatenate([[0], np.cumsum(np.concatenate([one.sizes for one in cells]))]).astype(np.int64)
    items = np.concatenate([one.items for one in cells])
    keys = set_keys(starts, items)
    different = np.unique(keys, return_index=True)[1]
    joined = CommonItems(*chosen_sets(starts, items, different))
    return PublishedColumn(parts[0].attribute, joined, np.append(keys, -1)[cell])


def added_up(reports: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """What the runs of all parts report: what may be added up, and whether any had too little time.

    >>> added_up([{"steps": 3, "loss reached": 0.1}, {"steps": 4, "loss reached": 0.3}])
    {'steps': 7}
    """
    found: dict[str, float] = {}
    for report in reports:
        for name, value in report.items():
            if name in _ADDED:
                found[name] = found.get(name, 0) + value
            elif name in _FLAGS:
                found[name] = value
    return found
