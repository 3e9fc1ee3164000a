"""Samples of a source: some rows, from which a schema is guessed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import pandas as pd
import pyarrow as pa

from kanon_core.base.infile import in_file
from kanon_core.scale.source import layouts
from kanon_core.scale.source.layouts import MARK, guessed_encoding, layout_of
from kanon_core.scale.source.parts import head_of
from kanon_core.scale.source.pieces import Part, Piece, Types, is_csv, with_folders
from kanon_core.scale.source.records import SIGNS_LOOKED_FOR, Span, chunks_of
from kanon_core.scale.source.texts import allowed, csv_texts, together, typed_as
from kanon_core.scale.work.keeping import Result
from kanon_core.table.readers.text.delimited import Texts
from kanon_core.table.readers.text.ragged import RaggedLines, ragged

SAMPLE = 100_000
"""The number of rows from which a schema is guessed."""


def sample_of(
    parts: Sequence[Part], rows: int, columns: Sequence[str] | None = None, at_most: int = 20
) -> pd.DataFrame:
    """Return the first rows of some pieces, evenly spread, from which a schema is guessed; only these
    ``columns``. Where it is not decided yet how the texts of csv files are read, these rows decide. Raises
    InputError."""
    return sampled(parts, rows, columns, at_most)[0]


def sampled(
    parts: Sequence[Part], rows: int, columns: Sequence[str] | None = None, at_most: int = 20
) -> tuple[pd.DataFrame, Types]:
    """Return `sample_of`, and how the texts of csv files are read by these rows."""
    pieces = [piece for part in parts for piece in part.pieces]
    chosen = pieces[:: -(-len(pieces) // at_most)]
    each, found = -(-rows // len(chosen)), list[pd.DataFrame | Texts]()
    facts: list[Result] = []
    for piece in chosen:
        texts = _texts(piece, each)
        if texts is None:
            found.append(head_of(piece, columns, each))
            continue
        if piece.types is None:
            facts.append(allowed(texts))
        found.append(_first(texts, each))
    types = together(facts)
    heads = [
        _typed(one, piece, types, columns) if isinstance(one, Texts) else one
        for one, piece in zip(found, chosen, strict=True)
    ]
    return pd.concat(heads, ignore_index=True), types


def _texts(piece: Piece, rows: int) -> Texts | None:
    """Return the cells of a csv file, or of the first rows of a span; None where it is another file."""
    if not is_csv(piece.file):
        return None
    with in_file(piece.file):
        try:
            return csv_texts(piece, rows)
        except RaggedLines as problem:
            assert piece.span is not None
            raise ragged(problem, piece.span.layout.delimiter, piece.span.layout.width) from None


def _first(texts: Texts, rows: int) -> Texts:
    """Return the first rows alone, copied, so that the others can go."""
    few = texts.rows.take(pa.array(range(min(rows, texts.rows.num_rows)), pa.int64()))
    return replace(texts, rows=few)


def _typed(texts: Texts, piece: Piece, types: Types, columns: Sequence[str] | None) -> pd.DataFrame:
    with in_file(piece.file):
        frame = typed_as(texts, piece.types or types, columns)[0]
    return with_folders(frame, piece, columns)


def loose_spans(files: Iterable[str], looks: Iterable[Result]) -> Mapping[str, Sequence[Span | None]]:
    """Return spans of each large csv file that begin and end anywhere: enough for a sample of it."""
    spans: dict[str, Sequence[Span | None]] = {}
    for file, one in zip(files, looks, strict=True):
        if looked := one.get("large"):
            with in_file(file):
                head = layouts.head_of(file)
                used = [sign for sign in SIGNS_LOOKED_FOR if sign.encode() in head]
                layout = layout_of(head, guessed_encoding(head), used, looked["mark"])
            mark = len(MARK) if looked["mark"] else 0
            spans[file] = [
                Span(chunk.start or mark, chunk.size, 0, layout, not chunk.start, True)
                for chunk in chunks_of(file, looked)
            ]
    return spans
