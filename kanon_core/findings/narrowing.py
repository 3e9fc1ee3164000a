"""Number of values that a published cell allows: among all records, and among those with a given value in
another column."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kanon_core.covers.cells import PublishedColumn
from kanon_core.covers.cells.base import Ranges
from kanon_core.table.columns.columns import Column
from kanon_core.table.columns.keys import counted_below, distinct, numbered

_TABLE_AT_MOST = 10_000_000
_AT_ONCE = 200_000


@dataclass(frozen=True, eq=False)
class Narrowing:
    """One published quasi-identifier, its values numbered from 0 up to ``width`` − 1, missing first.

    ``values`` int64 (n): those of the records; ``shown`` int64: the published records, and ``cell`` the cell
    of each of them, of the different cells ``cells``; ``allowed`` int64: how many values of
    the table each of these allows; ``general``: booleans of the published records, theirs allows several.
    """

    values: np.ndarray
    width: int
    shown: np.ndarray
    cell: np.ndarray
    cells: Ranges
    general: np.ndarray
    allowed: np.ndarray

    @classmethod
    def of(cls, column: Column, published: PublishedColumn) -> Narrowing:
        """The cells of this column as ranges of numbers, each different one once."""
        cells, shown = published.cells.underlying, np.flatnonzero(published.cell >= 0)
        used = np.flatnonzero(np.bincount(published.cell[shown], minlength=len(cells)))
        first, place = np.unique(cells.keys()[used], return_index=True, return_inverse=True)[1:]
        ranges, number = cells.ranges(column, used[first]), np.zeros(len(cells), np.int64)
        number[used] = place
        cell = number[published.cell[shown]]
        values = ranges.values.astype(np.int64) + 1
        if values.min() > 0:  # nothing is missing, so no value is in a gap
            ranges = ranges._replace(gaps=np.zeros(len(ranges.gaps), bool))
        width = int(max(values.max(), ranges.high.max() + 1)) + 1
        allowed = _possible(
            ranges, np.arange(len(first)), distinct(values), np.zeros(len(first), np.int64), width
        )
        return cls(values, width, shown, cell, ranges, (allowed > 1)[cell], allowed)

    def by(self, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Two arrays of booleans of the published records: an attacker who knows the records' codes, int64
        (n), sees fewer possible values than the cell allows; and sees a single one."""
        there = distinct(codes * self.width + self.values)
        many = int(codes.max(initial=0)) + 1
        open_to = np.flatnonzero(self.general)
        pairs, place = numbered(self.cell[open_to] * many + codes[self.shown[open_to]])
        found = _possible(self.cells, pairs // many, there, pairs % many, self.width)
        narrowed, given = np.zeros((2, len(self.shown)), bool)
        narrowed[open_to] = (found < self.allowed[pairs // many])[place]
        given[open_to] = (found == 1)[place]
        return narrowed, given


def _possible(
    ranges: Ranges, cell: np.ndarray, there: np.ndarray, code: np.ndarray, width: int
) -> np.ndarray:
    """int64 (m): how many of the values of cell ``cell[i]`` occur beside ``code[i]``. ``there``: ascending,
    code · width + value of all pairs that occur."""
    below = _below(there, (int(code.max(initial=0)) + 1) * width + 1)
    blocks = [slice(start, start + _AT_ONCE) for start in range(0, len(cell), _AT_ONCE)]
    parts = [_possible_now(ranges, cell[block], below, code[block], width) for block in blocks]
    return np.concatenate([np.zeros(0, np.int64), *parts])


def _possible_now(
    ranges: Ranges, cell: np.ndarray, below: Callable[[np.ndarray], np.ndarray], code: np.ndarray, width: int
) -> np.ndarray:
    """Return `_possible` for so few cells that all questions about them fit into memory."""
    low, high, first, size = (x[cell] for x in (ranges.low, ranges.high, ranges.first, ranges.size))
    base = code * width
    found = np.where(first < 0, below(base + np.maximum(high, low - 1) + 2) - below(base + low + 1), 0)
    holed = np.flatnonzero(first >= 0)
    sizes = size[holed]
    place = np.repeat(first[holed] - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
    keys = np.repeat(base[holed], sizes) + ranges.members[place] + 1
    found[holed] += np.bincount(
        np.repeat(np.arange(len(holed)), sizes), below(keys + 1) - below(keys), len(holed)
    ).astype(np.int64)
    gaps = np.flatnonzero(ranges.gaps[cell])
    found[gaps] += below(base[gaps] + 1) - below(base[gaps])
    return np.asarray(found)


def _below(there: np.ndarray, end: int) -> Callable[[np.ndarray], np.ndarray]:
    """Return how many of these ascending numbers are below a number of up to ``end``: looked up where there
    is room for a table."""
    if end > _TABLE_AT_MOST:
        return lambda numbers: counted_below(there, numbers)
    table = np.zeros(end + 1, np.int64)
    table[there[there < end] + 1] = 1
    np.cumsum(table, out=table)
    return table.__getitem__
