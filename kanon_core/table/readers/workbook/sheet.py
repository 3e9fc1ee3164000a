"""The rows of one sheet of a workbook, and the limits that they must keep."""

from __future__ import annotations

from kanon_core.base.errors import InputError
from kanon_core.base.words import tr
from kanon_core.table.readers.base import ReadOptions, too_long
from kanon_core.table.readers.workbook.archive import Workbook
from kanon_core.table.readers.workbook.values import Cell, Values
from kanon_core.table.readers.workbook.walk import Damaged, Inside, Walk

_ROWS, _COLUMNS = 2**20, 2**14
"""The largest sheet."""
_SQUARE = 4
"""Cells in the rectangle around a table, gaps included, for each cell that may be filled."""
_EMPTY = 2
"""Cells with or without a value, for each that may be filled."""
_UTF8 = 3
"""Bytes that a character takes at most, but for rare ones."""
_INSIDE = 6
"""Elements within a cell: its value, its formula, a text and its pieces."""


def filled_rows(
    book: Workbook, entry: str, title: str, values: Values, options: ReadOptions
) -> tuple[list[list[Cell]], list[int]]:
    """The rows of a sheet that are not empty, each without the empty cells at its end, and their numbers in
    the sheet, from 1.

    Raises InputError naming sheet and row for more than the limits allow, and what `BROKEN` lists. Cost
    about 3 µs a cell; empty rows and cells that the file leaves out cost nothing.
    """
    sheet = _Sheet(title, values, options, options.limits.unpacked_from(book.size))
    book.walk(entry, sheet.walk, options.tick)
    return sheet.rows, sheet.numbers


class _Sheet:
    """The state of a sheet while it is being read."""

    def __init__(self, title: str, values: Values, options: ReadOptions, bytes: int) -> None:
        self.rows: list[list[Cell]] = []
        self.numbers: list[int] = []
        self._title, self._values, self._limits, self._bytes = title, values, options.limits, bytes
        self._columns: dict[str, int] = {}
        self._cells: list[Cell] = []
        self._parts: list[str] = []
        self._row = self._column = self._elements = self._filled = self._width = 0
        self._kind = self._style = self._text = ""
        self._open, self._aloud = False, Inside()
        starts = {"row": self._begin_row, "c": self._begin, "v": self._clear, "t": self._clear}
        ends = {"row": self._end_row, "c": self._end, "v": self._value, "t": self._piece}
        self.walk = Walk({**starts, "rPh": self._aloud.begin}, {**ends, "rPh": self._aloud.end}, "sheetData")

    def _begin_row(self, attributes: dict[str, str]) -> None:
        said = attributes.get("r")
        number = self._row + 1 if said is None else int(float(said))
        if number > _ROWS:
            said = tr(
                "The sheet “{sheet}” has a row numbered {row:,}, but a sheet has at most {limit:,} rows;"
                " copy the table into a new workbook, or save it as csv."
            )
            raise InputError(said.format(sheet=self._title, row=min(number, 10**15), limit=_ROWS))
        if number <= self._row or self._open:
            raise Damaged
        self._row, self._column, self._cells = number, 0, []
        self.walk.left += 1

    def _begin(self, attributes: dict[str, str]) -> None:
        self._elements += 1
        if self._elements > _EMPTY * self._limits.sheet_cells:
            raise self._too_many()
        self.walk.left += _INSIDE
        column = self._column + 1
        if (said := attributes.get("r")) is not None:
            letters = said.rstrip("0123456789")
            column = self._columns.get(letters) or self._named(letters)
        if self._open or not self._row or not self._column < column <= _COLUMNS:
            raise Damaged
        self._column, self._open, self._text, self._parts = column, True, "", []
        self._kind, self._style = attributes.get("t", "n"), attributes.get("s", "0")

    def _named(self, letters: str) -> int:
        """The number of a column: A is 1, AA is 27."""
        if not (0 < len(letters) <= 3 and letters.isascii() and letters.isalpha()):
            raise Damaged
        number = 0
        for letter in letters.upper():
            number = 26 * number + ord(letter) - ord("A") + 1
        self._columns[letters] = number
        return number

    def _clear(self, _: dict[str, str]) -> None:
        self.walk.pieces.clear()

    def _value(self) -> None:
        if self._kind != "inlineStr":
            self._text = self.walk.text()

    def _piece(self) -> None:
        if self._kind == "inlineStr" and not self._aloud.now:
            self._parts.append(self.walk.text())

    def _end(self) -> None:
        self._open, text = False, "".join(self._parts) if self._parts else self._text
        if not text:
            return
        value = text if self._kind == "inlineStr" else self._values.of(text, self._kind, self._style)
        if type(value) is str:
            self._check_length(value)
            self._bytes -= len(value) if value.isascii() else _UTF8 * len(value)
            if not value:
                return
        cells = self._cells
        if (gap := self._column - 1 - len(cells)) > 0:
            cells.extend([None] * gap)
        cells.append(value)

    def _end_row(self) -> None:
        cells, limits = self._cells, self._limits
        if not cells:
            return
        limits.check_columns(len(cells))
        self._filled += len(cells)
        self._width = max(self._width, len(cells))
        self.rows.append(cells)
        self.numbers.append(self._row)
        self._cells = []
        if self._bytes < 0:
            said = tr(
                "The texts of the sheet “{sheet}” exceed the memory limit for a workbook of this size;"
                " leave out columns that are not needed, or save the sheet as csv."
            )
            raise InputError(said.format(sheet=self._title))
        if self._filled > limits.sheet_cells:
            raise self._too_many()
        if self._width * len(self.rows) > _SQUARE * limits.sheet_cells:
            raise self._too_many()
        limits.check_shape(len(self.rows), self._width)

    def _check_length(self, text: str) -> None:
        if len(text) > self._limits.characters:
            raise too_long(
                tr("row {row} of the sheet “{sheet}”").format(row=self._row, sheet=self._title),
                self._limits,
            )

    def _too_many(self) -> InputError:
        said = tr(
            "The sheet has more than {limit:,} cells, the limit for a workbook; save the table as csv or"
            " parquet."
        )
        return InputError(said.format(limit=self._limits.sheet_cells))
