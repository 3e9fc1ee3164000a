"""Published cells, in columns of arrays.

A column holds one cell per *cover set* (for a partition: per group), not per record; the release says which
cell each record is published with. Texts are made only for the rows somebody looks at.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kanon_core.table.columns.columns import MISSING, Categories, Column, Items, Numbers
from kanon_core.table.columns.keys import row_keys
from kanon_core.table.columns.sets import chosen_sets, incidence, set_keys
from kanon_core.table.columns.texts import (
    ANY,
    group_text,
    interval_text,
    item_texts,
    label_texts,
    number_texts,
)
from kanon_core.table.hierarchy.placed import Placed
from kanon_core.table.schema import Attribute

_FLAGS_AT_MOST = 50_000_000


@dataclass(frozen=True)
class Intervals:
    """Cells [low, high] (float64, m); NaN where the group has only missing values.

    ``partly_missing`` (m booleans): the group also holds missing values beside the interval.
    """

    low: np.ndarray
    high: np.ndarray
    partly_missing: np.ndarray

    def contain(self, column: Column, rows: np.ndarray, cell: np.ndarray) -> np.ndarray:
        """Booleans: the value of record ``rows[i]`` lies in cell ``cell[i]``."""
        assert isinstance(column, Numbers)
        low, high, values = self.low[cell], self.high[cell], column.values[rows]
        return np.where(
            np.isnan(values), np.isnan(low) | self.partly_missing[cell], (low <= values) & (values <= high)
        )

    def keys(self) -> np.ndarray:
        """int64 (m): equal cells have equal keys, different ones different keys."""
        ends = [np.nan_to_num(ends, nan=np.inf) for ends in (self.low, self.high)]
        return row_keys(np.column_stack([*ends, self.partly_missing]))

    def penalty(self, column: Column) -> np.ndarray:
        """NCP of each cell: width / range of the column; 1 where missing and present values mix, 0 where all
        are missing."""
        assert isinstance(column, Numbers)
        low, high = column.range
        width = np.nan_to_num(
            (self.high - self.low) / (high - low) if high > low else np.zeros(len(self.low))
        )
        return np.where(self.partly_missing, 1.0, width)

    def penalties(self, column: Column, cell: np.ndarray) -> np.ndarray:
        """float64 (n): `penalty` of the cell that each record is published with; 1 for suppressed ones
        (−1)."""
        return np.append(self.penalty(column), 1.0)[cell]

    def texts(self, column: Column, cells: np.ndarray) -> list[str]:
        """``[20, 35]``, or the value alone when both ends are equal."""
        assert isinstance(column, Numbers)
        low, high = number_texts(self.low[cells], column), number_texts(self.high[cells], column)
        pairs = zip(low, high, self.partly_missing[cells], strict=True)
        return [interval_text(a, b) + (f" or {MISSING}" if gaps else "") for a, b, gaps in pairs]


@dataclass(frozen=True)
class ValueSets:
    """Cells {a, b, …}: cell i holds ``codes[starts[i]:starts[i + 1]]``, ascending codes of the column's
    labels."""

    starts: np.ndarray
    codes: np.ndarray

    def contain(self, column: Column, rows: np.ndarray, cell: np.ndarray) -> np.ndarray:
        """Booleans: the value of record ``rows[i]`` lies in cell ``cell[i]``."""
        assert isinstance(column, Categories)
        return self.hold(column, cell, column.codes[rows])

    def hold(self, column: Column, cell: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """Booleans: ``codes[i]`` is one of the values of cell ``cell[i]``."""
        assert isinstance(column, Categories)
        width = len(column.labels)
        count, wanted = len(self.starts) - 1, cell * width + codes
        known = np.repeat(np.arange(count), np.diff(self.starts)) * width + self.codes  # ascending
        if count * width <= _FLAGS_AT_MOST:
            return np.isin(wanted, known, kind="table")
        return np.append(known, -1)[np.searchsorted(known, wanted)] == wanted

    def keys(self) -> np.ndarray:
        """int64 (m): equal cells have equal keys, different ones different keys."""
        return set_keys(self.starts, self.codes)

    def penalty(self, column: Column) -> np.ndarray:
        """NCP of each cell: (distinct − 1) / (domain − 1)."""
        assert isinstance(column, Categories)
        domain = len(column.labels)
        return (np.diff(self.starts) - 1) / (domain - 1) if domain > 1 else np.zeros(len(self.starts) - 1)

    def penalties(self, column: Column, cell: np.ndarray) -> np.ndarray:
        """float64 (n): `penalty` of the cell that each record is published with; 1 for suppressed ones
        (−1)."""
        return np.append(self.penalty(column), 1.0)[cell]

    def texts(self, column: Column, cells: np.ndarray) -> list[str]:
        """``{a, b}``, or the value alone when there is one."""
        assert isinstance(column, Categories)
        labels = label_texts(column)
        parts = ([labels[c] for c in self.codes[self.starts[i] : self.starts[i + 1]]] for i in cells)
        return [part[0] if len(part) == 1 else "{" + ", ".join(part) + "}" for part in parts]


@dataclass(frozen=True)
class Nodes:
    """Cells of a column with a value hierarchy: cell i is the value or group ``nodes[i]`` (int32), see
    `Placed`."""

    placed: Placed
    nodes: np.ndarray

    def contain(self, column: Column, rows: np.ndarray, cell: np.ndarray) -> np.ndarray:
        """Booleans: the value of record ``rows[i]`` is the node of cell ``cell[i]`` or below it."""
        assert isinstance(column, Categories)
        return self.hold(column, cell, column.codes[rows])

    def hold(self, column: Column, cell: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """Booleans: ``codes[i]`` is the node of cell ``cell[i]`` or below it."""
        node, leaf = self.nodes[cell], self.placed.leaf[codes]
        return (node <= leaf) & (leaf < self.placed.end[node])

    def keys(self) -> np.ndarray:
        """int64 (m): equal cells have equal keys, different ones different keys."""
        return self.nodes.astype(np.int64)

    def penalty(self, column: Column) -> np.ndarray:
        """NCP of each cell: values below the node / all values of the hierarchy; 0 for a single value [001
        eq. 7]."""
        return self.placed.penalty()[self.nodes]

    def penalties(self, column: Column, cell: np.ndarray) -> np.ndarray:
        """float64 (n): `penalty` of the cell that each record is published with; 1 for suppressed ones
        (−1)."""
        return np.append(self.penalty(column), 1.0)[cell]

    def texts(self, column: Column, cells: np.ndarray) -> list[str]:
        """The value, or the label of the group; `ANY` for the top of the hierarchy."""
        assert isinstance(column, Categories)
        values = dict(zip(self.placed.leaf.tolist(), label_texts(column), strict=True))
        names = self.placed.tree.nodes
        nodes = self.nodes[cells].tolist()
        return [values[i] if i in values else group_text(names[i]) if i else ANY for i in nodes]


@dataclass(frozen=True)
class CommonItems:
    """Cells {a, b, …} of item sets: items that every record of the cell has, whatever else it may have.

    Cell i publishes ``items[starts[i]:starts[i + 1]]``, ascending codes of the labels of the column's closure
    (`kanon_core.table.hierarchy.closures`): its own labels, and with a hierarchy the groups above them. A
    cell that has an item has all groups above it.
    """

    starts: np.ndarray
    items: np.ndarray

    def contain(self, column: Column, rows: np.ndarray, cell: np.ndarray) -> np.ndarray:
        """Booleans: record ``rows[i]`` has every item that cell ``cell[i]`` publishes, and some item of every
        group. Cost O(items of both)."""
        assert isinstance(column, Items)
        sets = column.closure.sets
        shown = incidence(*chosen_sets(self.starts, self.items, cell), len(sets.labels))
        own = incidence(*chosen_sets(sets.starts, sets.items, rows), len(sets.labels))
        return np.diff(shown.multiply(own).tocsr().indptr) == np.diff(shown.indptr)

    def keys(self) -> np.ndarray:
        """int64 (m): equal cells have equal keys, different ones different keys."""
        return set_keys(self.starts, self.items)

    def penalties(self, column: Column, cell: np.ndarray) -> np.ndarray:
        """float64 (n): NCP_sv of each record, 1 − published / own items [001 eq. 8–10]; 0 for an empty set, 1
        when suppressed (−1). An item published as a group counts by 1 − the group's penalty (`told`)."""
        assert isinstance(column, Items)
        own, shown = column.sizes, self.told(column, cell)
        lost = np.where(own > 0, 1.0 - shown / np.maximum(own, 1), 0.0)
        return np.where(np.asarray(cell) < 0, 1.0, lost)

    def told(self, column: Items, cell: np.ndarray) -> np.ndarray:
        """int64 or float64 (n): how many of its own items each record is published with, 0 when suppressed
        (−1).

        With a hierarchy an item counts by 1 − the penalty of the group as which it is published: values below
        it / all values.
        """
        if column.closure.is_flat:
            return np.append(np.diff(self.starts), 0)[cell]
        found = self.shown_as(column, cell)
        worth = np.append(1.0 - column.closure.penalty, 0.0)[found]
        return np.bincount(np.repeat(np.arange(len(cell)), column.sizes), worth, len(cell))

    def shown_as(self, column: Items, cell: np.ndarray) -> np.ndarray:
        """int64 (items of all records): the code in the closure as which each is published, −1 = not; see
        `Closure.shown_as`.

        Only what the cell's text names counts: {beer} tells nothing of a wine beside it, though both are
        alcohol.
        """
        lowest = column.closure.lowest(self.starts, self.items)
        return column.closure.shown_as((column.starts, column.items), lowest, cell)

    def lowest(self, column: Items) -> CommonItems:
        """The cells without the groups above another member, which says more: what their texts name."""
        return CommonItems(*column.closure.lowest(self.starts, self.items))

    def texts(self, column: Column, cells: np.ndarray) -> list[str]:
        """``{a, d}``, ``{a}``, ``{}``; groups by their names, and only where nothing below them is
        published."""
        assert isinstance(column, Items)
        sets = column.closure.lowest(*chosen_sets(self.starts, self.items, cells))
        return item_texts(column.closure.sets, *sets, np.arange(len(cells)))


def as_sets(cells: Cells) -> ValueSets:
    """What cells of a categorical column may stand for: their own sets, or the column's values below each
    node.

    Cost O(values of all cells).
    """
    if isinstance(cells, ValueSets):
        return cells
    assert isinstance(cells, Nodes)
    order = np.argsort(cells.placed.leaf)
    leaves = cells.placed.leaf[order]
    first = np.searchsorted(leaves, cells.nodes)
    sizes = np.searchsorted(leaves, cells.placed.end[cells.nodes]) - first
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    codes = order[np.repeat(first - starts[:-1], sizes) + np.arange(starts[-1])]
    owner = np.repeat(np.arange(len(sizes)), sizes)
    return ValueSets(starts, codes[np.lexsort((codes, owner))].astype(np.int32))


Cells = Intervals | ValueSets | Nodes | CommonItems


@dataclass(frozen=True)
class Published:
    """One quasi-identifier of a release.

    ``cells`` are the intervals, value sets, nodes or common items of the cover's sets. When the attribute's
    recoding is mean, median or mode, ``aggregate`` (float64 or codes, m) is what is published instead, and
    ``cells`` only tell what it hides.
    """

    attribute: Attribute
    cells: Cells
    aggregate: np.ndarray | None = None

    def true_of(self, column: Column, rows: np.ndarray, cell: np.ndarray) -> np.ndarray:
        """Booleans: what is published of record ``rows[i]``, cell ``cell[i]``, is true of it.

        Its interval or set contains the record's value; an aggregate lies within the interval or set that it
        stands for, a missing one only where the group holds missing values.
        """
        true = self.cells.contain(column, rows, cell)
        if self.aggregate is None:
            return true
        value = self.aggregate[cell]
        if isinstance(self.cells, Intervals):
            low, high = self.cells.low[cell], self.cells.high[cell]
            gaps = np.isnan(low) | self.cells.partly_missing[cell]
            return true & np.where(np.isnan(value), gaps, (low <= value) & (value <= high))
        assert isinstance(self.cells, ValueSets | Nodes)
        return true & self.cells.hold(column, cell, value)

    def keys(self) -> np.ndarray:
        """int64 (m): equal published cells have equal keys."""
        if self.aggregate is None:
            return self.cells.keys()
        return row_keys(np.nan_to_num(self.aggregate.astype(np.float64), nan=np.inf)[:, None])

    def texts(self, column: Column, cells: np.ndarray) -> list[str]:
        """What these cells say, as text a person reads."""
        if self.aggregate is None:
            return self.cells.texts(column, cells)
        if isinstance(column, Numbers):
            return number_texts(self.aggregate[cells], column)
        assert isinstance(column, Categories)
        labels = label_texts(column)
        return [labels[code] for code in self.aggregate[cells]]
