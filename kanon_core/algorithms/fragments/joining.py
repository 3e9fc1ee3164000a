"""What the runs of fragments showed and reported, put together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from kanon_core.base.anytime import TOO_SHORT, UNCOMPILED
from kanon_core.release.cells import CommonItems, PublishedColumn
from kanon_core.table.columns.sets import chosen_sets, set_keys

_FLAGS = frozenset({TOO_SHORT, UNCOMPILED})
_ADDED = frozenset(
    {
        *("steps", "rounds", "clusters", "cost", "dead ends", "items", "items shown"),
        *("people left out", "further pseudonyms", "records that name nobody"),
    }
)
"""Numbers of a run that may be added up. A loss that is an average may not, nor may a bound: the sum of those
of fragments is no bound of the whole."""


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
