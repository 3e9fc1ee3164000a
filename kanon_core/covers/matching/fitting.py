"""Find the published rows that given records fit, and the rows nearest to them: pair by pair, in portions.

Values and cells of a column are compared once for each different pair. Where all pairs of a record and a row
are wanted, `kanon_core.covers.matching.consistency` counts them without keeping any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr
from kanon_core.covers.cells import Cells, PublishedColumn
from kanon_core.table.columns.columns import Column, Items, Numbers
from kanon_core.table.columns.set_arrays import chosen_sets, incidence
from kanon_core.table.table import Table

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Measure = Callable[[Column, Cells, np.ndarray, np.ndarray], np.ndarray]
"""A function that measures records × cells of a column, by the numbers of both."""

_PAIRS_AT_ONCE = 1_000_000
_PAIRS_KEPT = 8_000_000


def fits(
    table: Table,
    published: Sequence[PublishedColumn],
    rows: np.ndarray,
    records: np.ndarray,
    tick: Tick = silent,
) -> csr_array:
    """Booleans (records × rows): the record fits the row at which record ``rows[i]`` is published, in all of
    these columns. An aggregate counts as its interval or set (`Cells.underlying`); none of the rows is
    suppressed. ``records``: numbers in ``table``, which may have more records than are published.

    Cost O(records · rows · columns), about a nanosecond each.
    """
    from scipy.sparse import csr_array, vstack

    parts = [csr_array((0, len(rows)), dtype=bool)]
    for some, columns in _portions(table, published, rows, records, allowed, tick):
        found = np.ones((len(some), len(rows)), bool)
        for column in columns:
            found &= column
        parts.append(csr_array(found))
    return csr_array(vstack(parts, format="csr"))


def nearest(
    table: Table,
    published: Sequence[PublishedColumn],
    rows: np.ndarray,
    records: np.ndarray,
    tick: Tick = silent,
) -> csr_array:
    """Booleans (records × rows): no row is nearer to the record than this one.

    The distance is that of k-concealment, the sum of the columns' distances times their weights
    (`kanon_core.distances.manhattan`, "range"): an interval counts as its middle, a set as a value drawn
    evenly from it, an aggregate as itself; of item sets it is the Jaccard distance. Cost as `fits`.
    """
    from scipy.sparse import csr_array, vstack

    parts = [csr_array((0, len(rows)), dtype=bool)]
    weights = [column.attribute.weight for column in published]
    for some, columns in _portions(table, published, rows, records, apart, tick):
        total = np.zeros((len(some), len(rows)))
        for weight, column in zip(weights, columns, strict=True):
            total += weight * column
        parts.append(csr_array(total <= total.min(axis=1, initial=np.inf, keepdims=True) + 1e-12))
    return csr_array(vstack(parts, format="csr"))


def allowed(column: Column, cells: Cells, records: np.ndarray, which: np.ndarray) -> np.ndarray:
    """Booleans (records × cells): the cell is true of the record."""
    cells = cells.underlying
    if isinstance(column, Items):
        own, shown = _incidences(column, cells, records, which)
        return np.asarray((own @ shown.T).toarray() == np.diff(shown.indptr))
    pairs = np.repeat(records, len(which)), np.tile(which, len(records))
    return cells.contain(column, *pairs).reshape(len(records), len(which))


def apart(column: Column, cells: Cells, records: np.ndarray, which: np.ndarray) -> np.ndarray:
    """float64 (records × cells): the distance of each cell from each record's value, 0 to 1."""
    if isinstance(column, Items):
        own, shown = _incidences(column, cells, records, which)
        common, sizes = (own @ shown.T).toarray(), np.diff(own.indptr)[:, None] + np.diff(shown.indptr)
        return np.asarray(1.0 - np.where(sizes > 0, common / np.maximum(sizes - common, 1), 1.0))
    if isinstance(column, Numbers):
        (low, high), between = column.range, cells.as_intervals()
        middle = between.low[which] + (between.high[which] - between.low[which]) / 2
        gap = np.abs(column.values[records][:, None] - middle)
        if column.circle is not None:
            gap = column.circle.way(gap)
        gap = gap / ((high - low) / (2 if column.attribute.kind == "cyclic" else 1) or 1.0)
        mixed = np.isnan(column.values[records])[:, None] != np.isnan(middle)
        return np.asarray(np.where(np.isnan(gap), mixed, np.minimum(gap, 1.0)))
    sets = cells.as_sets()
    pairs = np.tile(which, len(records)), np.repeat(column.codes[records], len(which))
    held = sets.hold(column, *pairs).reshape(len(records), len(which))
    return np.asarray(1.0 - held / np.maximum(sets.sizes[which], 1))


def _incidences(
    column: Items, cells: Cells, records: np.ndarray, which: np.ndarray
) -> tuple[csr_array, csr_array]:
    """The items, and groups above them, of records and of cells, as sparse matrices."""
    sets, shown = column.closure.sets, cells.as_items()
    width = len(sets.labels)
    own = incidence(*chosen_sets(sets.starts, sets.items, records), width)
    return own, incidence(*chosen_sets(shown.starts, shown.items, which), width)


def _portions(
    table: Table,
    published: Sequence[PublishedColumn],
    rows: np.ndarray,
    records: np.ndarray,
    measure: Measure,
    tick: Tick,
) -> Iterator[tuple[np.ndarray, Iterator[np.ndarray]]]:
    """Yield one portion of records after another: their numbers, and, column by column, the measure of each
    of them with all rows."""
    columns = [_Compared.of(table, column, rows, records, measure) for column in published]
    step = max(1, _PAIRS_AT_ONCE // max(1, len(rows)))
    for start in range(0, len(records), step):
        tick(start / len(records), tr("comparing records with rows"))
        some = slice(start, start + step)
        yield records[some], (column.of_portion(some) for column in columns)


@dataclass(frozen=True, eq=False)
class _Compared:
    """A column's different values among some records, and its different cells among some rows: ``value``
    int64 (records) and ``cell`` int64 (rows) number them, ``having`` is a record of each value, ``which`` the
    cells.
    """

    column: Column
    cells: Cells
    measure: Measure
    value: np.ndarray
    having: np.ndarray
    cell: np.ndarray
    which: np.ndarray

    @classmethod
    def of(
        cls, table: Table, published: PublishedColumn, rows: np.ndarray, records: np.ndarray, measure: Measure
    ) -> _Compared:
        """The column of these records and rows."""
        column = table[published.attribute.name]
        _, first, value = np.unique(column.keys[records], return_index=True, return_inverse=True)
        which, cell = np.unique(published.cell[rows], return_inverse=True)
        return cls(column, published.cells, measure, value, records[first], cell, which)

    @cached_property
    def whole(self) -> np.ndarray | None:
        """The measure of all pairs of a value and a cell, where these are few enough to be kept; else
        None."""
        if len(self.having) * len(self.which) > _PAIRS_KEPT:
            return None
        return self.measure(self.column, self.cells, self.having, self.which)

    def of_portion(self, some: slice) -> np.ndarray:
        """(portion × rows): the measure of these records with all rows."""
        value, matrix = self.value[some], self.whole
        if matrix is None:
            used, value = np.unique(value, return_inverse=True)
            matrix = self.measure(self.column, self.cells, self.having[used], self.which)
        return np.take(matrix[value], self.cell, axis=1)
