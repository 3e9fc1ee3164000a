"""Merging classes that do not keep a guarantee with those that cost least."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kanon_core.base.progress import Tick
from kanon_core.base.words import tr
from kanon_core.guarantees.attributes.counts import Counts, Values
from kanon_core.guarantees.attributes.sensitive import SensitiveGuarantee
from kanon_core.table.columns.columns import Categories
from kanon_core.table.notation.covering import Covering

AT_MOST = 4_000_000_000
"""The most failing classes times classes times columns that are merged one by one."""


class Shapes:
    """The cells that classes cover, column by column, and the cells that two classes cover together.

    A column of numbers or intervals has the ends of each class, as shares of the whole range. Any other
    column has one number of values; two different cells count as having no value in common.
    """

    def __init__(self, columns: Sequence[Categories], rows: np.ndarray) -> None:
        self.low, self.high, self.size, self.label = [], [], [], []
        for column in columns:
            codes, cover = column.codes[rows], Covering(column.labels)
            if cover.ends is None:
                every = max(len(frozenset().union(*cover.members)) - 1, 1)
                self.size.append(np.array([len(values) for values in cover.members])[codes] / every)
                self.label.append(codes.astype(np.int64))
                continue
            finite = np.concatenate([end[np.isfinite(end)] for end in cover.ends])
            least, width = finite.min(), max(finite.max() - finite.min(), 1e-300)
            ends = [np.clip(end, least, least + width)[codes] for end in cover.ends]
            low, high = ((end - least) / width for end in ends)
            self.low.append(np.where(np.isnan(low), 0.0, low))
            self.high.append(np.where(np.isnan(high), 1.0, high))

    def price(self, number: int, counts: np.ndarray) -> np.ndarray:
        """float64 (classes): by how much the penalties of all records grow when class ``number`` is merged
        with each other class."""
        found = np.zeros(len(counts))
        for low, high in zip(self.low, self.high, strict=True):
            both = np.maximum(high, high[number]) - np.minimum(low, low[number])
            found += counts[number] * (both - high[number] + low[number]) + counts * (both - high + low)
        for size, label in zip(self.size, self.label, strict=True):
            other = label != label[number]
            found += other * (counts[number] * size + counts * size[number])
        return found

    def merge(self, taken: int, other: int) -> None:
        """Merge class ``taken`` into class ``other``."""
        for low, high in zip(self.low, self.high, strict=True):
            low[other], high[other] = min(low[taken], low[other]), max(high[taken], high[other])
        for number, (size, label) in enumerate(zip(self.size, self.label, strict=True)):
            if label[taken] != label[other]:
                size[other] += size[taken]
                label[other] = -1 - other - number * len(label)


@dataclass(frozen=True, eq=False)
class Held:
    """The sensitive values of each class in one column for which there is a guarantee."""

    guarantee: SensitiveGuarantee
    values: Values
    counts: list[np.ndarray]

    @classmethod
    def of(cls, guarantee: SensitiveGuarantee, counts: Counts, classes: int) -> Held:
        """Return the counts of each class, int64 (values)."""
        dense = np.zeros((classes, counts.values.distinct), np.int64)
        dense[counts.owner, counts.codes] = counts.counts
        return cls(guarantee, counts.values, list(dense))

    def fails(self, number: int) -> bool:
        """Return whether class ``number`` does not keep the guarantee."""
        codes = np.flatnonzero(self.counts[number])
        counts = Counts(self.values, np.zeros(len(codes), np.int64), codes, self.counts[number][codes])
        return bool(self.guarantee.failing(counts, 1)[1].any())

    def merge(self, taken: int, other: int) -> None:
        """Merge class ``taken`` into class ``other``."""
        self.counts[other] = self.counts[other] + self.counts[taken]


def merged(
    shapes: Shapes, sizes: np.ndarray, k: int, held: Sequence[Held], failing: np.ndarray, tick: Tick
) -> np.ndarray:
    """int64 (classes): the class that each class is in after merging, −1 where no class was left to merge
    with. Each class that is ``failing`` (booleans), the smallest first, is merged with the one that costs
    least, until it keeps k and the guarantees on its values. Cost O(failing · classes · columns)."""
    into, sizes, alive = np.arange(len(sizes)), sizes.copy(), np.ones(len(sizes), bool)
    queue = np.flatnonzero(failing)[np.argsort(sizes[failing], kind="stable")]
    for done, one in enumerate(queue.tolist()):
        tick(done / len(queue), tr("merging classes"))
        while alive[one] and (sizes[one] < k or any(values.fails(one) for values in held)):
            alive[one] = False
            if not alive.any():
                into[one] = -1
                break
            price = np.where(alive, shapes.price(one, sizes), np.inf)
            other = int(price.argmin())
            shapes.merge(one, other)
            for values in held:
                values.merge(one, other)
            sizes[other] += sizes[one]
            into[one], one = other, other
    return _roots(into)


def _roots(into: np.ndarray) -> np.ndarray:
    """Return the class at the end of each chain of merges; −1 where that class was given up."""
    while True:
        further = np.where(into >= 0, into[into], -1)
        if np.array_equal(further, into):
            return into
        into = further
