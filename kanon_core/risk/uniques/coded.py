"""Columns as codes and the owner of each record, for counting distinguishable records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from kanon_core.base.errors import OptionError, UnsuitableError
from kanon_core.base.words import tr
from kanon_core.release.release import Release
from kanon_core.table.columns.keys import numbered
from kanon_core.table.people import persons_of
from kanon_core.table.table import Table

_EXACT = 2**62
_SPREAD = 4
"""Keys are counted as they are where at most so many times as many keys as records are possible."""


@dataclass(frozen=True, eq=False)
class Coded:
    """The chosen columns of m records.

    ``codes``: int64 (m) of each column, equal where its values are; missing is a value of its own. ``rows``
    int64 (m): the number of each record in its table. ``owner`` int64 (m): the owner of each record, 0 …
    ``subjects`` − 1: its person if a column has the role person, else the record itself.
    """

    names: tuple[str, ...]
    codes: tuple[np.ndarray, ...]
    rows: np.ndarray
    owner: np.ndarray
    subjects: int
    of_people: bool

    @property
    def unit(self) -> str:
        """Return the noun for the counted subjects: "people" or "records"."""
        return "people" if self.of_people else "records"

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Return how many different values each column has."""
        return tuple(int(codes.max(initial=-1)) + 1 for codes in self.codes)

    @cached_property
    def first(self) -> np.ndarray:
        """int64 (subjects): the number of the first record of each."""
        found = np.empty(self.subjects, np.int64)
        found[self.owner[::-1]] = self.rows[::-1]
        return found

    def keys(self, which: Sequence[int], places: np.ndarray | None = None) -> np.ndarray:
        """int64: numbers from 0 on, equal where these columns all are; of all m records, or of those at these
        places. Numbers may be left out, but at most three for each that is there."""
        picked = slice(None) if places is None else places
        key, width = self.codes[which[0]][picked], self.sizes[which[0]]
        for place in which[1:]:
            if width * self.sizes[place] >= _EXACT:
                key, width = _dense(key)
            key = key * self.sizes[place] + self.codes[place][picked]
            width *= self.sizes[place]
        return _dense(key)[0] if width > _SPREAD * len(key) else key


def _dense(key: np.ndarray) -> tuple[np.ndarray, int]:
    found, number = numbered(key)
    return number, len(found)


def coded_table(table: Table, names: Sequence[str]) -> Coded:
    """Return the columns of a table; values that do not fit their kind count as missing. Where people are
    counted, records without a person are left out. Raises SchemaError if two columns have the role person."""
    rows, owner, subjects = _owners(table, np.arange(len(table)))
    codes = tuple(_codes(table[name].keys[rows]) for name in names)
    return Coded(tuple(names), codes, rows, owner, subjects, has_persons(table))


def coded_release(release: Release, names: Sequence[str]) -> Coded:
    """Return the published columns, generalized or unchanged, without suppressed records.

    Raises UnsuitableError for a release whose sets overlap, where a unique row may belong to any of k
    records, and for a column that is not published.
    """
    if release.cover.overlap:
        raise UnsuitableError(
            tr(
                "Under k-concealment, a row that differs from all others can still be the row of any of k"
                " records; count the matches of its records instead."
            )
        )
    table = release.table
    rows, owner, subjects = _owners(table, np.flatnonzero(~release.suppressed))
    shown = {column.attribute.name: column for column in release.published}
    hidden = [a.name for a in table.schema.of_role("identifier", "person", "undecided") if a.name in names]
    if hidden:
        raise UnsuitableError(
            tr("Column “{name}” is not published; choose published columns.").format(name=hidden[0])
        )
    codes = []
    for name in names:
        column = shown.get(name)
        keys = table[name].keys[rows] if column is None else column.cells.keys()[column.cell[rows]]
        codes.append(_codes(keys))
    return Coded(tuple(names), tuple(codes), rows, owner, subjects, has_persons(table))


def has_persons(table: Table) -> bool:
    """Return whether a column has the role person."""
    return bool(table.schema.of_role("person"))


def checked_most(most: int, highest: int = 10) -> int:
    """Return how many columns a set has at most. Raises OptionError for anything but 1 to 10."""
    if isinstance(most, bool) or not isinstance(most, int) or not 1 <= most <= highest:
        raise OptionError(
            tr("The number of columns in a set must be a whole number from 1 to {highest}.").format(
                highest=highest
            )
        )
    return most


def _owners(table: Table, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """Return the records that count, the owner of each, and the number of owners."""
    if not has_persons(table):
        return rows, np.arange(len(rows)), len(rows)
    numbers = persons_of(table).numbers[rows]
    kept = numbers >= 0
    owner, persons = pd.factorize(numbers[kept])
    return rows[kept], owner.astype(np.int64), len(persons)


def _codes(keys: np.ndarray) -> np.ndarray:
    """int64: 0 … in the order in which values first occur; missing is the last."""
    codes, found = pd.factorize(keys)
    return np.where(codes < 0, len(found), codes).astype(np.int64)
