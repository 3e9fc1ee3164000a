"""A PMTiles file of version 3: a header, directories of tiles, and their bytes, all in one file.

Source: the specification, PMTiles version 3 (https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md):
tiles are numbered along Hilbert curves, zoom level by zoom level; a directory lists numbers, how many tiles
share the same bytes, offsets and lengths, each as a column of variable-length integers.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kanon_core.base.errors import InputError
from kanon_core.base.words import tr
from kanon_core.charts.maps.backgrounds.tiles import MOST_TILE_BYTES, Place, bounds_of

MAGIC = b"PMTiles"
_HEADER = 127
_VERSION = 3
_PLAIN, _GZIP = 1, 2
_MOST_DIRECTORY = 8_000_000
"""Bytes of a directory, unpacked."""
_MOST_METADATA = 2_000_000
_DEPTH = 4
_KEPT = 16
_VARINT = 10
_SHARED = 7  # bits of an integer in each byte


@dataclass(frozen=True, eq=False)
class Directory:
    """What a directory lists, by ascending number of the first tile; ``runs`` 0: a directory of its own."""

    numbers: npt.NDArray[np.uint64]
    runs: npt.NDArray[np.uint64]
    lengths: npt.NDArray[np.uint64]
    offsets: npt.NDArray[np.uint64]

    def find(self, number: int) -> tuple[int, int, int] | None:
        """Run, offset and length of the last entry at or before a number."""
        at = int(np.searchsorted(self.numbers, np.uint64(number), side="right")) - 1
        if at < 0:
            return None
        run = int(self.runs[at])
        if run and number - int(self.numbers[at]) >= run:
            return None
        return run, int(self.offsets[at]), int(self.lengths[at])


class PMTiles:
    """The tiles of a file that is kept in memory. Raises InputError, one sentence, when it is damaged, of
    another version, or packed in a way that is not read."""

    def __init__(self, content: bytes) -> None:
        if len(content) < _HEADER:
            raise _damaged()
        if content[len(MAGIC)] != _VERSION:
            says = tr("The background is a PMTiles file of version {found}; version {version} is read.")
            raise InputError(says.format(found=content[len(MAGIC)], version=_VERSION))
        self._content = content
        numbers = struct.unpack_from("<8Q", content, 8)
        self._root, metadata, self._leaves, self._data = zip(numbers[::2], numbers[1::2], strict=True)
        self._packing, self._tile_packing = content[97], content[98]
        if self._packing not in (_PLAIN, _GZIP) or self._tile_packing not in (0, _PLAIN, _GZIP):
            raise InputError(tr("The background is packed in a way that is not read; use gzip, or none."))
        self.zooms = content[100], content[101]
        self.bounds = bounds_of(*(number / 1e7 for number in struct.unpack_from("<4i", content, 102)))
        self._directories: OrderedDict[tuple[int, int], Directory] = OrderedDict()
        self.credit = self._credit(metadata)

    def first(self) -> bytes | None:
        """The bytes of the first tile."""
        where = self._root
        for _ in range(_DEPTH):
            listed = self._directory(where)
            if not len(listed.numbers):
                return None
            run, offset, length = int(listed.runs[0]), int(listed.offsets[0]), int(listed.lengths[0])
            if run:
                return self._unpacked(offset, length)
            where = self._leaves[0] + offset, length
        raise _damaged()

    def tile(self, place: Place) -> bytes | None:
        """The bytes of a tile, or None where there is none or the file is damaged there."""
        number, where = tile_number(place), self._root
        try:
            for _ in range(_DEPTH):
                found = self._directory(where).find(number)
                if found is None:
                    return None
                run, offset, length = found
                if run:
                    return self._unpacked(offset, length)
                where = self._leaves[0] + offset, length
        except InputError:
            pass
        return None

    def _unpacked(self, offset: int, length: int) -> bytes:
        if length > MOST_TILE_BYTES:
            return b""
        packed = self._part((self._data[0] + offset, length))
        return unpacked(packed, MOST_TILE_BYTES) if self._tile_packing == _GZIP else packed

    def _part(self, where: tuple[int, int]) -> bytes:
        offset, length = where
        if offset + length > len(self._content):
            raise _damaged()
        return self._content[offset : offset + length]

    def _directory(self, where: tuple[int, int]) -> Directory:
        if where not in self._directories:
            listed = self._part(where)
            self._directories[where] = directory(
                unpacked(listed, _MOST_DIRECTORY) if self._packing == _GZIP else listed[:_MOST_DIRECTORY]
            )
            while len(self._directories) > _KEPT:
                self._directories.popitem(last=False)
        return self._directories[where]

    def _credit(self, where: tuple[int, int]) -> str:
        """The attribution in the metadata; "" where they are none or damaged: the tiles are what matters."""
        try:
            text = self._part(where)
            text = unpacked(text, _MOST_METADATA) if self._packing == _GZIP else text[:_MOST_METADATA]
            found = json.loads(text)
        except (InputError, ValueError, RecursionError):
            return ""
        said = found.get("attribution") if isinstance(found, dict) else None
        return said if isinstance(said, str) else ""


def tile_number(place: Place) -> int:
    """The number of a tile: all tiles of coarser levels, then its place on the Hilbert curve of its level.

    >>> [tile_number(place) for place in [(0, 0, 0), (1, 0, 0), (1, 0, 1), (1, 1, 1), (1, 1, 0), (2, 0, 0)]]
    [0, 1, 2, 3, 4, 5]
    """
    zoom, x, y = place
    number = ((1 << 2 * zoom) - 1) // 3
    for level in range(zoom - 1, -1, -1):
        side = 1 << level
        right, lower = bool(x & side), bool(y & side)
        number += (side * side) * ((3 * right) ^ lower)
        x, y = x & (side - 1), y & (side - 1)
        if not lower:
            x, y = (side - 1 - y, side - 1 - x) if right else (y, x)
    return number


def directory(content: bytes) -> Directory:
    """A directory from its bytes: how many entries, then the columns: steps of numbers, runs, lengths, and
    offsets plus one, 0 for right behind the one before. InputError when they are damaged."""
    values = varints(content)
    count = int(values[0]) if len(values) else -1
    if count < 0 or len(values) != 1 + 4 * count:
        raise _damaged()
    steps, runs, lengths, given = values[1:].reshape(4, count)
    offsets = given - np.uint64(1)
    behind = np.flatnonzero(given == 0)
    if len(behind) and behind[0] == 0:
        raise _damaged()
    ends = np.cumsum(lengths)
    # What follows another begins where the last that says its offset begins, and the lengths between on.
    said = np.maximum.accumulate(np.where(given > 0, np.arange(count), 0))
    offsets[behind] = (offsets[said] + ends - lengths - (ends[said] - lengths[said]))[behind]
    return Directory(np.cumsum(steps), runs, lengths, offsets)


def varints(content: bytes) -> npt.NDArray[np.uint64]:
    """The integers in these bytes, seven bits in each, the lowest first, the last byte of each below 128.

    >>> varints(bytes([1, 0xAC, 0x02])).tolist()
    [1, 300]
    """
    found = np.frombuffer(content, np.uint8)
    ends = np.flatnonzero(found < 128)
    starts = np.r_[0, ends[:-1] + 1]
    if len(ends) == 0 or ends[-1] != len(found) - 1 or (ends - starts).max() >= _VARINT:
        raise _damaged()
    place = np.arange(len(found)) - np.repeat(starts, ends - starts + 1)
    bits = (found & 127).astype(np.uint64) << (_SHARED * place).astype(np.uint64)
    return np.add.reduceat(bits, starts)


def unpacked(content: bytes, most: int) -> bytes:
    """What gzip packed; InputError when it is damaged or has more than ``most`` bytes."""
    reader = zlib.decompressobj(wbits=31)
    try:
        found = reader.decompress(content, most)
    except zlib.error as wrong:
        raise _damaged() from wrong
    if not reader.eof:
        raise _damaged()
    return found


def _damaged() -> InputError:
    return InputError(tr("The background is a PMTiles file that is damaged or cut short; get it again."))
