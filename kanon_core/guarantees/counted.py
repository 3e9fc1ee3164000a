"""Counts over the published contents of many files, from which they are judged without their rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kanon_core.covers.cells import CommonItems
from kanon_core.guarantees.attributes.counts import Counts


@dataclass(frozen=True, eq=False)
class CountedClasses:
    """Some classes of equal rows: int64 ``class_sizes``, and by protected column how often each value occurs
    in each (``values``)."""

    class_sizes: np.ndarray
    values: Mapping[str, Counts]
    source: ClassVar[str] = "counts"

    def counts(self, name: str) -> Counts:
        """Return how often each class has each value of this column."""
        return self.values[name]


@dataclass(frozen=True, eq=False)
class CountedItems:
    """Some published rows: int64 ``held``, how many records each has; the ``items`` that each publishes,
    numbered over all columns; and int64 ``singles``, equal for rows with equal single values. ``shown`` int64
    (records): the row of each record, −1 = none; None where the records of a row stand beside one another.

    Over many files they are different rows, all that have these single values.
    """

    held: np.ndarray
    items: CommonItems
    singles: np.ndarray
    shown: np.ndarray | None = None
    source: ClassVar[str] = "counts"

    @property
    def class_sizes(self) -> np.ndarray:
        """int64 (rows): how many records publish each."""
        return self.held

    @property
    def row(self) -> np.ndarray:
        """int64 (records): the row of each."""
        return np.repeat(np.arange(len(self.held)), self.held) if self.shown is None else self.shown
