"""Tiles of one's own: every tile of a file is found, hostile files give a sentence, credits are text."""

from __future__ import annotations

import base64
import gzip
import io
import json
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from kanon_core.base.errors import InputError
from kanon_core.charts.maps.backgrounds import mbtiles as databases
from kanon_core.charts.maps.backgrounds import reading
from kanon_core.charts.maps.backgrounds.lines import Lines
from kanon_core.charts.maps.backgrounds.painting import painted_ground
from kanon_core.charts.maps.backgrounds.pmtiles import directory, tile_number, unpacked, varints
from kanon_core.charts.maps.backgrounds.reading import read_background
from kanon_core.charts.maps.backgrounds.tiles import AT_ONCE, Tiles, plain_credit
from kanon_core.charts.maps.extent import fitted
from kanon_core.charts.maps.maps import Look, rectangle_map
from kanon_core.charts.maps.picture import map_picture
from tests.charts.tilefiles import (
    EVIL,
    around,
    database,
    hilbert,
    listing,
    mbtiles,
    picture,
    pmtiles,
    varint,
)
from tests.helpers import release_of, table_of

RED = picture()
FEW = {(0, 0, 0): RED, (1, 1, 0): picture((0, 90, 0)), (1, 0, 1): RED, (2, 3, 3): picture((0, 0, 90))}
MAKERS = {
    "mbtiles": mbtiles,
    "mbtiles, shared pictures": lambda tiles: mbtiles(tiles, shared=True),
    "pmtiles": pmtiles,
    "pmtiles, leaves": lambda tiles: pmtiles(tiles, leaves=2),
    "pmtiles, plain": lambda tiles: pmtiles(tiles, packed=False),
    "pmtiles, packed tiles": lambda tiles: pmtiles(tiles, packed_tiles=True),
}
SENTENCE = r"^The background|^This computer"


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS.keys())
def test_every_tile_is_found_and_no_other(make):
    found = read_background(make(FEW))
    assert isinstance(found, Tiles) and found.source.zooms == (0, 2)
    for zoom in range(4):
        for x in range(1 << zoom):
            for y in range(1 << zoom):
                assert found.tile((zoom, x, y)) == FEW.get((zoom, x, y)), (zoom, x, y)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_three_kinds_of_pictures_are_read(kind):
    assert read_background(mbtiles({(0, 0, 0): picture(kind=kind)})).tile((0, 0, 0)) is not None


@given(st.integers(0, 6).flatmap(lambda z: st.tuples(st.just(z), *[st.integers(0, (1 << z) - 1)] * 2)))
def test_tiles_are_numbered_along_the_curve(place):
    assert tile_number(place) == hilbert(place)


def test_a_number_of_the_specification():
    assert tile_number((12, 3423, 1763)) == 19_078_479


@given(st.lists(st.integers(0, 2**63 - 1), min_size=1))
def test_integers_come_back(numbers):
    assert varints(b"".join(map(varint, numbers))).tolist() == numbers


offsets = st.one_of(st.none(), st.integers(0, 99))
entries = st.tuples(st.integers(1, 9), st.integers(0, 5), st.integers(1, 9), offsets)


@given(st.lists(entries, min_size=1, max_size=20))
def test_directories_come_back(found):
    rows, number, end = [], 0, 0
    for step, run, length, offset in found:
        number += step
        offset = end if offset is None else offset
        rows.append((number, run, length, offset))
        end = offset + length
    read = directory(listing(rows))
    columns = (read.numbers, read.runs, read.lengths, read.offsets)
    assert list(zip(*(column.tolist() for column in columns), strict=True)) == rows


def test_what_shares_its_bytes_is_found_along_the_run():
    numbers, content = [tile_number((3, x, y)) for x in range(8) for y in range(8)], picture()
    file = bytearray(pmtiles({(3, 0, 0): content}, packed=False))
    root = listing([(min(numbers), 64, len(content), 0)])
    file = pmtiles({(3, 0, 0): content}, packed=False)
    parts = list(struct.unpack_from("<8Q", file, 8))
    parts[0], parts[1] = len(file), len(root)
    shared = read_background(file[:8] + struct.pack("<8Q", *parts) + file[72:] + root)
    assert all(shared.tile((3, x, y)) == content for x in range(8) for y in range(8))


def bomb(size: int) -> bytes:
    return gzip.compress(bytes(size))


PM = pmtiles(FEW)
DAMAGED = {
    "cut head": PM[:60],
    "cut root": PM[:130],
    "no data": PM[: -len(RED) * 4 + 100],
    "old version": pmtiles(FEW, version=2),
    "future version": pmtiles(FEW, version=4),
    "brotli": pmtiles(FEW, packing=3),
    "zstd tiles": pmtiles(FEW, tile_packing=4),
    "zooms upside down": pmtiles(FEW, zooms=(9, 3)),
    "absurd zooms": pmtiles(FEW, zooms=(0, 200)),
    "offsets beyond the file": pmtiles(FEW, parts=[2**63] * 8),
    "root is a bomb": pmtiles(FEW, parts=[127, len(bomb(50_000_000)), 0, 0, 0, 0, 0, 0])[:127]
    + bomb(50_000_000),
    "empty root": pmtiles(FEW, parts=[127, 0, 127, 0, 127, 0, 127, 0]),
    "a root of itself": pmtiles({(0, 0, 0): RED}, packed=False, parts=[127, 5, 0, 0, 127, 5, 127, 5])[:127]
    + listing([(0, 0, 5, 0)]),
    "vector tiles": pmtiles({(0, 0, 0): gzip.compress(b"\x1a\x05roads")}, kind=1),
    "pictures too large": pmtiles({(0, 0, 0): picture(side=1025)}),
    "no tiles": mbtiles({}),
    "empty database": database(),
    "another database": database("CREATE TABLE salaries (name, salary)"),
    "cut database": mbtiles(FEW)[:5_000],
    "no more than the magic": b"SQLite format 3\x00",
    "noise behind the magic": b"SQLite format 3\x00" + bytes(range(256)) * 40,
    "vector tiles in a database": mbtiles({(0, 0, 0): gzip.compress(b"\x1a\x05roads")}),
    "text for a tile": database(
        "CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data)",
        "INSERT INTO tiles VALUES (0, 0, 0, 'picture')",
    ),
    "zooms that are text": database(
        "CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data)",
        "INSERT INTO tiles VALUES ('deep', 0, 0, x'00')",
    ),
    "negative zooms": database(
        "CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data)",
        "INSERT INTO tiles VALUES (-3, 0, 0, x'00')",
    ),
}


@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED.keys())
def test_bad_files_give_a_sentence(content):
    with pytest.raises(InputError, match=SENTENCE) as told:
        read_background(content)
    assert "\n" not in str(told.value)


@given(st.data())
def test_flipped_bytes_give_a_sentence_or_tiles(data):
    content = bytearray(data.draw(st.sampled_from([PM, mbtiles(FEW), mbtiles(FEW, shared=True)])))
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(7, min(len(content), 4_000) - 1))] = data.draw(st.integers(0, 255))
    if data.draw(st.booleans()):
        del content[data.draw(st.integers(20, len(content))) :]
    try:
        found = read_background(bytes(content))
    except InputError:
        return
    assert all(found.tile(place) is None or len(found.tile(place)) < 10_000 for place in FEW)


def test_a_file_too_large_is_refused(monkeypatch):
    monkeypatch.setattr(reading, "MOST_BYTES", 1_000)
    with pytest.raises(InputError, match="MB"):
        read_background(mbtiles(FEW))


COLUMNS = "zoom_level, tile_column, tile_row, tile_data"
COUNTING = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"


@pytest.mark.parametrize(
    "statements",
    [
        [f"CREATE VIEW tiles ({COLUMNS}) AS {COUNTING} SELECT i, i, i, i FROM n"],
        [f"CREATE VIEW tiles ({COLUMNS}) AS SELECT 0, 0, 0, load_extension('x')"],
        ["CREATE VIRTUAL TABLE tiles USING fts5(zoom_level, tile_column, tile_row, tile_data)"],
        [
            "CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data AS (zeroblob(9)))",
            "INSERT INTO tiles (zoom_level, tile_column, tile_row) VALUES (0, 0, 0)",
        ],
        [
            f"CREATE TABLE map ({COLUMNS}, tile_id)",
            f"CREATE VIEW images (tile_id, tile_data) AS {COUNTING} SELECT i, i FROM n",
        ],
    ],
    ids=["endless view", "extension", "virtual table", "generated column", "view of pictures"],
)
def test_nothing_that_a_database_says_is_run(statements):
    with pytest.raises(InputError, match="without a table of tiles"):
        read_background(database(*statements))


def test_a_file_whose_journal_stood_beside_it_is_read():
    content = bytearray(mbtiles(FEW))
    content[18:20] = b"\x02\x02"
    assert read_background(bytes(content)).tile((0, 0, 0)) == RED


def test_what_declares_too_much_is_refused_before_it_is_opened():
    for count in (1, 7, 300, 900):
        assert databases.declared(database(*(f"CREATE TABLE t{i} (a)" for i in range(count)))) == count
    many = database(*(f"CREATE TABLE t{i} (a)" for i in range(1_200)))
    assert databases.declared(many) > 1_000
    with pytest.raises(InputError, match="takes too long"):
        read_background(many)


@given(st.binary(max_size=5_000))
def test_what_is_declared_by_noise_is_counted_quickly(noise):
    assert databases.declared(b"SQLite format 3\0" + noise) >= 0


def test_a_view_of_metadata_is_not_read():
    found = read_background(
        database(
            f"CREATE TABLE tiles ({COLUMNS})",
            f"INSERT INTO tiles VALUES (0, 0, 0, x'{RED.hex()}')",
            f"CREATE VIEW metadata (name, value) AS {COUNTING} SELECT i, i FROM n",
        )
    )
    assert found.credit == "" and found.tile((0, 0, 0)) == RED


def test_a_search_without_an_index_ends(monkeypatch):
    content = database(
        f"CREATE TABLE tiles ({COLUMNS})",
        f"INSERT INTO tiles VALUES (0, 0, 0, x'{RED.hex()}')",
        f"INSERT INTO tiles {COUNTING} SELECT 1, i + 9, i, x'00' FROM n LIMIT 200000",
    )
    found = read_background(content)
    monkeypatch.setattr(databases, "_STEPS", 1)
    assert found.tile((1, 1, 1)) is None
    assert found.source.tile((0, 0, 0)) == RED  # the first row is found at once


def test_a_tile_too_large_or_no_picture_is_left_out():
    noise = np.random.default_rng(0).integers(0, 256, 600_000, np.uint8).tobytes()
    wrong = {
        (1, 0, 0): RED[:-20] + noise,
        (1, 1, 0): b"<svg onload=alert(1)>",
        (1, 0, 1): picture(side=2_000),
    }
    for make in (mbtiles, pmtiles):
        found = read_background(make({(0, 0, 0): RED, **wrong}))
        assert [found.tile(place) for place in wrong] == [None] * 3


def test_a_packed_tile_does_not_unpack_without_end():
    with pytest.raises(InputError):
        unpacked(bomb(1_000_001), 1_000_000)
    file = read_background(pmtiles({(0, 0, 0): RED, (1, 0, 0): bytes(40_000_000)}, packed_tiles=True))
    assert file.tile((0, 0, 0)) == RED and file.tile((1, 0, 0)) is None


def test_what_is_asked_for_is_given_by_name():
    found = read_background(mbtiles(FEW))
    odd = [EVIL, 7, None, ["1/0/1"], "-1/0/0", "1/0/0/0"]
    asked = ["0/0/0", "1/1/1", "9/0/0", *odd, "99/99999999/0", "1/4/0"]
    given_ = found.given(asked)
    assert base64.b64decode(given_.pop("0/0/0")) == RED
    assert given_ == {"1/1/1": None, "9/0/0": None, "99/99999999/0": None, "1/4/0": None}
    assert len(found.given(f"2/{x}/{y}" for x in range(100) for y in range(2))) == AT_ONCE


def test_memory_is_bounded():
    found = read_background(mbtiles(around(35.6, 139.7, range(8, 9), reach=8)))
    for x in range(256):
        found.tile((8, x, 100))
    assert len(found._kept) <= 96


@pytest.mark.parametrize("make", [mbtiles, pmtiles])
def test_credits_are_text(make):
    link = '<a href="https://example.org/" onclick="alert(1)">© The <b>Makers</b></a> &amp; others'
    assert read_background(make(FEW, {"attribution": link})).credit == "© The Makers & others"
    assert "<" not in read_background(make(FEW, {"attribution": EVIL})).credit
    assert len(read_background(make(FEW, {"attribution": "many words " * 999})).credit) == 120
    assert read_background(make(FEW, {"name": "none"})).credit == ""


@given(st.text())
def test_a_credit_is_one_short_line(text):
    said = plain_credit(text)
    assert len(said) <= 120 and said.isprintable()


def test_metadata_of_another_shape_give_no_credit():
    for odd in ([1, 2], "text", {"attribution": 7}, {"attribution": {"a": 1}}):
        assert read_background(pmtiles(FEW, odd)).credit == ""
    assert read_background(mbtiles(FEW, {"bounds": "a,b,c,d"})).source.bounds is None
    assert read_background(mbtiles(FEW, {"bounds": "1,2,3,nan"})).source.bounds is None
    assert read_background(mbtiles(FEW, {"bounds": "1,2,3,4"})).source.bounds == (1, 2, 3, 4)


def test_the_official_package_writes_what_we_read():
    official = pytest.importorskip("pmtiles.writer", reason="needs the package pmtiles")
    tile = pytest.importorskip("pmtiles.tile")
    made = around(35.68, 139.76, range(5, 9), reach=3)
    written = io.BytesIO()
    writer = official.Writer(written)
    for place in sorted(made, key=lambda place: tile.zxy_to_tileid(*place)):
        writer.write_tile(tile.zxy_to_tileid(*place), made[place])
    kinds = {"tile_type": tile.TileType.PNG, "tile_compression": tile.Compression.NONE}
    writer.finalize({**kinds, "min_zoom": 5, "max_zoom": 8}, {"attribution": "© Somebody"})
    found = read_background(written.getvalue())
    assert found.credit == "© Somebody" and found.source.zooms == (5, 8)
    assert {place: found.tile(place) for place in made} == made


TOKYO = fitted((139.6, 35.6, 139.9, 35.8), size=(400, 300))


def shown(source: str) -> np.ndarray:
    kind, text = source.split(",")
    assert kind in ("data:image/jpeg;base64", "data:image/png;base64")
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(text))).convert("RGB")).astype(int)


def test_tiles_are_painted_where_they_are():
    # One green tile of level 12 over Tokyo; its edges are at its longitudes and latitudes.
    place = (12, 3637, 1612)
    found = read_background(mbtiles({place: picture((0, 120, 0))}))
    painted = shown(painted_ground(TOKYO, (400, 300), "light", found))
    green = (np.abs(painted - (0, 120, 0)) < 12).all(axis=2)
    west, south, east, north = TOKYO
    lon = [x / 4096 * 360 - 180 for x in (3637, 3638)]
    lat = [np.degrees(np.arctan(np.sinh(np.pi * (1 - 2 * y / 4096)))) for y in (1612, 1613)]
    columns, rows = np.flatnonzero(green.any(axis=0)), np.flatnonzero(green.any(axis=1))
    expected = [(edge - west) / (east - west) * 400 for edge in lon]
    assert columns[[0, -1]] == pytest.approx([expected[0], expected[1] - 1], abs=1.5)
    expected = [(north - edge) / (north - south) * 300 for edge in lat]
    assert rows[[0, -1]] == pytest.approx([expected[0], expected[1] - 1], abs=1.5)
    assert green[rows[0] : rows[-1], columns[0] : columns[-1]].mean() > 0.9


def test_lines_are_painted_where_they_are():
    line = {"type": "LineString", "coordinates": [[139.0, 35.7], [141.0, 35.7]]}
    mine = read_background(json.dumps(line).encode())
    assert isinstance(mine, Lines)
    with_line, without = (shown(painted_ground(TOKYO, (400, 300), "dark", one)) for one in (mine, None))
    changed = (with_line != without).any(axis=2)
    rows = np.flatnonzero(changed.any(axis=1))
    assert rows == pytest.approx([150], abs=1) and changed.any(axis=0).all()


def test_a_damaged_picture_leaves_land_and_sea():
    found = read_background(mbtiles({(12, 3637, 1612): RED[:60]}))
    painted, plain = (painted_ground(TOKYO, (400, 300), "light", one) for one in (found, None))
    assert np.abs(shown(painted) - shown(plain)).mean() < 6  # one is JPEG


def test_the_finest_level_that_is_fine_enough_covers_an_extent():
    found = read_background(mbtiles(around(35.7, 139.75, range(3, 15))))
    places = found.covering(TOKYO, (400, 300))
    (level,) = {zoom for zoom, _, _ in places}
    assert len(places) <= AT_ONCE and 10 <= level <= 12
    fine = read_background(mbtiles(around(35.7, 139.75, range(14, 15))))
    assert fine.covering((-180.0, -60.0, 180.0, 75.0), (400, 300)) == []
    assert fine.covering((139.70, 35.65, 139.72, 35.67), (400, 300))


def test_a_document_carries_tiles_and_a_picture_credits_them():
    mine = read_background(pmtiles(around(35.7, 139.75, range(6, 12)), {"attribution": EVIL + "© Me"}))
    lat, lon = [35.65, 35.75, 35.66, 35.74], [139.7, 139.8, 139.71, 139.79]
    page = rectangle_map(lat, lon, look=Look(vendor_url="../v", background=mine)).html
    assert "<script>alert" not in page and '"given": {"' in page
    table = table_of(lat=lat, lon=lon)
    found = map_picture(table, release_of(table, [0, 1, 0, 1]), ("lat", "lon"), "light", (400, 300), mine)
    assert found.data["credits"].endswith("© Me") and found.ground.startswith("data:image/jpeg")


def test_zlib_is_not_gzip():
    with pytest.raises(InputError):
        unpacked(zlib.compress(b"x"), 10)
