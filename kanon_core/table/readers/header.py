"""Whether the first row of a table names its columns, and whether records below hold words like names."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pandas as pd
import pyarrow.compute as pc

from kanon_core.base.words import tr
from kanon_core.table.readers.base import MISSING_NUMBERS, Asked
from kanon_core.table.readers.notes import Notes, listed
from kanon_core.table.readers.spellings import NUMBER, PLAIN

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
_FEW_RECORDS, _SHARE = 5, 0.01


def find_header(rows: list[list[str]], asked: Asked, notes: Notes) -> bool:
    """Return whether the first of these rows names the columns, as asked or found out, which is noted."""
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
    """Return whether the first of these rows names the columns.

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
    """Return whether nothing is a value by its form: only words tell names from a record then."""
    looked_at = [rows[0], *(column[:_FEW] for column in _columns(rows))]
    return not any(VALUE.fullmatch(text) for texts in looked_at for text in texts)


def _columns(rows: list[list[str]]) -> list[tuple[str, ...]]:
    """The columns below the first row, of the rows as long as it."""
    return list(zip(*[row for row in rows[1:] if len(row) == len(rows[0])], strict=True))


def _is_code(text: str, column: tuple[str, ...]) -> bool:
    """Return whether a text of two digits or more has the shape of all below it, as P001 over P002."""
    shape = _shape(text)
    return shape.count("9") > 1 and len(column) > 2 and all(_shape(other) == shape for other in column)


def _shape(text: str) -> str:
    return re.sub(r"[^\W\d_]", "a", re.sub(r"\d", "9", text))


def note_odd_records(frame: pd.DataFrame, notes: Notes) -> None:
    """Note records with words in most of the columns that are numbers otherwise, which these keep from being
    numbers. Cost O(cells) of the columns that are noted as mixed with few words, else nothing."""
    few = max(_FEW_RECORDS, _SHARE * len(frame))
    mixed = [name for name in map(str, frame) if 0 < notes.count("mixed", name) <= few]
    if len(mixed) < 2 or len(frame) < _FEW_RECORDS:
        return
    numbers = len(mixed) + sum(frame[name].dtype.kind in "iuf" for name in frame)
    records = Counter(place for name in mixed for place in _words(frame[name]))
    odd = sorted(place for place, count in records.items() if count > 1 and 2 * count > numbers)
    if odd:
        notes.say(
            tr(
                "Some records have words where most columns have numbers, so these columns stay"
                " text: record {records}. If such a record repeats the column names or holds"
                " labels, take it out; if it stands directly below the names, set “Skip rows below"
                " the names” (on the command line: --skip-rows)."
            ).format(records=listed([f"{place + 1:,}" for place in odd]))
        )


def _words(column: pd.Series) -> list[int]:
    """The places of cells that are neither numbers nor words for missing."""
    cells = column.array._pa_array  # a str column is one of arrow's arrays
    others = pc.fill_null(pc.invert(pc.match_substring_regex(cells, PLAIN)), False)
    places = np.flatnonzero(np.asarray(others))
    texts = cells.take(places).to_pylist()
    pairs = zip(places.tolist(), texts, strict=True)
    return [place for place, text in pairs if text.strip().lower() not in MISSING_NUMBERS]
