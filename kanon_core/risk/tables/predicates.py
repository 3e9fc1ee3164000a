"""Predicates that an attacker reads from published rows, and the number of records for which each is true."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from kanon_core.base.progress import Tick
from kanon_core.base.words import tr
from kanon_core.covers.cells import Cells, PublishedColumn
from kanon_core.covers.matching.fitting import allowed
from kanon_core.risk.tables.release_view import ReleaseView
from kanon_core.table.columns.columns import Column, Items, Numbers
from kanon_core.table.columns.keys import paired

_SETS = 100
_RECORDS_AT_ONCE = 65_536
_CELLS_AT_ONCE = 64


class Predicates(NamedTuple):
    """Predicate i says that the cells ``codes[i]`` of the columns ``columns[i]``, both int64 (predicates ×
    columns), are true; −1 = no further column."""

    columns: np.ndarray
    codes: np.ndarray

    def padded(self, width: int) -> Predicates:
        """Return the same predicates, with room for so many columns."""
        more = ((0, 0), (0, width - self.columns.shape[1]))
        return Predicates(*(np.pad(part, more, constant_values=-1) for part in self))

    def some(self, count: int, rng: np.random.Generator) -> Predicates:
        """Return up to so many of them, drawn at random."""
        drawn = rng.permutation(len(self.columns))[:count]
        return Predicates(self.columns[drawn], self.codes[drawn])


@dataclass(frozen=True, eq=False)
class Read:
    """A published column as an attacker reads it: an aggregate is its published value.

    ``code`` int64 (rows): the number of each row's cell among the different ones; ``which`` int64: for each
    of these a cell of ``cells``, or, where the column is published unchanged (None), a record that has the
    value. Columns of numbers have two further codes: at most the least end, and at least the greatest end.
    """

    column: Column
    cells: Cells | None
    code: np.ndarray
    which: np.ndarray

    @classmethod
    def of_cells(cls, column: Column, published: PublishedColumn, rows: np.ndarray) -> Read:
        """Return the cells of a quasi-identifier; ``rows``: a record of the release for each row."""
        cell = published.cell[rows]
        _, first, code = np.unique(published.cells.keys()[cell], return_index=True, return_inverse=True)
        return cls(column, published.cells, code, cell[first])

    @classmethod
    def of_values(cls, column: Column, rows: np.ndarray) -> Read:
        """Return the values of a column that is published as it is; ``rows``: a record of the table for each
        row."""
        _, first, code = np.unique(column.keys[rows], return_index=True, return_inverse=True)
        return cls(column, None, code, rows[first])

    @cached_property
    def ends(self) -> tuple[np.ndarray, np.ndarray] | None:
        """float64 (cells): the least and the greatest number of each cell, NaN = missing; None where there
        are no numbers."""
        if not isinstance(self.column, Numbers):
            return None
        if self.cells is None:
            values = self.column.values[self.which]
            return values, values
        between = self.cells.as_intervals()
        return between.low[self.which], between.high[self.which]

    @property
    def extremes(self) -> list[int]:
        """Return the codes of “at most the least end” and “at least the greatest end”, unless several rows
        show that they are true of several records."""
        if self.ends is None or np.isnan(self.ends[0]).all():
            return []
        low, high = self.ends
        rows = np.bincount(self.code, minlength=len(self.which))
        several = rows[high <= np.nanmin(low)].sum(), rows[low >= np.nanmax(high)].sum()
        return [len(self.which) + end for end, count in enumerate(several) if count <= 1]

    def true_of(self, records: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """Booleans (records × codes): the statement of the code is true of the record."""
        found = np.empty((len(records), len(codes)), bool)
        plain = codes < len(self.which)
        found[:, plain] = self._cells_true_of(records, self.which[codes[plain]])
        if self.ends is not None and not plain.all():
            assert isinstance(self.column, Numbers)
            values, (low, high) = self.column.values[records][:, None], self.ends
            found[:, codes == len(self.which)] = values <= np.nanmin(low)
            found[:, codes == len(self.which) + 1] = values >= np.nanmax(high)
        return found

    def _cells_true_of(self, records: np.ndarray, which: np.ndarray) -> np.ndarray:
        column = self.column
        if self.cells is None:
            own, shown = column.keys[records][:, None], column.keys[which]
            return np.asarray((own == shown) | ((own != own) & (shown != shown)))
        if isinstance(column, Items):
            return allowed(column, self.cells, records, which)
        if isinstance(column, Numbers):  # far faster than pair by pair, as there are many values here
            cells, values = self.cells.as_intervals(), column.values[records][:, None]
            low, high = cells.low[which], cells.high[which]
            gaps = np.isnan(low) | cells.partly_missing[which]
            if column.circle is not None:
                values = column.circle.onward(values, low)
            return np.asarray(((low <= values) & (values <= high)) | (np.isnan(values) & gaps))
        pairs = np.tile(which, len(records)), np.repeat(column.codes[records], len(which))
        return self.cells.as_sets().hold(column, *pairs).reshape(len(records), len(which))


def read(seen: ReleaseView, unchanged: bool) -> list[Read]:
    """Return the published columns, with a cell for each different row; ``unchanged``: also those that are no
    quasi-identifiers, as they are."""
    table, release = seen.table, seen.release
    roles = ("sensitive", "other") if unchanged else ()
    names = [attribute.name for attribute in table.schema if attribute.role in roles]
    shown = np.flatnonzero(release.classes >= 0)
    key = release.classes[shown]
    for name in names:
        key = paired(key, np.unique(table[name].keys[seen.records[shown]], return_inverse=True)[1])
    rows = shown[np.unique(key, return_index=True)[1]]
    quasi = [Read.of_cells(table[one.attribute.name], one, rows) for one in release.published]
    return quasi + [Read.of_values(table[name], seen.records[rows]) for name in names]


def of_rows(shown: Sequence[Read], size: int, count: int, rng: np.random.Generator) -> Predicates:
    """Return up to ``count`` predicates of ``size`` columns each: the cells of a row that no other row has,
    drawn from all of them (of up to 100 sets of columns, drawn at random)."""
    size = min(size, len(shown))
    sets = list(_sets(len(shown), size, rng))
    alone = [_alone([shown[i].code for i in chosen]) for chosen in sets]
    drawn = rng.permutation(sum(map(len, alone)))[:count]
    columns = np.repeat(np.array(sets, np.int64).reshape(-1, size), list(map(len, alone)), axis=0)[drawn]
    rows = np.concatenate([np.zeros(0, np.int64), *alone])[drawn]
    codes = np.stack([one.code for one in shown])[columns, rows[:, None]]
    return Predicates(columns, codes)


def of_extremes(shown: Sequence[Read], count: int, rng: np.random.Generator) -> Predicates:
    """Return up to ``count`` predicates of one column each: its ends, and the cells that one row alone
    has."""
    ends = [(i, code) for i, one in enumerate(shown) for code in one.extremes]
    found = np.array(ends, np.int64).reshape(-1, 2)
    single = of_rows(shown, 1, max(count - len(found), 0), rng)
    pairs = [np.concatenate([found[:, part, None], single[part]]) for part in (0, 1)]
    return Predicates(*pairs).some(count, rng)


def at_random(shown: Sequence[Read], like: Predicates, rng: np.random.Generator) -> Predicates:
    """Predicates about the same columns, each with a cell drawn from the different ones of its column."""
    sizes = np.array([len(one.which) for one in shown])
    codes = (rng.random(like.columns.shape) * sizes[like.columns]).astype(np.int64)
    return Predicates(like.columns, np.where(like.columns >= 0, codes, -1))


def counts(shown: Sequence[Read], predicates: Predicates, records: np.ndarray, tick: Tick) -> np.ndarray:
    """int64 (predicates): of how many of these records of the table each is true. Cost O(records · different
    cells), of bits O(records · predicates)."""
    found = np.zeros(len(predicates.columns), np.int64)
    for start in range(0, len(records), _RECORDS_AT_ONCE):
        some = records[start : start + _RECORDS_AT_ONCE]
        bits = np.full((len(found), -(-len(some) // 8)), 255, np.uint8)
        for i, one in enumerate(shown):
            tick((start + len(some) * i / len(shown)) / len(records), tr("trying predicates"))
            guess, place = np.nonzero(predicates.columns == i)
            _keep(bits, one, guess, predicates.codes[guess, place], some)
        found += np.bitwise_count(bits).sum(axis=1, dtype=np.int64)
    return found


def _keep(bits: np.ndarray, read: Read, guess: np.ndarray, codes: np.ndarray, records: np.ndarray) -> None:
    """Keep in ``bits[guess]`` the records of which these codes are true."""
    _, first, value = np.unique(read.column.keys[records], return_index=True, return_inverse=True)
    order = np.argsort(codes, kind="stable")
    used, start = np.unique(codes[order], return_index=True)
    start = np.append(start, len(codes))
    for begin in range(0, len(used), _CELLS_AT_ONCE):
        part = used[begin : begin + _CELLS_AT_ONCE]
        true = np.packbits(np.ascontiguousarray(read.true_of(records[first], part).T)[:, value], axis=1)
        mine = order[start[begin] : start[begin + len(part)]]
        bits[guess[mine]] &= true[np.searchsorted(part, codes[mine])]


def _sets(columns: int, size: int, rng: np.random.Generator) -> Iterator[tuple[int, ...]]:
    """Yield all sets of so many columns, or some of them, drawn at random."""
    if comb(columns, size) <= _SETS:
        yield from combinations(range(columns), size)
        return
    drawn = (tuple(sorted(rng.choice(columns, size, replace=False).tolist())) for _ in range(_SETS))
    yield from sorted(set(drawn))


def _alone(codes: Sequence[np.ndarray]) -> np.ndarray:
    """int64: the rows whose codes no other row has."""
    key = codes[0]
    for more in codes[1:]:
        key = paired(key, more)
    return np.flatnonzero(np.bincount(key)[key] == 1)
