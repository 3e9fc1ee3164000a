"""A workbook of one plain sheet (Office Open XML, ECMA-376 part 1), written as it is: no formula, no time
stamp.

The usual libraries stamp the moment of writing into the file and guess formulas and errors from texts; the
few parts a plain sheet needs are written here instead, so that equal tables give equal bytes and a text is
never anything else.
"""

from __future__ import annotations

import re
import zipfile
from io import BytesIO
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
import pandas as pd

from kanon_core.base.errors import InputError
from kanon_core.base.infile import encodable
from kanon_core.base.words import counted, tr
from kanon_core.table.writers import cells as plain

_ROWS, _COLUMNS, _LONGEST, _EXACT = 2**20, 2**14, 32_767, 10**15
_FIRST_DAY, _LAST_DAY, _DAY_ZERO = (
    np.datetime64(day, "us") for day in ("1900-03-01", "9999-12-31", "1899-12-30")
)
_DAY = 86_400_000_000
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ESCAPED = re.compile("_(?=x[0-9A-Fa-f]{4}_)")
_OPEN = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_PARTS = {
    "[Content_Types].xml": (
        f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPE}.worksheet+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_TYPE}.styles+xml"/>'
        f'<Override PartName="/xl/sharedStrings.xml" ContentType="{_TYPE}.sharedStrings+xml"/></Types>'
    ),
    "_rels/.rels": (
        f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
    ),
    "xl/workbook.xml": (
        f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}">'
        '<sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>'
    ),
    "xl/_rels/workbook.xml.rels": (
        f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
        f'<Relationship Id="rId2" Type="{_OFFICE}/styles" Target="styles.xml"/>'
        f'<Relationship Id="rId3" Type="{_OFFICE}/sharedStrings" Target="sharedStrings.xml"/></Relationships>'
    ),
    "xl/styles.xml": (
        f'<styleSheet xmlns="{_MAIN}"><numFmts count="2"><numFmt numFmtId="164"'
        ' formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\'
        ' hh:mm:ss"/></numFmts><fonts count="1"><font><sz val="11"/><name'
        ' val="Calibri"/></font></fonts><fills count="2"><fill><patternFill'
        ' patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders'
        ' count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs'
        ' count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs'
        ' count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="164"'
        ' fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0"'
        ' fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle'
        ' name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
    ),
}
_TEXT = 3
"""The style of a text that looks like a formula: it stays a text when its cell is edited."""
_STYLED = (
    _PARTS["xl/styles.xml"]
    .replace(
        "</cellXfs>",
        '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1"'
        ' applyNumberFormat="1"/></cellXfs>',
    )
    .replace('<cellXfs count="3">', '<cellXfs count="4">')
)
_STAMP = (1980, 1, 1, 0, 0, 0)


def workbook(frame: pd.DataFrame) -> bytes:
    """The frame as the bytes of an .xlsx file: column names in the first row, then one row a record.

    Numbers a spreadsheet would round (16 digits and more) or cannot hold, and dates before March 1900, are
    written as text; times are exact to the millisecond; characters XML forbids become U+FFFD. Raises
    InputError when the table or a text is too large for a sheet.
    """
    if len(frame) >= _ROWS or frame.shape[1] > _COLUMNS:
        said = tr(
            "The table has {rows} × {columns}, but a sheet holds {most_records:,} × {most_columns:,};"
            " export the table as csv or parquet."
        )
        raise InputError(
            said.format(
                rows=counted(len(frame), "record"),
                columns=counted(frame.shape[1], "column"),
                most_records=_ROWS - 1,
                most_columns=_COLUMNS,
            )
        )
    strings = _Strings()
    names = plain.fitted_names(frame.columns, lambda name: _NOT_XML.sub("\ufffd", encodable(name)))
    columns = [[strings.cell(name, name), *_cells(frame.iloc[:, i], strings)] for i, name in enumerate(names)]
    letters = [_letters(place) for place in range(len(columns))]
    rows = []
    for number, row in enumerate(zip(*columns, strict=True), start=1):
        cells = [f'<c r="{letter}{number}"{cell}' for letter, cell in zip(letters, row, strict=True) if cell]
        rows.append(f'<row r="{number}">{"".join(cells)}</row>')
    size = f'<dimension ref="A1:{letters[-1]}{len(rows)}"/>' if letters else ""
    sheet = f'<worksheet xmlns="{_MAIN}">{size}<sheetData>{"".join(rows)}</sheetData></worksheet>'
    parts = {**_PARTS, "xl/styles.xml": _STYLED} if strings.styled else _PARTS
    return _packed({**parts, "xl/sharedStrings.xml": strings.part(), "xl/worksheets/sheet1.xml": sheet})


class _Strings:
    """The workbook's table of distinct texts, in order of first use."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        self._items: list[str] = []
        self.styled = False

    def cell(self, text: str, column: str) -> str:
        """The end of a cell that holds this text."""
        if text not in self._places:
            if len(text) > _LONGEST:
                said = tr(
                    "Column “{column}” has a text of more than {limit:,} characters, the limit for a"
                    " cell of a sheet; export the table as csv or parquet."
                )
                raise InputError(said.format(column=column, limit=_LONGEST))
            safe = escape(_NOT_XML.sub("\ufffd", _ESCAPED.sub("_x005F_", text)), {"\r": "&#13;"})
            self._places[text] = len(self._items)
            self._items.append(f'<si><t xml:space="preserve">{safe}</t></si>')
        style = f' s="{_TEXT}"' if plain.could_run(text) else ""
        self.styled |= bool(style)
        return f'{style} t="s"><v>{self._places[text]}</v></c>'

    def part(self) -> str:
        return f'<sst xmlns="{_MAIN}" uniqueCount="{len(self._items)}">{"".join(self._items)}</sst>'


def _cells(column: pd.Series, strings: _Strings) -> list[str]:
    """The ends of a column's cells, "" for missing."""
    name = str(column.name)
    if plain.is_number(column):
        return [_number(value, strings, name) for value in plain.numbers(column)]
    if plain.is_moment(column):
        values = plain.moments(column)
        present = values[~np.isnat(values)]
        if len(present) and present.min() >= _FIRST_DAY and present.max() < _LAST_DAY:
            return _days(values)
    return ["" if text is None else strings.cell(text, name) for text in plain.texts(column)]


def _number(value: Any, strings: _Strings, name: str) -> str:
    if value is None:
        return ""
    if (isinstance(value, int) and abs(value) < _EXACT) or (isinstance(value, float) and np.isfinite(value)):
        return f"><v>{value!r}</v></c>"
    return strings.cell(str(value), name)


def _days(values: np.ndarray) -> list[str]:
    """Dates as days since the sheet's day zero, shown without the time when all are at midnight."""
    ticks = (values - _DAY_ZERO).astype(np.int64)
    present = ~np.isnat(values)
    style = 1 if (ticks[present] % _DAY == 0).all() else 2
    return [
        f' s="{style}"><v>{tick // _DAY if style == 1 else tick / _DAY!r}</v></c>' if there else ""
        for tick, there in zip(ticks.tolist(), present.tolist(), strict=True)
    ]


def _letters(place: int) -> str:
    """The sheet's name of a column counted from 0: A … Z, AA …"""
    letters, rest = "", place + 1
    while rest:
        rest, digit = divmod(rest - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return letters


def _packed(parts: dict[str, str]) -> bytes:
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in parts.items():
            entry = zipfile.ZipInfo(name, _STAMP)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            archive.writestr(entry, (_OPEN + text).encode())
    return file.getvalue()
