"""What somebody who knows the original sees in published histories: which people's records fit which rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from kanon_core.cells import Intervals, Published, ValueSets
from kanon_core.data.columns import Categories, Numbers
from kanon_core.data.persons import Persons, persons_of
from kanon_core.data.table import Table
from kanon_core.errors import UnsuitableError
from kanon_core.progress import Tick, silent
from kanon_core.release import Release

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_PAIRS_AT_ONCE = 2_000_000


@dataclass(frozen=True, eq=False)
class Evidence:
    """The known original and the published histories.

    ``names`` int64 (h): the pseudonyms, ascending. ``history`` int64 (h): pseudonyms with equal rows share a number, 0 … g − 1.
    ``rows`` (g × cells): how many rows of each history have each cell. ``people``: whose the original records are. ``several``:
    somebody may bear more than one pseudonym.
    """

    table: Table
    published: tuple[Published, ...]
    people: Persons
    names: np.ndarray
    history: np.ndarray
    rows: csr_array
    several: bool = False
    tick: Tick = silent

    @property
    def sizes(self) -> np.ndarray:
        """int64 (g): how many rows each history has."""
        return np.asarray(self.rows.sum(axis=1)).ravel().astype(np.int64)

    @cached_property
    def fitting(self) -> csr_array:
        """int64 (cells × people): how many of a person's records fit a cell in every published column."""
        from scipy.sparse import csr_array

        shape = (self.rows.shape[1], len(self.people))
        keys = [np.zeros(0, np.int64)]
        for cells, records in self._pairs():
            owner = self.people.numbers[records]
            keys.append((cells * shape[1] + owner)[owner >= 0])
        pairs, counts = np.unique(np.concatenate(keys), return_counts=True)
        return csr_array((counts, (pairs // shape[1], pairs % shape[1])), shape=shape)

    def _pairs(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Cells and records that fit them, some millions at a time. Means, medians and modes exclude nobody."""
        shown = [column for column in self.published if column.aggregate is None]
        cell, begin, end, order = self._runs(shown)
        ends = np.cumsum(end - begin)
        first = 0
        while first < len(cell):
            done = ends[first - 1] if first else 0
            last = max(first + 1, int(np.searchsorted(ends, done + _PAIRS_AT_ONCE, "right")))
            lengths = (end - begin)[first:last]
            skipped = np.repeat(begin[first:last] - (ends[first:last] - lengths - done), lengths)
            records, cells = order[np.arange(len(skipped)) + skipped], np.repeat(cell[first:last], lengths)
            for column in shown:
                fits = column.true_of(self.table[column.attribute.name], records, cells)
                cells, records = cells[fits], records[fits]
            self.tick(last / len(cell), "comparing rows with records")
            yield cells, records
            first = last

    def _runs(self, shown: list[Published]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Where to look: records ``order[begin[i]:end[i]]`` may fit ``cell[i]``; all others do not.

        By the column of value sets with most values, else the first of intervals, else every record for every cell.
        """
        sets = [p for p in shown if isinstance(p.cells, ValueSets)]
        if sets:
            return _by_value(max(sets, key=lambda p: self.table[p.attribute.name].distinct), self.table)
        spans = [p for p in shown if isinstance(p.cells, Intervals)]
        if spans:
            return _by_number(spans[0], self.table)
        cells, n = np.arange(self.rows.shape[1]), len(self.table)
        return cells, np.zeros(len(cells), np.int64), np.full(len(cells), n), np.arange(n)


def _by_value(published: Published, table: Table) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    cells, column = published.cells, table[published.attribute.name]
    assert isinstance(cells, ValueSets) and isinstance(column, Categories)
    ends = np.cumsum(np.bincount(column.codes, minlength=len(column.labels)))
    starts = np.append(0, ends)
    cell = np.repeat(np.arange(len(cells.starts) - 1), np.diff(cells.starts))
    return cell, starts[cells.codes], ends[cells.codes], np.argsort(column.codes, kind="stable")


def _by_number(published: Published, table: Table) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    cells, column = published.cells, table[published.attribute.name]
    assert isinstance(cells, Intervals) and isinstance(column, Numbers)
    order = np.argsort(column.values, kind="stable")  # missing values last
    values, n = column.values[order], len(order)
    begin, end = np.searchsorted(values, cells.low, "left"), np.searchsorted(values, cells.high, "right")
    nothing = np.isnan(cells.low)
    missing = np.flatnonzero(nothing | cells.partly_missing)
    gaps = int(np.isnan(column.values).sum())
    cell = np.append(np.flatnonzero(~nothing), missing)
    return (
        cell, np.append(begin[~nothing], np.full(len(missing), n - gaps)),
        np.append(end[~nothing], np.full(len(missing), n)), order,
    )  # fmt: skip


def evidence(table: Table, release: Release, tick: Tick = silent) -> tuple[Evidence, np.ndarray]:
    """What the attacker has, and, to judge the guesses by, the person behind each pseudonym: int64 (h).

    Raises UnsuitableError for a release that publishes no histories.
    """
    from scipy.sparse import csr_array

    if not release.protects_people:
        raise UnsuitableError(
            "The attack links published histories to people, and this release has none; choose an algorithm for purchase histories."
        )
    people, shown = persons_of(table), np.flatnonzero(~release.suppressed)
    names, first, owner = np.unique(release.pseudonyms[shown], return_index=True, return_inverse=True)
    cells = len(release.cover.sizes)
    pairs = (np.ones(len(shown), np.int64), (owner, release.cell[shown]))
    rows = csr_array(pairs, shape=(len(names), cells))
    rows.sum_duplicates()
    texts = [
        rows.indices[a:b].tobytes() + rows.data[a:b].tobytes()
        for a, b in zip(rows.indptr[:-1].tolist(), rows.indptr[1:].tolist(), strict=True)
    ]
    number = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    history = np.array([number[text] for text in texts], np.int64)
    each = rows[np.unique(history, return_index=True)[1]] if len(names) else rows
    found = Evidence(table, release.published, people, names, history, each, release.bearers.several, tick)
    return found, people.numbers[shown[first]]
