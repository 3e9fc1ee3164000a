"""Parquet files, read by Apache Arrow."""

from __future__ import annotations

import json
import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from kanon_core.base.errors import InputError
from kanon_core.base.words import later, tr
from kanon_core.table.readers.base import Asked, Format, Limits, Reading
from kanon_core.table.readers.cells import text_array
from kanon_core.table.readers.detect import refuse_foreign
from kanon_core.table.readers.notes import Notes, clean_names

_BATCH_CELLS = 2**17
_INDEX = re.compile(r"__index_level_\d+__")
_DAMAGED = later("The parquet file is damaged or cut short; write it again, or save the table as csv.")


def read_parquet(data: bytes, asked: Asked) -> Reading:
    """Reads a parquet file; the file's own types decide the columns. Raises InputError.

    Numbers stay numbers (decimals as float64), dates and times become datetime64[us] (in UTC when they had a
    zone), categories and truth values text, lists and records JSON text. An index stored by pandas is kept as
    a column. Cost O(bytes unpacked).
    """
    if not data.startswith(b"PAR1"):
        refuse_foreign(data)
        raise InputError(tr("The file is not a parquet file, whatever its name says; save it as parquet."))
    try:
        table = _unpacked(data, asked.limits)
    except (pa.ArrowException, OSError, ValueError, KeyError):
        raise InputError(tr(_DAMAGED)) from None
    if not table.num_rows or not table.num_columns:
        raise InputError(
            tr("The parquet file has no records; a table needs at least one column and one record.")
        )
    notes = Notes()
    names = clean_names([_INDEX.sub("index", name) for name in table.column_names], notes)
    columns = zip(names, table.columns, strict=True)
    arrays = {name: _column(column, name, asked, notes) for name, column in columns}
    frame = pd.DataFrame(arrays, copy=False)
    return asked.reading(frame, "parquet", notes.sentences())


_ENDINGS = (".parquet", ".pq")
PARQUET = Format("parquet", later("Parquet"), _ENDINGS, lambda data: data.startswith(b"PAR1"), read_parquet)


def _unpacked(data: bytes, limits: Limits) -> pa.Table:
    """The whole table, read in batches so that a small file that grows without end is stopped."""
    import pyarrow.parquet as pq

    file = pq.ParquetFile(pa.BufferReader(data))
    schema = file.schema_arrow
    limits.check_shape(file.metadata.num_rows, len(schema))
    batches, size = [], 0
    for batch in file.iter_batches(batch_size=max(64, _BATCH_CELLS // max(len(schema), 1))):
        size += batch.nbytes
        if size > limits.unpacked:
            raise InputError(
                tr(
                    "The parquet file unpacks to more than {size:,.0f} MB, the most that is read; leave out"
                    " columns that are not needed, or take a sample of the rows."
                ).format(size=limits.unpacked / 2**20)
            )
        batches.append(batch)
    return pa.Table.from_batches(batches, schema)


def _column(column: pa.ChunkedArray, name: str, asked: Asked, notes: Notes) -> object:
    kind = column.type
    if isinstance(kind, pa.BaseExtensionType):
        column = pa.chunked_array([chunk.storage for chunk in column.chunks], kind.storage_type)
        kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.cast(kind.value_type)
        kind = column.type
    if not asked.typed:
        return _texts(column, name, asked.missing, notes)
    if pa.types.is_integer(kind):
        return _integers(column, name, notes)
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return _floats(column, name, notes)
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        if getattr(kind, "tz", None):
            notes.add("time-zone", name)
        return column.cast(pa.timestamp("us"), safe=False).to_numpy()
    return _texts(column, name, asked.missing, notes)


def _integers(column: pa.ChunkedArray, name: str, notes: Notes) -> object:
    """int64, float64 when some are missing, text when neither holds them exactly."""
    try:
        whole = column.cast(pa.int64())
        return whole.cast(pa.float64()).to_numpy() if whole.null_count else whole.to_numpy()
    except pa.ArrowInvalid:
        notes.add("long", name)
        return text_array(column.cast(pa.string()))


def _floats(column: pa.ChunkedArray, name: str, notes: Notes) -> np.ndarray:
    if pa.types.is_decimal(column.type):
        notes.add("decimals", name)
    values: np.ndarray = column.cast(pa.float64()).to_numpy()
    infinite = np.isinf(values)
    if infinite.any():
        notes.add("infinite", name, int(infinite.sum()))
        values = np.where(infinite, np.nan, values)
    return values


def _texts(column: pa.ChunkedArray, name: str, missing: tuple[str, ...], notes: Notes) -> object:
    """The column as text; empty texts and those named as missing are missing."""
    kind = column.type
    if pa.types.is_nested(kind):
        notes.add("nested", name)
        cells = [
            None if cell is None else json.dumps(cell, ensure_ascii=False, default=str)
            for cell in column.to_pylist()
        ]
        column = pa.chunked_array([pa.array(cells, pa.large_string())])
    elif pa.types.is_boolean(kind):
        column = pc.if_else(column, "True", "False")
    elif pa.types.is_null(kind):
        column = pa.chunked_array([pa.nulls(len(column), pa.large_string())])
    try:
        texts = column.cast(pa.large_string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise InputError(
            tr(
                "Column “{name}” has the type {kind}, which is not text, number or date; leave it out or"
                " convert it."
            ).format(name=name, kind=kind)
        ) from None
    gone = pc.is_in(texts, value_set=pa.array(["", *missing], pa.large_string()))
    return text_array(pc.if_else(gone, None, texts))
