"""The meaning of a cell's text: shared texts, and the styles that make a number a date."""

from __future__ import annotations

import datetime as dt
from typing import Any

from kanon_core.base.errors import InputError
from kanon_core.base.words import tr
from kanon_core.table.readers.base import ReadOptions
from kanon_core.table.readers.workbook.archive import Workbook
from kanon_core.table.readers.workbook.walk import Damaged, Inside, Walk

_LONGEST_FORMAT, _LONGEST_DATE = 255, 64
_RUNS = 16
"""Elements that one shared text may have on average: pieces with a font each, and how they are read aloud."""


class Values:
    """The values of a workbook's cells. ``strings``: the shared texts; the other fields tell which styles are
    dates and which are lengths of time."""

    def __init__(self, book: Workbook, options: ReadOptions) -> None:
        from openpyxl.utils import datetime as moments

        self.strings = _strings(book, options) if book.strings else []
        self.dates, self.spans = _styles(book, options) if book.styles else (frozenset(), frozenset())
        self._epoch = moments.MAC_EPOCH if book.from_1904 else moments.WINDOWS_EPOCH
        self._from_number, self._from_text = moments.from_excel, moments.from_ISO8601

    def of(self, text: str, kind: str, style: str) -> Any:
        """The value of a cell with this text, type and style; raises what `BROKEN` lists."""
        if kind == "n":
            number = _number(text)
            return self._moment(number, style) if style in self.dates else number
        if kind == "s":
            place = int(text)
            if place < 0:
                raise Damaged
            return self.strings[place]
        if kind == "b":
            return bool(int(text))
        if kind == "d":
            if len(text) > _LONGEST_DATE:
                raise Damaged
            return self._from_text(text)
        return text

    def _moment(self, number: float, style: str) -> Any:
        try:
            return self._from_number(number, self._epoch, timedelta=style in self.spans)
        except (OverflowError, ValueError):
            return "#VALUE!"  # as a spreadsheet shows it


def _number(text: str) -> float | int:
    if "_" in text:  # which Python would read
        raise Damaged
    return float(text) if "." in text or "E" in text or "e" in text else int(text)


def _strings(book: Workbook, options: ReadOptions) -> list[str]:
    """The shared texts, without fonts and without how they are read aloud."""
    strings: list[str] = []
    parts: list[str] = []
    aloud = Inside()

    def begin(_: dict[str, str]) -> None:
        if len(strings) > 2 * options.limits.sheet_cells:
            said = tr("The workbook has more than {limit:,} shared texts, the limit; save the table as csv.")
            raise InputError(said.format(limit=2 * options.limits.sheet_cells))
        walk.left += _RUNS
        parts.clear()
        aloud.end()

    def text(_: dict[str, str]) -> None:
        walk.pieces.clear()

    def said() -> None:
        if not aloud.now:
            parts.append(walk.text())

    def keep() -> None:
        strings.append("".join(parts).replace("x005F_", ""))

    walk = Walk({"si": begin, "rPh": aloud.begin, "t": text}, {"si": keep, "rPh": aloud.end, "t": said})
    book.walk(book.strings, walk, options.tick)
    return strings


def _styles(book: Workbook, options: ReadOptions) -> tuple[frozenset[str], frozenset[str]]:
    """The styles, as cells name them, whose numbers are dates, and those whose are lengths of time."""
    from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format, is_timedelta_format

    codes: dict[str, str] = {str(number): code for number, code in BUILTIN_FORMATS.items()}
    kinds: dict[str, tuple[bool, bool]] = {}
    styles: list[str] = []
    cells = Inside()

    def written(attributes: dict[str, str]) -> None:
        codes[attributes["numFmtId"]] = attributes["formatCode"]

    def style(attributes: dict[str, str]) -> None:
        if cells.now:
            styles.append(attributes.get("numFmtId", "0"))

    walk = Walk({"numFmt": written, "cellXfs": cells.begin, "xf": style}, {"cellXfs": cells.end})
    book.walk(book.styles, walk, options.tick)
    for number in set(styles):
        code = codes.get(number, "")[: _LONGEST_FORMAT + 1]
        fits = len(code) <= _LONGEST_FORMAT
        kinds[number] = fits and is_date_format(code), fits and is_timedelta_format(code)
    found = [
        frozenset(str(place) for place, number in enumerate(styles) if kinds[number][which])
        for which in (0, 1)
    ]
    return found[0], found[1]


Cell = str | int | float | bool | dt.datetime | dt.date | dt.time | dt.timedelta | None
"""The content of a cell."""
