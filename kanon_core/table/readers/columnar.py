"""Check that a parquet file has a usual form, whose unpacked size is known before it is unpacked.

A parquet file states its size in its footer and before each page, and either statement may be false; a page
may refer to one long text a million times. So the pages are walked through, without unpacking them, in the
places where Apache Arrow will look for them. Nested columns, whose lists may be of any length, and encodings
in which a text repeats the beginning of another are not usual.

Reference: Apache Parquet, parquet-format 2.11, src/main/thrift/parquet.thrift.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from kanon_core.base.progress import Tick
from kanon_core.base.words import tr
from kanon_core.table.readers.base import Limits

_MAGIC, _LARGEST_FOOTER = b"PAR1", 2**22
_PAGES, _LARGEST_DICTIONARY, _LISTED = 50_000, 2**24, 2**23
"""Pages of a file, bytes of a dictionary, and texts in all dictionaries that are looked at."""
_TEXT, _FIXED, _WIDTHS = 6, 7, {0: 1, 1: 4, 2: 8, 3: 12, 4: 4, 5: 8}
"""The physical types of texts and of bytes of a fixed length, and the bytes of each other type."""
_USUAL = frozenset({0, 2, 3, 8, 9})
"""Encodings: plain, in a dictionary (two names), runs, bytes in streams of their own."""
_CODECS = {1: "snappy", 2: "gzip", 4: "brotli", 6: "zstd", 7: "lz4_raw"}
_OFFSET = 4
"""Bytes with which Arrow keeps the place of a text."""
_TRUE, _FALSE, _BYTE, _INTEGERS, _DOUBLE, _BINARY, _LISTS, _STRUCT = 1, 2, 3, (4, 5, 6), 7, 8, (9, 10), 12
_DEEPEST, _LONGEST_INTEGER = 16, 10


class _Unusual(Exception):
    """The size of the file cannot be known before it is unpacked."""


def is_usual(data: bytes, limits: Limits, tick: Tick) -> bool:
    """Return whether all columns are flat and the table fits ``limits.unpacked_from``, by the statements of
    its pages. Cost about 20 µs a page and 0.1 µs a text in a dictionary."""
    try:
        return _Sizes(data, limits.unpacked_from(len(data))).fit(tick)
    except (_Unusual, AttributeError, IndexError, KeyError, TypeError):  # other fields, or of other types
        return False
    except (ValueError, OverflowError, struct.error):
        return False
    except (pa.ArrowException, OSError):  # a dictionary that cannot be unpacked
        return False


class _Sizes:
    """An upper bound on the size of a table, found page by page."""

    def __init__(self, data: bytes, most: int) -> None:
        self._data, self._left = data, most
        self._pages_left, self._texts_left = _PAGES, _LISTED

    def fit(self, tick: Tick) -> bool:
        """Return whether Arrow takes no more than so many bytes for the whole table."""
        footer = _footer(self._data)
        types = _flat_types(footer[2])
        rows = [group[3] for group in footer[4]]
        if sum(rows) != footer[3] or min(rows, default=0) < 0:
            return False
        for group in footer[4]:
            for (kind, width), chunk in zip(types, group[1], strict=True):
                tick(None, tr("reading the columns"))
                self._take(chunk, kind, width, group[3])
        return True

    def _take(self, chunk: dict[int, Any], kind: int, width: int, rows: int) -> None:
        """One column of one group of rows; raises _Unusual when it is too large, or may be."""
        if 1 in chunk or 8 in chunk:  # in another file, or encrypted
            raise _Unusual
        meta = chunk[3]
        longest = _OFFSET
        for place, head in self._pages(meta):
            self._spend(head[2])
            if 7 in head and kind == _TEXT:
                longest += self._longest(self._data[place : place + head[3]], head, meta[4])
        self._spend(rows * (longest if kind == _TEXT else width if kind == _FIXED else _WIDTHS[kind]))

    def _spend(self, size: int) -> None:
        self._left -= size
        if size < 0 or self._left < 0:
            raise _Unusual

    def _pages(self, meta: dict[int, Any]) -> Iterator[tuple[int, dict[int, Any]]]:
        """Yield where the content of each page begins, and its header; raises _Unusual for one in an encoding
        that may grow."""
        place = min(meta[9], meta.get(11) or meta[9])
        end = place + meta[7]
        if not 0 < place <= end <= len(self._data):
            raise _Unusual
        while place < end:
            thrift = Thrift(self._data, place)
            head = thrift.structure()
            encoding = head[8][4] if 8 in head else (head.get(5) or head[7])[2]
            place = thrift.place + head[3]
            self._pages_left -= 1
            if encoding not in _USUAL or head[3] < 0 or place > end or self._pages_left < 0:
                raise _Unusual
            yield thrift.place, head

    def _longest(self, packed: bytes, head: dict[int, Any], codec: int) -> int:
        """The bytes of the longest text of a dictionary."""
        size, values = head[2], head[7][1]
        self._texts_left -= values
        if size > _LARGEST_DICTIONARY or values < 0 or self._texts_left < 0:
            raise _Unusual
        if codec:
            packed = pa.decompress(packed, size, codec=_CODECS[codec], asbytes=True)
        place = longest = 0
        for _ in range(values):
            (length,) = struct.unpack_from("<I", packed, place)
            place += 4 + length
            longest = max(longest, length)
        return longest


def _footer(data: bytes) -> dict[int, Any]:
    length = int.from_bytes(data[-8:-4], "little")
    if data[-4:] != _MAGIC or length > min(_LARGEST_FOOTER, len(data) - 12):
        raise _Unusual
    footer = Thrift(data[-8 - length : -8]).structure()
    if 8 in footer:  # encrypted
        raise _Unusual
    return footer


def _flat_types(schema: list[dict[int, Any]]) -> list[tuple[int, int]]:
    """The physical type and width of each column; raises _Unusual when one holds lists or records."""
    root, *columns = schema
    if root.get(5) != len(columns) or any(column.get(5) or column.get(3) == 2 for column in columns):
        raise _Unusual
    return [(column[1], column.get(2, 0)) for column in columns]


class Thrift:
    """Thrift's compact protocol, in which parquet files describe themselves: reads one structure after the
    other from ``data``, from ``place`` on.

    A structure becomes a dict from field numbers to values. Raises IndexError at the end of the data and
    ValueError for what is no structure. Cost O(bytes read).

    >>> Thrift(bytes([0x15, 0x06, 0x18, 0x02, 0x68, 0x69, 0x00])).structure()
    {1: 3, 2: b'hi'}
    """

    def __init__(self, data: bytes, place: int = 0) -> None:
        self._data, self.place = data, place

    def structure(self, depth: int = 0) -> dict[int, Any]:
        """The structure that begins here."""
        if depth > _DEEPEST:
            raise ValueError
        fields: dict[int, Any] = {}
        number, data = 0, self._data
        while head := data[self.place]:
            self.place += 1
            number = number + (head >> 4) if head >> 4 else self._integer()
            kind = head & 15
            if kind in _INTEGERS and (small := data[self.place]) < 128:  # most fields, at half the time
                self.place += 1
                fields[number] = (small >> 1) ^ -(small & 1)
            else:
                fields[number] = self._value(kind, depth)
        self.place += 1
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        if kind in _INTEGERS:
            return self._integer()
        if kind == _BINARY:
            return self._bytes(self._unsigned())
        if kind == _STRUCT:
            return self.structure(depth + 1)
        if kind in _LISTS:
            return self._list(depth)
        if kind in (_TRUE, _FALSE):
            return kind == _TRUE
        if kind in (_BYTE, _DOUBLE):
            return self._bytes(1 if kind == _BYTE else 8)
        raise ValueError

    def _list(self, depth: int) -> list[Any]:
        head = self._byte()
        kind, size = head & 15, head >> 4
        size = self._unsigned() if size == 15 else size
        if size > len(self._data) - self.place:  # each item takes a byte at least
            raise IndexError
        if kind in (_TRUE, _FALSE):
            return [self._byte() == _TRUE for _ in range(size)]
        return [self._value(kind, depth + 1) for _ in range(size)]

    def _byte(self) -> int:
        value = self._data[self.place]
        self.place += 1
        return value

    def _bytes(self, count: int) -> bytes:
        end = self.place + count
        if end > len(self._data):
            raise IndexError
        found = self._data[self.place : end]
        self.place = end
        return found

    def _integer(self) -> int:
        value = self._unsigned()
        return (value >> 1) ^ -(value & 1)

    def _unsigned(self) -> int:
        value = 0
        for step in range(_LONGEST_INTEGER):
            byte = self._byte()
            value |= (byte & 127) << (7 * step)
            if byte < 128:
                return value
        raise ValueError
