"""Whether the first row of a table names its columns."""

from __future__ import annotations

import re

from kanon_core.base.words import tr
from kanon_core.table.readers.base import Asked
from kanon_core.table.readers.notes import Notes
from kanon_core.table.readers.spellings import NUMBER

_MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
VALUE = re.compile(
    rf"\s*+(?:{NUMBER}|[+-]?[.,:/ -]*+\d[\d.,:/ TZ-]*+|[^\s@]++@[^\s@]+\.\w+|https?://\S+|true|false"
    rf"|(?:\d{{4}}|(?:明治|大正|昭和|平成|令和)(?:\d{{1,2}}|元))年\d{{1,2}}月\d{{1,2}}日"
    rf"|(?:明治|大正|昭和|平成|令和|[MTSHR])(?:\d{{1,2}}|元)[./-]\d{{1,2}}[./-]\d{{1,2}}"
    rf"|\d{{1,2}}[ .-]++{_MONTH}[ .,-]++\d{{2,4}}|{_MONTH}[ .]++\d{{1,2}},? ++\d{{4}})\s*",
    re.I,
)
_YEAR = re.compile(r"\s*+(?:19|20)\d\d\s*")
_FEW = 20


def find_header(rows: list[list[str]], asked: Asked, notes: Notes) -> bool:
    """Whether the first of these rows names the columns, as asked or found out, which is noted."""
    if asked.header is not None:
        return asked.header
    header = looks_like_header(rows)
    if not header:
        notes.say(tr("No row of column names was found."))
    elif is_texts_only(rows):
        notes.say(
            tr(
                "The first row was taken as column names, but no column of numbers or dates"
                " confirms that. If it is a record, set “First row” to “a record” under “How the"
                " file is read” (on the command line: --header no)."
            )
        )
    else:
        notes.say(tr("The first row was taken as column names."))
    return header


def looks_like_header(rows: list[list[str]]) -> bool:
    """Whether the first of these rows names the columns.

    It does unless it holds values (numbers, dates, addresses of mail or pages, true or false, codes shaped
    like all those below them; years over other numbers may be names), repeats a text, or one of its texts
    occurs again below it in a table of texts only.
    """
    first, columns = rows[0], _columns(rows)
    valued = [place for place, text in enumerate(first) if VALUE.fullmatch(text)]
    if valued:
        return len(valued) < len(first) and all(
            _YEAR.fullmatch(first[i]) and columns and not any(_YEAR.fullmatch(text) for text in columns[i])
            for i in valued
        )
    if any(_is_code(text, column) for text, column in zip(first, columns, strict=False)):
        return False
    if not is_texts_only(rows):
        return True
    named = [text for text in first if text]
    return (
        bool(named)
        and len(set(named)) == len(named)
        and not any(text in column for text, column in zip(first, columns, strict=False) if text)
    )


def is_texts_only(rows: list[list[str]]) -> bool:
    """Whether nothing is a value by its form: only words tell names from a record then."""
    looked_at = [rows[0], *(column[:_FEW] for column in _columns(rows))]
    return not any(VALUE.fullmatch(text) for texts in looked_at for text in texts)


def _columns(rows: list[list[str]]) -> list[tuple[str, ...]]:
    """The columns below the first row, of the rows as long as it."""
    return list(zip(*[row for row in rows[1:] if len(row) == len(rows[0])], strict=True))


def _is_code(text: str, column: tuple[str, ...]) -> bool:
    """Whether a text of two digits or more has the shape of all below it, as P001 over P002."""
    shape = _shape(text)
    return shape.count("9") > 1 and len(column) > 2 and all(_shape(other) == shape for other in column)


def _shape(text: str) -> str:
    return re.sub(r"[^\W\d_]", "a", re.sub(r"\d", "9", text))
