"""Releases in the notation of the contest PWSCUP 2018, written and read.

One line a row: pseudonym, then each quasi-identifier: a value, ``[a;b]``, ``{a;b;c}``, or ``*`` for anything.
A row of stars is a record that is left out. Dates are y/m/d.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from kanon_core.base.errors import InputError, UnsuitableError
from kanon_core.base.words import counted, tr
from kanon_core.covers.cells import Intervals, PublishedColumn, ValueSets
from kanon_core.metrics.utility.purchases import interval_errors, set_errors
from kanon_core.release.release import Release
from kanon_core.table.columns.columns import Categories, Column, Numbers
from kanon_core.table.columns.texts import SUPPRESSED, number_texts
from kanon_core.table.people import persons_of
from kanon_core.table.table import Table

_UNFIT = re.compile(r"[;,{}\[\]\"*\r\n]|^\s|\s$|^$")

_LINE_END = re.compile(r"\r\n|\r|\n")  # a label may hold other signs that end a line of text


@dataclass(frozen=True, eq=False)
class Answer:
    """A file in the contest's notation: row i has pseudonym ``names[i]`` and cell i of each column; "*" =
    left out.

    A cell ``*`` of a number has NaN ends, that of a category an empty set.
    """

    names: tuple[str, ...]
    columns: tuple[PublishedColumn, ...]

    @property
    def suppressed(self) -> np.ndarray:
        """Return whether each row is left out: booleans (rows)."""
        return np.array([name == SUPPRESSED for name in self.names])


def contest_bytes(release: Release, whole: bool = False) -> bytes:
    """Return the release as utf-8 text: its published rows in text order or, for the judges of the contest, a
    ``whole`` answer.

    A whole answer has a row for every record, in the order of the input, stars for those left out: it shows
    the row of each record and must not be published. Raises UnsuitableError for a release without histories,
    and for cells that the notation cannot write: partly missing ones, times of day, labels with one of its
    signs.
    """
    if not release.pseudonymous:
        raise UnsuitableError(
            tr("The contest's notation is for purchase histories; choose an algorithm for them.")
        )
    if whole and release.bearers.several:
        raise UnsuitableError(
            tr(
                "The contest's notation has one pseudonym for each person, but this release has several;"
                " choose another grouping."
            )
        )
    kept = np.flatnonzero(~release.suppressed)
    parts = [release.pseudonyms[kept].astype(str).tolist()]
    for column in release.published:
        texts = np.array(_texts(release.table[column.attribute.name], column), dtype=object)
        parts.append(texts[column.cell[kept]].tolist())
    lines = [",".join(row) for row in zip(*parts, strict=True)]
    if not whole:
        return "".join(f"{line}\n" for line in sorted(lines)).encode()
    every = [",".join([SUPPRESSED] * len(parts))] * len(release)
    for record, line in zip(kept.tolist(), lines, strict=True):
        every[record] = line
    return "".join(f"{line}\n" for line in every).encode()


def read_answer(data: bytes, table: Table) -> Answer:
    """Return the rows of a file in the contest's notation, as answers to this table: its person, then its
    quasi-identifiers.

    Raises InputError naming the line that is not in the notation, or that names a value the table does not
    have.
    """
    persons_of(table)
    try:
        rows = [line.split(",") for line in _LINE_END.split(data.decode("utf-8-sig")) if line]
    except UnicodeDecodeError:
        raise InputError(
            tr("The file is not utf-8 text, as the contest's notation requires; save it as utf-8.")
        ) from None
    width = 1 + len(table.quasi)
    for number, row in enumerate(rows, start=1):
        if len(row) != width:
            raise InputError(
                tr("Line {line} has {fields} fields, but the table requires {width}.").format(
                    line=number, fields=len(row), width=width
                )
            )
        if (SUPPRESSED in row[:1]) != (row.count(SUPPRESSED) == width):
            raise InputError(
                tr("Line {line}: a row without a pseudonym must consist of stars only.").format(line=number)
            )
    columns = tuple(
        PublishedColumn(column.attribute, _cells([row[place] for row in rows], column), np.arange(len(rows)))
        for place, column in enumerate(table.quasi, start=1)
    )
    return Answer(tuple(row[0] for row in rows), columns)


def answer_utility(table: Table, answer: Answer) -> dict[str, float]:
    """Return U of a whole answer by attribute, and "total", as `PurchaseUtility` for a release.

    Raises InputError unless the answer has a row for every record.
    """
    if len(answer.names) != len(table):
        raise InputError(
            tr("The file has {rows} and the table {records}.").format(
                rows=counted(len(answer.names), "row"), records=counted(len(table), "record")
            )
        )
    errors = {}
    for published in answer.columns:
        column, cells = table[published.attribute.name], published.cells
        if isinstance(column, Numbers):
            low, high = cells.as_intervals().low, cells.as_intervals().high
            errors[published.attribute.name] = float(interval_errors(column, low, high).mean())
        else:
            errors[published.attribute.name] = float(set_errors(cells.sizes).mean())
    return {**errors, "total": float(np.mean(list(errors.values())))}


def _texts(column: Column, published: PublishedColumn) -> list[str]:
    """Return each cell in the contest's notation."""
    name = published.attribute.name
    if isinstance(column, Numbers):
        between = published.cells.as_intervals()
        if np.isnan(between.low).any() or between.partly_missing.any():
            raise UnsuitableError(
                tr("Column “{name}” has missing values, which the contest's notation cannot write.").format(
                    name=name
                )
            )
        write = _days if column.attribute.kind == "datetime" else number_texts
        pairs = zip(write(between.low, column), write(between.high, column), strict=True)
        return [a if a == b else f"[{a};{b}]" for a, b in pairs]
    if not isinstance(column, Categories) or column.attribute.hierarchy is not None:
        raise UnsuitableError(
            tr(
                "Column “{name}” has the kind {kind} or a hierarchy, which the contest's notation cannot"
                " write."
            ).format(name=name, kind=column.attribute.kind)
        )
    if column.has_missing or any(_UNFIT.search(label) for label in column.labels):
        raise UnsuitableError(
            tr(
                "Column “{name}” has missing values or labels with a comma, bracket, star or blank at an end,"
                " which the contest's notation cannot write."
            ).format(name=name)
        )
    cells = published.cells.as_sets()
    each = [cells.codes[a:b].tolist() for a, b in zip(cells.starts[:-1], cells.starts[1:], strict=True)]
    parts = ([column.labels[code] for code in codes] for codes in each)
    return [part[0] if len(part) == 1 else "{" + ";".join(part) + "}" for part in parts]


def _days(values: np.ndarray, column: Numbers) -> list[str]:
    if np.mod(values, 86_400).any():
        raise UnsuitableError(
            tr("Column “{name}” has times of day, but the contest's notation has only days.").format(
                name=column.attribute.name
            )
        )
    texts = np.datetime_as_string(np.rint(values).astype("datetime64[s]"), unit="D").tolist()
    return [f"{text[:-6]}/{int(text[-5:-3])}/{int(text[-2:])}" for text in texts]


def _cells(texts: list[str], column: Column) -> Intervals | ValueSets:
    """Return one cell for each row."""
    name = column.attribute.name
    if isinstance(column, Categories):
        return _sets(texts, column)
    assert isinstance(column, Numbers)
    read = _second if column.attribute.kind == "datetime" else float
    low, high = np.full(len(texts), np.nan), np.full(len(texts), np.nan)
    for row, text in enumerate(texts):
        if text != SUPPRESSED:
            low[row], high[row] = _ends(text, read, name, row)
    return Intervals(low, high, np.zeros(len(texts), bool))


def _ends(text: str, read: Callable[[str], float], name: str, row: int) -> tuple[float, float]:
    inside = text[1:-1].split(";") if text[:1] == "[" and text[-1:] == "]" else [text, text]
    try:
        low, high = map(read, inside)
    except ValueError:
        low, high = 1.0, 0.0
    if not -np.inf < low <= high < np.inf:
        raise InputError(
            tr("Line {line}: column “{name}” must be a value, [a;b] with a ≤ b, or a star.").format(
                line=row + 1, name=name
            )
        )
    return low, high


def _second(text: str) -> float:
    year, month, day = map(int, text.split("/"))
    return datetime(year, month, day, tzinfo=UTC).timestamp()


def _sets(texts: list[str], column: Categories) -> ValueSets:
    number = {label: code for code, label in enumerate(column.labels)}
    sets: list[list[int]] = []
    for row, text in enumerate(texts):
        parts = text[1:-1].split(";") if text[:1] == "{" and text[-1:] == "}" else [text]
        codes = sorted(number.get(part, -1) for part in parts) if text != SUPPRESSED else []
        if len(set(codes)) < len(codes) or codes[:1] == [-1]:
            raise InputError(
                tr(
                    "Line {line}: column “{name}” must be a value of the table, {{a;b;c}} with different"
                    " values, or a star."
                ).format(line=row + 1, name=column.attribute.name)
            )
        sets.append(codes)
    starts = np.append(0, np.cumsum([len(codes) for codes in sets])).astype(np.int64)
    return ValueSets(starts, np.array([code for codes in sets for code in codes], np.int32))
