"""What every measure of use is: a metric that may take a while, and reads a release as its reader must.

A reader has the cells alone: an interval counts as its middle, a set or a group of a hierarchy as each of its
values alike, common items as all there are, a group among them as one of its values; suppressed records are
not there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.metrics.base import Measured, Metric
from kanon_core.metrics.loss.representatives import numbers_of
from kanon_core.metrics.loss.values import value_sets
from kanon_core.release.cells.cells import CommonItems, Published
from kanon_core.release.release import Release
from kanon_core.table.columns.columns import Categories, Items, Numbers
from kanon_core.table.columns.sets import incidence
from kanon_core.table.table import Table


@dataclass(frozen=True)
class Utility(Metric):
    """Base of the measures that are computed when asked for: `evaluate` ticks, `measure` is the same in
    silence."""

    def evaluate(self, table: Table, release: Release, tick: Tick = silent) -> Measured:
        """The numbers of this measure; whatever the tick raises stops the work."""
        raise NotImplementedError  # pragma: no cover - every measure overrides it

    def measure(self, table: Table, release: Release) -> Measured:
        """The numbers of this measure."""
        return self.evaluate(table, release, silent)


NOTHING_PUBLISHED = "Every record is suppressed, so that there is nothing to compare."


def read_numbers(column: Numbers, release: Release) -> np.ndarray:
    """float64 (n): what a reader takes each record's number for; NaN = missing or suppressed."""
    values = numbers_of(column, release, "cell")
    values[-1] = np.nan
    return values[release.cell]


def read_shares(column: Categories, published: Published) -> Any:
    """Sparse float64 (m, V): how likely each cell makes each label of the column, evenly among those that it
    allows."""
    from scipy.sparse import csr_array

    m, width = len(published.keys()), len(column.labels)
    if published.aggregate is not None:
        return csr_array((np.ones(m), published.aggregate, np.arange(m + 1)), shape=(m, width))
    sets, which = value_sets(published.cells)
    sizes = np.diff(sets.starts)
    each = csr_array((np.repeat(1 / sizes, sizes), sets.codes, sets.starts), shape=(len(sizes), width))
    return each if len(sizes) == m and (which == np.arange(m)).all() else each[which]


def item_shares(column: Items, published: Published) -> Any:
    """Sparse float64 (m, items): how likely each cell makes each item of the column: 1 where it is published;
    for a group of which nothing below is published 1 / its values; 0 otherwise."""
    assert isinstance(published.cells, CommonItems)
    cells, closure = published.cells.lowest(column), column.closure
    return incidence(cells.starts, cells.items, len(closure.parent)) @ closure.shares


def read_counts(column: Categories, published: Published, held: np.ndarray) -> np.ndarray:
    """float64 (V): how many published records a reader counts for each label; ``held`` float64 (m), the
    records of each cell."""
    width = len(column.labels)
    if published.aggregate is not None:
        return np.bincount(published.aggregate, held, width)
    sets, which = value_sets(published.cells)
    sizes = np.diff(sets.starts)
    among = np.bincount(which, held, len(sizes)) / sizes
    return np.bincount(sets.codes, np.repeat(among, sizes), width)


def records_of_cells(release: Release) -> np.ndarray:
    """float64 (m): how many records are published with each cell."""
    return release.held.astype(np.float64)


def scaled(values: np.ndarray, column: Numbers) -> np.ndarray:
    """Numbers of this column within 0..1, so that no square overflows; no measure here depends on the
    unit."""
    low, high = column.range
    return (values - low) / (high - low) if high > low else values * 0.0
