"""Which items the rows of a part hold, and how often each occurs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kanon_core.scale.encoding.sets import Sets, taken

if TYPE_CHECKING:
    from kanon_core.scale.passes.counting_kernels import Rows

_DENSE = 4
"""Counts of all pairs of a group and an item are held at once where these are no more than so many times the
items that are counted."""


def counted_items(rows: Rows, group: np.ndarray, groups: int) -> list[dict[str, np.ndarray]]:
    """By group of rows, int64 (n), −1 = none: the ``items`` of its rows, ascending, and how ``often`` each
    occurs, int64. Cost O(items), times their logarithm where they are rare."""
    width = int(rows.items.max(initial=-1)) + 1
    owner = np.repeat(group, np.diff(rows.starts))
    keys = (owner * width + rows.items)[owner >= 0]
    if groups * width <= _DENSE * len(keys):
        counts = np.bincount(keys, minlength=groups * width)
        different = np.flatnonzero(counts)
        counts = counts[different]
    else:
        different, counts = np.unique(keys, return_counts=True)
    bounds = np.searchsorted(different, np.arange(groups + 1) * width)
    return [
        {"items": different[first:last] - i * width, "often": counts[first:last].astype(np.int64)}
        for i, (first, last) in enumerate(zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True))
    ]


def added_items(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The counts of both."""
    items, often = added_counts(
        np.concatenate([one["items"], other["items"]]), np.concatenate([one["often"], other["often"]])
    )
    return {"items": items, "often": often}


def added_counts(numbers: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The different numbers, ascending, and the sum of the counts of each, int64.

    >>> [found.tolist() for found in added_counts(np.array([5, 2, 5]), np.array([1, 2, 3]))]
    [[2, 5], [2, 4]]
    """
    different, back = np.unique(numbers, return_inverse=True)
    return different, np.bincount(back, counts, len(different)).astype(np.int64)


def with_item(rows: Rows, chosen: np.ndarray, item: int) -> np.ndarray:
    """Booleans: which of the chosen rows, int64, hold the item."""
    own = sets_of(rows, chosen)
    owner = np.repeat(np.arange(len(own)), np.diff(own.starts))
    return np.bincount(owner, own.items == item, len(own)) > 0


def sets_of(rows: Rows, chosen: np.ndarray) -> Sets:
    """The item sets of the chosen rows, int64."""
    own = taken(Sets(rows.starts, rows.items), chosen)
    assert isinstance(own, Sets)
    return own
