"""Releases of the same people side by side: their rows, and which unchanged cells all of them have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import IO, TYPE_CHECKING

import numpy as np
import pandas as pd

from kanon_core.base.errors import OptionError, UnsuitableError
from kanon_core.base.infile import in_file
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr
from kanon_core.covers.cells import PublishedColumn
from kanon_core.covers.matching.fitting import fits
from kanon_core.covers.uploaded.unchanged import Unchanged, unchanged_columns
from kanon_core.covers.uploaded.uploaded import UploadedRelease, read_release
from kanon_core.release.release import Release
from kanon_core.table.columns.keys import row_keys
from kanon_core.table.table import Table
from kanon_core.table.writers.cells import texts as written

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Published = Release | UploadedRelease | str | PathLike[str] | bytes | IO[bytes]
"""A release, or the file that was published."""


def as_read(table: Table, given: Published) -> Release | UploadedRelease:
    """Return a release as it is, or read from its file; errors name the file."""
    if isinstance(given, Release | UploadedRelease):
        return given
    with in_file(given):
        return read_release(given, table)


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of a release: ``classes`` int64 (rows), −1 = a row of stars."""

    published: tuple[PublishedColumn, ...]
    classes: np.ndarray
    unchanged: tuple[Unchanged, ...]

    @classmethod
    def of(cls, table: Table, given: Published) -> Rows:
        """Return the rows of a release, or of one that is read from its file. Raises UnsuitableError for
        histories."""
        given = as_read(table, given)
        if isinstance(given, UploadedRelease):
            return cls(given.published, np.where(given.shown, given.classes, -1), given.unchanged)
        if given.pseudonymous:
            raise UnsuitableError(
                tr("Only releases with one row per record can be compared; this one publishes histories.")
            )
        given.recipe.check_table(table)
        names = [a.name for a in table.schema.of_role("sensitive", "other")]
        cells = {name: ["" if t is None else t for t in written(table.frame[name])] for name in names}
        frame = pd.DataFrame(cells, index=table.frame.index)
        return cls(given.published, given.classes, unchanged_columns(table, frame, given.suppressed))

    def text(self, name: str) -> np.ndarray:
        """object (rows): an unchanged column's cells as texts."""
        column = next(one for one in self.unchanged if one.name == name)
        cells = column.published.cells
        texts = np.array([*cells.texts(column.column, np.arange(len(cells))), "*"], object)
        return np.asarray(texts[column.published.cell[: len(self.classes)]])


@dataclass(frozen=True, eq=False)
class Side:
    """A release whose rows are compared with those of others: ``codes`` int64 (rows), a number below
    ``width`` for the unchanged cells of each row; rows of any release with equal unchanged cells have the
    same number."""

    rows: Rows
    codes: np.ndarray
    width: int

    @cached_property
    def shown(self) -> np.ndarray:
        """int64: the rows that are more than stars."""
        return np.flatnonzero(self.rows.classes >= 0)

    @cached_property
    def first(self) -> np.ndarray:
        """int64 (classes): a row of each class of rows with equal quasi-identifiers."""
        return np.asarray(self.shown[np.unique(self.rows.classes[self.shown], return_index=True)[1]])

    @cached_property
    def held(self) -> csr_array:
        """int64 (classes × codes): how many rows of each class have each code."""
        from scipy.sparse import csr_array

        own, which = np.unique(self.rows.classes[self.shown], return_inverse=True)
        ones = np.ones(len(self.shown), np.int64)
        return csr_array((ones, (which, self.codes[self.shown])), (len(own), self.width))

    def fits(self, table: Table, records: np.ndarray, tick: Tick = silent) -> csr_array:
        """Booleans (records × classes): the record fits the class."""
        return fits(table, self.rows.published, self.first, records, tick)

    def counts(self, table: Table, records: np.ndarray) -> csr_array:
        """int64 (records × codes): how many rows that fit each record have each code."""
        from scipy.sparse import csr_array

        return csr_array(self.fits(table, records).astype(np.int64) @ self.held)


@dataclass(frozen=True, eq=False)
class Several:
    """Releases of the same people, and ``names``: the unchanged columns that all have, with single values in
    every row; rows are compared by these columns."""

    releases: tuple[Published, ...]
    sides: tuple[Side, ...]
    names: tuple[str, ...]

    @classmethod
    def of(cls, table: Table, releases: Sequence[Published]) -> Several:
        """Read and encode the releases. Raises OptionError for fewer than two, InputError for a file that
        cannot be read, UnsuitableError for histories."""
        if len(releases) < 2:
            raise OptionError(tr("At least two releases are compared; give another release."))
        each = [Rows.of(table, one) for one in releases]
        plain = [[u.name for u in rows.unchanged if not u.less.any()] for rows in each]
        names = tuple(name for name in plain[0] if all(name in other for other in plain))
        columns = [np.concatenate([rows.text(name) for rows in each]) for name in names]
        coded = [pd.factorize(column)[0] for column in columns]
        total = sum(len(rows.classes) for rows in each)
        joint = row_keys(np.column_stack(coded)) if coded else np.zeros(total, np.int64)
        width = int(joint.max(initial=-1)) + 1
        parts = np.split(joint, np.cumsum([len(rows.classes) for rows in each])[:-1])
        sides = tuple(Side(rows, codes, width) for rows, codes in zip(each, parts, strict=True))
        return cls(tuple(releases), sides, names)

    def wanted_k(self, k: int | None) -> int:
        """Return the number among which everybody is to hide: k, else that of the first release, else 2."""
        first = self.releases[0]
        return k if k is not None else first.guarantee.k if isinstance(first, Release) else 2

    def value_of(self, name: str) -> np.ndarray:
        """int64 (codes): a number for the cell that each code has in a column, −1 where the first release has
        none."""
        first = self.sides[0]
        found = np.full(first.width, -1)
        found[first.codes] = pd.factorize(first.rows.text(name))[0]
        return found
