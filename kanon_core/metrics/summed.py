"""Metrics that are added up from parts of a table, each of which has all records of its sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from kanon_core.base.sums import Sums
from kanon_core.covers.cells import PublishedColumn
from kanon_core.covers.cover import Cover
from kanon_core.metrics.base import Measured, Metric, undefined
from kanon_core.release.release import Release
from kanon_core.table.table import Table


class Anonymized(Protocol):
    """The published part of some records: a release, or a part of one that holds whole sets of the cover."""

    @property
    def cover(self) -> Cover:
        """The cover of the records."""

    @property
    def published(self) -> Sequence[PublishedColumn]:
        """The published columns of the quasi-identifiers."""

    @property
    def set_of(self) -> np.ndarray:
        """int64 (n): the set that each record is published with, −1 = suppressed."""

    @property
    def classes(self) -> np.ndarray | None:
        """int64 (n): the class of equal rows of each record, −1 = suppressed; None for a part, whose rows may
        equal those of other parts."""


@dataclass(frozen=True, eq=False)
class Covered:
    """A part of a release: the ``cover`` of its records, and what is ``published`` of them."""

    cover: Cover
    published: Sequence[PublishedColumn]
    classes: ClassVar[None] = None

    @property
    def set_of(self) -> np.ndarray:
        """Return the sets; see `Anonymized.set_of`. Where sets overlap, it is the one that was drawn, which
        all columns show."""
        return self.published[0].cell if self.cover.overlap else self.cover.set_of


@dataclass(frozen=True)
class Summed(Metric):
    """Base of the metrics that declare the sums over the parts of a table, and the result of the sums. They
    are the same whether a table is in one memory or in many files (`kanon_core.scale`).

    A part is encoded as the whole is: its columns have the ranges and labels of the whole, but not its mean,
    its deviation and how often a value occurs, which are added up with the rest.
    """

    def part(self, table: Table, made: Anonymized) -> Sums:
        """Return the sums of a table, or of a part of one, all of whose records are published as ``made``
        says."""
        raise NotImplementedError  # pragma: no cover - every such metric overrides it

    def total(self, table: Table, sums: Sums) -> Measured:
        """The total and the parts by attribute that follow from the sums of all parts; ``table``: with the
        columns of the whole, with or without its records."""
        raise NotImplementedError  # pragma: no cover - every such metric overrides it

    def unsummed(self, table: Table) -> list[str]:
        """Return the reasons why the metric cannot be added up over parts of this table, in sentences; empty
        where it can."""
        return []

    def measure(self, table: Table, release: Release) -> Measured:
        """Return the measure of a release, by taking the whole table as its only part."""
        return self.total(table, self.part(table, release))

    def combined(self, table: Table, sums: Sums) -> Measured:
        """Return the same as `total`, for every table; where the metric cannot be added up, the total is NaN
        and the notes say why."""
        reasons = self.unsummed(table)
        return undefined(reasons) if reasons else self.total(table, sums)
