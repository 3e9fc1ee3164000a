"""Rows of some part as the compiled top-down pass reads them, and what all parts have in common there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from kanon_core.algorithms.partitioning.constraints import numbered, rule_of
from kanon_core.algorithms.partitioning.topdown.records import records_of
from kanon_core.algorithms.partitioning.topdown.topdown import TopDown
from kanon_core.scale.questions import Shape
from kanon_core.scale.sets import Keys
from kanon_core.scale.whole import Whole

if TYPE_CHECKING:
    from kanon_core.algorithms.partitioning.topdown.clusters_kernels import Limits, Records
    from kanon_core.scale.counting_kernels import Rows


@dataclass(frozen=True)
class Frame:
    """Top-down with these options and this k, over this whole."""

    whole: Whole
    algorithm: TopDown
    k: int

    @cached_property
    def nothing(self) -> Records:
        """No records at all, with the scales, weights and hierarchies of the whole."""
        return self.records(self.whole.nothing())

    @property
    def limits(self) -> Limits:
        """What a cut must keep. Without item sets nothing is ever suppressed."""
        from kanon_core.algorithms.partitioning.topdown.clusters_kernels import Limits

        rule = rule_of(self.whole.protected(self.whole.nothing()), self.algorithm)
        return Limits(self.k, 0, self.algorithm.split == "midpoint", self.algorithm.ties == "first", rule)

    @property
    def shape(self) -> Shape:
        """Its attributes: numbers first, then categories, whose values are tokens."""
        first = self.nothing.first[: self.nothing.categories + 1]
        return Shape(self.nothing.numeric.shape[1], tuple(first.tolist()))

    def records(self, keys: Mapping[str, Keys]) -> Records:
        """Some rows, by their numbers or codes in the whole."""
        return records_of(self.whole.columns(keys), self.whole.protected(keys), self.whole.records)[0]


def rows_in_rounds(whole: Whole, keys: Mapping[str, Keys]) -> tuple[Rows, np.ndarray]:
    """As `kanon_core.scale.counted.Reader`: numbers, and values as tokens."""
    from kanon_core.scale.counting_kernels import Rows

    records, _ = records_of(whole.columns(keys))
    n = len(records.numeric)
    values = records.tokens.reshape(n, records.singles).astype(np.int64)
    each = np.zeros(0, np.int64)
    return Rows(records.numeric, np.ascontiguousarray(values), each), numbered(whole.protected(keys), n)
