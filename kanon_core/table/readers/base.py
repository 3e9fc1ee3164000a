"""The types that all readers share: how a file is to be read, how much of it, and the result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, get_type_hints

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from kanon_core.base.errors import InputError
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import counted, later, tr

MISSING_NUMBERS = frozenset(
    {"", "na", "n/a", "nan", "null", "none", "nil", "-", "--", ".", "#n/a", "<na>", "unknown"}
)
"""Words that stand for "no number" in a column of numbers, in lower case; in a column of words or dates, most
of them (`kanon_core.table.readers.types.missing`)."""


NEEDED = later("a table needs column names and at least one record. Choose a file that has both")
"""The requirement that an empty file does not meet, for messages."""
_TEXT = pd.StringDtype("pyarrow", na_value=np.nan)


def looked_for() -> str:
    """Return the sentence on the formats that Kanon reads, for a file of another format."""
    return tr(
        "Kanon reads delimited text (csv, tsv), Excel workbooks (.xlsx), parquet files and baskets (fimi,"
        " spmf), each also compressed with gzip; it looks at the content, not at the name of the file. Save"
        " the table in one of these formats."
    )


_SMALL, _RATIO = 2**28, 32


@dataclass(frozen=True)
class Limits:
    """The limits of reading; a larger file is refused with a sentence that names the limit.

    ``bytes``: size of the file. ``rows``, ``columns``, ``cells``: size of the table. ``sheet_cells``: cells
    of a workbook's sheet, which cost fifty times a csv cell. ``unpacked``: bytes a compressed file may grow
    to (see `unpacked_from`; a workbook also at most 64 bytes for each of ``sheet_cells``, and 100 times its
    size). ``characters``: UTF-8 bytes of a cell's text (in a workbook, characters). ``nesting``: lists and
    records within one another in a cell. ``memory`` and ``seconds``: what a process of its own may take
    (`kanon_core.table.readers.apart`), and so many seconds more for each 10 MB of the file.
    """

    bytes: int = 512 * 2**20
    rows: int = 5_000_000
    columns: int = 2_000
    cells: int = 100_000_000
    sheet_cells: int = 5_000_000
    unpacked: int = 2**30
    characters: int = 2**22
    nesting: int = 16
    memory: int = 3 * 2**29
    seconds: float = 6.0

    def unpacked_from(self, size: int) -> int:
        """The bytes that a compressed file of this size may grow to: no small file fills the memory."""
        return min(self.unpacked, max(_SMALL, _RATIO * size))

    def check_shape(self, rows: int, columns: int) -> None:
        """Raise InputError when a table of this shape is too large."""
        self.check_columns(columns)
        if rows > self.rows:
            said = tr(
                "The table has more than {limit:,} rows, the limit; take a part of it, or use “kanon"
                " anonymize … --engine local”, which reads csv and parquet files of any size."
            )
            raise InputError(said.format(limit=self.rows))
        if rows * columns > self.cells:
            said = tr(
                "The table has {rows} × {columns} = {cells}; the limit is {limit:,}. Leave out columns"
                " that are not needed, or take a sample of the rows."
            )
            raise InputError(
                said.format(
                    rows=counted(rows, "row"),
                    columns=counted(columns, "column"),
                    cells=counted(rows * columns, "cell"),
                    limit=self.cells,
                )
            )

    def check_columns(self, columns: int) -> None:
        """Raise InputError when there are too many columns."""
        if columns > self.columns:
            said = tr(
                "The table has {columns}; the limit is {limit:,}. Leave out columns that are not needed."
            )
            raise InputError(said.format(columns=counted(columns, "column"), limit=self.columns))


DEFAULT_LIMITS = Limits()


def too_long(place: str, limits: Limits) -> InputError:
    """The sentence on a cell with too long a text."""
    said = tr(
        "A cell in {place} has more than {limit:,} characters, the limit for a cell; shorten it, or"
        " leave out its column."
    )
    return InputError(said.format(place=place, limit=limits.characters))


@dataclass(frozen=True)
class ReadOptions:
    """The options of reading; None means that the reader detects the setting. Without ``typed`` every cell is
    a text: in a text file as written, in a workbook or parquet file the stored value written out; only empty
    cells, and those named by ``missing``, are then missing. ``skip``: lines above the names; ``skip_rows``:
    rows below them that are no records; ``skip_end``: lines at the end that are not blank, below the last
    record. ``decimal``: "," or ".", the decimal mark of the file's numbers. ``missing`` and ``keep``: texts
    that mean a missing cell, and words that do not; an entry ``column=text`` is for that column alone."""

    format: str | None = None
    encoding: str | None = None
    delimiter: str | None = None
    header: bool | None = None
    sheet: str | None = None
    missing: tuple[str, ...] = ()
    typed: bool = True
    long: tuple[str, str] | None = None
    without: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    skip: int | None = None
    skip_rows: int | None = None
    skip_end: int | None = None
    decimal: str | None = None
    keep: tuple[str, ...] = ()
    limits: Limits = Limits()
    tick: Tick = silent

    def reading(self, frame: pd.DataFrame, format: str, notes: tuple[str, ...], **details: Any) -> Reading:
        """Return the result of reading, with those of these options that apply to it."""
        said = Reading(frame, format, notes=notes, missing=self.missing, typed=self.typed, **details)
        return replace(said, decimal=self.decimal, keep=self.keep)


READING_KEYS: tuple[str, ...] = tuple(
    field.name for field in fields(ReadOptions) if field.name not in ("limits", "tick")
)
"""The reading options: the keywords of `read_frame`, and the keys of `Reading.how`."""

_HINTS = get_type_hints(ReadOptions)
_TEXTS = ("missing", "keep", "long", "without", "names")
_TYPES = {
    str | None: later("a text"),
    bool | None: later("true or false"),
    bool: later("true or false"),
    int | None: later("a whole number from 0 on"),
}


SKIPPED = ("skip", "skip_rows", "skip_end")
"""The parts of a file that are left out: numbers of lines or rows."""


def _counts(value: object) -> bool:
    return value is None or (type(value) is int and value >= 0)


def check_reading(how: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy with lists as tuples; raises InputError for an option that `read_frame` does not have, or
    a value that it does not take."""
    checked = dict(how)
    for name, value in how.items():
        if name not in READING_KEYS:
            known = ", ".join(READING_KEYS)
            said = tr("“{name}” is not a reading option; the options are {known}.")
            raise InputError(said.format(name=name, known=known))
        if name in _TEXTS:
            texts = isinstance(value, list | tuple) and all(isinstance(text, str) for text in value)
            if name == "long" and not (texts and len(value) == 2):
                raise InputError(
                    tr("“long” must name two columns: the column of the records and the column of the items.")
                )
            if not texts:
                raise InputError(tr("“{name}” must be a list of texts.").format(name=name))
            checked[name] = tuple(value)
        elif name == "decimal" and value not in (None, ",", "."):
            raise InputError(tr("“decimal” must be the decimal mark of the file, a comma or a point."))
        elif not isinstance(value, _HINTS[name]) or (name in SKIPPED and not _counts(value)):
            said = tr("“{name}” must be {allowed}.")
            raise InputError(said.format(name=name, allowed=tr(_TYPES[_HINTS[name]])))
    return checked


@dataclass(frozen=True)
class Reading:
    """A table read from a file, and how.

    ``frame``: columns of dtype str, int64, float64 or datetime64[us], missing cells NaN or NaT, names unique
    texts. ``encoding`` and ``delimiter`` are None for formats without; ``sheets`` are a workbook's sheets,
    ``sheet`` the one read. ``notes``: one sentence for each thing that was guessed or repaired. ``typed``:
    see `ReadOptions`.
    """

    frame: pd.DataFrame
    format: str
    encoding: str | None = None
    delimiter: str | None = None
    header: bool = True
    sheet: str | None = None
    sheets: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    typed: bool = True
    long: tuple[str, str] | None = None
    without: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    skip: int | None = None
    skip_rows: int | None = None
    skip_end: int | None = None
    decimal: str | None = None
    keep: tuple[str, ...] = ()

    def how(self) -> dict[str, Any]:
        """Return the arguments with which `read_frame` reads the same file again without guessing."""
        how: dict[str, Any] = {"format": self.format, "header": self.header}
        for name in ("encoding", "delimiter", "sheet", "decimal", *_TEXTS):
            if value := getattr(self, name):
                how[name] = value
        how |= {name: getattr(self, name) for name in SKIPPED if getattr(self, name) is not None}
        return how if self.typed else {**how, "typed": False}


@dataclass(frozen=True)
class Format:
    """One kind of file: ``name`` for code, ``title`` for people, the usual ``endings`` of file names (with
    the dot), ``recognizes`` its content (all bytes given), and ``read`` it; ``read`` raises InputError.
    """

    name: str
    title: str
    endings: tuple[str, ...]
    recognizes: Callable[[bytes], bool]
    read: Callable[[bytes, ReadOptions], Reading]


def text_array(cells: pa.ChunkedArray) -> pd.api.extensions.ExtensionArray:
    """The cells as a pandas str column; null becomes NaN."""
    dtype: Any = _TEXT  # its stubs do not know how it reads arrow's arrays
    texts: pd.api.extensions.ExtensionArray = dtype.__from_arrow__(cells.cast(pa.large_string()))
    return texts


def check_lengths(column: object, name: str, limits: Limits) -> None:
    """Raise InputError naming the column when one of its texts is longer than the limits allow. Cost
    O(cells), and nothing where all texts of a block are shorter together."""
    cells = getattr(column, "_pa_array", None)
    large = [] if cells is None else [chunk for chunk in cells.chunks if chunk.nbytes > limits.characters]
    if any((pc.max(pc.binary_length(chunk)).as_py() or 0) > limits.characters for chunk in large):
        raise too_long(tr("the column “{name}”").format(name=name), limits)
