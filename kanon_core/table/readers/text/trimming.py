"""Remove the lines around a table from its text: lines above the names, notes below the records."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kanon_core.base.errors import InputError
from kanon_core.base.words import later, tr
from kanon_core.table.readers.around import is_short, notes_below, titles_above
from kanon_core.table.readers.base import ReadOptions
from kanon_core.table.readers.notes import Notes
from kanon_core.table.readers.text import detect

ASKED_TITLE = (
    later("Only one cell of the first row is filled."),
    later(
        "If the row is a title above the column names, set “Skip lines” to 1 (on the command line: --skip 1)."
    ),
)
_SKIPPED = {
    "skip": (
        later("Skipped as a title above the column names: {lines}."),
        later("To read it as part of the table, set “Skip lines” to 0 (on the command line: --skip 0)."),
    ),
    "skip_rows": (
        later("Skipped as labels below the column names: {lines}."),
        later(
            "To read them as records, set “Skip rows below the names” to 0 (on the command line: --skip-rows"
            " 0)."
        ),
    ),
    "skip_end": (
        later("Skipped as notes below the table: {lines}."),
        later(
            "To read them as records, set “Skip lines at the end” to 0 (on the command line: --skip-end 0)."
        ),
    ),
}
_TAIL, _LAST = 2**14, 100
_END, _LINE = re.compile(rb"\r\n?|\n"), re.compile(rb"[^\r\n]+")
_SEP = re.compile(rb'\s*"?sep=([^\r\n"])"?[ \t,;]*(?:\r\n?|\n)', re.I)


@dataclass(frozen=True)
class Trimmed:
    """A ``text`` and the number of lines of its file ``above`` it. ``delimiter``: from a line above it, if
    one names it. ``skip``, ``skip_end``: the lines left out above and below, None where none are."""

    text: bytes
    above: int = 0
    delimiter: str | None = None
    skip: int | None = None
    skip_end: int | None = None


def without_lines(text: bytes, options: ReadOptions, notes: Notes) -> Trimmed:
    """Return a text without the lines that the options leave out, or without the line that names the
    delimiter for Excel. Raises InputError where nothing is left."""
    above, delimiter = options.skip, options.delimiter
    if above is None and (named := _SEP.match(text)):
        above = names_delimiter(text)
        delimiter = delimiter or named[1].decode("ascii", "ignore") or None
        notes.say(tr("Line {line} (sep=) names the delimiter and was not read as data.").format(line=above))
    kept = _below(text, above or 0)
    if options.skip_end and (starts := [line.start() for line in _LINE.finditer(kept)]):
        kept = kept[: starts[-min(options.skip_end, len(starts))]]
    if not kept or kept.isspace():
        raise nothing_left()
    return Trimmed(kept, above or 0, delimiter, above, options.skip_end)


def names_delimiter(text: bytes) -> int:
    """Return how many lines of a text, blank ones included, end with the one that names the delimiter; 0
    where none does.

    >>> names_delimiter(b"sep=;\\na;b\\n"), names_delimiter(b"a;b\\n")
    (1, 0)
    """
    named = _SEP.match(text)
    return len(_END.findall(named[0])) if named else 0


def refuse_around(*skipped: int | bool | None) -> None:
    """Raise InputError where anything would be left out above, below or at the end of a table without a
    note."""
    if any(skipped):
        raise InputError(
            tr(
                "The first or last lines look like titles, labels or notes, which are not skipped here;"
                " remove them from the file."
            )
        )


def nothing_left() -> InputError:
    """Return the sentence on a file of which all lines are to be skipped."""
    return InputError(
        tr(
            "All lines of the file would be skipped; skip fewer under “Reading options” (on"
            " the command line: --skip, --skip-rows, --skip-end)."
        )
    )


def without_titles(trimmed: Trimmed, head: str, first: Sequence[list[str]], notes: Notes) -> Trimmed:
    """Return the text without titles above its names, which is noted; ``first``: its first records."""
    if all(first[0]) and len(first[0]) > 1 and all(len(row) <= len(first[0]) for row in first):
        return trimmed
    lines = _lines(head.encode(), len(first))
    if len(lines) < 2 or any(line.count(b'"') % 2 for line, _, _ in lines[: len(first)]):
        return trimmed
    count = titles_above(first[: len(lines)], {i for i, (_, _, ends) in enumerate(lines) if i and ends > 1})
    if not count:
        return trimmed
    blank = len(trimmed.text) - len(trimmed.text.lstrip(b"\r\n"))
    lost = len(_END.findall(trimmed.text[:blank])) + sum(ends for _, _, ends in lines[: count + 1])
    above = trimmed.above + lost
    notes.say(*skipped("skip", trimmed.above + 1, above, False))
    return Trimmed(_below(trimmed.text, lost), above, trimmed.delimiter, above, trimmed.skip_end)


def without_notes(trimmed: Trimmed, delimiter: str, width: int, notes: Notes) -> Trimmed:
    """Return the text without the notes below its records, which is noted; ``width``: fields of a record."""
    start = len(trimmed.text) - _TAIL
    if start > 0:
        found = _END.search(trimmed.text, start)
        start = found.end() if found else 0
    start = max(start, 0)
    tail = trimmed.text[start:]
    last = tail.rstrip(b"\r\n")
    last = last[max(last.rfind(b"\n"), last.rfind(b"\r")) + 1 :]
    if width < 2 or not is_short(_fields(last, delimiter), width):
        return trimmed
    if tail.count(b'"') % 2:
        return trimmed
    lines = _lines(tail)[-_LAST:]
    whole = next((i for i in range(len(lines), 0, -1) if lines[i - 1][0].count(b'"') % 2), 0)
    rows = [_fields(line, delimiter) for line, _, _ in lines[whole:]]
    apart = {i for i, (_, _, ends) in enumerate(lines[whole:]) if ends > 1}
    count = notes_below(rows, width, apart)
    if not count:
        return trimmed
    at = start + lines[len(lines) - count][1]
    line = trimmed.above + len(_END.findall(trimmed.text[:at])) + 1
    more = len(_END.findall(trimmed.text[at:].rstrip(b"\r\n")))
    notes.say(*skipped("skip_end", line, line + more, False))
    return Trimmed(trimmed.text[:at], trimmed.above, trimmed.delimiter, trimmed.skip, count)


def _fields(line: bytes, delimiter: str) -> list[str]:
    """The fields of a line, without quotes and blanks around them."""
    records = detect.records(line.decode("utf-8", "ignore"), delimiter[0])
    return [detect.unquoted(field).strip() for field in next(records, [""])]


def _lines(text: bytes, most: int = 2**20) -> list[tuple[bytes, int, int]]:
    """Lines that are not blank: each with the place where it begins, and the line ends before it since the
    one before."""
    found, end = list[tuple[bytes, int, int]](), 0
    for line in _LINE.finditer(text):
        found.append((line[0], line.start(), len(_END.findall(text[end : line.start()]))))
        end = line.end()
        if len(found) == most:
            break
    return found


def _below(text: bytes, lines: int) -> bytes:
    """The text below so many lines."""
    end = 0
    for _ in range(lines):
        found = _END.search(text, end)
        if found is None:
            raise nothing_left()
        end = found.end()
    return text[end:]


def skipped(part: str, first: int, last: int, sheet: bool) -> tuple[str, str]:
    """Return the sentence on a part of a file that was left out, by its option, and how to keep it."""
    said, advice = map(tr, _SKIPPED[part])
    return said.format(lines=lines_from(first, last, sheet)), advice


def lines_from(first: int, last: int, sheet: bool) -> str:
    """Return the words for some lines of a text, or rows of a sheet.

    >>> lines_from(2, 2, False), lines_from(2, 4, True)
    ('line 2', 'rows 2 to 4')
    """
    if first == last:
        return (tr("row {first}") if sheet else tr("line {first}")).format(first=first)
    words = tr("rows {first} to {last}") if sheet else tr("lines {first} to {last}")
    return words.format(first=first, last=last)
