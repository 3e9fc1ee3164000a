"""Detection of the parts of a file around its table: titles above the names, the names, a second row of
names, labels below them, notes below the records.

Rows are texts without blanks around them, "" where a cell is empty. Nothing is taken for a title or a label
unless the rows below it agree with one another; whatever is left out is reported with its line numbers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence

from kanon_core.base.words import later, tr
from kanon_core.table.readers.base import MISSING_NUMBERS, ReadOptions
from kanon_core.table.readers.notes import Notes
from kanon_core.table.readers.types.spellings import NUMBER

Rows = Sequence[Sequence[str]]

_RECORD_BELOW = later(
    "If the second row is a record, set “Skip rows below the names” to 0 (on the command line: --skip-rows"
    " 0)."
)
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
_TITLES, _LABELS, _AGREEING, _MOST = 20, 2, 3, 0.8
_UNKNOWN = MISSING_NUMBERS | {"unknown", "missing", "not available", "not applicable", "refused", "*", "?"}
_WORD = re.compile(r"[^\W\d_]{2}|[\u3040-\u30ff\u3400-\u9fff]")
_NO_WORD = re.compile(r"[\[{(<>=≤≥*#]|\d+\s*[-–]\s*\d|.*@")
_NOTE = re.compile(
    r"(?:sources?|notes?|footnotes?|legend|remarks?|quellen?|anmerkung(?:en)?|hinweise?|stand|remarques?"
    r"|légende|fuentes?|notas?|fontes?|fonte|bron|出典|出所|資料|注|備考|注記)\s*[:：]"
    r"|[*†‡]+\s*[^\W\d_]{2}|\(?\d{1,2}\)\s+[^\W\d_]{2}|[¹²³]\s*[^\W\d_]|※",
    re.I,
)


def filled(row: Sequence[str]) -> int:
    """Return how many cells of a row hold something.

    >>> filled(["a", "", "b"])
    2
    """
    return sum(map(bool, row))


def titles_above(rows: Rows, apart: Collection[int]) -> int:
    """Return how many of the first rows are titles: rows with few cells above a row of names that the rows
    below it confirm. ``apart``: the places of rows with a blank line before them. Cost O(cells).

    >>> table = [["id", "age", "zip"], ["a", "30", "1010"], ["b", "31", "1020"]]
    >>> titles_above([["Survey 2020"], *table], ()), titles_above(table, ())
    (1, 0)
    """
    width = _width(rows)
    few = max(1, width // 3)
    start = next(
        (i for i, row in enumerate(rows[: _TITLES + 1]) if len(row) == width and filled(row) > few), 0
    )
    if width < 2 or not start:
        return 0
    above, below = rows[:start], rows[start:]
    if not all(filled(row) <= few or len(row) < width for row in above):
        return 0
    if len(below) < 2 or not looks_like_header([list(row) for row in below]):
        return 0
    if any(_valued(_columns(below[1:], width))):
        return start
    spoken = all(len(row) < width and " " in "".join(row) for row in above if any(row))
    split = any(i in apart for i in range(1, start + 1)) or any(not any(row) for row in above)
    agreeing = sum(len(row) == width for row in below) >= _AGREEING
    return start if agreeing and (split or spoken) else 0


def find_header(rows: list[list[str]], options: ReadOptions, notes: Notes) -> bool:
    """Return whether the first of these rows names the columns, by the options, or else by its content, which
    is noted."""
    if options.header is not None:
        return options.header
    header = looks_like_header(rows)
    if not header:
        notes.say(tr("No row of column names was found."))
    elif is_texts_only(rows) and not _is_above_intervals(rows):
        notes.say(
            tr("The first row was read as column names, but no column of numbers or dates confirms this."),
            tr(
                "If it is a record, set “First row” to “a record” under “Reading options” (on the command"
                " line: --header no)."
            ),
        )
    else:
        notes.say(tr("The first row was read as column names."))
    return header


def looks_like_header(rows: list[list[str]]) -> bool:
    """Return whether the first of these rows names the columns.

    It does unless it holds values (numbers, dates, addresses of mail or pages, true or false, codes shaped
    like all those below them; years over other numbers may be names), repeats a text, or one of its texts
    occurs again below it in a table of texts only.
    """
    first, columns = rows[0], _below_names(rows)
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
    """Return whether no text has the form of a value; only words then distinguish names from a record."""
    looked_at = [rows[0], *(column[:_FEW] for column in _below_names(rows))]
    return not any(VALUE.fullmatch(text) for texts in looked_at for text in texts)


def _is_above_intervals(rows: list[list[str]]) -> bool:
    """Return whether a text of the first row stands above intervals or sets only, as in a released file."""
    return any(
        not _NO_WORD.match(name) and all(map(_NO_WORD.match, cells[:_FEW]))
        for name, cells in zip(rows[0], _below_names(rows), strict=False)
    )


def _below_names(rows: list[list[str]]) -> list[tuple[str, ...]]:
    """The columns below the first row, of the rows as long as it."""
    return list(zip(*[row for row in rows[1:] if len(row) == len(rows[0])], strict=True))


def _is_code(text: str, column: tuple[str, ...]) -> bool:
    """Return whether a text of two digits or more has the shape of all below it, as P001 over P002."""
    shape = _shape(text)
    return shape.count("9") > 1 and len(column) > 2 and all(_shape(other) == shape for other in column)


def _shape(text: str) -> str:
    return re.sub(r"[^\W\d_]", "a", re.sub(r"\d", "9", text))


def beginning(rows: list[list[str]], options: ReadOptions, notes: Notes) -> tuple[int, int]:
    """Return how many of the first of these rows name the columns, 0, 1 or 2, and how many below them are
    labels, by the options, or else by their content; the names are noted. Cost O(cells)."""
    if options.header is not False and options.skip_rows is None and is_group_row(rows):
        notes.say(tr("The first two rows together were read as column names."), tr(_RECORD_BELOW))
        return 2, 0
    named = find_header(rows, options, notes)
    return int(named), labels_below(rows) if named and options.skip_rows is None else 0


def may_be_title(rows: Rows) -> bool:
    """Return whether the first row fills one cell and the next one several: a title, or the one name.

    >>> may_be_title([["People", "", ""], ["Anna", "Bern", "nurse"]])
    True
    """
    return len(rows) > 1 and len(rows[0]) > 2 and filled(rows[0]) == 1 < filled(rows[1])


def is_group_row(rows: Rows) -> bool:
    """Return whether the first row names groups of columns, as merged cells do, and the second the columns:
    the first repeats its texts or leaves cells out to the right of them, the second has words above values.

    >>> table = [["2020", "", "2021", ""], ["men", "women", "men", "women"], *[["1", "2", "3", "4"]] * 3]
    >>> is_group_row(table)
    True
    """
    if len(rows) < 2 + _AGREEING or not filled(rows[0]) > 1 or len(rows[0]) != len(rows[1]):
        return False
    first, second = rows[0], rows[1]
    begins = next(i for i, text in enumerate(first) if text)
    if all(first[begins:]) and len(set(first)) == len(first):
        return False
    named = [bool(a or b) for a, b in zip(first, second, strict=True)]
    joined = joined_names(first, second)
    lower = [b or a for a, b in zip(first, second, strict=True)]
    told = all(named) and filled(second) > 1 and len(set(joined)) == len(joined)
    return told and _is_labels(lower, rows[2:])


def joined_names(upper: Sequence[str], lower: Sequence[str]) -> list[str]:
    """Return the names of columns by two rows of them; a cell left out of the upper one means that to its
    left, unless the column has no lower name.

    >>> joined_names(["id", "2020", ""], ["", "men", "women"])
    ['id', '2020 men', '2020 women']
    """
    names, group = list[str](), ""
    for above, below in zip(upper, lower, strict=True):
        group = above or (group if below else "")
        names.append(" ".join(filter(None, (group, below))))
    return names


def labels_below(rows: Rows) -> int:
    """Return how many rows below the names, the first of these rows, are labels: words in columns that are
    values throughout below, which at least half of the columns are. At most two; cost O(cells).

    >>> table = [["q1", "q2"], ["How old are you?", "Your income"], *[["30", "500"]] * 3]
    >>> labels_below(table), labels_below(table[:1] + table[2:])
    (1, 0)
    """
    if len(rows) < 2 + _AGREEING:
        return 0
    return next((n for n in range(_LABELS, 0, -1) if _are_labels(rows, n)), 0)


def _are_labels(rows: Rows, count: int) -> bool:
    body = rows[1 + count :]
    return len(body) >= _AGREEING and all(_is_labels(row, body) for row in rows[1 : 1 + count])


def _is_labels(row: Sequence[str], body: Rows) -> bool:
    """Return whether a row has words in most columns, and in all that hold values below, at least half of
    them."""
    if len(row) < 2 or any(VALUE.fullmatch(text) for text in row):
        return False
    words = [_is_word(text) for text in row]
    if sum(words) * 2 <= len(row):
        return False
    valued = _valued(_columns(body, len(row)), 1.0)
    over = [word for word, value in zip(words, valued, strict=False) if value]
    return len(over) * 2 >= len(row) and len(over) > 1 and all(over)


def notes_below(rows: Rows, width: int, apart: Collection[int]) -> int:
    """Return how many of the last rows are notes: such as “Source: …”, or texts after a blank line, each in
    the first column alone or with fewer fields than the table, of this ``width``. ``apart`` as in
    `titles_above`. Cost O(rows).

    >>> notes_below([["a", "1", "2"], ["b", "3", "4"], ["Source: census", "", ""]], 3, ())
    1
    """
    if width < 2:
        return 0
    body = next((i for i in range(len(rows), 0, -1) if not is_short(rows[i - 1], width)), 0)
    if not body or body == len(rows):
        return 0
    sparse = any(is_short(row, width) for row in rows[:body])
    known = {row[0] for row in rows[:body]}
    for place in range(body, len(rows)):
        text = rows[place][0]
        split = place in apart or not any(rows[place - 1])
        padded = len(rows[place]) == width
        if not text or text in known:
            continue
        if (split and not sparse and (width > 2 or not padded)) or _NOTE.match(text):
            while place > body and not any(rows[place - 1]):
                place -= 1
            return len(rows) - place
    return 0


def is_short(row: Sequence[str], width: int) -> bool:
    """Return whether a row fills no cell but the first, without a value there, or has fewer fields.

    >>> is_short(["a", "", ""], 3), is_short(["a", "b", ""], 3), is_short(["a", "b"], 3)
    (True, False, True)
    """
    if len(row) < width:
        return not VALUE.fullmatch(row[0])
    return len(row) == width and filled(row) == bool(row[0]) and not VALUE.fullmatch(row[0] or "x")


def _width(rows: Rows) -> int:
    """The number of fields that most rows have, the larger of two."""
    return max(Counter(map(len, rows)).items(), key=lambda item: (item[1], item[0]), default=(0, 0))[0]


def _columns(rows: Rows, width: int) -> list[list[str]]:
    """The cells of each column that hold something, of the rows of this width."""
    whole = [row for row in rows if len(row) == width]
    return [[text for text in column if text] for column in zip(*whole, strict=True)]


def _valued(columns: Sequence[Sequence[str]], share: float = _MOST) -> list[bool]:
    """Return which columns hold values (numbers, dates) in such a share of their cells, words for missing
    aside."""
    found = []
    for column in columns:
        known = [text for text in column if text.lower() not in _UNKNOWN]
        values = sum(VALUE.fullmatch(text) is not None for text in known) if known else 0
        found.append(values > 0 and values >= share * len(known))
    return found


def _is_word(text: str) -> bool:
    """Return whether a text could be a label: no value, no interval or set, no word for missing."""
    if text.lower() in _UNKNOWN or VALUE.fullmatch(text) or _NO_WORD.match(text):
        return False
    return _WORD.search(text) is not None
