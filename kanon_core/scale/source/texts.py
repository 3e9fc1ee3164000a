"""Cells of csv files as texts, the type of each column over all files, and remarks on it.

On one machine all cells of a column decide together whether it holds whole numbers, numbers or texts
(`kanon_core.table.readers.types.wholetypes`). Here each piece says what its cells allow, and what all of
them allow is how each piece is read.
"""

from __future__ import annotations

import contextlib
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import IO

import pandas as pd
import pyarrow as pa

from kanon_core.base.errors import InputError
from kanon_core.base.infile import in_file
from kanon_core.base.words import later, listed, tr
from kanon_core.scale.source import layouts
from kanon_core.scale.source.layouts import ANY_SIZE, MARK, Layout
from kanon_core.scale.source.pieces import Part, Piece, Types, is_csv
from kanon_core.scale.source.records import Span, line_after
from kanon_core.scale.work.keeping import Result
from kanon_core.scale.work.storage import opened
from kanon_core.table.readers import read_frame, texts_in
from kanon_core.table.readers.base import Limits, check_lengths
from kanon_core.table.readers.notes import Notes
from kanon_core.table.readers.retail import is_retail, prepared
from kanon_core.table.readers.text.delimited import Texts, all_empty, rows_of
from kanon_core.table.readers.text.ragged import RaggedLines, ragged
from kanon_core.table.readers.text.records_kernels import FIRST, LAST, STRAYS, TAILS, walked
from kanon_core.table.readers.types.typed import note_way
from kanon_core.table.readers.types.wholetypes import CellType, Facts, as_decided, decisions, facts_of

_HEADS = (2**18, 2**20, 2**22)
"""The numbers of bytes that are read of a span, one after another, until it has the requested rows."""
_MISSING = later(
    "Words such as NA, null or “-” count as missing: {columns}. To keep one as a value, write the"
    " files as parquet, where texts are not changed."
)
_UNDECIDED = later(
    "Dots before three digits were read as decimal points: {columns}. The files do not show whether"
    " they separate thousands; if they do, write the numbers without them."
)
_WORDS = 4


def csv_texts(piece: Piece, rows: int | None = None) -> Texts | None:
    """Return the cells of a csv file or a span as they are written; None where it is of another format after
    all. ``rows``: of a span, about so many of the first are enough. Raises InputError, RaggedLines."""
    with opened(piece.file) as source:
        if piece.span is None:
            return texts_in(source.read(), layouts.LARGE)
        if rows is not None:
            return _head_of(source, piece.span, rows)
        source.seek(piece.span.start)
        return _cells(source.read(piece.span.end - piece.span.start), piece.span)


def _cells(data: bytes, span: Span) -> Texts:
    """Return the cells of bytes that end where a record ends."""
    layout, lines = span.layout, span.lines
    text = layout.text(data)
    if not span.first and text.startswith(MARK):  # pandas would leave it out at the beginning of a text
        text, lines = b"\n" + text, lines - 1
    try:
        rows = rows_of(text, layout.delimiter, layout.width, ANY_SIZE, layout.quoted)
    except RaggedLines as problem:
        raise problem.below(lines) from None
    if span.first and layout.header:
        rows = rows.slice(1)
    return layout.cells(rows)


def _head_of(source: IO[bytes], span: Span, rows: int) -> Texts:
    """Return the first rows of a span, so many if there are; for a loose span, what seem to be its rows, or
    none."""
    start, found = span.start, None
    if span.loose and not span.first:
        start = line_after(source, start, span.end)
    for size in (*_HEADS, span.end - start):
        source.seek(start)
        data = source.read(min(size, span.end - start))
        complete = len(data) == span.end - start
        found = _first_cells(data, span, complete)
        enough = found is not None and found.rows.num_rows >= rows
        if complete or enough or (span.loose and size == _HEADS[-1]):
            break
    return found or _nothing(span)


def _first_cells(data: bytes, span: Span, complete: bool) -> Texts | None:
    """Return the cells of the records in the first bytes of a span; ``complete``: in all of its bytes."""
    if complete and not span.loose:
        return _cells(data, span)
    if not span.loose or span.first:
        begin, end, _ = _records_in(data, span.layout, False)
        return _cells(data[begin:end], span) if begin < end else None
    for begin, end, _ in sorted(
        (_records_in(data, span.layout, inside) for inside in (False, True)), key=lambda way: way[2]
    ):
        with contextlib.suppress(RaggedLines, InputError):
            if begin < end:
                return _cells(data[begin:end], span)
    return None


def _records_in(data: bytes, layout: Layout, inside: bool) -> tuple[int, int, int]:
    """Return where the records in these bytes begin and end, given whether the bytes begin within a quoted
    cell; and the number of quotes at implausible places."""
    found = walked(data, layout.delimiter, inside)
    begin, end = int(found[FIRST]) if inside else 0, int(found[LAST])
    return begin, end if begin >= 0 else begin, int(found[STRAYS] + found[TAILS])


def _nothing(span: Span) -> Texts:
    places = range(span.layout.width)
    return span.layout.cells(pa.table({str(place): pa.array([], pa.large_string()) for place in places}))


def typed_as(texts: Texts, types: Types, columns: Sequence[str] | None) -> tuple[pd.DataFrame, list[str]]:
    """Return the cells with the types that were decided, only of these ``columns``; and the names of all
    columns. Raises InputError."""
    known = dict(types)
    present = [name for name in texts.names if name in known]
    if not is_retail(present):
        return typed_frame(texts, known, columns)
    return prepared(typed_frame(texts, known)[0], ())[0], present


def csv_frame(piece: Piece, columns: Sequence[str] | None) -> tuple[pd.DataFrame, list[str]]:
    """Return the rows of a csv file or of a span of one as a frame, only these ``columns``, and the names of
    all. Raises InputError."""
    if piece.types is None:
        with opened(piece.file) as source:
            frame = read_frame(source.read()).frame
        return frame, list(frame.columns)
    try:
        texts = csv_texts(piece)
    except RaggedLines as problem:  # the file was changed meanwhile
        raise ragged(problem, ",", len(piece.types)) from None
    assert texts is not None
    return typed_as(texts, piece.types, columns)


def typed_frame(
    texts: Texts, types: Mapping[str, CellType], wanted: Container[str] | None = None
) -> tuple[pd.DataFrame, list[str]]:
    """Return the columns for which a type is decided, all or those that are ``wanted``; and the names of all
    of these. Raises InputError where a text is too long."""
    present = [name for name in texts.names if name in types]
    arrays: dict[str, object] = {}
    for name, cells in zip(texts.names, texts.rows.columns, strict=True):
        if name in types and (wanted is None or name in wanted):
            arrays[name] = as_decided(cells, types[name])
            check_lengths(arrays[name], name, Limits())
    return pd.DataFrame(arrays, copy=False), present


def allowed(texts: Texts) -> Result:
    """Return what the cells of each column allow, for `together`."""
    semicolons = texts.delimiter[0] == ";"
    facts = [facts_of(cells, semicolons).to_json() for cells in texts.rows.columns]
    return {"names": list(texts.names), "named": list(texts.named), "facts": facts}


def allowed_in(piece: Piece) -> Result:
    """Return what the cells of a csv file or of a span of one allow; or which of its lines are ragged. Raises
    InputError naming the file."""
    with in_file(piece.file):
        try:
            texts = csv_texts(piece)
        except RaggedLines as problem:
            return {"ragged": problem.lines, "count": problem.count}
        return {} if texts is None else allowed(texts)


def together(results: Iterable[Result]) -> Types:
    """Return how the texts of all csv files are read, by what is `allowed` in each. Columns without a name
    and without a value are left out. Raises InputError where nothing is left."""
    facts: dict[str, Facts] = {}
    named: set[str] = set()
    for one in results:
        columns = zip(one.get("names", ()), one.get("named", ()), one.get("facts", ()), strict=True)
        for name, own, plain in columns:
            facts[name] = facts.get(name, Facts()).merged(Facts.from_json(plain))
            named |= {name} if own else set()
    kept = {name: one for name, one in facts.items() if one.present or name in named}
    if facts and not kept:
        raise all_empty()
    return tuple(decisions(kept).items())


def csv_pieces(parts: Sequence[Part]) -> list[Piece]:
    """Return the csv files and spans of these parts."""
    return [piece for part in parts for piece in part.pieces if is_csv(piece.file)]


def with_types(parts: Sequence[Part], results: Sequence[Result]) -> list[Part]:
    """Return the parts, with how the texts of all csv files are read; ``results``: what is `allowed_in` each
    of their `csv_pieces`. Raises InputError for ragged lines, naming the file."""
    pieces = csv_pieces(parts)
    texts = _of_text(pieces, results)
    files = list({piece.file for piece in pieces})
    with in_file(files[0] if len(files) == 1 else None):
        types = together(results)
    return [
        Part(tuple(replace(one, types=types) if one in texts else one for one in part.pieces))
        for part in parts
    ]


def _of_text(pieces: Sequence[Piece], results: Sequence[Result]) -> set[Piece]:
    """Return the pieces that are delimited text. Raise InputError where lines are ragged."""
    texts, lines = set[Piece](), dict[str, tuple[Piece, RaggedLines]]()
    for piece, one in zip(pieces, results, strict=True):
        if one:
            texts.add(piece)
        if "ragged" in one:
            own = RaggedLines([(line, fields) for line, fields in one["ragged"]], one["count"])
            before = lines.get(piece.file)
            lines[piece.file] = (piece, own if before is None else before[1].and_then(own))
    for file, (piece, own) in lines.items():
        assert piece.span is not None
        with in_file(file):
            raise ragged(own, piece.span.layout.delimiter, piece.span.layout.width)
    return texts


def reading_notes(types: Types) -> tuple[str, ...]:
    """Return sentences on the decisions about columns of csv files: how their numbers are written, why some
    stay text, and which words count as missing. There are no flags for these; the sentences say what to write
    otherwise.

    >>> from kanon_core.table.readers.types.wholetypes import CellType
    >>> reading_notes((("pay", CellType("number", "comma")), ("age", CellType("whole"))))
    ('Commas were read as decimal marks: “pay”.',)
    """
    notes, missing, undecided = Notes(), list[str](), list[str]()
    for name, how in types:
        note_way(how, name, notes)
        if how.why == "undecided":
            undecided.append(f"“{name}”")
        elif how.why:
            notes.add(how.why, name)
        if how.dressed:
            notes.add("dressed", name)
        if how.gone or how.words:
            words = ", ".join(sorted(how.gone)[:_WORDS])
            missing.append(f"“{name}” ({words})" if words else f"“{name}”")
    for sentence, columns in ((_MISSING, missing), (_UNDECIDED, undecided)):
        if columns:
            notes.say(tr(sentence).format(columns=listed(columns)))
    return notes.sentences()
