"""Layout of a csv file that is cut into pieces: its encoding, delimiter and names, by its beginning."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass

import pyarrow as pa

from kanon_core.base.errors import InputError
from kanon_core.base.words import later, tr
from kanon_core.scale.work.keeping import Result
from kanon_core.scale.work.storage import opened
from kanon_core.table.readers import is_delimited
from kanon_core.table.readers.around import beginning, find_header
from kanon_core.table.readers.base import Limits, ReadOptions
from kanon_core.table.readers.notes import Notes
from kanon_core.table.readers.text import detect
from kanon_core.table.readers.text.delimited import Texts, first_records, named_by, rows_of, unused_sign
from kanon_core.table.readers.text.ragged import RaggedLines, ragged
from kanon_core.table.readers.text.records_kernels import FIRST, walked
from kanon_core.table.readers.text.trimming import (
    Trimmed,
    names_delimiter,
    refuse_around,
    without_notes,
    without_titles,
)

LARGE = 2**25
"""Csv files of more bytes than these are cut into pieces; others are read at once."""
MOST_AT_ONCE = Limits().bytes
"""Csv files that cannot be cut, of more bytes than these, are refused; others are read at once, too."""
ANY_SIZE = ReadOptions(limits=Limits(2**62, 2**62, cells=2**62))
"""The limit for reading pieces: they may be of any size."""
UTF_8, MARK = "utf-8", b"\xef\xbb\xbf"
UNDEFINED = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")
"""Bytes that are no characters of CP1252."""
_HEAD = 2**22
_TRIED = 2**16
_PACKED = later("It is compressed with gzip: decompress it, or write it as parquet.")
_FOREIGN = later("Its content is not csv: write it as csv, or as parquet.")
_ENCODED = later(
    "Its encoding does not show line ends unambiguously, such as UTF-16 or CP932: write it in"
    " UTF-8, or as parquet."
)
_NAMED = later("Its first line names the delimiter (sep=) and is not part of the table: remove the line.")
_LONG_LINES = later("It has lines of more than {size:,.0f} MB, or no line ends: write it as parquet.")
_BLANKS = later(
    "Its fields are separated by a comma and a blank, and quotes occur within cells that do not"
    " begin with a quote, so the ends of cells are ambiguous. Write it without blanks after the"
    " commas, or as parquet."
)


@dataclass(frozen=True)
class Layout:
    """``delimiter``: one character or ", ". ``width``: so many fields a record has. ``header``: the first
    record is the ``names`` of the columns, of which the file ``named`` these itself. ``quoted``: the file has
    a quote."""

    encoding: str
    delimiter: str
    width: int
    header: bool
    names: tuple[str, ...]
    named: tuple[bool, ...]
    quoted: bool

    def text(self, data: bytes) -> bytes:
        """These bytes of the file as UTF-8. Raises UncutError where they are in no such encoding."""
        try:
            if self.encoding != UTF_8:
                return data.decode(self.encoding).encode()
            if not data.isascii():
                data.decode()
            return data
        except UnicodeDecodeError:
            raise encoded_otherwise() from None

    def cells(self, rows: pa.Table) -> Texts:
        """Return these rows, without the line of names, as the cells of the file."""
        return Texts(rows, self.names, self.named, self.encoding, self.delimiter, self.header)


class UncutError(InputError):
    """A file cannot be cut into pieces, for this reason."""

    def check(self, size: int) -> None:
        """Raises InputError where a file of this size is too large to be read at once."""
        if size > MOST_AT_ONCE:
            said = tr("The file is larger than {size:,.0f} MB, but cannot be read in pieces. {reason}")
            raise InputError(said.format(size=MOST_AT_ONCE / 2**20, reason=self)) from None


def encoded_otherwise() -> UncutError:
    """Return the error on an encoding with ambiguous line ends."""
    return UncutError(tr(_ENCODED))


def blanks_and_quotes() -> UncutError:
    """Return the error on quotes within cells, if blanks belong to the delimiter."""
    return UncutError(tr(_BLANKS))


def long_lines() -> UncutError:
    """Return the error on lines that are too long."""
    return UncutError(tr(_LONG_LINES).format(size=_HEAD / 2**20))


def head_of(file: str) -> bytes:
    """Return the first bytes of a file."""
    with opened(file) as source:
        return source.read(_HEAD)


def looked_at_head(file: str, size: int) -> Result:
    """Return what the beginning of a large csv file shows: whether it begins with a byte order mark, and its
    delimiter ("" where there is none); nothing where it is read at once. Raises InputError, also for titles
    or labels above its records and notes below them."""
    try:
        head = head_of(file)
        found = _begins(head, size)
        _refuse_surrounded(file, size, head.removeprefix(MARK).lstrip(b"\r\n"), str(found["delimiter"]))
        return found
    except UncutError as problem:
        problem.check(size)
        return {}


def _begins(head: bytes, size: int) -> Result:
    if head.startswith(b"\x1f\x8b"):
        raise UncutError(tr(_PACKED))
    if head.startswith((b"PK\x03\x04", b"PAR1")):
        raise UncutError(tr(_FOREIGN))
    detect.refuse_foreign(head)
    marks = (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")
    if head.startswith(marks) or head.count(0, 0, detect.HEAD) > min(len(head), detect.HEAD) // 8:
        raise encoded_otherwise()
    if not is_delimited(head):
        raise UncutError(tr(_FOREIGN))
    guessed_encoding(head)
    text = head.removeprefix(MARK).lstrip(b"\r\n")
    if names_delimiter(text):
        raise UncutError(tr(_NAMED))
    if len(head) < size and not (b"\n" in text or b"\r" in text):
        raise long_lines()
    found = detect.find_delimiter(detect.head_of(text))
    return {"size": size, "mark": head.startswith(MARK), "delimiter": found or ""}


def _refuse_surrounded(file: str, size: int, text: bytes, delimiter: str) -> None:
    begins = detect.head_of(text)
    first = first_records(begins, delimiter or "\x1f")
    if not first:
        return
    whole = Trimmed(text)
    titled = without_titles(whole, begins, first, Notes()) is not whole
    named, labels = beginning(first, ReadOptions(), Notes())
    refuse_around(titled or named == 2, labels)
    with opened(file) as source:
        source.seek(max(size - _TRIED, 0))
        tail = Trimmed(source.read())
    refuse_around(without_notes(tail, delimiter or "\x1f", len(first[0]), Notes()) is not tail)


def western(file: str, head: bytes, beyond: int, fits: bool) -> str:
    """Return the encoding of a file that is not UTF-8 and has its first byte beyond ASCII there; ``fits``:
    all its bytes are characters of CP1252. Raises UncutError where it reads like Japanese."""
    if detect.is_binary(head[: detect.HEAD]):
        raise UncutError(tr(_FOREIGN))
    start = max(beyond - _TRIED, 0)
    with opened(file) as source:
        source.seek(start)
        data = source.read(beyond - start + _TRIED)
    return _western(data[data.rfind(b"\n", 0, beyond - start) + 1 :], fits)


def _western(data: bytes, fits: bool) -> str:
    """Return the same encoding, from the bytes that begin with the first line that is not ASCII."""
    if detect.candidates(data[:_TRIED])[0] != "cp1252":
        raise encoded_otherwise()
    return "cp1252" if fits else "latin-1"


def guessed_encoding(head: bytes) -> str:
    """Return the encoding that the head of a file is in; the whole may be in another. Raises UncutError where
    it reads like Japanese."""
    text = head.decode(UTF_8, "ignore").encode()
    first = re.search(rb"[\x80-\xff]", head)
    if first is None or (len(head) - len(text) < 4 and head.startswith(text)):
        return UTF_8
    return _western(head[head.rfind(b"\n", 0, first.start()) + 1 :], UNDEFINED.search(head) is None)


def layout_of(head: bytes, encoding: str, used: Container[str], mark: bool) -> Layout:
    """Return the layout of a file that begins so; ``used``: the signs that occur in it. Raises
    InputError."""
    data = head[len(MARK) :] if mark else head
    text = data if encoding == UTF_8 else data.decode(encoding, "ignore").encode()
    text = text.lstrip(b"\r\n")
    begins = detect.head_of(text)
    delimiter = detect.find_delimiter(begins) or unused_sign(used)
    first = first_records(begins, delimiter)
    if not first:
        raise long_lines()
    width, header = len(first[0]), find_header(first, ReadOptions(), Notes())
    end = walked(text, delimiter)[FIRST]
    record = text[:end] if end > 0 else text
    try:
        names, named = named_by(
            rows_of(record, delimiter, width, ANY_SIZE, '"' in used), int(header), Notes()
        )
    except RaggedLines as problem:
        raise ragged(problem, delimiter, width) from None
    return Layout(encoding, delimiter, width, header, names, named, '"' in used)
