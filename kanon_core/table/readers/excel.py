"""Excel workbooks (.xlsx): values, never formulas, within bounds."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from kanon_core.base.errors import InputError
from kanon_core.base.words import later, tr
from kanon_core.table.readers.base import NEEDED, Asked, Format, Reading
from kanon_core.table.readers.cells import text_array, typed_array
from kanon_core.table.readers.header import find_header
from kanon_core.table.readers.notes import Notes, clean_names, listed
from kanon_core.table.readers.workbook.archive import DAMAGED, opened
from kanon_core.table.readers.workbook.sheet import filled_rows
from kanon_core.table.readers.workbook.values import Cell, Values
from kanon_core.table.readers.workbook.walk import BROKEN

_LOOKED_AT = 100
_ERRORS = frozenset({"#N/A", "#NULL!", "#DIV/0!", "#REF!", "#NAME?", "#NUM!", "#VALUE!", "#SPILL!", "#CALC!"})

Row = list[Cell]


def read_xlsx(data: bytes, asked: Asked) -> Reading:
    """Reads one sheet of a workbook: the one named, else the first that is not empty. Raises InputError.

    Cost about 3 µs a cell (an XML parse; csv is fifty times faster), hence a limit on cells of its own.
    Numbers, texts and dates are what the cells say; formulas count by their last computed value; empty rows
    are left out.
    """
    try:
        sheet, sheets, rows = _rows(data, asked)
    except BROKEN:
        raise InputError(tr(DAMAGED)) from None
    notes = Notes()
    if len(sheets) > 1:
        notes.say(
            tr("The workbook has {count:,} sheets; “{sheet}” was read.").format(
                count=len(sheets), sheet=sheet
            )
        )
    header = find_header(_squared(rows[:_LOOKED_AT]), asked, notes)
    asked.tick(None, tr("reading the columns"))
    frame = _frame(rows, header, asked, notes)
    return asked.reading(frame, "xlsx", notes.sentences(), header=header, sheet=sheet, sheets=sheets)


def _is_workbook(data: bytes) -> bool:
    return data.startswith(b"PK\x03\x04") and b"xl/" in data


XLSX = Format("xlsx", later("Excel workbook"), (".xlsx", ".xlsm"), _is_workbook, read_xlsx)


def _rows(data: bytes, asked: Asked) -> tuple[str, tuple[str, ...], list[Row]]:
    """The sheet's name, all sheets' names, and the rows that are not empty."""
    book = opened(data, asked)
    sheets = tuple(title for title, _ in book.sheets)
    if asked.sheet is not None and asked.sheet not in sheets:
        there = listed(list(sheets))
        raise InputError(
            tr("The workbook has no sheet “{sheet}”; its sheets are {there}.").format(
                sheet=asked.sheet, there=there
            )
        )
    values = Values(book, asked)
    for title, entry in book.sheets:
        if asked.sheet in (None, title) and (rows := filled_rows(book, entry, title, values, asked)):
            return title, sheets, rows
    said = tr("The workbook is empty; a table needs a row of column names and at least one record.")
    if asked.sheet is not None:
        said = tr(
            "The sheet “{sheet}” is empty; a table needs a row of column names and at least one record."
        )
    raise InputError(said.format(sheet=asked.sheet))


def _squared(rows: list[Row]) -> list[list[str]]:
    """The rows as texts, all of the same width."""
    width = max(map(len, rows))
    return [[_as_text(cell) or "" for cell in row] + [""] * (width - len(row)) for row in rows]


def _frame(rows: list[Row], header: bool, asked: Asked, notes: Notes) -> pd.DataFrame:
    first, body = (rows[0], rows[1:]) if header else ((), rows)
    if not body:
        raise InputError(
            tr("The sheet has a row of column names but no records; {needed}.").format(needed=tr(NEEDED))
        )
    columns = list(zip_longest(*body))
    columns += [(None,) * len(body)] * (len(first) - len(columns))
    raw = [_as_text(cell) or "" for cell in first] + [""] * (len(columns) - len(first))
    pairs = zip(raw, columns, strict=True)
    empty = [not name.strip() and all(cell is None for cell in cells) for name, cells in pairs]
    for place in np.flatnonzero(empty):
        notes.add("dropped", f"column_{place + 1}")
    names = [name.strip() or ("" if header else f"column_{place + 1}") for place, name in enumerate(raw)]
    kept = [(name, cells) for name, cells, none in zip(names, columns, empty, strict=True) if not none]
    clean = clean_names([name for name, _ in kept], notes)
    arrays: dict[str, object] = {}
    for name, (_, cells) in zip(clean, kept, strict=True):
        asked.tick(len(arrays) / len(clean), tr("reading the columns"))
        arrays[name] = _column(cells, name, asked, notes)
    return pd.DataFrame(arrays, copy=False)


def _column(cells: Sequence[Any], name: str, asked: Asked, notes: Notes) -> object:
    """One column: numbers, dates or text when all cells are; otherwise text, numbers and words as in a csv.
    Without types all is text, spreadsheet errors too."""
    errors = _ERRORS if asked.typed else frozenset()
    found = sum(type(cell) is str and cell in errors for cell in cells)
    if found:
        notes.add("errors", name, found)
    gone = errors | {"", *asked.missing}
    values = [None if type(cell) is str and cell in gone else cell for cell in cells]
    kinds = {type(value) for value in values} - {type(None)}
    if asked.typed and kinds and kinds <= {dt.datetime, dt.date}:
        return np.array(values, dtype="datetime64[us]")
    texts = pa.chunked_array([pa.array([_as_text(value) for value in values], pa.large_string())])
    if not asked.typed:
        return text_array(texts)
    if kinds & {int, float} and kinds <= {int, float, str}:
        return typed_array(texts, name, False, notes)
    return text_array(texts)


def _as_text(cell: Any) -> str | None:
    """The cell as text: whole numbers without a point, dates in ISO form; None when empty."""
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    if isinstance(cell, dt.datetime) and cell.time() == dt.time():
        return cell.date().isoformat()
    return cell.isoformat() if isinstance(cell, dt.date | dt.time) else str(cell)
