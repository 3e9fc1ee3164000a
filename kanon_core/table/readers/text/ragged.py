"""Delimited text that is not a table: lines with too many or too few fields, quotes that are never closed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kanon_core.base.errors import InputError
from kanon_core.base.words import later, listed, tr

NAMES = {
    "\t": later("tab"),
    ",": later("comma"),
    ", ": later("comma and space"),
    ";": later("semicolon"),
    "|": later("vertical bar"),
}
"""The names of delimiters."""
_NAMED = 5


class RaggedLines(Exception):
    """Some lines have another number of fields than the first: how many do (``count``), and of the first of
    them the line, from 1, and its fields; none where the text cannot be split at all."""

    def __init__(self, lines: Sequence[tuple[int, int]], count: int) -> None:
        """Keep the lines as they were found."""
        super().__init__()
        self.lines, self.count = list(lines), count

    @classmethod
    def of(cls, text: bytes, records: Sequence[tuple[int, int]]) -> RaggedLines:
        """Return the ragged lines of a text; ``records``: of each such record its number, from 1, and how
        many fields it has."""
        first = records[:_NAMED]
        lines = record_lines(text, [number for number, _ in first]) if first else []
        return cls([(line, fields) for line, (_, fields) in zip(lines, first, strict=False)], len(records))

    def below(self, lines: int) -> RaggedLines:
        """The same, so many lines further down."""
        return RaggedLines([(line + lines, fields) for line, fields in self.lines], self.count)

    def and_then(self, other: RaggedLines) -> RaggedLines:
        """Return the ragged lines of a piece of text and of the next; if one piece cannot be split at all,
        neither can the whole."""
        if not (self.count and other.count):
            return RaggedLines([], 0)
        return RaggedLines([*self.lines, *other.lines][:_NAMED], self.count + other.count)


def ragged(problem: RaggedLines, delimiter: str, width: int) -> InputError:
    """The sentence naming the first of these lines."""
    if not problem.lines:
        return InputError(
            tr("The file cannot be split into rows and fields; check its quotes and delimiter.")
        )
    line = tr("line {line} has {fields:,}")
    where = listed([line.format(line=number, fields=fields) for number, fields in problem.lines], _NAMED)
    if problem.count > len(problem.lines):
        where = tr("{where} ({count:,} such lines in all)").format(where=where, count=problem.count)
    name = NAMES.get(delimiter[0], later("delimiter"))
    said = tr(
        "The lines have different numbers of fields: the first has {width:,}, {where}. Separate all"
        " fields by the {delimiter} and put cells that contain it in quotes, choose another delimiter,"
        " or skip lines outside the table (on the command line: --skip, --skip-end)."
    )
    return InputError(said.format(width=width, where=where, delimiter=tr(name)))


def record_lines(text: bytes, wanted: Sequence[int]) -> list[int]:
    """Return the lines, from 1, of these records (ascending, from 1), which do not count blank lines."""
    lines, line, position = [], 1, 0
    for number, record in enumerate(re.finditer(rb'(?:[^"\r\n]++|"(?:[^"]|"")*+"|")++', text), start=1):
        if number > wanted[-1]:
            break
        line += len(re.findall(rb"\r\n?|\n", text[position : record.start()]))
        position = record.start()
        if number in wanted:
            lines.append(line)
    return lines


def refuse_open_quote(text: bytes, delimiter: str, above: int = 0) -> None:
    """Raise InputError when a quote at the beginning of a cell is never closed; ``above``: the number of
    lines of the file above the text."""
    opening = re.compile(rb'(?:\A|[\r\n]|%b)"' % re.escape(delimiter.encode()))
    rest = re.compile(rb'(?:[^"]|"")*+"')
    position = 0
    while (opened := opening.search(text, position)) is not None:
        closed = rest.match(text, opened.end())
        if closed is None:
            raise open_quote(len(re.findall(rb"\r\n?|\n", text[: opened.end()])) + 1 + above)
        position = closed.end()


def open_quote(line: int) -> InputError:
    """The sentence on a quote that is never closed."""
    said = tr("The quote that opens on line {line} is never closed; close it, or remove it.")
    return InputError(said.format(line=line))
