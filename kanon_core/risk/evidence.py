"""What somebody who knows the original sees in published histories: which people's records fit which rows."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kanon_core.base.errors import UnsuitableError
from kanon_core.base.progress import Tick, silent
from kanon_core.release.cells.cells import Intervals, Nodes, Published, ValueSets, as_sets
from kanon_core.release.release import Release
from kanon_core.table.columns.columns import Categories
from kanon_core.table.people import Persons, persons_of
from kanon_core.table.table import Table

if TYPE_CHECKING:
    from scipy.sparse import csr_array

PEOPLE_AT_MOST = 10_000
"""Of more people the likeness of everybody to every history, and the best assignment, would take gigabytes
and hours."""

_AT_ONCE = 10_000_000


@dataclass(frozen=True, eq=False)
class Evidence:
    """The known original and the published histories.

    ``names`` int64 (h): the pseudonyms, ascending. ``history`` int64 (h): pseudonyms with equal rows share a
    number, 0 … g − 1. ``rows`` (g × cells): how many rows of each history have each cell. ``people``: whose
    the original records are. ``several``: somebody may bear more than one pseudonym.
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
        """int64 (cells × people): how many of a person's records fit a cell in every published column.

        Cost O(pairs of a cell and a record in its narrowest column · attributes), compiled.
        """
        from scipy.sparse import csr_array, vstack

        from kanon_core.risk.evidence_kernels import fitting_records

        shown = [column for column in self.published if column.aggregate is None]
        runs, cells, people = self._runs(shown), self.rows.shape[1], len(self.people)
        lines, sets = _lines(shown, self.table, cells), _sets(shown, self.table, cells)
        marks = np.full(sets.width, -1, np.int64)
        values = np.ascontiguousarray(lines.values[runs.order].T)
        codes, owner = np.ascontiguousarray(sets.codes[runs.order].T), self.people.numbers[runs.order]
        ends = _chunks(runs, cells, people)
        parts = [csr_array((0, people), dtype=np.int64)]
        for first, last in itertools.pairwise(ends):
            counts = np.zeros((last - first, people), np.int64)
            fitting_records(
                np.array([first, last]),
                runs.begin,
                runs.end,
                runs.of,
                values,
                lines.low,
                lines.high,
                lines.gaps,
                codes,
                sets.starts,
                sets.members,
                marks,
                owner,
                counts,
            )
            parts.append(csr_array(counts))
            self.tick(last / cells, "comparing rows with records")
        return csr_array(vstack(parts))

    def _runs(self, shown: list[Published]) -> Runs:
        """Where to look, by the column that leaves fewest pairs; means, medians and modes exclude nobody."""
        cells, n = np.arange(self.rows.shape[1]), len(self.table)
        found = [Runs(cells, np.zeros(len(cells), np.int64), np.full(len(cells), n), np.arange(n))]
        for column in shown:
            runs = _by_value if isinstance(column.cells, ValueSets | Nodes) else _by_number
            if isinstance(column.cells, ValueSets | Nodes | Intervals):
                found.append(runs(column, self.table))
        return min(found, key=lambda runs: runs.pairs)


class Runs(NamedTuple):
    """Of all records, ``order[begin[i]:end[i]]`` alone may fit cell ``of[i]`` (ascending)."""

    of: np.ndarray
    begin: np.ndarray
    end: np.ndarray
    order: np.ndarray

    @property
    def pairs(self) -> int:
        """How many pairs of a cell and a record there are to compare."""
        return int((self.end - self.begin).sum())


def _chunks(runs: Runs, cells: int, people: int) -> list[int]:
    """Where to stop for a tick: after some millions of pairs or counts."""
    work = np.cumsum(np.bincount(runs.of, runs.end - runs.begin, minlength=cells) + people)
    steps = np.searchsorted(work, np.arange(_AT_ONCE, work[-1] if cells else 0, _AT_ONCE)) + 1
    return sorted({0, *np.minimum(steps, cells).tolist(), cells})


class _Lines(NamedTuple):
    """Columns on a number line: ``values`` (n, p), the ends of each cell, and whether it takes missing values
    too."""

    values: np.ndarray
    low: np.ndarray
    high: np.ndarray
    gaps: np.ndarray


def _lines(shown: list[Published], table: Table, cells: int) -> _Lines:
    found = [
        (column.cells, table.numbers(column.attribute.name).values)
        for column in shown
        if isinstance(column.cells, Intervals)
    ]
    shape, n = (cells, len(found)), len(table)
    lines = _Lines(np.empty((n, len(found))), np.empty(shape), np.empty(shape), np.empty(shape, bool))
    for place, (own, values) in enumerate(found):
        lines.values[:, place] = values
        lines.low[:, place], lines.high[:, place], lines.gaps[:, place] = (
            own.low,
            own.high,
            own.partly_missing,
        )
    return lines


class _Sets(NamedTuple):
    """Columns of categories: ``codes`` (n, q), each column's apart from those before; ``members[starts[c,
    b]:starts[c + 1, b]]`` are those of cell c; ``width`` codes in all."""

    codes: np.ndarray
    starts: np.ndarray
    members: np.ndarray
    width: int


def _sets(shown: list[Published], table: Table, cells: int) -> _Sets:
    codes, starts, members, width, before = [], [], [np.zeros(0, np.int64)], 0, 0
    for column in shown:
        own = table[column.attribute.name]
        if isinstance(own, Categories):
            sets = as_sets(column.cells)
            codes.append(own.codes.astype(np.int64) + width)
            starts.append(sets.starts + before)
            members.append(sets.codes.astype(np.int64) + width)
            width, before = width + len(own.labels), before + len(sets.codes)
    return _Sets(
        np.column_stack(codes) if codes else np.empty((len(table), 0), np.int64),
        np.column_stack(starts) if starts else np.empty((cells + 1, 0), np.int64),
        np.concatenate(members),
        width,
    )


def _by_value(published: Published, table: Table) -> Runs:
    column, cells = table[published.attribute.name], as_sets(published.cells)
    assert isinstance(column, Categories)
    ends = np.cumsum(np.bincount(column.codes, minlength=len(column.labels)))
    starts = np.append(0, ends)
    of = np.repeat(np.arange(len(cells.starts) - 1), np.diff(cells.starts))
    return Runs(of, starts[cells.codes], ends[cells.codes], np.argsort(column.codes, kind="stable"))


def _by_number(published: Published, table: Table) -> Runs:
    """One run of present values for a cell, and one of missing values where it takes them."""
    cells, values = published.cells, table.numbers(published.attribute.name).values
    assert isinstance(cells, Intervals)
    order, gaps = np.argsort(values, kind="stable"), int(np.isnan(values).sum())  # missing values last
    present, nothing = values[order][: len(values) - gaps], np.isnan(cells.low)
    low, high = np.nan_to_num(cells.low, nan=np.inf), np.nan_to_num(cells.high, nan=-np.inf)
    begin, end = np.searchsorted(present, low, "left"), np.searchsorted(present, high, "right")
    missing = np.flatnonzero(nothing | cells.partly_missing)
    of = np.append(np.flatnonzero(~nothing), missing)
    some = np.argsort(of, kind="stable")
    begin = np.append(begin[~nothing], np.full(len(missing), len(present)))
    end = np.append(end[~nothing], np.full(len(missing), len(values)))
    return Runs(of[some], begin[some], end[some], order)


def evidence(table: Table, release: Release, tick: Tick = silent) -> tuple[Evidence, np.ndarray]:
    """What the attacker has, and, to judge the guesses by, the person behind each pseudonym: int64 (h).

    Raises UnsuitableError for a release that publishes no histories, and for more than 10,000 people.
    """
    from scipy.sparse import csr_array

    if not release.protects_people:
        raise UnsuitableError(
            "The attack links published histories to people, and this release has none; choose an algorithm"
            " for purchase histories."
        )
    people, shown = persons_of(table), np.flatnonzero(~release.suppressed)
    if len(people) > PEOPLE_AT_MOST:
        raise UnsuitableError(
            f"An attack compares everybody with every history, of up to {PEOPLE_AT_MOST:,} people, and this"
            f" table names {len(people):,}; take the records of some of them."
        )
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
