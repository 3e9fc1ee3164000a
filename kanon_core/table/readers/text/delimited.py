"""Delimited text: csv, tsv and their relatives, parsed by Apache Arrow."""

from __future__ import annotations

import re
from collections.abc import Container
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
from kanon_core.table.readers.apart import ticking
from kanon_core.table.readers.around import (
    beginning,
    joined_names,
    may_be_title,
)
from kanon_core.table.readers.base import (
    DEFAULT_LIMITS,
    NEEDED,
    SKIPPED,
    Format,
    Limits,
    Reading,
    ReadOptions,
    check_lengths,
    text_array,
)
from kanon_core.table.readers.notes import Notes, clean_names
from kanon_core.table.readers.text import detect
from kanon_core.table.readers.text.ragged import NAMES, RaggedLines, ragged, record_lines, refuse_open_quote
from kanon_core.table.readers.text.trimming import (
    ASKED_TITLE,
    Trimmed,
    skipped,
    without_lines,
    without_notes,
    without_titles,
)
from kanon_core.table.readers.types.missing import cleared, codes_of, note_nines, words_everywhere
from kanon_core.table.readers.types.typed import note_odd_records, typed_columns

SIGNS = ",\t|;"
"""Delimiters of cells in order of preference, where the text shows none."""
_LOOKED_AT = 100
_SHORT = 200
_PIECE, _BLOCK, _LARGE = 2**17, 2**20, 2**23
_AFTER_COMMA = re.compile(rb'("(?:[^"]|"")*+")|(,) +')


@dataclass(frozen=True)
class Texts:
    """The cells of a file as texts: ``rows`` without its line of names, null where a cell is empty; the
    ``names`` of the columns, and which of them the file itself ``named``. ``skip``, ``skip_rows``,
    ``skip_end``: what was left out around the table, None where nothing was. ``joined``: two rows name the
    columns together."""

    rows: pa.Table
    names: tuple[str, ...]
    named: tuple[bool, ...]
    encoding: str
    delimiter: str
    header: bool
    skip: int | None = None
    skip_rows: int | None = None
    skip_end: int | None = None
    joined: bool = False


def read_delimited(data: bytes, options: ReadOptions) -> Reading:
    """Read delimited text; what the options leave open is detected. Raises InputError. Cost O(bytes), a few
    times the file's size in memory. Quotes (") enclose cells that hold the delimiter, line ends or, doubled,
    quotes. Empty cells are missing. Numbers are recognized as `kanon_core.table.readers.types.wholetypes`
    says."""
    notes = Notes()
    texts = texts_of(data, options, notes)
    frame = _frame(texts, options, notes)
    name, said = "tsv" if texts.delimiter == "\t" else "csv", notes.sentences()
    found = {"encoding": texts.encoding, "delimiter": texts.delimiter, "header": texts.header}
    return options.reading(frame, name, said, **found, **{key: getattr(texts, key) for key in SKIPPED})


def texts_of(data: bytes, options: ReadOptions, notes: Notes) -> Texts:
    """The cells of delimited text as they are written; what the options leave open is detected. Raises
    InputError."""
    detect.refuse_foreign(data)
    text, encoding, guessed = detect.to_utf8(data, options.encoding, options.tick)
    if guessed:
        notes.say(tr("The text encoding was guessed: {encoding}.").format(encoding=encoding))
    _refuse_unreadable(text)
    trimmed, first, delimiter = _table_in(text, options, notes)
    rows = parsed(trimmed.text, delimiter, len(first[0]), options, trimmed.above)
    begins, labels = beginning(first, options, notes)
    names, named = named_by(rows, begins, notes)
    skip_rows = labels or options.skip_rows
    if labels:
        lines = record_lines(trimmed.text, range(begins + 1, begins + labels + 1))
        notes.say(*skipped("skip_rows", lines[0] + trimmed.above, lines[-1] + trimmed.above, False))
    rows = rows.slice(begins + (skip_rows or 0))
    if not rows.num_rows:
        raise InputError(tr("The file has column names but no records; {needed}.").format(needed=tr(NEEDED)))
    found = (names, named, encoding, delimiter, begins > 0)
    return Texts(rows, *found, trimmed.skip, skip_rows, trimmed.skip_end, begins == 2)


def _table_in(text: bytes, options: ReadOptions, notes: Notes) -> tuple[Trimmed, list[list[str]], str]:
    """Return the text without the lines around its table, its first records, and its delimiter."""
    trimmed = without_lines(text, options, notes)
    head = detect.head_of(trimmed.text)
    delimiter = _delimiter(text, head, replace(options, delimiter=trimmed.delimiter), notes)
    first = first_records(head, delimiter, options.limits)
    if options.skip is None and options.header is not False:
        titled, trimmed = trimmed, without_titles(trimmed, head, first, notes)
        if trimmed is not titled:
            first = first_records(detect.head_of(trimmed.text), delimiter, options.limits)
        elif may_be_title(first):
            notes.say(*map(tr, ASKED_TITLE))
    if options.skip_end is None:
        trimmed = without_notes(trimmed, delimiter, len(first[0]), notes)
    return trimmed, first, delimiter


def first_records(head: str, delimiter: str, limits: Limits = DEFAULT_LIMITS) -> list[list[str]]:
    """Return the first records at the head of a text, without quotes, blanks around cells and the ends of
    long ones: they tell how many fields there are, and whether the first names the columns. Raises InputError
    where one is wider than any table may be, before its cells are looked at."""
    limits.check_columns(max(detect.widths(head, delimiter[0], _LOOKED_AT), default=0))
    first = islice(detect.records(head, delimiter[0]), _LOOKED_AT)
    return [[detect.unquoted(field).strip()[:_SHORT] for field in record] for record in first]


def named_by(rows: pa.Table, begins: int, notes: Notes) -> tuple[tuple[str, ...], tuple[bool, ...]]:
    """The names of the columns, by so many of the first of these rows, 0, 1 or 2; and which of them these
    rows name: by two, all."""
    written = [[(cells[i].as_py() or "").strip() for cells in rows.columns] for i in range(begins)]
    if begins == 2:
        names = joined_names(*written)
        return tuple(clean_names(names, notes)), (True,) * len(names)
    if begins == 0:
        places = range(1, rows.num_columns + 1)
        return tuple(clean_names([f"column_{place}" for place in places], notes)), (False,) * len(places)
    return tuple(clean_names(written[0], notes)), tuple(map(bool, written[0]))


def _read_tabbed(data: bytes, options: ReadOptions) -> Reading:
    return read_delimited(data, replace(options, delimiter=options.delimiter or "\t"))


CSV = Format("csv", later("Delimited text"), (".csv", ".txt", ".data"), lambda data: True, read_delimited)
"""Takes any text, whatever its delimiter; tabs included."""

TSV = Format("tsv", later("Tab-separated text"), (".tsv", ".tab"), lambda data: False, _read_tabbed)


def _refuse_unreadable(text: bytes) -> None:
    if not re.search(rb"\S", text):
        raise InputError(tr("The file is empty; {needed}.").format(needed=tr(NEEDED)))
    detect.refuse_zero_byte(text)


def _delimiter(text: bytes, head: str, options: ReadOptions, notes: Notes) -> str:
    if options.delimiter is not None:
        if options.delimiter != ", " and (
            len(options.delimiter) != 1 or options.delimiter in '"\r\n\0' or options.delimiter > "\x7f"
        ):
            raise InputError(
                tr("The delimiter must be “, ” or one ASCII character, but not a quote or a line end.")
            )
        return options.delimiter
    found = detect.find_delimiter(head)
    if found is None:
        notes.say(tr("No delimiter was found; the table has a single column."))
        return unused_sign([sign for sign in SIGNS if sign.encode() in text])
    notes.say(tr("The delimiter was detected: {delimiter}.").format(delimiter=tr(NAMES[found])))
    return found


def unused_sign(used: Container[str]) -> str:
    """The delimiter of a table of a single column: one that none of its cells has."""
    return next((sign for sign in SIGNS if sign not in used), "\x1f")


@dataclass(frozen=True)
class Parser:
    """The settings with which Arrow parses a text; ``quoted``: some of its cells may contain line ends."""

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


def parsed(text: bytes, delimiter: str, width: int, options: ReadOptions, above: int = 0) -> pa.Table:
    """All rows of a whole text as columns of text, null where empty, the header line (if any) still the first
    row; ``above``: the number of lines of its file above it. Raises InputError."""
    quoted = b'"' in text
    if not quoted and len(text) > min(options.limits.rows, options.limits.cells):
        options.limits.check_shape(text.count(b"\n") or text.count(b"\r"), width)
    if quoted and text.count(b'"') % 2:
        refuse_open_quote(without_blanks(text, delimiter, True), delimiter[0], above)
    try:
        rows = rows_of(text, delimiter, width, options, quoted)
    except RaggedLines as problem:
        raise ragged(problem.below(above), delimiter, width) from None
    options.limits.check_shape(rows.num_rows, width)
    return rows


def rows_of(text: bytes, delimiter: str, width: int, options: ReadOptions, quoted: bool) -> pa.Table:
    """The rows of a text, or of a piece of one that ends with a record; ``quoted``: the whole text has a
    quote. Raises RaggedLines, InputError."""
    text = without_blanks(text, delimiter, quoted, options.tick)
    parser = Parser(delimiter[0], width, words_everywhere(options.missing), b'"' in text)
    try:
        return _arrow(text, parser, options.tick)
    except pa.ArrowInvalid as problem:
        if "straddling" not in str(problem):
            raise _ragged_lines(text, parser) from None
    try:  # records longer than a block: one block for the whole text
        return parser.read(pa.BufferReader(text), len(text) + 1)
    except pa.ArrowInvalid:
        raise _ragged_lines(text, parser) from None


def _ragged_lines(text: bytes, parser: Parser) -> RaggedLines:
    """Return which lines have another number of fields than the first."""
    found: list[tuple[int, int]] = []

    def keep(row: object) -> str:
        found.append((row.number, row.actual_columns))  # type: ignore[attr-defined]
        return "skip"

    try:
        replace(parser, missing=()).read(pa.BufferReader(text), len(text) + 1, keep)
    except pa.ArrowInvalid:
        found = []
    return RaggedLines.of(text, found)


def _arrow(text: bytes, parser: Parser, tick: Tick) -> pa.Table:
    """All rows; of a large file in a thread of its own, while this one ticks."""
    if tick is silent or len(text) < _LARGE:
        return parser.read(pa.BufferReader(text), _BLOCK)
    return ticking(partial(parser.read, block=_BLOCK), text, tick, tr("reading the rows"))


def without_blanks(text: bytes, delimiter: str, quoted: bool, tick: Tick = silent) -> bytes:
    """The text without the blanks after its commas, where these are part of the delimiter; ``quoted``: some
    of the whole text's cells may be."""
    if delimiter != ", ":
        return text
    return re.sub(_AFTER_COMMA, rb"\1\2", text) if quoted else _without_blanks(text, tick)


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


def _frame(texts: Texts, options: ReadOptions, notes: Notes) -> pd.DataFrame:
    columns: dict[str, pa.ChunkedArray] = {}
    for name, named, cells in zip(texts.names, texts.named, texts.rows.columns, strict=True):
        if not named and cells.null_count == len(cells):
            notes.add("dropped", name)
        else:
            columns[name] = cells
    if not columns:
        raise all_empty()
    arrays: dict[str, object] = {}
    if options.typed:
        arrays = typed_columns(columns, texts.delimiter[0] == ";", options, notes)
    for name, cells in columns.items():
        options.tick(None, tr("reading the columns"))
        if not options.typed:
            arrays[name] = text_array(cleared(cells, codes_of(options.missing, name))[0])
        check_lengths(arrays[name], name, options.limits)
        note_nines(arrays[name], name, notes)
    frame = pd.DataFrame(arrays, copy=False)
    note_odd_records(frame, notes)
    return frame


def all_empty() -> InputError:
    """The sentence on a file without any cell."""
    return InputError(tr("All cells of the file are empty; a table needs at least one value."))
