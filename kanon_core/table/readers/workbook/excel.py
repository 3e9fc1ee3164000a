"""Excel workbooks (.xlsx): values, never formulas, within bounds."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from kanon_core.base.errors import InputError
from kanon_core.base.words import later, listed, tr
from kanon_core.table.readers.around import (
    beginning,
    joined_names,
    may_be_title,
    notes_below,
    titles_above,
)
from kanon_core.table.readers.base import NEEDED, Format, Reading, ReadOptions, text_array
from kanon_core.table.readers.notes import Notes, clean_names
from kanon_core.table.readers.text.trimming import (
    ASKED_TITLE,
    nothing_left,
    skipped,
)
from kanon_core.table.readers.types.missing import are_words, cleared, codes_of, note_nines
from kanon_core.table.readers.types.typed import kept_in, note_odd_records, text_column, typed_columns
from kanon_core.table.readers.workbook.archive import DAMAGED, opened
from kanon_core.table.readers.workbook.sheet import filled_rows
from kanon_core.table.readers.workbook.values import Cell, Values
from kanon_core.table.readers.workbook.walk import BROKEN

_LOOKED_AT = 100
_ERRORS = frozenset({"#N/A", "#NULL!", "#DIV/0!", "#REF!", "#NAME?", "#NUM!", "#VALUE!", "#SPILL!", "#CALC!"})

Row = list[Cell]


def read_xlsx(data: bytes, options: ReadOptions) -> Reading:
    """Read one sheet of a workbook: the one named, else the first that is not empty. Raises InputError.

    Cost about 3 µs a cell (an XML parse; csv is fifty times faster), hence a limit on cells of its own.
    Numbers, texts and dates are what the cells say; formulas count by their last computed value; empty rows
    are left out.
    """
    try:
        sheet, sheets, rows, numbers = _rows(data, options)
    except BROKEN:
        raise InputError(tr(DAMAGED)) from None
    notes = Notes()
    if len(sheets) > 1:
        notes.say(
            tr("The workbook has {count:,} sheets; “{sheet}” was read.").format(
                count=len(sheets), sheet=sheet
            )
        )
    names, body, left_out = _table_in(rows, numbers, options, notes)
    options.tick(None, tr("reading the columns"))
    frame = _frame(names, body, options, notes)
    if options.typed:
        note_odd_records(frame, notes)
    found = {"header": names is not None, "sheet": sheet, "sheets": sheets, **left_out}
    return options.reading(frame, "xlsx", notes.sentences(), **found)


def _is_workbook(data: bytes) -> bool:
    return data.startswith(b"PK\x03\x04") and b"xl/" in data


XLSX = Format("xlsx", later("Excel workbook"), (".xlsx", ".xlsm"), _is_workbook, read_xlsx)


def _rows(data: bytes, options: ReadOptions) -> tuple[str, tuple[str, ...], list[Row], list[int]]:
    """The sheet's name, all sheets' names, the rows that are not empty, and their numbers."""
    book = opened(data, options)
    sheets = tuple(title for title, _ in book.sheets)
    if options.sheet is not None and options.sheet not in sheets:
        there = listed(list(sheets))
        said = tr("The workbook has no sheet “{sheet}”; choose one of {there}.")
        raise InputError(said.format(sheet=options.sheet, there=there))
    values = Values(book, options)
    for title, entry in book.sheets:
        if options.sheet in (None, title):
            rows, numbers = filled_rows(book, entry, title, values, options)
            if rows:
                return title, sheets, rows, numbers
    said = tr("The workbook is empty; {needed}.")
    if options.sheet is not None:
        said = tr("The sheet “{sheet}” is empty; {needed}.")
    raise InputError(said.format(sheet=options.sheet, needed=tr(NEEDED)))


def _table_in(
    rows: list[Row], numbers: list[int], options: ReadOptions, notes: Notes
) -> tuple[list[str] | None, list[Row], dict[str, int | None]]:
    """Return the names as they are written, None where no row has them; the records; and how many rows of the
    sheet are left out around them. Raises InputError where none is left."""
    rows, numbers, skip = _without_titles(rows, numbers, options, notes)
    rows, skip_end = _without_notes(rows, numbers, options, notes)
    first = _squared(rows[:_LOOKED_AT])
    begins, labels = beginning(first, options, notes)
    names = joined_names(first[0], first[1]) if begins == 2 else first[0] if begins else None
    skip_rows = labels or options.skip_rows
    if labels:
        notes.say(*skipped("skip_rows", numbers[1], numbers[labels], True))
    left_out = {"skip": skip, "skip_rows": skip_rows, "skip_end": skip_end}
    return names, rows[begins + (skip_rows or 0) :], left_out


def _without_titles(
    rows: list[Row], numbers: list[int], options: ReadOptions, notes: Notes
) -> tuple[list[Row], list[int], int | None]:
    """The rows from that of the names on, their numbers, and how many rows of the sheet are above."""
    skip = options.skip
    if skip is None and options.header is not False:
        first = _squared(rows[:_LOOKED_AT])
        apart = {i for i in range(1, len(first)) if numbers[i] > numbers[i - 1] + 1}
        if count := titles_above(first, apart):
            skip = numbers[count] - 1
            notes.say(*skipped("skip", numbers[0], numbers[count - 1], True))
        elif may_be_title(first):
            notes.say(*map(tr, ASKED_TITLE))
    start = bisect_right(numbers, skip or 0)
    if start == len(rows):
        raise nothing_left()
    return rows[start:], numbers[start:], skip


def _without_notes(
    rows: list[Row], numbers: list[int], options: ReadOptions, notes: Notes
) -> tuple[list[Row], int | None]:
    """The rows without those at the end that are no records, and how many these are."""
    count = options.skip_end
    if count is None:
        last, places = _squared(rows[-_LOOKED_AT:]), numbers[-_LOOKED_AT:]
        apart = {i for i in range(1, len(last)) if places[i] > places[i - 1] + 1}
        count = notes_below(last, len(last[0]), apart) or None
        if count:
            notes.say(*skipped("skip_end", numbers[-count], numbers[-1], True))
    kept = rows[: len(rows) - (count or 0)] if (count or 0) < len(rows) else []
    if not kept:
        raise nothing_left()
    return kept, count


def _squared(rows: list[Row]) -> list[list[str]]:
    """The rows as texts without blanks around them, all of the same width."""
    width = max(map(len, rows))
    return [[(_as_text(cell) or "").strip() for cell in row] + [""] * (width - len(row)) for row in rows]


def _frame(named: list[str] | None, body: list[Row], options: ReadOptions, notes: Notes) -> pd.DataFrame:
    if not body:
        raise InputError(tr("The file has column names but no records; {needed}.").format(needed=tr(NEEDED)))
    header, first = named is not None, named or []
    columns = list(zip_longest(*body))
    columns += [(None,) * len(body)] * (len(first) - len(columns))
    raw = first + [""] * (len(columns) - len(first))
    pairs = zip(raw, columns, strict=True)
    empty = [not name.strip() and all(cell is None for cell in cells) for name, cells in pairs]
    for place in np.flatnonzero(empty):
        notes.add("dropped", f"column_{place + 1}")
    names = [name.strip() or ("" if header else f"column_{place + 1}") for place, name in enumerate(raw)]
    kept = [(name, cells) for name, cells, none in zip(names, columns, empty, strict=True) if not none]
    clean = clean_names([name for name, _ in kept], notes)
    arrays: dict[str, Any] = {}
    for name, (_, cells) in zip(clean, kept, strict=True):
        options.tick(len(arrays) / len(clean), tr("reading the columns"))
        arrays[name] = _column(cells, name, options, notes)
    mixed = {name: cells for name, cells in arrays.items() if isinstance(cells, pa.ChunkedArray)}
    arrays |= typed_columns(mixed, False, replace(options, decimal="."), notes)
    for name in clean:
        note_nines(arrays[name], name, notes)
    return pd.DataFrame(arrays, copy=False)


def _column(cells: Sequence[Any], name: str, options: ReadOptions, notes: Notes) -> object:
    """One column: dates or text when all cells are; otherwise its cells as text, numbers and words as in a
    csv. Without types all is text, spreadsheet errors too."""
    errors = _ERRORS if options.typed else frozenset()
    found = sum(type(cell) is str and cell in errors for cell in cells)
    if found:
        notes.add("errors", name, found)
    gone = errors | {"", *options.missing}
    values = [None if type(cell) is str and cell in gone else cell for cell in cells]
    kinds = {type(value) for value in values} - {type(None)}
    if options.typed and kinds & {dt.datetime, dt.date} and kinds <= {dt.datetime, dt.date, str}:
        words = [value for value in values if isinstance(value, str)]
        if not words or _all_missing(words, name, options):
            return _dates(values, words, name, notes)
    texts = pa.chunked_array([pa.array([_as_text(value) for value in values], pa.large_string())])
    if not options.typed:
        return text_array(cleared(texts, codes_of(options.missing, name))[0])
    if kinds & {int, float} and kinds <= {int, float, str}:
        return texts
    return text_column(texts, name, options, notes)


def _all_missing(words: list[str], name: str, options: ReadOptions) -> bool:
    """Return whether all texts in a column of dates mean a missing value."""
    kept = kept_in(options.keep, name)
    different = sorted(set(words))
    return not any(word.strip().lower() in kept for word in different) and bool(
        are_words(pa.array(different, pa.large_string())).all()
    )


def _dates(values: list[Any], words: list[str], name: str, notes: Notes) -> object:
    if words:
        held = ", ".join(f"{word.strip()} {words.count(word):,}" for word in sorted(set(words)))
        notes.add("missing", name, f"{len(words):,} ({held})")
    dates = [None if isinstance(value, str) else value for value in values]
    return np.array(dates, dtype="datetime64[us]")


def _as_text(cell: Any) -> str | None:
    """The cell as text: whole numbers without a point, dates in ISO form; None when empty."""
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    if isinstance(cell, dt.datetime) and cell.time() == dt.time():
        return cell.date().isoformat()
    return cell.isoformat() if isinstance(cell, dt.date | dt.time) else str(cell)
