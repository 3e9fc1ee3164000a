"""Files of tiles, good and hostile, made from their specifications by the plainest means."""

from __future__ import annotations

import gzip
import io
import json
import sqlite3
import struct

import numpy as np
from PIL import Image

from kanon_core.charts.maps.backgrounds.tiles import across, down

Tiles = dict[tuple[int, int, int], bytes]
EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"


def picture(color: tuple[int, ...] = (200, 30, 30), kind: str = "PNG", side: int = 256) -> bytes:
    """A tile of one color."""
    packed = io.BytesIO()
    Image.new("RGB", (side, side), color).save(packed, kind)
    return packed.getvalue()


def around(
    latitude: float, longitude: float, zooms: range, reach: int = 1, color: tuple[int, ...] = (200, 30, 30)
) -> Tiles:
    """Tiles of one color around a place."""
    found: Tiles = {}
    for zoom in zooms:
        x, y, most = int(across(longitude, zoom)), int(down(latitude, zoom)), 1 << zoom
        for column in range(max(x - reach, 0), min(x + reach + 1, most)):
            for row in range(max(y - reach, 0), min(y + reach + 1, most)):
                found[zoom, column, row] = picture(color)
    return found


def mbtiles(tiles: Tiles, metadata: dict[str, str] | None = None, shared: bool = False) -> bytes:
    """An MBTiles file; ``shared``: as a view of a table of places and one of pictures."""
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE metadata (name text, value text)")
    base.executemany("INSERT INTO metadata VALUES (?, ?)", (metadata or {"name": "x"}).items())
    rows = [(z, x, (1 << z) - 1 - y, content) for (z, x, y), content in tiles.items()]
    columns = "zoom_level integer, tile_column integer, tile_row integer"
    if shared:
        base.execute(f"CREATE TABLE map ({columns}, tile_id text)")
        base.execute("CREATE TABLE images (tile_id text PRIMARY KEY, tile_data blob)")
        base.execute(
            "CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data"
            " FROM map JOIN images ON images.tile_id = map.tile_id"
        )
        named = [(*place, str(content), content) for *place, content in rows]
        base.executemany("INSERT INTO map VALUES (?, ?, ?, ?)", [row[:4] for row in named])
        base.executemany("INSERT OR IGNORE INTO images VALUES (?, ?)", [row[3:] for row in named])
    else:
        base.execute(f"CREATE TABLE tiles ({columns}, tile_data blob)")
        base.executemany("INSERT INTO tiles VALUES (?, ?, ?, ?)", rows)
        base.execute("CREATE UNIQUE INDEX i ON tiles (zoom_level, tile_column, tile_row)")
    base.commit()
    return base.serialize()


def database(*statements: str) -> bytes:
    """A database made by these statements."""
    base = sqlite3.connect(":memory:")
    base.execute("PRAGMA user_version = 1")  # or nothing at all would be written
    for statement in statements:
        base.execute(statement)
    base.commit()
    return base.serialize()


def hilbert(place: tuple[int, int, int]) -> int:
    """The number of a tile, by the curve as it is drawn: a level is four copies of the level before, the
    first and the last turned over."""
    zoom, x, y = place
    curve = np.zeros((1, 1), np.int64)  # by row and column
    for level in range(zoom):
        quarter = 4**level
        first, last = curve.T, curve[::-1, ::-1].T + 3 * quarter
        curve = np.block([[first, last], [curve + quarter, curve + 2 * quarter]])
    return sum(4**level for level in range(zoom)) + int(curve[y, x])


def varint(number: int) -> bytes:
    found = []
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def listing(entries: list[tuple[int, int, int, int]]) -> bytes:
    """A directory: number, run, length and offset of each entry; offsets right behind the one before are
    written as 0."""
    out, last = [varint(len(entries))], 0
    for number, *_ in entries:
        out.append(varint(number - last))
        last = number
    out += [varint(run) for _, run, _, _ in entries] + [varint(length) for _, _, length, _ in entries]
    behind = None
    for _, _, length, offset in entries:
        out.append(varint(0 if offset == behind else offset + 1))
        behind = offset + length
    return b"".join(out)


def pmtiles(
    tiles: Tiles,
    metadata: object = None,
    *,
    leaves: int = 0,
    packed: bool = True,
    packed_tiles: bool = False,
    zooms: tuple[int, int] | None = None,
    **header: object,
) -> bytes:
    """A PMTiles file of version 3; ``leaves``: entries of each leaf directory, 0 for none."""
    pack = gzip.compress if packed else bytes
    ordered = sorted((hilbert(place), content) for place, content in tiles.items())
    data, entries = b"", []
    for number, content in ordered:
        content = gzip.compress(content) if packed_tiles else content
        entries.append((number, 1, len(content), len(data)))
        data += content
    below = b""
    if leaves:
        upper = []
        for start in range(0, len(entries), leaves):
            leaf = pack(listing(entries[start : start + leaves]))
            upper.append((entries[start][0], 0, len(leaf), len(below)))
            below += leaf
        entries = upper
    root, facts = pack(listing(entries)), pack(json.dumps(metadata or {}).encode())
    levels = zooms or (min(z for z, _, _ in tiles), max(z for z, _, _ in tiles))
    offsets, sizes = [127], [len(root), len(facts), len(below), len(data)]
    for size in sizes[:-1]:
        offsets.append(offsets[-1] + size)
    parts = {
        "version": 3,
        "parts": [value for pair in zip(offsets, sizes, strict=True) for value in pair],
        "packing": 2 if packed else 1,
        "tile_packing": 2 if packed_tiles else 1,
        "kind": 2,
        "bounds": [-1_800_000_000, -850_000_000, 1_800_000_000, 850_000_000],
        **header,
    }
    head = b"PMTiles" + bytes([parts["version"]]) + struct.pack("<8Q", *parts["parts"])
    head += struct.pack("<3Q", 0, 0, 0) + bytes([1, parts["packing"], parts["tile_packing"], parts["kind"]])
    head += bytes(levels) + struct.pack("<4i", *parts["bounds"]) + bytes(9)
    assert len(head) == 127
    return head + root + facts + below + data
