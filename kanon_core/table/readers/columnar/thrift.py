"""Thrift's compact protocol, in which parquet files describe themselves."""

from __future__ import annotations

from typing import Any

_TRUE, _FALSE, _BYTE, _INTEGERS, _DOUBLE, _BINARY, _LISTS, _STRUCT = 1, 2, 3, (4, 5, 6), 7, 8, (9, 10), 12
_DEEPEST, _LONGEST_INTEGER = 16, 10


class Thrift:
    """Reads one structure after the other from ``data``, from ``place`` on.

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
