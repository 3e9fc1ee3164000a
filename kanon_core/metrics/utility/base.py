"""Base of all measures of utility: a metric that may take a while, and that interprets a release as its
reader must.

A reader has the cells alone. An interval counts as its middle; each value of a set, or of a group of a
hierarchy, counts alike; common items count as if they were all items; a group among them counts as one of its
values; suppressed records do not exist.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import later
from kanon_core.covers.cells import Cells
from kanon_core.metrics.base import Measured, Metric
from kanon_core.metrics.loss.representatives import numbers_of
from kanon_core.release.release import Release
from kanon_core.table.columns.columns import Categories, Items, Numbers
from kanon_core.table.columns.set_arrays import incidence
from kanon_core.table.table import Table

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True)
class Utility(Metric):
    """Base of the measures that may take seconds: `evaluate` ticks, `measure` does the same in silence."""

    def evaluate(self, table: Table, release: Release, tick: Tick = silent) -> Measured:
        """The numbers of this measure; whatever the tick raises stops the work."""
        raise NotImplementedError  # pragma: no cover - every measure overrides it

    def measure(self, table: Table, release: Release) -> Measured:
        """The numbers of this measure."""
        return self.evaluate(table, release, silent)


NOTHING_PUBLISHED = later("Every record is suppressed, so there is nothing to compare.")


def read_numbers(column: Numbers, release: Release) -> np.ndarray:
    """float64 (n): the number that a reader takes for each record's; NaN = missing or suppressed."""
    values = numbers_of(column, release, "cell")
    values[-1] = np.nan
    return np.asarray(values[release.row])


def read_shares(column: Categories, cells: Cells) -> csr_array:
    """Sparse float64 (m, V): how likely each cell makes each label of the column, evenly among those that it
    allows."""
    from scipy.sparse import csr_array

    sets, which = cells.choices()
    sizes, shape = sets.sizes, (len(sets), len(column.labels))
    each = csr_array((np.repeat(1 / sizes, sizes), sets.codes, sets.starts), shape=shape)
    return each if len(sizes) == len(cells) and (which == np.arange(len(cells))).all() else each[which]


def item_shares(column: Items, cells: Cells) -> csr_array:
    """Sparse float64 (m, items): how likely each cell makes each item of the column: 1 where it is published;
    for a group of which nothing below is published 1 / its values; 0 otherwise."""
    shown, closure = cells.as_items().lowest(column), column.closure
    return incidence(shown.starts, shown.items, len(closure.parent)) @ closure.shares


def read_counts(column: Categories, cells: Cells, held: np.ndarray) -> np.ndarray:
    """float64 (V): how many published records a reader counts for each label; ``held`` (m): the records of
    each cell."""
    sets, which = cells.choices()
    among = np.bincount(which, held, len(sets)) / sets.sizes
    return np.bincount(sets.codes, np.repeat(among, sets.sizes), len(column.labels))


def scaled(values: np.ndarray, column: Numbers) -> np.ndarray:
    """Numbers of this column within 0..1, so that no square overflows; no measure here depends on the
    unit."""
    low, high = column.range
    return (values - low) / (high - low) if high > low else values * 0.0
