"""The map as one picture: units, names that do not collide, density, sentences with figures made by hand."""

from __future__ import annotations

import base64
import struct
import zlib
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.base.errors import OptionError
from kanon_core.charts.canvas.theme import theme_of
from kanon_core.charts.maps import paint
from kanon_core.charts.maps.extent import fitted, ruler, whole_extent, width_km
from kanon_core.charts.maps.ground import COAST, LAND, SEA, ground
from kanon_core.charts.maps.picture import SIZE, Drawing, map_picture, map_sentence
from kanon_core.charts.maps.places import gazetteer, labels, text_width
from kanon_core.charts.maps.rectangles import CELL, DARK, FEW_SMALL, LIGHT, READABLE, Rectangles
from kanon_core.charts.maps.units import area_scale, area_text, count_scale, length_text
from tests.helpers import release_of, table_of

NAMED = ("lat", "lon")
TOKYO = fitted((139.3, 35.4, 140.1, 36.0), size=SIZE)


def pixels(source: str) -> np.ndarray:
    """The palette numbers of an indexed PNG without filters."""
    data = base64.b64decode(source.split(",")[1])
    width, height = struct.unpack(">II", data[16:24])
    start, body = 8, b""
    while start < len(data):
        (length,) = struct.unpack(">I", data[start : start + 4])
        if data[start + 4 : start + 8] == b"IDAT":
            body += data[start + 8 : start + 8 + length]
        start += length + 12
    return np.frombuffer(zlib.decompress(body), np.uint8).reshape(height, width + 1)[:, 1:]


def squares(count: int, side: float, seed: int = 1) -> Rectangles:
    """Squares of a side in degrees, anywhere in the extent of Tokyo."""
    rng = np.random.default_rng(seed)
    south, west = rng.uniform(35.45, 35.9, count), rng.uniform(139.4, 140.0, count)
    return Rectangles(south, west, south + side, west + side, np.full(count, 5))


@given(st.floats(0, 5e8))
def test_units_are_sensible(area):
    text = area_text(area)
    number, unit = text.removeprefix("less than ").split(" ", 1)
    value = float(number.replace(",", ""))
    factor = {"m²": 1e-6, "ha": 0.01, "km²": 1.0, "million km²": 1e6}[unit]
    assert value == 0 if area == 0 else value >= 1
    if area >= 1e-6:
        assert value * factor == pytest.approx(area, rel=0.005)
    assert value < {"m²": 10_001, "ha": 100.1, "km²": 1_000_001, "million km²": 511}[unit]


def test_lengths_have_units():
    for length, text in [(0.0, "0 m"), (6e-6, "less than 1 m"), (0.25, "250 m"), (123.4, "123 km")]:
        assert length_text(length) == text


@given(st.lists(st.one_of(st.just(0.0), st.floats(1e-15, 1e6)), min_size=1, max_size=60))
def test_legends_have_at_most_three_labels_that_differ(areas):
    for scale in (area_scale(np.array(areas)), count_scale(np.array(areas))):
        texts = [text for _, text in scale.ticks]
        assert 1 <= len(texts) <= 3 and len(set(texts)) == len(texts)
        assert len(scale.indexes) == len(areas)
        order = np.argsort(areas, kind="stable")
        assert (np.diff(scale.indexes[order].astype(int)) >= 0).all()


def test_a_few_flat_rectangles_do_not_stretch_the_scale():
    areas = np.r_[np.full(2, 6e-12), np.linspace(1, 4, 98)]
    assert [text for _, text in area_scale(areas).ticks] == ["≤ 1 km²", "2.5 km²", "4 km²"]
    assert [text for _, text in area_scale(np.zeros(3)).ticks] == ["0 m²"]


@given(st.integers(0, 5_000), st.sampled_from([(320, 240), (560, 400), (900, 700)]))
def test_names_do_not_collide_and_stay_inside(seed, size):
    rng = np.random.default_rng(seed)
    names, places = gazetteer()
    latitude, longitude = places[rng.integers(len(names))]
    half = 10 ** rng.uniform(-2, 1.2)
    box = (longitude - half, max(latitude - half, -89), longitude + half, min(latitude + half, 89))
    ruled = (size[0] * 0.7, size[1] - 30.0, float(size[0]), float(size[1]))
    found = labels(fitted(box, size=size), size, [ruled])
    boxes = [label.box for label in found]
    assert all(b[0] >= 0 and b[1] >= 0 and b[2] <= size[0] and b[3] <= size[1] for b in boxes)
    assert not [1 for a, b in combinations([*boxes, ruled], 2) if overlap(a, b)]
    assert all(b[2] - b[0] >= text_width(label.name) - 1e-6 for label, b in zip(found, boxes, strict=True))
    rank = {
        (name, *place): number
        for number, (name, place) in enumerate(zip(names, places.tolist(), strict=True))
    }
    ranks = [rank[label.name, label.latitude, label.longitude] for label in found]
    assert ranks == sorted(ranks)


def overlap(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def test_the_largest_places_in_view_are_named():
    names = [label.name for label in labels(TOKYO, SIZE)]
    assert names[0] == "Tokyo"
    assert {"Kawasaki", "Saitama"} <= set(names)
    assert len(names) <= SIZE[0] * SIZE[1] // 9_000
    assert gazetteer()[1][list(gazetteer()[0]).index("Tokyo")] == pytest.approx(
        [35.6895, 139.69171], abs=1e-4
    )


def test_land_and_sea_are_where_they_are():
    extent, size = (135.0, 33.0, 143.0, 38.0), (80, 50)
    found = ground(extent, size)

    def at(longitude, latitude):
        return found[int((38 - latitude) * 10), int((longitude - 135) * 10)]

    assert at(138.5, 36.0) == LAND and at(142.5, 35.0) == SEA and at(137.0, 33.5) == SEA
    assert (found == COAST).any()
    world = ground((-180.0, -60.0, 180.0, 75.0), (360, 135))
    assert world[75 - 48, 180 + 2] in (LAND, COAST) and world[75, 180 - 30] == SEA


def test_density_counts_every_record_once():
    found = paint.density(squares(500, 0.02), TOKYO, (140, 100))
    assert found.sum() == pytest.approx(2_500)
    assert (found >= 0).all()
    one = Rectangles([0.0], [0.0], [2.0], [2.0], [8])
    spread = paint.density(one, (0.0, 0.0, 4.0, 4.0), (4, 4))
    assert spread.tolist() == [[0, 0, 0, 0], [0, 0, 0, 0], [2, 2, 0, 0], [2, 2, 0, 0]]
    half_out = paint.density(one, (1.0, 0.0, 3.0, 2.0), (2, 2))
    assert half_out.tolist() == [[2, 0], [2, 0]]
    dot = Rectangles([1.0], [1.0], [1.0], [1.0], [3])
    assert paint.density(dot, (0.0, 0.0, 4.0, 4.0), (4, 4)).sum() == 3


edges = st.tuples(st.floats(0, 4), st.floats(0, 4), st.floats(0, 2), st.floats(0, 2), st.integers(1, 9))


@given(st.lists(edges, min_size=1, max_size=20))
def test_density_of_what_is_in_view_keeps_the_number_of_records(found):
    south, west, high, wide, sizes = map(np.array, zip(*found, strict=True))
    drawn = Rectangles(south, west, south + high, west + wide, sizes)
    assert paint.density(drawn, (0.0, 0.0, 6.0, 6.0), (7, 5)).sum() == pytest.approx(sizes.sum())


def test_density_is_drawn_when_rectangles_are_many_or_many_and_small():
    for count, side, expected in [
        (READABLE, 0.05, False),
        (READABLE + 1, 0.05, True),
        (FEW_SMALL, 0.0001, False),
        (FEW_SMALL + 1, 0.0001, True),
    ]:
        assert paint.too_many(squares(count, side), TOKYO, SIZE) is expected
    far = fitted((10.0, 50.0, 11.0, 51.0), size=SIZE)
    assert not paint.too_many(squares(READABLE + 1, 0.05), far, SIZE)


def grid(count: int, side: float) -> tuple[kc.Table, kc.Release]:
    """Pairs of records at opposite corners of squares near the equator, each pair a group."""
    places = np.arange(count) * 0.02
    lat = np.column_stack([places, places + side]).ravel()
    table = table_of(lat=lat, lon=lat + 10)
    return table, release_of(table, np.repeat(np.arange(count), 2))


def test_the_sentence_reads_the_rectangles():
    # At the equator a degree is 111.195 km: squares of 0.01° have 1.236 km², one of 0.1° 123.6 km².
    table = table_of(lat=[0.0, 0.01, 0.2, 0.21, 0.4, 0.5], lon=[0.0, 0.01, 0.2, 0.21, 0.4, 0.5])
    release = release_of(table, [0, 0, 1, 1, 2, 2])
    assert map_sentence(table, release, NAMED) == (
        "Half of the 3 rectangles, one for each group of records, cover at most 1.24 km²; the widest covers"
        " 124 km²."
    )
    assert map_picture(table, release, NAMED).data["says"] == map_sentence(table, release, NAMED)


def test_the_sentence_tells_points_and_what_is_not_there():
    nan = np.nan
    table = table_of(
        lat=[5.0, 5.0, 6.0, 6.0, 7.0, 7.1, nan, nan], lon=[5.0, 5.0, 6.0, 6.0, 7.0, 7.1, nan, nan]
    )
    says = map_sentence(table, release_of(table, [0, 0, 1, 1, 2, 2, 3, 3]), NAMED)
    assert says.startswith("At least half of the 3 rectangles, one for each group of records, have no area;")
    assert "Single points, whose place is published exactly: 2." in says
    assert says.endswith("Records without a place or suppressed: 2.")


def test_density_says_so_and_names_the_square():
    table, release = grid(READABLE + 5, 0.01)
    says = map_sentence(table, release, NAMED)
    drawing = Drawing.of(table, release, NAMED)
    assert drawing.dense and "too many to tell apart" in says
    assert f"in each square of {length_text(float(f'{drawing.cell_km:.2g}'))}," in says
    assert drawing.cell_km == pytest.approx(width_km(drawing.extent) / (SIZE[0] // CELL))
    assert drawing.cells.sum() == pytest.approx(len(table))
    few, released = grid(50, 0.01)
    assert not Drawing.of(few, released, NAMED).dense
    assert "too many" not in map_sentence(few, released, NAMED)


def test_a_release_without_places_is_a_map_that_says_so():
    table = table_of(lat=[np.nan] * 4, lon=[np.nan] * 4)
    release = release_of(table, [0, 0, 1, 1])
    assert map_sentence(table, release, NAMED) == "No published record has a place."
    assert map_picture(table, release, NAMED).data["ticks"] == []


def test_overlapping_sets_are_one_rectangle_for_each_row():
    rng = np.random.default_rng(3)
    table = table_of(lat=rng.uniform(35, 36, 20), lon=rng.uniform(139, 140, 20))
    release = kc.anonymize(table, kc.OptimalConcealment(), 3, seed=1)
    assert "one for each published row" in map_sentence(table, release, NAMED)
    assert Drawing.of(table, release, NAMED).rectangles.published.sum() == 20


def test_the_picture_is_one_png_over_the_ground_with_a_short_legend():
    table, release = grid(40, 0.01)
    drawn = map_picture(table, release, NAMED, "dark", (400, 300)).data
    assert pixels(drawn["over"]).shape == pixels(drawn["ground"]).shape == (600, 800)
    assert (pixels(drawn["over"]) > 0).any() and (pixels(drawn["ground"]) > 0).all()
    assert drawn["credits"] == "Natural Earth · GeoNames (CC BY 4.0)"
    assert 1 <= len(drawn["ticks"]) <= 3 and all("km²" in text or " ha" in text for text in drawn["ticks"])
    assert all(0 <= x <= 1 and 0 <= y <= 1 for _, x, y, _ in drawn["names"])
    with pytest.raises(OptionError):
        map_picture(table, release, NAMED, "blue")


def test_squares_are_a_pixel_each():
    table, release = grid(READABLE + 5, 0.01)
    found = map_picture(table, release, NAMED)
    painted = pixels(found.data["over"])
    assert found.data["squares"] and painted.shape == found.drawing.cells.shape == (100, 140)
    assert ((painted > 0) == (found.drawing.cells > 0)).all()


def test_the_ground_and_names_are_made_once_for_a_table():
    table, release = grid(40, 0.01)
    first, second = (map_picture(table, release, NAMED) for _ in range(2))
    assert first.ground is second.ground


def test_far_records_do_not_shrink_the_picture():
    lat = np.r_[np.linspace(35, 36, 1_500), 80.0]
    west, south, east, north = whole_extent(lat, np.linspace(139, 140, 1_501))
    assert 33 < south < 35 and 36 < north < 38 and west < 139 and east > 140
    near = whole_extent(np.r_[np.linspace(35, 36, 1_500), 36.5], np.linspace(139, 140, 1_501))
    assert near[3] > 36.5


def test_the_ruler_is_a_round_length_within_a_quarter():
    for half in (0.001, 0.03, 1.0, 40.0):
        extent = fitted((100 - half, 20 - half / 2, 100 + half, 20 + half / 2), size=SIZE)
        length = ruler(extent)
        assert width_km(extent) / 10 <= length <= width_km(extent) / 4
        assert float(f"{length:.0e}") == pytest.approx(length) and f"{length:e}"[0] in "125"


def test_texts_on_the_map_have_contrast_over_every_color():
    for theme, ground_colors in (("light", LIGHT), ("dark", DARK)):
        below = [*paint.shades(theme == "dark"), *(ground_colors[part] for part in ("sea", "land", "coast"))]
        for color in below:
            behind = 0.8 * rgb(ground_colors["land"]) + 0.2 * rgb(color)
            assert contrast(rgb(theme_of(theme).text), behind) >= 4.5
        assert contrast(rgb(theme_of(theme).muted), rgb(theme_of(theme).surface)) >= 4.5


def rgb(color: str) -> np.ndarray:
    return np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)], float)


def contrast(one: np.ndarray, other: np.ndarray) -> float:
    """The contrast ratio of WCAG 2.2."""

    def luminance(color):
        share = color / 255
        linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
        return float(linear @ [0.2126, 0.7152, 0.0722])

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)
