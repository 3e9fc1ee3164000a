"""Read a released file, made by any program, as published cells of the table it was made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import IO, Any, NamedTuple

import numpy as np
import pandas as pd

from kanon_core.base.errors import InputError, KanonError, UnsuitableError
from kanon_core.base.progress import Tick, silent, stage
from kanon_core.base.words import counted, tr, tr_n
from kanon_core.covers.cells import Cells, PublishedColumn
from kanon_core.covers.matching.consistency import Consistency, consistency
from kanon_core.covers.uploaded.aggregates import Aggregated, Written, read_aggregates
from kanon_core.covers.uploaded.column_texts import column_notes, read_cells
from kanon_core.covers.uploaded.unchanged import Unchanged, together, unchanged_columns
from kanon_core.table.columns.columns import Categories, Column, Numbers
from kanon_core.table.columns.keys import paired
from kanon_core.table.columns.texts import SUPPRESSED
from kanon_core.table.notation.mixed import mixed_notations
from kanon_core.table.people import undecided
from kanon_core.table.readers import read_frame
from kanon_core.table.table import Table
from kanon_core.table.writers.cells import fitted_names, safe_text


@dataclass(frozen=True, eq=False)
class UploadedRelease:
    """The rows of a released file as cells over the table's values.

    ``published``: one entry for each quasi-identifier that the file has, row i of the file in place of record
    i; its cell is −1 for a row of stars and for each record that the file has no row for. ``classes`` int64
    (rows): rows whose quasi-identifiers are written alike share a number. ``notes``: sentences on how the
    file was read, and on columns that only one of them has. ``unchanged``: the sensitive and other columns
    that both have. ``aggregated``: quasi-identifiers that publish means, medians or modes of groups.
    ``as_groups``: the same file, with columns of values that records have read as aggregates, too; None
    without such columns.
    """

    table: Table
    published: tuple[PublishedColumn, ...]
    classes: np.ndarray
    notes: tuple[str, ...] = ()
    unchanged: tuple[Unchanged, ...] = ()
    aggregated: tuple[Aggregated, ...] = ()
    as_groups: UploadedRelease | None = None

    @property
    def source(self) -> str:
        """The source of the classes that a guarantee checks (`kanon_core.guarantees.Judged`)."""
        return "beside"

    @property
    def rows(self) -> int:
        """The number of rows of the file, including rows of stars."""
        return len(self.classes)

    @property
    def shown(self) -> np.ndarray:
        """Booleans (rows): the row is more than stars."""
        return self.published[0].cell[: self.rows] >= 0

    @property
    def class_sizes(self) -> np.ndarray:
        """int64: how many rows each class has, without rows of stars."""
        return np.bincount(self.classes[self.shown], minlength=int(self.classes.max()) + 1)

    def present(self, tick: Tick = silent) -> np.ndarray:
        """Booleans (n): the record is published; a record that fits no row is not, if all rows are of
        different records."""
        found = self.consistency(tick)
        return np.asarray(~(found.perfect & (found.matches == 0)))

    def consistency(self, tick: Tick = silent) -> Consistency:
        """Return which originals fit which rows, and the matches among them
        (`kanon_core.covers.matching.consistency`); counted once."""
        found: Consistency | None = self.__dict__.get("_consistency")
        if found is None:
            found = self.__dict__["_consistency"] = consistency(self.table, self.published, tick)
        return found

    def settled(self, tick: Tick = silent) -> UploadedRelease:
        """This release or `as_groups`: the first that can be true of the original, this one if neither can.
        Cost as `can_be_true`."""
        if self.as_groups is None or any(column.surplus.any() for column in self.unchanged):
            return self
        if self.can_be_true(stage(tick, 0, 0.5)) or not self.as_groups.can_be_true(stage(tick, 0.5, 1)):
            return self
        return self.as_groups

    def can_be_true(self, tick: Tick = silent) -> bool:
        """Return whether every row can belong to a different record, in the quasi-identifiers and the other
        columns; True if there are too many pairs to compare. Cost as `consistency`."""
        try:
            if not self.consistency(tick).perfect:
                return False
        except KanonError:
            return True
        found = self.together(self.unchanged, tick) if self.unchanged else None
        return found is None or found.perfect

    def together(self, columns: Sequence[Unchanged], tick: Tick = silent) -> Consistency | None:
        """Return the counts of `consistency` for the quasi-identifiers and these unchanged columns at once;
        None where there are too many pairs to compare. Counted once for each choice of columns."""
        kept = self.__dict__.setdefault("_together", {})
        names = tuple(column.name for column in columns)
        if names not in kept:
            kept[names] = together(self.table, self.published, columns, tick)
        found: Consistency | None = kept[names]
        return found


def read_release(
    source: str | PathLike[str] | bytes | IO[bytes] | pd.DataFrame,
    table: Table,
    tick: Tick = silent,
    **how: Any,
) -> UploadedRelease:
    """The release in a file (or a frame of texts) as published cells of ``table``, the original that it was
    made from.

    Columns are found by name; rows may be in any order; cells are read by `read_intervals`, `read_sets` and
    `read_items`. A quasi-identifier that is not in the file counts as not published; sensitive and other
    columns are read, too. ``how`` goes to `read_frame`; the tick is called while the file and its cells are
    read.

    Raises InputError when the file is not readable, has more rows than the table, two columns of one name, or
    none of its quasi-identifiers; and UnsuitableError for a table with many records for each person, or
    while that is undecided. Cost O(cells).
    """
    if reasons := undecided(table):
        raise UnsuitableError(" ".join(reasons))
    if table.schema.of_role("person"):
        raise UnsuitableError(
            tr(
                "Matches are counted between records, but in this table a person can have several records;"
                " give the person column another role, or check the release by people's histories."
            )
        )
    frame = source if isinstance(source, pd.DataFrame) else _frame(source, table, {**how, "tick": tick})
    if not len(frame):
        raise InputError(tr("The released file has no rows; it needs a header and at least one row."))
    if len(frame) > len(table):
        raise InputError(
            tr(
                "The released file has {rows}, but the original has {records}; a release has at most one row"
                " for each record."
            ).format(rows=counted(len(frame), "row"), records=counted(len(table), "record"))
        )
    if len({str(name) for name in frame.columns}) < frame.shape[1]:
        raise InputError(tr("The released file has two columns of the same name; rename one of them."))
    frame = named_as(table, frame)
    columns = [column for column in table.quasi if column.attribute.name in frame.columns]
    if not columns:
        raise InputError(
            tr(
                "The released file has none of the original's quasi-identifiers; give its columns the same"
                " names as in the original."
            )
        )
    texts = {c.attribute.name: _texts(frame[c.attribute.name]) for c in columns}
    return _read(table, columns, texts, frame, tick)


def _frame(
    source: str | PathLike[str] | bytes | IO[bytes], table: Table, how: Mapping[str, Any]
) -> pd.DataFrame:
    """The cells of a file as texts. Names that look like cells, such as “2019” or one that is also a value,
    are recognized because the table's names are known."""
    frame = read_frame(source, typed=False, **how).frame
    if "header" in how or _has_any(table, frame):
        return frame
    named = read_frame(source, typed=False, **{**how, "header": True}).frame
    return named if _has_any(table, named) else frame


def _has_any(table: Table, frame: pd.DataFrame) -> bool:
    """Return whether the frame has one of the table's quasi-identifiers."""
    return any(column.attribute.name in named_as(table, frame).columns for column in table.quasi)


def _read(
    table: Table, columns: list[Column], texts: Mapping[str, list[str]], frame: pd.DataFrame, tick: Tick
) -> UploadedRelease:
    coded = [pd.factorize(np.array(texts[c.attribute.name], dtype=object)) for c in columns]
    stars = np.all(
        [[text.strip() == SUPPRESSED for text in texts[c.attribute.name]] for c in columns], axis=0
    )
    classes = np.zeros(len(stars), np.int64)
    for codes, _ in coded:
        classes = paired(classes, codes)
    found = []
    for column, (codes, distinct) in zip(columns, coded, strict=True):
        written = Written(distinct.tolist(), codes, classes, stars, len(columns) == 1)
        found.append(_Column(column, written, *read_cells(column, distinct.tolist(), tick)))
    unchanged = unchanged_columns(table, frame, stars, tick)
    notes = column_notes(table, frame), [note for column in unchanged for note in _less(column)]
    first, other = (_as_read(table, found, anyhow, notes, unchanged) for anyhow in (False, True))
    return replace(first, as_groups=other) if other.aggregated else first


class _Column(NamedTuple):
    """A column of the original: its texts in the file, the cells read from them, and which were not
    readable."""

    column: Column
    written: Written
    cells: Cells
    bad: np.ndarray


def _as_read(
    table: Table,
    columns: Sequence[_Column],
    anyhow: bool,
    around: tuple[list[str], list[str]],
    unchanged: tuple[Unchanged, ...],
) -> UploadedRelease:
    """The release, with aggregates recognized (`read_aggregates`); ``around``: the notes before and after
    those on cells."""
    notes, published, aggregated = list(around[0]), [], []
    for column, written, cells, bad in columns:
        found = read_aggregates(column, cells, written, anyhow)
        if found is None:
            notes += _cell_notes(column, list(written.texts), cells, bad, written.codes)
        else:
            cells = found[0]
            aggregated.append(found[1])
        cell = np.full(len(table), -1, np.int64)
        cell[: len(written.stars)] = np.where(written.stars, -1, written.codes)
        published.append(PublishedColumn(column.attribute, cells, cell))
    every, classes = (*notes, *around[1]), columns[0].written.classes
    return UploadedRelease(table, tuple(published), classes, every, unchanged, tuple(aggregated))


def _less(column: Unchanged) -> list[str]:
    count = int(column.less.sum())
    if not count:
        return []
    sentence = tr_n(
        "Column “{name}”: {count:,} cell is less precise than a single value of the original.",
        "Column “{name}”: {count:,} cells are less precise than a single value of the original.",
        count,
    )
    return [sentence.format(name=column.name, count=count)]


def _texts(cells: pd.Series) -> list[str]:
    return cells.astype(object).where(cells.notna(), "").map(str).tolist()


def named_as(table: Table, frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with the table's names, where the file lost blanks around them or protects them from being
    run by a spreadsheet."""
    names = [a.name for a in table.schema if a.role != "identifier"]
    written = {safe.strip(): name for safe, name in zip(fitted_names(names, safe_text), names, strict=True)}
    there = [str(name) for name in frame.columns]
    meant = [name if name in table.schema.names else written.get(name.strip(), name) for name in there]
    return frame.set_axis(there if len(set(meant)) < len(meant) else meant, axis=1)


def _cell_notes(
    column: Column, texts: list[str], cells: Cells, bad: np.ndarray, codes: np.ndarray
) -> list[str]:
    """Return sentences on cells that could not be read, with the first row; on numbers that no record has;
    and on intervals in several notations."""
    name, found = column.attribute.name, list[str]()
    if bad.any():
        place = _where(bad, codes)
        sentence = tr_n(
            "Column “{name}”: {count:,} cell, in row {row}, is {allowed} and fits no record.",
            "Column “{name}”: {count:,} cells, the first in row {row}, are {allowed} and fit no record.",
            place["count"],
        )
        found.append(sentence.format(name=name, allowed=_allowed(column), **place))
    if not isinstance(column, Numbers):
        return found
    low, high = cells.as_intervals().low, cells.as_intervals().high
    strange = (low == high) & ~np.isin(low, column.values)
    if strange.any():
        place = _where(strange, codes)
        sentence = tr_n(
            "Column “{name}”: {count:,} cell, in row {row}, is a number that no record has and that cannot"
            " be a mean, median or mode of a group of records; it fits no record.",
            "Column “{name}”: {count:,} cells, the first in row {row}, are numbers that no record has and"
            " that cannot all be means, medians or modes of groups of records; they fit no record.",
            place["count"],
        )
        found.append(sentence.format(name=name, **place))
    if column.levels:
        return found
    return [*found, *mixed_notations(name, texts, codes, column.attribute.kind == "datetime")]


def _allowed(column: Column) -> str:
    if isinstance(column, Categories):
        return tr("neither a value, nor a set {a, b} of values, nor a group of the original's hierarchy")
    if isinstance(column, Numbers) and column.levels:
        return tr("neither a value of the column's order nor an interval between two of them")
    return tr("neither a value nor an interval such as [20, 35]")


def _where(which: np.ndarray, codes: np.ndarray) -> dict[str, int]:
    """Return the number of rows in which these distinct cells occur, and the first row."""
    rows = np.flatnonzero(which[codes])
    return {"count": len(rows), "row": int(rows[0]) + 1}
