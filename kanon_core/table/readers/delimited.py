"""Delimited text: csv, tsv and their relatives, parsed by Apache Arrow."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv as arrow_csv

from kanon_core.base.errors import InputError
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import later, tr
from kanon_core.table.readers import detect
from kanon_core.table.readers.base import NEEDED, Asked, Format, Reading, looked_for
from kanon_core.table.readers.cells import check_lengths, text_array, typed_array
from kanon_core.table.readers.header import find_header
from kanon_core.table.readers.notes import Notes, clean_names, listed, note_row_numbers
from kanon_core.table.readers.stopping import ticking

_LOOKED_AT = 100
_SHORT = 200
_PIECE, _BLOCK, _LARGE = 2**17, 2**20, 2**23
_AFTER_COMMA = re.compile(rb'("(?:[^"]|"")*+")|(,) +')
_Column = Callable[[pa.ChunkedArray, str], object]
_NAMES = {
    "\t": later("tab"),
    ",": later("comma"),
    ", ": later("comma and space"),
    ";": later("semicolon"),
    "|": later("vertical bar"),
}


def read_delimited(data: bytes, asked: Asked) -> Reading:
    """Reads delimited text; what was not asked for is detected. Raises InputError. Cost O(bytes), a few times
    the file's size in memory. Quotes (") enclose cells that hold the delimiter, line ends or, doubled,
    quotes. Empty cells are missing. Numbers are recognized as `kanon_core.table.readers.cells` says."""
    detect.refuse_foreign(data)
    notes = Notes()
    text, encoding, guessed = detect.to_utf8(data, asked.encoding, asked.tick)
    if guessed:
        notes.say(tr("The text encoding was guessed: {encoding}.").format(encoding=encoding))
    _refuse_unreadable(text)
    head = detect.head_of(text)
    delimiter = _delimiter(text, head, asked, notes)
    first = islice(detect.records(head, delimiter[0]), _LOOKED_AT)
    sample = [[detect.unquoted(field).strip()[:_SHORT] for field in record] for record in first]
    asked.limits.check_columns(len(sample[0]))
    rows = _parsed(text, delimiter, len(sample[0]), asked)
    header = find_header(sample, asked, notes)
    typed = partial(typed_array, semicolons=delimiter[0] == ";", notes=notes)
    frame = _frame(rows, header, _checked(typed if asked.typed else _as_written, asked), notes)
    name, said = "tsv" if delimiter == "\t" else "csv", notes.sentences()
    return asked.reading(frame, name, said, encoding=encoding, delimiter=delimiter, header=header)


def _read_tabbed(data: bytes, asked: Asked) -> Reading:
    return read_delimited(data, replace(asked, delimiter=asked.delimiter or "\t"))


CSV = Format("csv", later("Delimited text"), (".csv", ".txt", ".data"), lambda data: True, read_delimited)
"""Takes any text, whatever its delimiter; tabs included."""

TSV = Format("tsv", later("Tab-separated text"), (".tsv", ".tab"), lambda data: False, _read_tabbed)


def _refuse_unreadable(text: bytes) -> None:
    if not re.search(rb"\S", text):
        raise InputError(tr("The file is empty; {needed}.").format(needed=tr(NEEDED)))
    at = text.find(b"\0")
    if at >= 0:
        line = text.count(b"\n", 0, at) + 1
        raise InputError(
            tr("The file is not plain text: line {line:,} holds a zero byte. {looked}").format(
                line=line, looked=looked_for()
            )
        )


def _delimiter(text: bytes, head: str, asked: Asked, notes: Notes) -> str:
    if asked.delimiter is not None:
        if asked.delimiter != ", " and (
            len(asked.delimiter) != 1 or asked.delimiter in '"\r\n\0' or asked.delimiter > "\x7f"
        ):
            raise InputError(
                tr("The delimiter must be one ASCII character, no quote and no line end, or “, ”.")
            )
        return asked.delimiter
    found = detect.find_delimiter(head)
    if found is None:
        notes.say(tr("No delimiter was found; the table has a single column."))
        return next((sign for sign in ",\t|;" if sign.encode() not in text), "\x1f")
    notes.say(tr("The delimiter was detected: {delimiter}.").format(delimiter=tr(_NAMES[found])))
    return found


@dataclass(frozen=True)
class _Parser:
    """How Arrow parses a text; ``quoted``: some of its cells may hold line ends."""

    delimiter: str
    width: int
    missing: tuple[str, ...]
    quoted: bool

    def read(self, source: object, block: int, on_ragged: object = None) -> pa.Table:
        """All rows of a file as columns of text, null where empty."""
        names = [str(place) for place in range(self.width)]
        read = arrow_csv.ReadOptions(column_names=names, block_size=block, use_threads=on_ragged is None)
        parse = arrow_csv.ParseOptions(
            delimiter=self.delimiter, newlines_in_values=self.quoted, invalid_row_handler=on_ragged
        )
        types, empty = dict.fromkeys(names, pa.large_string()), ["", *self.missing]
        convert = arrow_csv.ConvertOptions(
            column_types=types, null_values=empty, strings_can_be_null=True, check_utf8=False
        )
        return arrow_csv.read_csv(source, read, parse, convert)


def _parsed(text: bytes, delimiter: str, width: int, asked: Asked) -> pa.Table:
    """All rows as columns of text, null where empty, the header line (if any) still the first row."""
    quoted = b'"' in text
    if not quoted and len(text) > min(asked.limits.rows, asked.limits.cells):
        asked.limits.check_shape(text.count(b"\n") or text.count(b"\r"), width)
    if delimiter == ", ":
        text = re.sub(_AFTER_COMMA, rb"\1\2", text) if quoted else _without_blanks(text, asked.tick)
    if quoted and text.count(b'"') % 2:
        _refuse_open_quote(text, delimiter[0])
    parser = _Parser(delimiter[0], width, asked.missing, quoted)
    try:
        rows = _arrow(text, parser, asked.tick)
    except pa.ArrowInvalid as problem:
        if "straddling" not in str(problem):
            raise _ragged(text, parser) from None
        rows = _with_large_blocks(text, parser)
    asked.limits.check_shape(rows.num_rows, width)
    return rows


def _arrow(text: bytes, parser: _Parser, tick: Tick) -> pa.Table:
    """All rows; of a large file in a thread of its own, while this one ticks."""
    if tick is silent or len(text) < _LARGE:
        return parser.read(pa.BufferReader(text), _BLOCK)
    return ticking(partial(parser.read, block=_BLOCK), text, tick, tr("reading the rows"))


def _without_blanks(text: bytes, tick: Tick = silent) -> bytes:
    """``text.replace(b", ", b",")``, in pieces and twice as fast."""
    characters = np.frombuffer(text, np.uint8)
    after_comma, pieces = False, []
    for start in range(0, len(characters), _PIECE):
        tick(None, tr("reading the text"))
        piece = characters[start : start + _PIECE]
        kept = piece != ord(" ")
        kept[1:] |= piece[:-1] != ord(",")
        kept[0] |= not after_comma
        after_comma = piece[-1] == ord(",")
        pieces.append(piece[kept])
    return b"".join(pieces)


def _with_large_blocks(text: bytes, parser: _Parser) -> pa.Table:
    """For records longer than a block: one block for the whole text."""
    try:
        return parser.read(pa.BufferReader(text), len(text) + 1)
    except pa.ArrowInvalid:
        raise _ragged(text, parser) from None


def _ragged(text: bytes, parser: _Parser) -> InputError:
    """The sentence naming the first lines whose number of fields differs from the first line's."""
    found: list[tuple[int, int]] = []

    def keep(row: object) -> str:
        found.append((row.number, row.actual_columns))  # type: ignore[attr-defined]
        return "skip"

    try:
        replace(parser, missing=()).read(pa.BufferReader(text), len(text) + 1, keep)
    except pa.ArrowInvalid:
        found = []
    if not found:
        return InputError(
            tr("The file cannot be split into rows and fields; check its quotes and delimiter.")
        )
    lines = _line_numbers(text, [number for number, _ in found[:5]])
    pairs = zip(lines, found, strict=False)
    line = tr("line {line:,} has {fields:,}")
    where = listed([line.format(line=number, fields=fields) for number, (_, fields) in pairs], 5)
    if len(found) > len(lines):
        where = tr("{where} ({count:,} such lines in all)").format(where=where, count=len(found))
    name = _NAMES.get(parser.delimiter, later("delimiter"))
    return InputError(
        tr(
            "The lines do not have equally many fields: the first has {width:,}, {where}; separate the fields"
            " by the {delimiter} throughout, put cells that contain it in quotes, or choose another"
            " delimiter."
        ).format(width=parser.width, where=where, delimiter=tr(name))
    )


def _line_numbers(text: bytes, wanted: list[int]) -> list[int]:
    """The lines, from 1, of these records (ascending, from 1), which do not count blank lines."""
    lines, line, position = [], 1, 0
    for number, record in enumerate(re.finditer(rb'(?:[^"\r\n]++|"(?:[^"]|"")*+"|")++', text), start=1):
        if number > wanted[-1]:
            break
        line += len(re.findall(rb"\r\n?|\n", text[position : record.start()]))
        position = record.start()
        if number in wanted:
            lines.append(line)
    return lines


def _refuse_open_quote(text: bytes, delimiter: str) -> None:
    """Raises InputError when a quote at the beginning of a cell is never closed."""
    opening = re.compile(rb'(?:\A|[\r\n]|%b)"' % re.escape(delimiter.encode()))
    rest = re.compile(rb'(?:[^"]|"")*+"')
    position = 0
    while (opened := opening.search(text, position)) is not None:
        closed = rest.match(text, opened.end())
        if closed is None:
            line = len(re.findall(rb"\r\n?|\n", text[: opened.end()])) + 1
            raise InputError(
                tr("A quote opened on line {line:,} is never closed; close it, or remove it.").format(
                    line=line
                )
            )
        position = closed.end()


def _as_written(cells: pa.ChunkedArray, name: str) -> object:
    return text_array(cells)


def _checked(column: _Column, asked: Asked) -> _Column:
    """The same, with a tick before each column and a look at the lengths of its texts."""

    def made(cells: pa.ChunkedArray, name: str) -> object:
        asked.tick(None, tr("reading the columns"))
        found = column(cells, name)
        check_lengths(found, name, asked.limits)
        return found

    return made


def _frame(rows: pa.Table, header: bool, column: _Column, notes: Notes) -> pd.DataFrame:
    given = [header and (cells[0].as_py() or "").strip() for cells in rows.columns]
    unnamed = ["" if header else f"column_{i + 1}" for i in range(len(given))]
    names = clean_names([name or none for name, none in zip(given, unnamed, strict=True)], notes)
    if header:
        rows = rows.slice(1)
    if not rows.num_rows:
        raise InputError(
            tr("The file has a line of column names but no records; {needed}.").format(needed=tr(NEEDED))
        )
    arrays: dict[str, object] = {}
    for name, named, cells in zip(names, given, rows.columns, strict=True):
        if not named and cells.null_count == len(cells):
            notes.add("dropped", name)
        else:
            arrays[name] = column(cells, name)
    if not arrays:
        raise InputError(tr("All cells of the file are empty; a table needs at least one value."))
    note_row_numbers(names[0], arrays.get(names[0]), notes)
    return pd.DataFrame(arrays, copy=False)
