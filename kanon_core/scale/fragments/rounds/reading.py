"""Rows of some part as the compiled top-down pass reads them, and what all parts have in common there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from kanon_core.algorithms.partitioning.constraints import numbered, rule_of
from kanon_core.algorithms.partitioning.topdown.records import records_of
from kanon_core.algorithms.partitioning.topdown.topdown import TopDown
from kanon_core.scale.encoding.sets import Keys
from kanon_core.scale.encoding.whole import Whole
from kanon_core.scale.passes.questions import Shape
from kanon_core.table.columns.columns import Items

if TYPE_CHECKING:
    from kanon_core.algorithms.partitioning.topdown.clusters_kernels import Limits, Records
    from kanon_core.scale.passes.counting_kernels import Rows


@dataclass(frozen=True)
class Frame:
    """Top-down with these options and this k, over this whole. ``held``: how many items the whole has in each
    column of item sets, groups of hierarchies among them; as long as nobody knows, none."""

    whole: Whole
    algorithm: TopDown
    k: int
    held: tuple[int, ...] = ()

    def holding(self, held: Iterable[int]) -> Frame:
        """That of a whole with so many items."""
        return replace(self, held=tuple(held))

    @cached_property
    def nothing(self) -> Records:
        """No records at all, with the scales, weights and hierarchies of the whole."""
        keys = self.whole.nothing()
        found, columns = records_of(self.whole.columns(keys), self.whole.protected(keys), self.whole.records)
        scale, weight = found.scale.copy(), found.weight.copy()
        sets = [column for column in columns if isinstance(column, Items)]
        for at, (column, held) in enumerate(zip(sets, self.held, strict=False), start=-len(sets)):
            scale[at] = max(held, 1) / self.whole.records
            weight[at] = column.attribute.weight if held else 0.0
        return found._replace(scale=scale, weight=weight)

    @property
    def limits(self) -> Limits:
        """What a cut must keep. Nothing is ever suppressed."""
        from kanon_core.algorithms.partitioning.topdown.clusters_kernels import Limits

        rule = rule_of(self.whole.protected(self.whole.nothing()), self.algorithm)
        return Limits(self.k, 0, self.algorithm.split == "midpoint", self.algorithm.ties == "first", rule)

    @property
    def shape(self) -> Shape:
        """Its attributes at which values are counted: numbers first, then categories, whose values are
        tokens."""
        first = self.nothing.first[: self.nothing.categories + 1]
        return Shape(self.nothing.numeric.shape[1], tuple(first.tolist()))

    def records(self, keys: Mapping[str, Keys]) -> Records:
        """Some rows, by their numbers or codes in the whole."""
        return records_of(self.whole.columns(keys), self.whole.protected(keys), self.whole.records)[0]


def rows_in_rounds(whole: Whole, keys: Mapping[str, Keys]) -> tuple[Rows, np.ndarray]:
    """As `kanon_core.scale.passes.encoded.Reader`: numbers, values as tokens, and items numbered column after
    column, in the order of their tokens."""
    from kanon_core.scale.passes.counting_kernels import Rows

    records, _ = records_of(whole.columns(keys))
    n, singles, each = len(records.numeric), records.singles, np.zeros(0, np.int64)
    sensitive = numbered(whole.protected(keys), n)
    if len(records.first) - 1 == singles:  # there are no item sets
        values = records.tokens.reshape(n, singles).astype(np.int64)
        return Rows(records.numeric, np.ascontiguousarray(values), each), sensitive
    places = records.starts[:-1, None] + np.arange(singles)
    values = records.tokens[places].astype(np.int64)
    items = np.delete(records.tokens, places.ravel()) - records.first[singles]
    starts = records.starts - singles * np.arange(n + 1)
    return Rows(records.numeric, values, each, starts, items.astype(np.int32)), sensitive
