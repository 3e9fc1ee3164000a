"""Reading a table from a file: format, encoding, delimiter and header are given, or detected from the
content.

A further format is one file with a `Format`, and one line in `FORMATS`.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import IO

from kanon_core.base.errors import InputError
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr
from kanon_core.table.readers.base import (
    DEFAULT_LIMITS,
    NEEDED,
    READING_KEYS,
    Format,
    Limits,
    Reading,
    ReadOptions,
    check_reading,
)
from kanon_core.table.readers.baskets import FIMI, SPMF
from kanon_core.table.readers.long import from_long, grouped
from kanon_core.table.readers.notes import Notes, given_names, notes_with
from kanon_core.table.readers.parquet import PARQUET
from kanon_core.table.readers.pwscup import PWSCUP
from kanon_core.table.readers.retail import prepared
from kanon_core.table.readers.text.delimited import CSV, TSV, Texts, texts_of
from kanon_core.table.readers.text.trimming import names_delimiter, refuse_around
from kanon_core.table.readers.types.missing import check_columns
from kanon_core.table.readers.workbook.excel import XLSX

FORMATS: tuple[Format, ...] = (PARQUET, XLSX, SPMF, FIMI, PWSCUP, TSV, CSV)
"""In the order in which they are tried; the last takes whatever is text."""


_PIECE = 2**22


def read_frame(
    source: str | PathLike[str] | bytes | IO[bytes],
    *,
    format: str | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    sheet: str | None = None,
    missing: tuple[str, ...] | list[str] = (),
    typed: bool = True,
    long: tuple[str, str] | None = None,
    without: tuple[str, ...] | list[str] = (),
    names: tuple[str, ...] | list[str] = (),
    skip: int | None = None,
    skip_rows: int | None = None,
    skip_end: int | None = None,
    decimal: str | None = None,
    keep: tuple[str, ...] | list[str] = (),
    limits: Limits = DEFAULT_LIMITS,
    tick: Tick = silent,
) -> Reading:
    """The table in a file (path, bytes or binary buffer, which is read from its start).

    ``format`` is a name in `FORMATS`; ``encoding`` any text encoding Python knows; ``delimiter`` one
    character or ", "; ``header`` whether the first row names the columns; ``sheet`` a sheet of a workbook
    (default: the first that is not empty); ``missing`` further texts that mean a missing cell, such as "?",
    or ``"income=999998"`` of one column; ``keep`` words that are values though they are usually not, such as
    "NA" or "country=NA"; ``decimal`` the decimal mark, "," or ".". Whatever is None is detected. ``typed``:
    see `ReadOptions`. ``long``: the columns of the records and of their items in a
    table with one row for each item (`from_long`). ``without``: what is left out of UCI's Online Retail
    (`kanon_core.table.readers.retail.WITHOUT`). ``names``: those of the table's columns, all of them
    and in order, in place of what the file calls them; ``long`` and ``without`` go by the file's own.
    ``skip``, ``skip_rows``, ``skip_end``: see `ReadOptions`; None: found, and noted. A file packed by gzip is
    unpacked. ``tick`` is called at least every 0.2 s, but for the conversion of one column of millions;
    whatever it raises ends the reading.

    A text column has dtype str, truth values become texts, whole numbers int64 (float64 when some are
    missing), other numbers float64, infinite ones missing. Raises InputError for whatever cannot be read or
    exceeds ``limits``. Cost O(bytes); the whole file is held in memory.
    """
    data = _unpacked(file_bytes(source, limits), limits, tick)
    said = (format, encoding, delimiter, header, sheet, tuple(missing), typed, long, tuple(without))
    skipped = {"skip": skip, "skip_rows": skip_rows, "skip_end": skip_end}
    told = check_reading({**skipped, "decimal": decimal, "keep": tuple(keep)})
    options = ReadOptions(*said, **told, limits=limits, tick=tick)
    reading = _format(data, format).read(data, options)
    for option in ("missing", "keep"):
        check_columns(getattr(options, option), reading.frame.columns, option)
    frame, notes = prepared(reading.frame, options.without)
    reading = replace(reading, frame=frame, notes=(*reading.notes, *notes), without=options.without)
    if long is not None:
        frame, notes = grouped(reading.frame, *long)
        reading = replace(reading, frame=frame, notes=(*reading.notes, *notes), long=long)
    if not names:
        return reading
    given = given_names(names, reading.frame.columns)
    notes = notes_with(reading.notes, reading.frame.columns, given)
    return replace(reading, frame=reading.frame.set_axis(list(given), axis=1), notes=notes, names=given)


def texts_in(source: bytes, small: int = 0) -> Texts | None:
    """Return the cells of a file of delimited text, as they are written; None for another format. A text of
    at most ``small`` bytes may have any number of rows. Raises InputError, also for titles, labels or notes
    around the table, because no note would report that they are left out."""
    data = _unpacked(file_bytes(source), DEFAULT_LIMITS, silent)
    limits = replace(DEFAULT_LIMITS, rows=2**62, cells=2**62) if len(data) <= small else DEFAULT_LIMITS
    if not is_delimited(data):
        return None
    texts = texts_of(data, ReadOptions(limits=limits), Notes())
    titles = (texts.skip or 0) > names_delimiter(data.removeprefix(BOM_UTF8))
    refuse_around(titles or texts.joined, texts.skip_rows, texts.skip_end)
    return texts


def is_delimited(data: bytes) -> bool:
    """Return whether the content is delimited text, by its first megabyte."""
    return _format(data, None) in (CSV, TSV)


def _unpacked(data: bytes, limits: Limits, tick: Tick) -> bytes:
    """Return the unpacked content of a gzip file, or the bytes themselves. Raises InputError when it is too
    large or damaged."""
    if not data.startswith(b"\x1f\x8b"):
        return data
    import gzip
    import zlib
    from io import BytesIO

    pieces, left = list[bytes](), limits.unpacked_from(len(data))
    try:
        with gzip.open(BytesIO(data)) as packed:
            while left >= 0 and (piece := packed.read(_PIECE)):
                tick(None, tr("unpacking the file"))
                pieces.append(piece)
                left -= len(piece)
    except (OSError, EOFError, zlib.error):
        raise InputError(
            tr("The gzip file is damaged; compress the table again, or unpack it first.")
        ) from None
    if left < 0:
        said = tr(
            "The unpacked file is larger than {size:,.0f} MB, the limit for a compressed file of this"
            " size; unpack it first, or take a part of it."
        )
        raise InputError(said.format(size=limits.unpacked_from(len(data)) / 2**20))
    plain = b"".join(pieces)
    if not plain:
        raise InputError(tr("The file is empty; {needed}.").format(needed=tr(NEEDED)))
    return plain


def _format(data: bytes, name: str | None) -> Format:
    for candidate in FORMATS:
        if candidate.recognizes(data) if name is None else candidate.name == name:
            return candidate
    names = ", ".join(f.name for f in FORMATS)
    said = tr("Kanon does not read the format “{name}”; choose one of {names}.")
    raise InputError(said.format(name=name, names=names))


def file_bytes(source: str | PathLike[str] | bytes | IO[bytes], limits: Limits = DEFAULT_LIMITS) -> bytes:
    """The bytes of a path or buffer. Raises InputError when it cannot be read, is empty or too large."""
    if isinstance(source, str | PathLike):
        path = Path(fspath(source))
        try:
            _check_size(path.stat().st_size, limits)
            with path.open("rb") as file:
                data = file.read(limits.bytes + 1)
        except OSError as problem:
            reason = problem.strerror or tr("it is not a readable file")
            said = tr("The file “{name}” cannot be opened ({reason}); check its name and place.")
            raise InputError(said.format(name=path.name, reason=reason)) from None
    elif isinstance(source, bytes | bytearray | memoryview):
        data = bytes(source)
    else:
        if source.seekable():
            source.seek(0)
        data = source.read(limits.bytes + 1)
        if not isinstance(data, bytes):
            raise InputError(tr("The buffer must return bytes; open the file in binary mode."))
    _check_size(len(data), limits)
    if not data:
        raise InputError(tr("The file is empty; {needed}.").format(needed=tr(NEEDED)))
    return data


def _check_size(size: int, limits: Limits) -> None:
    if size > limits.bytes:
        said = tr(
            "The file is larger than {size:,.0f} MB, the limit; take a part of it, or use “kanon"
            " anonymize … --engine local”, which reads csv and parquet files of any size."
        )
        raise InputError(said.format(size=limits.bytes / 2**20))


__all__ = ["FORMATS", "READING_KEYS", "Format", "Limits", "Reading", "check_reading", "file_bytes"]
__all__ += ["from_long", "is_delimited", "read_frame", "texts_in"]
