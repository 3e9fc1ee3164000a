"""Parquet files, read by Apache Arrow."""

from __future__ import annotations

import json
import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from kanon_core.base.errors import InputError
from kanon_core.base.progress import each
from kanon_core.base.words import later, tr
from kanon_core.table.readers.apart import read_apart, too_large
from kanon_core.table.readers.base import Format, Reading, ReadOptions, check_lengths, text_array, too_long
from kanon_core.table.readers.columnar import is_usual
from kanon_core.table.readers.notes import Notes, clean_names
from kanon_core.table.readers.text.detect import of_another_format

_BATCH_CELLS, _USUAL_CELLS, _LONGEST_KIND, _ITEM = 2**17, 2**21, 80, 3
_FIRST_DAY, _LAST_DAY, _MOST = -719_162, 2_932_897, 2**63 - 1
"""The first day of the year 1 and of the year 10000, in days since 1970; and what 64 bits hold."""
_INDEX = re.compile(r"__index_level_\d+__")
_DAMAGED = later("The parquet file is damaged or cut short; write it again, or save the table as csv.")


def read_parquet(data: bytes, options: ReadOptions) -> Reading:
    """Read a parquet file; the file's own types decide the columns. Raises InputError.

    Numbers stay numbers (decimals as float64), dates and times become datetime64[us] (in UTC when they had a
    zone; missing outside the years 1 to 9999), categories and truth values text, lists and records JSON text.
    An index stored by pandas is kept as a column. Cost O(bytes unpacked); a file that is not a usual one
    (`kanon_core.table.readers.columnar`) is read in a process of its own, which takes half a second
    more.
    """
    if not data.startswith(b"PAR1"):
        raise of_another_format(data, "parquet")
    if is_usual(data, options.limits, options.tick):
        return _read(data, options, _USUAL_CELLS)
    return read_apart(read_here, data, options, tr(_DAMAGED))


def read_here(data: bytes, options: ReadOptions) -> Reading:
    """`read_parquet` in this process, whatever memory and time that takes."""
    return _read(data, options, _BATCH_CELLS)


def _read(data: bytes, options: ReadOptions, cells: int) -> Reading:
    try:
        table = _unpacked(data, options, cells)
    except MemoryError:
        raise
    except (pa.ArrowException, OSError, ValueError, KeyError):
        raise InputError(tr(_DAMAGED)) from None
    if not table.num_rows or not table.num_columns:
        raise InputError(tr("The table has no records; it needs column names and at least one record."))
    notes = Notes()
    frame = typed_columns(table, options, notes, options.limits.unpacked_from(len(data)))
    return options.reading(frame, "parquet", notes.sentences())


def typed_columns(table: pa.Table, options: ReadOptions, notes: Notes, bytes_at_most: int) -> pd.DataFrame:
    """The columns of an Arrow table as `read_parquet` reads them. Raises InputError naming a column that
    cannot be read, or when they grow larger than so many bytes."""
    names = tidy_names(table.column_names, notes)
    arrays: dict[str, object] = {}
    left = bytes_at_most
    for name, column in zip(names, table.columns, strict=True):
        options.tick(len(arrays) / len(names), tr("reading the columns"))
        arrays[name] = found = _checked(column, name, options, notes)
        left -= _bytes(found)
        if left < 0:
            raise too_large(bytes_at_most)
    return pd.DataFrame(arrays, copy=False)


def tidy_names(written: list[str], notes: Notes) -> list[str]:
    """The names of the columns of a file as a table has them: unique, printable, and an index of pandas by
    that word.

    >>> tidy_names(["age", " age", "__index_level_0__"], Notes())
    ['age', 'age (2)', 'index']
    """
    return clean_names([_INDEX.sub("index", name) for name in written], notes)


_ENDINGS = (".parquet", ".pq")
PARQUET = Format("parquet", later("Parquet"), _ENDINGS, lambda data: data.startswith(b"PAR1"), read_parquet)


def _unpacked(data: bytes, options: ReadOptions, cells: int) -> pa.Table:
    """The whole table, read in batches of so many cells: a small file that grows without end is stopped."""
    import pyarrow.parquet as pq

    file = pq.ParquetFile(pa.BufferReader(data))
    schema = file.schema_arrow
    rows = file.metadata.num_rows
    options.limits.check_shape(rows, len(schema))
    allowed = options.limits.unpacked_from(len(data))
    batches, size, read = [], 0, 0
    for batch in file.iter_batches(batch_size=max(64, cells // max(len(schema), 1))):
        size += batch.nbytes
        read += batch.num_rows
        if size > allowed:
            raise too_large(allowed)
        options.tick(read / max(rows, 1), tr("reading the rows"))
        batches.append(batch)
    return pa.Table.from_batches(batches, schema)


def _bytes(column: object) -> int:
    return int(getattr(column, "nbytes", 0))


def _checked(column: pa.ChunkedArray, name: str, options: ReadOptions, notes: Notes) -> object:
    """The column; raises InputError naming it when its type is not read, or its texts are too long."""
    kind = column.type
    if _depth(kind, options.limits.nesting) > options.limits.nesting:
        said = tr(
            "Column “{name}” has lists and records nested more than {limit} levels deep; leave it out,"
            " or write its parts as separate columns."
        )
        raise InputError(said.format(name=name, limit=options.limits.nesting))
    try:
        found = _column(column, name, options, notes)
    except MemoryError:
        raise
    except (pa.ArrowException, ValueError, KeyError, OverflowError):
        raise _unfit(name, kind) from None
    check_lengths(found, name, options.limits)
    return found


def _depth(kind: pa.DataType, most: int) -> int:
    """Return how deep the type nests; more than ``most`` is not looked at."""
    if most < 0 or not pa.types.is_nested(kind):
        return 0
    inner = (kind.field(place).type for place in range(kind.num_fields))
    return 1 + max((_depth(one, most - 1) for one in inner), default=0)


def _unfit(name: str, kind: pa.DataType) -> InputError:
    said = tr(
        "Column “{name}” has the type {kind}, which is not text, a number or a date; leave it out, or convert"
        " it."
    )
    written = str(kind)
    written = written if len(written) <= _LONGEST_KIND else f"{written[:_LONGEST_KIND]}…"
    return InputError(said.format(name=name, kind=written))


def _column(column: pa.ChunkedArray, name: str, options: ReadOptions, notes: Notes) -> object:
    kind = column.type
    if isinstance(kind, pa.BaseExtensionType):
        column = pa.chunked_array([chunk.storage for chunk in column.chunks], kind.storage_type)
        kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.cast(kind.value_type)
        kind = column.type
    if not options.typed:
        return _texts(column, name, options, notes)
    if pa.types.is_integer(kind):
        return _integers(column, name, notes)
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return _floats(column, name, notes)
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        if getattr(kind, "tz", None):
            notes.add("time-zone", name)
        return _moments(column, name, notes)
    return _texts(column, name, options, notes)


def _moments(column: pa.ChunkedArray, name: str, notes: Notes) -> np.ndarray:
    """datetime64[us]; outside the years 1 to 9999, of which other units hold more, missing."""
    kind = column.type
    whole = column.cast(pa.int32() if pa.types.is_date32(kind) else pa.int64()).cast(pa.int64())
    day = {"s": 86_400, "ms": 86_400 * 10**3, "us": 86_400 * 10**6, "ns": 86_400 * 10**9}
    long = 1 if pa.types.is_date32(kind) else day["ms" if pa.types.is_date64(kind) else kind.unit]
    first, end = max(_FIRST_DAY * long, -_MOST), min(_LAST_DAY * long, _MOST)
    inside = pc.and_(pc.greater_equal(whole, first), pc.less(whole, end))
    outside = len(column) - column.null_count - (pc.sum(inside).as_py() or 0)
    if outside:
        notes.add("years", name, outside)
        column = pc.if_else(inside, column, None)
    moments: np.ndarray = column.cast(pa.timestamp("us"), safe=False).to_numpy()
    return moments


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


def _written_out(column: pa.ChunkedArray, name: str, options: ReadOptions) -> list[str | None]:
    """Return lists and records as JSON texts; raises InputError for a list of more items than a cell may have
    characters."""
    if pa.types.is_list(column.type) or pa.types.is_large_list(column.type):
        longest = pc.max(pc.list_value_length(column)).as_py() or 0
        if _ITEM * longest > options.limits.characters:
            raise too_long(tr("the column “{name}”").format(name=name), options.limits)
    cells: list[str | None] = []
    for chunk in column.chunks:
        for cell in each(chunk, options.tick, tr("reading the columns")):
            value = cell.as_py()
            cells.append(None if value is None else json.dumps(value, ensure_ascii=False, default=str))
    return cells


def _texts(column: pa.ChunkedArray, name: str, options: ReadOptions, notes: Notes) -> object:
    """The column as text; empty texts and those named as missing are missing."""
    kind = column.type
    if pa.types.is_nested(kind):
        notes.add("nested", name)
        column = pa.chunked_array([pa.array(_written_out(column, name, options), pa.large_string())])
    elif pa.types.is_boolean(kind):
        column = pc.if_else(column, "True", "False")
    elif pa.types.is_null(kind):
        column = pa.chunked_array([pa.nulls(len(column), pa.large_string())])
    try:
        texts = column.cast(pa.large_string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise _unfit(name, kind) from None
    gone = pc.is_in(texts, value_set=pa.array(["", *options.missing], pa.large_string()))
    return text_array(pc.if_else(gone, None, texts))
