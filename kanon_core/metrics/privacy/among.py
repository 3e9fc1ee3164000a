"""Sizes of anonymity sets, for each record or counted by size; some measures need no more of a release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kanon_core.guarantees import Hiding
from kanon_core.metrics.base import Measured, Metric
from kanon_core.release.release import Release
from kanon_core.table.table import Table


class Among(NamedTuple):
    """``records``, int64: how many records have an anonymity set of each of the ``sizes``, int64, in any
    order; ``left_out``: how many are not published."""

    sizes: np.ndarray
    records: np.ndarray
    left_out: int = 0

    @classmethod
    def of(cls, release: Release) -> Among:
        """Return the counts of a release, where each record counts by itself."""
        sizes = release.hidden_among[~release.suppressed]
        return cls(sizes, np.ones(len(sizes), np.int64), len(release) - len(sizes))

    @classmethod
    def of_classes(cls, sizes: np.ndarray, classes: np.ndarray, left_out: int = 0) -> Among:
        """Return the counts where so many ``classes`` have each of the ``sizes``.

        >>> Among.of_classes(np.array([4, 5]), np.array([1, 2])).classes
        3.0
        """
        return cls(sizes, sizes * classes, left_out)

    @property
    def published(self) -> int:
        """Return how many records are published."""
        return int(self.records.sum())

    @property
    def everybody(self) -> int:
        """Return how many records there are, published or not."""
        return self.published + self.left_out

    @property
    def classes(self) -> float:
        """The number of classes: each record of one of size s is 1/s of it."""
        return float((self.records / self.sizes).sum())


@dataclass(frozen=True)
class OfSizes(Metric):
    """Base of the metrics that need only the sizes of anonymity sets. They are the same whether the sizes
    were counted in one memory or over many files."""

    def of_sizes(self, among: Among) -> float:
        """The total."""
        raise NotImplementedError  # pragma: no cover - every such metric overrides it

    def of_records(self, release: Release) -> np.ndarray | None:
        """Return the number of each record; None where the metric has no numbers of records."""
        return None

    def notes_of(self, guarantee: Hiding) -> tuple[str, ...]:
        """Return the attacker for whom the number holds, if that is not the attacker of the guarantee."""
        return guarantee.about_numbers()

    def measure(self, table: Table, release: Release) -> Measured:
        """Total, and per record where it has numbers of records."""
        total, records = self.of_sizes(Among.of(release)), self.of_records(release)
        return Measured(total, records=records, notes=self.notes_of(release.guarantee))
