"""A released file, of whatever maker, read back as published cells beside the table it was made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from typing import IO, Any

import numpy as np
import pandas as pd

from kanon_core.base.errors import InputError, UnsuitableError
from kanon_core.base.progress import Tick, silent
from kanon_core.matching.consistency import Consistency, consistency
from kanon_core.release.cells import Cells, PublishedColumn
from kanon_core.release.uploaded.intervals import read_intervals
from kanon_core.release.uploaded.sets import plain_form, read_items, read_sets
from kanon_core.table.columns.columns import Categories, Column, Items, Numbers
from kanon_core.table.columns.keys import paired
from kanon_core.table.columns.texts import SUPPRESSED
from kanon_core.table.people import undecided
from kanon_core.table.readers import read_frame
from kanon_core.table.table import Table
from kanon_core.table.writers.cells import fitted_names, safe_text


@dataclass(frozen=True, eq=False)
class UploadedRelease:
    """The rows of a released file as cells over the table's values.

    ``published``: one entry for each quasi-identifier that the file has, row i of the file in place of record
    i; its cell is −1 for a row of stars and for each record that the file has no row for. ``classes`` int64
    (rows): rows whose quasi-identifiers are written alike share a number. ``notes``: what a person should
    know of how the file was read.
    """

    table: Table
    published: tuple[PublishedColumn, ...]
    classes: np.ndarray
    notes: tuple[str, ...] = ()

    @property
    def rows(self) -> int:
        """How many rows the file has, those of nothing but stars included."""
        return len(self.classes)

    @property
    def shown(self) -> np.ndarray:
        """Booleans (rows): the row is more than stars."""
        return self.published[0].cell[: self.rows] >= 0

    def consistency(self, tick: Tick = silent) -> Consistency:
        """Which originals fit which rows, and the matches among them (`kanon_core.matching.consistency`);
        counted once."""
        found: Consistency | None = self.__dict__.get("_consistency")
        if found is None:
            found = self.__dict__["_consistency"] = consistency(self.table, self.published, tick)
        return found


def read_release(
    source: str | PathLike[str] | bytes | IO[bytes] | pd.DataFrame, table: Table, **how: Any
) -> UploadedRelease:
    """The release in a file (or a frame of texts) as published cells of ``table``, the original that it was
    made from.

    Columns are found by name, rows may be in any order; cells are read as `read_intervals`, `read_sets` and
    `read_items` tell. A quasi-identifier that the file does not have counts as not published. ``how`` goes to
    `read_frame`.

    Raises InputError when the file is not readable, has more rows than the table, two columns of one name, or
    none of its quasi-identifiers; and UnsuitableError for a table with many records for each person, or
    while that is undecided. Cost O(cells).
    """
    if reasons := undecided(table):
        raise UnsuitableError(" ".join(reasons))
    if table.schema.of_role("person"):
        raise UnsuitableError(
            "Matches are counted between records, and here a person has many; give the person's column"
            " another role, or judge the release by the histories of its people."
        )
    frame = source if isinstance(source, pd.DataFrame) else _frame(source, table, how)
    if not len(frame):
        raise InputError("The released file has no rows; it needs a header and at least one row.")
    if len(frame) > len(table):
        raise InputError(
            f"The released file has {len(frame):,} rows and the original {len(table):,} records; a release"
            " has a row for each record at most."
        )
    if len({str(name) for name in frame.columns}) < frame.shape[1]:
        raise InputError("The released file has two columns of one name; rename one of them.")
    frame = _named_as(table, frame)
    columns = [column for column in table.quasi if column.attribute.name in frame.columns]
    if not columns:
        raise InputError(
            "The released file has none of the original's quasi-identifiers; its columns must bear the names"
            " that they have in the original."
        )
    texts = {c.attribute.name: _texts(frame[c.attribute.name]) for c in columns}
    return _read(table, columns, texts, _schema_notes(table, frame))


def _frame(
    source: str | PathLike[str] | bytes | IO[bytes], table: Table, how: Mapping[str, Any]
) -> pd.DataFrame:
    """The cells of a file as texts. Names that look like cells, such as “2019” or one that is also a value,
    are found again as they are known."""
    frame = read_frame(source, typed=False, **how).frame
    if "header" in how or _has_any(table, frame):
        return frame
    named = read_frame(source, typed=False, **{**how, "header": True}).frame
    return named if _has_any(table, named) else frame


def _has_any(table: Table, frame: pd.DataFrame) -> bool:
    """Whether the frame has one of the table's quasi-identifiers."""
    return any(column.attribute.name in _named_as(table, frame).columns for column in table.quasi)


def _read(
    table: Table, columns: list[Column], texts: Mapping[str, list[str]], notes: list[str]
) -> UploadedRelease:
    coded = [pd.factorize(np.array(texts[c.attribute.name], dtype=object)) for c in columns]
    stars = np.all(
        [[text.strip() == SUPPRESSED for text in texts[c.attribute.name]] for c in columns], axis=0
    )
    published, classes = [], np.zeros(len(stars), np.int64)
    for column, (codes, distinct) in zip(columns, coded, strict=True):
        cells, bad = _cells(column, distinct.tolist())
        notes += _cell_notes(column, cells, bad, np.bincount(codes))
        cell = np.full(len(table), -1, np.int64)
        cell[: len(stars)] = np.where(stars, -1, codes)
        published.append(PublishedColumn(column.attribute, cells, cell))
        classes = paired(classes, codes)
    return UploadedRelease(table, tuple(published), classes, tuple(notes))


def _texts(cells: pd.Series) -> list[str]:
    return cells.astype(object).where(cells.notna(), "").map(str).tolist()


def _named_as(table: Table, frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with the table's names, where blanks around them were lost or a spreadsheet had to be kept
    from running them."""
    names = [a.name for a in table.schema if a.role != "identifier"]
    written = {safe.strip(): name for safe, name in zip(fitted_names(names, safe_text), names, strict=True)}
    there = [str(name) for name in frame.columns]
    meant = [name if name in table.schema.names else written.get(name.strip(), name) for name in there]
    return frame.set_axis(there if len(set(meant)) < len(meant) else meant, axis=1)


def _schema_notes(table: Table, frame: pd.DataFrame) -> list[str]:
    notes = []
    for attribute in table.schema:
        name, role = attribute.name, attribute.role
        if role == "identifier" and name in frame.columns:
            notes.append(f"The column “{name}” is an identifier of the original, and the file has it.")
        if role == "quasi_identifier" and name not in frame.columns:
            notes.append(f"The column “{name}” is not in the file and counts as not published.")
    return notes


def _cells(column: Column, texts: list[str]) -> tuple[Cells, np.ndarray]:
    """The cells of these texts, and which texts could not be read."""
    if isinstance(column, Categories):
        return read_sets(texts, column)
    texts = [plain_form(text) for text in texts]
    if isinstance(column, Items):
        return read_items(texts, column), np.zeros(len(texts), bool)
    return read_intervals(texts, column)


def _cell_notes(column: Column, cells: Cells, bad: np.ndarray, counts: np.ndarray) -> list[str]:
    """What could not be read, and numbers that no record has: means, which stand for more than they say."""
    name = column.attribute.name
    if bad.any():
        allowed = (
            "neither a value of the original nor a set {a, b} of them, nor a group of its hierarchy"
            if isinstance(column, Categories)
            else "neither a value nor an interval such as [20, 35]"
        )
        return [f"Column “{name}”: {int(counts[bad].sum()):,} cells are {allowed}; they fit nobody."]
    if isinstance(column, Numbers):
        low, high = cells.as_intervals().low, cells.as_intervals().high
        strange = (low == high) & ~np.isin(low, column.values)
        if strange.any():
            return [
                f"Column “{name}”: {int(counts[strange].sum()):,} cells are a number that no record has, such"
                " as a mean; which records it stands for is not in the file, so it fits nobody."
            ]
    return []
