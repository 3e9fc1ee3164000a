"""Sampling: a random share of the records is published unchanged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.algorithms.base import Run
from kanon_core.base.kinds import Real
from kanon_core.covers.cover import Partition
from kanon_core.masking.base import Masking
from kanon_core.table.table import Table


@dataclass(frozen=True)
class Sampling(Masking):
    """Publish a random share of the records unchanged, and suppress the others.

    ⌊share · n + ½⌋ records, at least one, are drawn without replacement. Metrics count the others as
    suppressed; ILD replaces them by the mean, so I(Â) / I(A) is about the share. Records in the sample are
    published exactly. Cost O(n).

    Reference: ILD paper, §2.2.1 (サンプリング).
    """

    title: ClassVar[str] = "Sampling"
    summary: ClassVar[str] = (
        "Publishes a random share of the records unchanged: sampled records have no other protection."
    )
    randomized: ClassVar[bool] = True
    numbers_only: ClassVar[bool] = False

    share: Annotated[float, Real(0.1, 100, unit="%", help="share of the records that is published")] = 50.0

    def cover(self, table: Table, k: int, run: Run) -> Partition:
        """Return a group of one for each drawn record; the others are suppressed."""
        n = len(table)
        groups = np.full(n, -1)
        drawn = run.rng.choice(n, max(1, int(self.share / 100 * n + 0.5)), replace=False)
        groups[drawn] = drawn
        return Partition(groups)
