"""Covers: for each published record, the set of original records its cells must be true of.

All algorithms produce a cover; everything after it (recoding, audit, measures, charts) reads only the cover. It is
the "blueprint" bipartite graph of the k-concealment paper [000 §2]. `Partition` is the cover of disjoint groups.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kanon_core.errors import KanonError


class MalformedCover(KanonError):
    """A cover that is no cover: a defect of an algorithm, not of the input."""


@dataclass(frozen=True, eq=False)
class Partition:
    """Disjoint groups: record i is published with the records of its group.

    ``groups`` holds n labels; −1 = the record is suppressed. Whatever labels are given, they are renumbered 0, 1, …
    by the lowest record of each group, so that equal partitions have equal bytes. Raises MalformedCover for labels
    that are not whole numbers ≥ −1 in one dimension.
    """

    groups: np.ndarray

    def __post_init__(self) -> None:
        labels = np.asarray(self.groups)
        if labels.ndim != 1 or labels.dtype.kind not in "iu" or not len(labels):
            raise MalformedCover("The groups of a partition must be a list of whole numbers, one per record.")
        if labels.min() < -1:
            raise MalformedCover("A group label must be 0 or more, or −1 for a suppressed record.")
        object.__setattr__(self, "groups", _renumbered(labels))
        self.groups.flags.writeable = False

    def __len__(self) -> int:
        return len(self.groups)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Partition) and np.array_equal(self.groups, other.groups)

    __hash__ = None  # type: ignore[assignment]

    @property
    def suppressed(self) -> np.ndarray:
        """n booleans."""
        return self.groups < 0

    @cached_property
    def sizes(self) -> np.ndarray:
        """Number of records of each group, int64 (g)."""
        return np.bincount(self.groups[~self.suppressed])

    @cached_property
    def order(self) -> np.ndarray:
        """Record numbers sorted by group, then number; suppressed ones are left out."""
        order = np.argsort(self.groups, kind="stable")
        return order[int(self.suppressed.sum()) :]

    @cached_property
    def starts(self) -> np.ndarray:
        """Group g is ``order[starts[g]:starts[g + 1]]``; int64 (g + 1)."""
        return np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.int64)

    def members(self, group: int) -> np.ndarray:
        """The record numbers of a group, ascending."""
        return self.order[self.starts[group] : self.starts[group + 1]]


Cover = Partition


def _renumbered(labels: np.ndarray) -> np.ndarray:
    top = int(labels.max()) + 1
    if top == 0:
        return labels.astype(np.int64)
    if top > 4 * len(labels):
        labels = np.unique(labels, return_inverse=True)[1] - int(labels.min() < 0)
        top = int(labels.max()) + 1
    first = np.full(top, len(labels), np.int64)
    kept = labels >= 0
    positions = np.flatnonzero(kept)[::-1]
    first[labels[positions]] = positions
    used = np.flatnonzero(first < len(labels))
    number = np.zeros(top, np.int64)
    number[used[np.argsort(first[used])]] = np.arange(len(used))
    return np.where(kept, number[np.where(kept, labels, 0)], -1)
