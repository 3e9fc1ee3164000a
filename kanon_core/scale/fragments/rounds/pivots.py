"""The item by which a cluster is cut that lies in many parts: the pivot that `pivot_kernels` chooses where
all its records are in one memory.

No record is ever suppressed here, so the pivot is the most frequent item that k records do not hold. How
often each item occurs is known of every cluster. Of items that occur equally often it is the one after whose
cut the parts share more, for which all parts are asked in what company these items are.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kanon_core.scale.fragments.rounds.allowed import Looking, allowed
from kanon_core.scale.fragments.rounds.losses import Cluster, occurring
from kanon_core.scale.fragments.rounds.reading import Frame
from kanon_core.scale.passes.itemcounts import added_counts, sets_of
from kanon_core.scale.passes.questions import Answer, Question
from kanon_core.scale.passes.tree import Cut

if TYPE_CHECKING:
    from kanon_core.scale.passes.counting_kernels import Rows

PAIRS = 4_000_000
"""About so many pairs of items are counted at a time."""


@dataclass(frozen=True)
class Company(Question):
    """How many rows hold both items of a pair: one of the ``tied``, one of the ``others``, both ascending."""

    tied: tuple[int, ...]
    others: tuple[int, ...]

    def answered(self, rows: Rows, chosen: np.ndarray, sensitive: np.ndarray) -> Answer:
        """``pairs``, those that occur, ascending, int64: the place among the tied times the number of others,
        plus the place among these; ``counts`` int64. Cost O(items + pairs · log)."""
        sets = sets_of(rows, chosen)
        owner = np.repeat(np.arange(len(sets)), np.diff(sets.starts))
        one, other = _placed(sets.items, self.tied), _placed(sets.items, self.others)
        holder, tie = owner[one >= 0], one[one >= 0]
        starts = np.searchsorted(owner[other >= 0], np.arange(len(sets) + 1))
        other = other[other >= 0]
        sizes = (starts[1:] - starts[:-1])[holder]
        until = np.cumsum(sizes)
        pairs, counts = np.zeros(0, np.int64), np.zeros(0, np.int64)
        for first in range(0, int(sizes.sum()), PAIRS):
            now = slice(*np.searchsorted(until, [first, first + PAIRS], "right"))
            each = sizes[now]
            places = np.repeat(starts[holder[now]] - np.cumsum(each) + each, each) + np.arange(each.sum())
            found, often = np.unique(
                np.repeat(tie[now], each) * len(self.others) + other[places], return_counts=True
            )
            pairs, counts = added_counts(np.append(pairs, found), np.append(counts, often))
        return {"pairs": pairs, "counts": counts}

    def merged(self, one: Answer, other: Answer) -> Answer:
        """Sums."""
        pairs, counts = added_counts(
            np.append(one["pairs"], other["pairs"]), np.append(one["counts"], other["counts"])
        )
        return {"pairs": pairs, "counts": counts}


def pivot_cut(frame: Frame, cluster: Cluster, a: int) -> Looking:
    """The cut of a cluster at the pivot of an attribute of item sets. An item whose cut would break the rule
    on sensitive values is refused in what becomes of the cluster, too."""
    j = a - frame.shape.numbers - frame.nothing.categories
    items, often = occurring(frame.nothing, cluster.summed, j)
    while True:
        may = (often >= frame.k) & (often <= cluster.size - frame.k) & ~np.isin(items, cluster.refused)
        if not may.any():
            return None
        most = int(often[may].max())
        tied = items[may & (often == most)]
        pivot = int(tied[0])
        if len(tied) > 1 and not frame.limits.lowest:
            pivot = yield from _in_best_company(cluster.size, tied, most, (items, often))
        cut = Cut(a, 0.0, (pivot,), most)
        if (yield from allowed(frame, cluster.size, cut)):
            return cut
        cluster.refused.append(pivot)


def _in_best_company(
    size: int, tied: np.ndarray, most: int, known: tuple[np.ndarray, np.ndarray]
) -> Generator[Question, Answer, int]:
    """The one of these items, which ``most`` records have each, after whose cut the parts share most: Σ
    |common items| · |records|, of equal ones the lowest; ``known``: all items and how often each occurs."""
    items, often = known
    may_be_shared = (often >= min(most, size - most)) & (often < size)
    others, held = items[may_be_shared], often[may_be_shared]
    found = yield Company(tuple(tied.tolist()), tuple(others.tolist()))
    tie, other = np.divmod(found["pairs"], len(others))
    with_it = np.bincount(tie, found["counts"] == most, len(tied))
    without = np.full(len(tied), np.count_nonzero(held == size - most), np.int64)
    without -= np.bincount(tie, held[other] == size - most, len(tied)).astype(np.int64)
    without += np.bincount(tie, held[other] - found["counts"] == size - most, len(tied)).astype(np.int64)
    return int(tied[np.argmax(with_it.astype(np.int64) * most + without * (size - most))])


def _placed(items: np.ndarray, among: tuple[int, ...]) -> np.ndarray:
    """int64: the place of each item among these, which ascend; −1 = it is none of them."""
    known = np.array(among, np.int64)
    at = np.minimum(np.searchsorted(known, items), len(known) - 1)
    return np.where(known[at] == items, at, -1)
