"""Excel workbooks (.xlsx), read by openpyxl: values, never formulas, within bounds."""

from __future__ import annotations

import datetime as dt
import zipfile
from collections.abc import Sequence
from io import BytesIO
from itertools import zip_longest
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from kanon_core.base.errors import InputError, KanonError
from kanon_core.base.words import later, tr
from kanon_core.table.readers.base import NEEDED, Asked, Format, Limits, Reading
from kanon_core.table.readers.cells import text_array, typed_array
from kanon_core.table.readers.detect import refuse_foreign
from kanon_core.table.readers.header import find_header
from kanon_core.table.readers.notes import Notes, clean_names, listed

_ENTRIES, _RATIO, _CELL_BYTES, _SMALL = 10_000, 100, 64, 32 * 2**20
_LOOKED_AT = 100
_ERRORS = frozenset({"#N/A", "#NULL!", "#DIV/0!", "#REF!", "#NAME?", "#NUM!", "#VALUE!", "#SPILL!", "#CALC!"})
_DAMAGED = later("The workbook is damaged or not a valid .xlsx file: open it and save it again as .xlsx.")

Row = tuple[Any, ...]


def read_xlsx(data: bytes, asked: Asked) -> Reading:
    """Reads one sheet of a workbook: the one named, else the first that is not empty. Raises InputError.

    Cost about 10 µs a cell (an XML parse; csv is a hundred times faster), hence a limit on cells of its own.
    Numbers, texts and dates are what the cells say; formulas count by their last computed value; empty rows
    are left out.
    """
    _check_archive(data, asked.limits)
    try:
        sheet, sheets, rows = _rows(data, asked)
    except KanonError:
        raise
    except Exception:  # openpyxl raises whatever the broken XML led it to
        raise InputError(tr(_DAMAGED)) from None
    notes = Notes()
    if len(sheets) > 1:
        notes.say(
            tr("The workbook has {count:,} sheets; “{sheet}” was read.").format(
                count=len(sheets), sheet=sheet
            )
        )
    header = find_header(_squared(rows[:_LOOKED_AT]), asked, notes)
    frame = _frame(rows, header, asked, notes)
    return asked.reading(frame, "xlsx", notes.sentences(), header=header, sheet=sheet, sheets=sheets)


def _is_workbook(data: bytes) -> bool:
    return data.startswith(b"PK\x03\x04") and b"xl/" in data


XLSX = Format("xlsx", later("Excel workbook"), (".xlsx", ".xlsm"), _is_workbook, read_xlsx)


def _check_archive(data: bytes, limits: Limits) -> None:
    """Refuses what is no workbook, and archives that would grow too large. The archive's directory may lie
    about sizes, but zipfile never unpacks more of an entry than the directory says, so the sizes checked here
    bound the work."""
    if not data.startswith(b"PK\x03\x04"):
        refuse_foreign(data)
        raise InputError(tr("The file is not an .xlsx workbook, whatever its name says; save it as .xlsx."))
    try:
        entries = zipfile.ZipFile(BytesIO(data)).infolist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError):
        raise InputError(tr(_DAMAGED)) from None
    names = {entry.filename for entry in entries}
    if "xl/workbook.bin" in names:
        raise InputError(tr("The file is a binary workbook (.xlsb); save it as .xlsx."))
    if "xl/workbook.xml" not in names:
        refuse_foreign(data)
    unpacked = sum(entry.file_size for entry in entries)
    allowed = min(limits.unpacked, max(_SMALL, min(_CELL_BYTES * limits.sheet_cells, _RATIO * len(data))))
    if unpacked > allowed or len(entries) > _ENTRIES:
        raise InputError(
            tr(
                "The workbook would unpack to {size:,.0f} MB in {parts:,} parts; at most {limit:,.0f} MB in"
                " {most:,} parts are opened for a file of its size; save the table as csv."
            ).format(size=unpacked / 2**20, parts=len(entries), limit=allowed / 2**20, most=_ENTRIES)
        )


def _rows(data: bytes, asked: Asked) -> tuple[str, tuple[str, ...], list[Row]]:
    """The sheet's name, all sheets' names, and the rows that are not empty."""
    import openpyxl

    book = openpyxl.load_workbook(BytesIO(data), read_only=True, data_only=True, keep_links=False)
    try:
        sheets = tuple(sheet.title for sheet in book.worksheets)
        if asked.sheet is not None and asked.sheet not in sheets:
            there = listed(list(sheets))
            raise InputError(
                tr("The workbook has no sheet “{sheet}”; its sheets are {there}.").format(
                    sheet=asked.sheet, there=there
                )
            )
        for sheet in book.worksheets:
            if asked.sheet in (None, sheet.title) and (rows := _filled_rows(sheet, asked.limits)):
                return sheet.title, sheets, rows
    finally:
        book.close()
    said = tr("The workbook is empty; a table needs a row of column names and at least one record.")
    if asked.sheet is not None:
        said = tr(
            "The sheet “{sheet}” is empty; a table needs a row of column names and at least one record."
        )
    raise InputError(said.format(sheet=asked.sheet))


def _filled_rows(sheet: Any, limits: Limits) -> list[Row]:
    sheet.reset_dimensions()  # the stated size of a sheet may be anything
    rows: list[Row] = []
    cells = 0
    for row in sheet.iter_rows(values_only=True):
        width = len(row)
        while width and row[width - 1] in (None, ""):
            width -= 1
        if not width:
            continue
        limits.check_columns(width)
        cells += width
        if cells > limits.sheet_cells:
            raise InputError(
                tr(
                    "The sheet has more than {limit:,} cells, the most that is read from a workbook; save it"
                    " as csv or parquet."
                ).format(limit=limits.sheet_cells)
            )
        rows.append(row[:width])
        limits.check_shape(len(rows), width)
    return rows


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
    arrays = {name: _column(cells, name, asked, notes) for name, (_, cells) in zip(clean, kept, strict=True)}
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
