"""Maps of rectangles: what is sent to the page, and that nothing else is."""

from __future__ import annotations

import base64
import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plotly.colors import unlabel_rgb

import kanon_core as kc
from kanon_core.base.errors import InputError, OptionError
from kanon_core.base.options import expression
from kanon_core.charts.maps.document import MapDocument
from kanon_core.charts.maps.maps import VENDOR, Look, rectangle_layer, rectangle_map
from kanon_core.charts.maps.rectangles import Rectangles, palette, placed
from kanon_core.charts.maps.units import color_scale
from kanon_core.distances.values.geo import rectangle_area_km2, rectangle_diagonal_km
from tests.helpers import release_of, table_of

SERVED = Look(vendor_url="../vendor")
SQUARES = Rectangles(
    [35.0, 35.1, 35.2], [139.0, 139.1, 139.2], [35.01, 35.3, 35.2], [139.01, 139.3, 139.2], [5, 6, 7]
)


def sent(layer: dict) -> dict:
    """The data of a layer, with its packed arrays as arrays."""
    types = {
        "edges": "<f4",
        "colors": "u1",
        "sizes": "<u4",
        "areas": "<f4",
        "diagonals": "<f4",
        "records": "<u4",
    }
    data = dict(layer)
    for name, dtype in types.items():
        data[name] = np.frombuffer(base64.b64decode(data[name]), dtype)
    data["edges"] = data["edges"].reshape(4, -1)
    return data


def page_of(map_: MapDocument) -> str:
    return map_.html


places = st.lists(
    st.tuples(st.floats(-90, 90), st.floats(-180, 180), st.integers(-1, 4)), min_size=0, max_size=30
)


@given(places)
def test_around_is_the_bounding_box_of_each_group(records):
    lat, lon, group = (np.array(column) for column in zip(*records, strict=True)) if records else ([], [], [])
    found = Rectangles.around(lat, lon, group)
    expected = []
    for label in sorted({g for _, _, g in records if g >= 0}):
        own = [(a, b) for a, b, g in records if g == label]
        low, high = [min(c) for c in zip(*own, strict=True)], [max(c) for c in zip(*own, strict=True)]
        expected.append((*low, *high, len(own)))
    edges = zip(found.south, found.west, found.north, found.east, found.sizes, strict=True)
    assert [tuple(edge) for edge in edges] == expected


def test_around_leaves_out_records_without_a_place():
    found = Rectangles.around([35.0, np.nan, 36.0], [139.0, 139.0, 140.0], [0, 0, 0])
    assert found.sizes.tolist() == [2]
    assert (found.south[0], found.north[0]) == (35.0, 36.0)
    assert len(Rectangles.around([np.nan], [139.0], [0])) == 0


def test_rectangles_refuse_what_is_none():
    for wrong in [
        {"south": [35.0]},
        {"south": [35.0, np.nan]},
        {"south": [37.0, 35.0]},
        {"west": [141.0, 139.0]},
        {"sizes": [[1], [2]]},
    ]:
        fine = {
            "south": [35.0] * 2,
            "west": [139.0] * 2,
            "north": [36.0] * 2,
            "east": [140.0] * 2,
            "sizes": [2, 2],
        }
        with pytest.raises(InputError):
            Rectangles(**{**fine, **wrong})


def test_layer_sends_the_largest_first_and_loses_nothing():
    data = sent(rectangle_layer(SQUARES))
    assert data["count"] == 3
    assert data["sizes"].tolist() == [6, 5, 7]
    lat, lon = data["origin"]
    south, west, north, east = data["edges"].astype(float) + np.array([lat, lon, lat, lon])[:, None]
    assert south == pytest.approx([35.1, 35.0, 35.2], abs=1e-7)
    assert east == pytest.approx([139.3, 139.01, 139.2], abs=1e-7)
    assert data["areas"] == pytest.approx(rectangle_area_km2(south, west, north, east), rel=1e-4)
    assert data["diagonals"] == pytest.approx(rectangle_diagonal_km(south, west, north, east), rel=1e-4)
    assert data["colors"].argmax() == 0
    assert data["legend"]["of"] == "area"


def test_layer_colored_by_size():
    data = sent(rectangle_layer(SQUARES, "size"))
    assert data["legend"] == {"of": "size", "ticks": ["5", "6", "7"]}
    assert data["colors"].tolist() == [128, 0, 255]


def test_offsets_keep_centimeters_in_a_city_far_from_zero():
    south = 35.0 + np.arange(1000) * 1e-7
    data = sent(rectangle_layer(Rectangles(south, south + 104, south + 1e-6, south + 105, np.full(1000, 2))))
    assert len(np.unique(data["edges"][0])) == 1000


def test_no_rectangles_and_no_records_are_fine():
    nothing = Rectangles([], [], [], [], [])
    data = sent(rectangle_layer(nothing))
    assert data["count"] == 0
    assert data["legend"]["ticks"] == []
    assert "L.kanonMap(" in page_of(rectangle_map([], [], nothing, look=SERVED))
    assert "L.kanonMap(" in page_of(rectangle_map([np.nan], [139.0], look=SERVED))


@given(st.lists(st.one_of(st.just(0.0), st.floats(1e-6, 1e6)), min_size=1, max_size=40))
def test_color_scale_keeps_the_order(values):
    colors, ticks = color_scale(np.array(values))
    order = np.argsort(values, kind="stable")
    assert (np.diff(colors[order].astype(int)) >= 0).all()
    if len(set(values)) > 1:
        assert colors[np.argmax(values)] == 255
        assert ticks[-1] == (1.0, max(values))
        assert [place for place, _ in ticks] == sorted(place for place, _ in ticks)
    else:
        assert ticks == [(0.0, values[0])]


def test_color_scale_is_logarithmic_when_values_differ_by_much():
    colors, ticks = color_scale(np.array([0.0, 1.0, 10.0, 100.0]))
    assert colors.tolist() == [0, 0, 128, 255]
    assert ticks == [(0.0, 1.0), (0.5, 10.0), (1.0, 100.0)]
    assert color_scale(np.array([0.0, 5.0, 10.0]))[0].tolist() == [0, 128, 255]


def test_palette_changes_in_one_direction():
    for dark in [False, True]:
        colors = palette(dark)
        assert len(colors) == 256
        light = [np.dot(unlabel_rgb(color), [0.2126, 0.7152, 0.0722]) for color in colors]
        steps = np.diff(light[::16]) * (-1 if dark else 1)
        assert (steps > 2).all()


def test_only_the_layer_changes_with_the_rectangles():
    lat, lon = [35.0, 35.3], [139.0, 139.3]
    one = page_of(rectangle_map(lat, lon, look=SERVED))
    assert one == page_of(rectangle_map(lat, lon, look=SERVED))
    assert "kanonRectangles({" not in one
    assert "kanonRectangles({" in page_of(rectangle_map(lat, lon, SQUARES, look=SERVED))


def test_nothing_is_loaded_from_elsewhere():
    for look in [SERVED, Look()]:
        map_ = rectangle_map([35.0, 35.3], [139.0, 139.3], SQUARES, look=look)
        page = page_of(map_)
        loaded = re.findall(r"""(?:src|href)=["']([^"']+)["']""", page)
        assert len(loaded) == 2
        start = "../vendor/leaflet/" if look.vendor_url else "data:text/"
        assert all(address.startswith(start) for address in loaded)
        assert "https://" not in page
        assert "http://" not in page


def test_online_tiles_are_a_choice_and_are_attributed():
    page = page_of(rectangle_map([35.0], [139.0], look=Look(vendor_url="../vendor", online_tiles=True)))
    assert "tile.openstreetmap.org" in page
    assert "openstreetmap.org/copyright" in page
    assert '"online": {' in page


def test_words_stay_words():
    evil = "</script><script>alert(1)</script>{{ 7*7 }}"
    page = page_of(
        rectangle_map([35.0], [139.0], SQUARES, look=Look(vendor_url="../vendor", words={"size": evil}))
    )
    assert "<script>alert" not in page
    assert "{{ 7*7 }}" in page
    assert '"area": "area"' in page


def test_view_holds_the_middle_and_the_button_all():
    lat, lon = np.r_[np.linspace(35, 36, 999), 50.0], np.full(1000, 139.0)
    page = page_of(rectangle_map(lat, lon, look=SERVED))
    view, whole = (
        json.loads(re.search(rf'"{name}": (\[\[.*?\]\])', page).group(1)) for name in ("view", "whole")
    )
    assert view[1][0] < 37
    assert whole[1][0] > 50
    assert whole[0][0] < view[0][0] + 0.1
    assert whole[0][1] < 139.0 < whole[1][1]


def test_an_unknown_theme_is_refused():
    with pytest.raises(OptionError):
        Look(theme="blue")


def test_bundled_parts_are_there_and_small():
    assert (VENDOR / "leaflet" / "leaflet.js").read_text("utf-8").count("1.9.4") >= 1
    assert "BSD 2-Clause" in (VENDOR / "leaflet" / "LICENSE").read_text("utf-8")
    total = 0
    for name in ("overview", "detail"):
        path = VENDOR / "basemap" / f"{name}.json"
        total += path.stat().st_size
        outlines = json.loads(path.read_text("utf-8"))
        assert len(outlines["borders"]) > 200
        assert all(len(ring) >= 6 and len(ring) % 2 == 0 for cell in outlines["land"] for ring in cell)
        x, y = np.array([ring[:2] for cell in outlines["land"] for ring in cell]).T / outlines["scale"]
        margin = outlines["pad"] / outlines["scale"]
        assert np.abs(x).max() <= 180 + margin
        assert np.abs(y).max() <= 90 + margin
    assert total < 1_500_000


def test_a_releases_rectangles_are_its_published_intervals():
    table = table_of(
        lat=[35.0, 36.0, 37.0, 38.0, np.nan, np.nan], lon=[139.0, 139.5, 140.0, 141.0, np.nan, np.nan]
    )
    drawn, own = placed(release_of(table, [0, 0, 1, 1, 2, 2]), "lat", "lon")
    assert own.tolist() == [0, 0, 1, 1, -1, -1]
    assert drawn.south.tolist() == [35.0, 37.0]
    assert drawn.east.tolist() == [139.5, 141.0]
    assert drawn.sizes.tolist() == [2, 2]


def test_groups_that_publish_the_same_are_one_rectangle():
    table = table_of(lat=[35.0, 35.5] * 4, lon=[139.0, 139.5] * 4, age=[1, 2, 1, 2, 1, 2, 8, 9])
    release = release_of(table, [0, 0, 1, 1, 2, 2, 3, 3])
    drawn, own = placed(release, "lat", "lon")
    assert own.tolist() == [0, 0, 0, 0, 0, 0, 1, 1]
    assert drawn.sizes.tolist() == drawn.published.tolist() == [6, 2] == release.hiding_sizes.tolist()


@pytest.mark.parametrize(
    "algorithm", [kc.MDAV(), kc.FullDomain(), kc.FullDomain(max_suppressed=0.2), kc.Lottery()], ids=expression
)
def test_each_record_is_drawn_with_the_rectangle_that_is_published(algorithm):
    """Whether a column's cells are numbered by group, by record or, as of full domain, by value."""
    table = kc.read_table("sample:people-100")
    release = kc.anonymize(table, algorithm, 3, seed=1)
    rectangles, own = placed(release, "latitude", "longitude")
    drawn = {
        "latitude": (rectangles.south, rectangles.north),
        "longitude": (rectangles.west, rectangles.east),
    }
    assert (own >= 0).sum() == len(table) - release.suppressed.sum()
    for name, (low, high) in drawn.items():
        column = release[name]
        cells, cell = column.cells.as_intervals(), column.cell[own >= 0]
        assert np.array_equal(low[own[own >= 0]], cells.low[cell])
        assert np.array_equal(high[own[own >= 0]], cells.high[cell])
