"""Maps of rectangles: a `folium.Map` that asks nobody for anything, and what it shows."""

from __future__ import annotations

import base64
import json
import re
import warnings

import folium
import numpy as np
import pandas as pd
import pytest
from folium.plugins import Fullscreen, HeatMap, MeasureControl, MousePosition
from hypothesis import given
from hypothesis import strategies as st
from plotly.colors import unlabel_rgb

import kanon_core as kc
from kanon_core.base.assets import ASSETS
from kanon_core.base.errors import InputError, OptionError, UnsuitableError
from kanon_core.base.options import expression
from kanon_core.charts.maps import vendored
from kanon_core.charts.maps.boxes import Boxes, drawing_order, placed, places
from kanon_core.charts.maps.density import DEEPEST, across, densest, density, down
from kanon_core.charts.maps.facts import Placed, compared_sentence
from kanon_core.charts.maps.layers import (
    CROWD,
    Ground,
    Rectangles,
    layer_data,
    overview_data,
    palette,
)
from kanon_core.charts.maps.offline import OfflineMap
from kanon_core.charts.maps.own import MOST_POSITIONS, OwnLayer
from kanon_core.charts.maps.rectangle_map import rectangle_map, views
from kanon_core.charts.maps.units import area_text, color_scale
from kanon_core.distances.values.geo import rectangle_area_km2
from kanon_core.papers.concealment_maps import figures
from tests.helpers import release_of, table_of

NAMED = ("latitude", "longitude")
SQUARES = Boxes(
    [35.0, 35.1, 35.2], [139.0, 139.1, 139.2], [35.01, 35.3, 35.2], [139.01, 139.3, 139.2], [5, 6, 7]
)
EVIL = "</script><img src=x onerror=alert(1)>"


def city(n: int = 40, **more: object) -> kc.Table:
    rng = np.random.default_rng(3)
    places = {"latitude": rng.normal(35, 0.1, n), "longitude": rng.normal(139, 0.1, n)}
    return kc.Table.from_frame(pd.DataFrame({**places, **more}))


@pytest.fixture(scope="module")
def people() -> tuple[kc.Table, kc.Release]:
    table = kc.read_table("sample:people-100")
    return table, kc.anonymize(table, kc.MDAV(), 5, seed=1)


def sent(layer: dict) -> dict:
    """The data of a layer, with its packed arrays as arrays."""
    types = {"edges": "<f4", "colors": "u1", "sizes": "<u4"}
    unpacked = {name: np.frombuffer(base64.b64decode(layer[name]), kind) for name, kind in types.items()}
    return layer | unpacked | {"edges": unpacked["edges"].reshape(4, -1)}


def links(page: str) -> list[str]:
    return re.findall(r"""(?:src|href)=["']([^"']+)["']""", page)


# One map of folium


def test_it_is_a_map_of_folium_that_asks_nobody(people, tmp_path):
    made = kc.rectangle_map(*people)
    assert isinstance(made, folium.Map) and made.foreign() == []
    for plugin in (Fullscreen(), MousePosition(), MeasureControl(), folium.LayerControl()):
        plugin.add_to(made)
    ring = {"type": "Polygon", "coordinates": [[[139, 35], [140, 35], [140, 36], [139, 35]]]}
    folium.GeoJson(ring, name="mine").add_to(made)
    folium.Marker([35.7, 139.7], popup=folium.Popup("here"), icon=folium.Icon(color="red")).add_to(made)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made.save(str(tmp_path / "map.html"))
    page = (tmp_path / "map.html").read_text("utf-8")
    for text in (page, made.get_root().render()):
        assert len(links(text)) > 10 and all(link.startswith("data:") for link in links(text))
    assert 'srcdoc="' in made._repr_html_()


def test_what_is_not_vendored_keeps_its_address_and_saving_says_so(people, tmp_path):
    made = rectangle_map(*people)
    HeatMap([[35.7, 139.7]]).add_to(made)
    (asked,) = made.foreign()
    assert asked.startswith("https://") and "heat" in asked
    made.add_js_link("more", "https://example.org/more.js")
    folium.raster_layers.ImageOverlay("https://example.org/x.png", [[35, 139], [36, 140]]).add_to(made)
    assert set(made.foreign()) == {"https://example.org/more.js", asked, "https://example.org/x.png"}
    with pytest.warns(UserWarning, match="asks other machines for: https://.*heat"):
        made.save(str(tmp_path / "map.html"))
    tiles = rectangle_map(*people, tiles=("https://tiles.example.org/{z}/{x}/{y}.png", EVIL))
    assert tiles.foreign() == ["https://tiles.example.org/{z}/{x}/{y}.png"]
    for wrong in (
        "OpenStreetMap",
        "https://{s}.example.org/{z}/{x}/{y}.png",
        "https://a.b/{z}/{x}/{y}?{key}",
    ):
        with pytest.raises(OptionError, match="address of a tile server"):
            rectangle_map(*people, tiles=(wrong, ""))
    assert "onerror=alert(1)>" not in tiles.get_root().render()
    unsigned = rectangle_map(*people, tiles=("https://tiles.example.org/{z}/{x}/{y}.png", ""))
    assert '"attribution": "tiles.example.org"' in unsigned.get_root().render()


def test_other_maps_of_the_process_keep_their_addresses(people):
    before = list(folium.Map.default_js), list(Fullscreen.default_js)
    rectangle_map(*people).get_root().render()
    assert (list(folium.Map.default_js), list(Fullscreen.default_js)) == before
    plain = folium.Map()
    Fullscreen().add_to(plain)
    assert any("cdn" in link for link in links(plain.get_root().render()))


def test_our_layers_stand_on_a_plain_map_too(people):
    plain = folium.Map(tiles=None)
    Ground().add_to(plain)
    Rectangles(placed(people[1], *NAMED)[0], 5).add_to(plain)
    page = plain.get_root().render()
    assert "L.kanonRectangles(" in page and "L.kanonGround(" in page and '"whole": [[' in page
    assert vendored.address(vendored.STYLE) in page


def test_served_parts_have_addresses_below_the_server(people):
    made = rectangle_map(*people, served="/component/assets")
    parts = made.parts()
    assert all(link.startswith("/component/assets/") for link in (*parts["css"], *parts["js"]))
    assert all((ASSETS / link.removeprefix("/component/assets/")).is_file() for link in parts["js"])
    assert len(parts["script"]) < 40_000 and parts["names"]["OfflineMap"] == made.get_name()


def test_every_vendored_file_is_there_and_names_no_other_machine():
    for path in (*vendored.FILES.values(), *vendored.SCRIPTS, vendored.STYLE):
        kind, _, content = vendored.address(path).partition(";base64,")
        text = base64.b64decode(content).decode("utf-8")
        assert kind in ("data:text/javascript", "data:text/css", "data:application/javascript"), path
        if path.endswith(".css"):
            assert not re.search(r"url\((?!['\"]?(data:|#))", text), path
    with pytest.raises(InputError, match=r"none\.js is missing"):
        vendored.address("map/none.js")
    licenses = {path.parent.name for path in (ASSETS / "vendor").glob("*/LICENSE")}
    assert licenses == {path.name for path in (ASSETS / "vendor").iterdir() if path.is_dir()}


# What it shows


def test_without_points_nothing_of_the_originals_is_in_it():
    """Neither their places nor an extent that only suppressed records have."""
    table = table_of(lat=[35.0, 35.1, 35.2, 48.123456], lon=[139.0, 139.1, 139.2, 2.654321])
    table = table.with_schema(table.schema.with_kinds({"lat": "latitude", "lon": "longitude"}))
    release = release_of(table, [0, 0, 0, -1])
    page = rectangle_map(table, release).get_root().render()
    assert "L.kanonRecords" not in page and "48.1" not in page and "2.65" not in page
    assert "L.kanonRecords" in rectangle_map(table, release, points=True).get_root().render()
    near, whole = views(table, ("lat", "lon"), placed(release, "lat", "lon")[0])
    assert near == whole and whole[1][0] < 36


@pytest.mark.parametrize("kinds", [{}, {"lat": "latitude"}, {"lon": "longitude"}])
def test_a_table_without_places_is_told_what_to_do(kinds):
    table = table_of(lat=[35.0, 36.0], lon=[139.0, 140.0])
    table = table.with_schema(table.schema.with_kinds({"lat": "numeric", "lon": "numeric", **kinds}))
    missing = [kind for kind in NAMED if kind not in kinds.values()]
    with pytest.raises(
        UnsuitableError, match=f"no quasi-identifier is of kind {missing[0]}.*set role and kind"
    ):
        rectangle_map(table)


def test_an_unknown_theme_or_coloring_is_refused(people):
    with pytest.raises(OptionError):
        rectangle_map(*people, theme="blue")
    with pytest.raises(OptionError, match="“area” or “size”"):
        rectangle_map(*people, coloring="name")


def test_means_are_points_and_say_so():
    table = city()
    table = table.with_schema(table.schema.with_recodings(dict.fromkeys(NAMED, "mean")))
    found = Placed.of("MDAV", kc.anonymize(table, kc.MDAV(), 4, seed=1), NAMED)
    assert (found.boxes.south == found.boxes.north).all() and found.means
    assert "published as a mean, so no group has an area" in found.sentence
    assert found.facts() == [("places", "published as means")] and not compared_sentence([found, found])


def test_all_records_at_one_place_and_at_the_poles_are_a_map():
    for latitude, longitude in ((35.0, 139.0), (90.0, 0.0), (-90.0, 180.0)):
        places = {"latitude": [latitude] * 6, "longitude": [longitude] * 6}
        table = kc.Table.from_frame(pd.DataFrame(places))
        table = table.with_schema(table.schema.with_kinds(dict(zip(NAMED, NAMED, strict=True))))
        release = kc.anonymize(table, kc.MDAV(), 3, seed=1)
        found = Placed.of("MDAV", release, NAMED)
        assert "Every place is published exactly" in found.sentence
        (south, west), (north, east) = views(table, NAMED, found.boxes)[0]
        assert -90 < south < north < 90 and west < east
        assert rectangle_map(table, release).get_root().render()


def test_boxes_refuse_what_is_none():
    fine = {
        "south": [35.0] * 2,
        "west": [139.0] * 2,
        "north": [36.0] * 2,
        "east": [140.0] * 2,
        "sizes": [2, 2],
    }
    for wrong in (
        {"south": [35.0]},
        {"south": [35.0, np.nan]},
        {"south": [37.0, 35.0]},
        {"west": [141.0, 139.0]},
        {"sizes": [[1], [2]]},
    ):
        with pytest.raises(InputError):
            Boxes(**{**fine, **wrong})


def test_the_layer_sends_the_largest_first_and_loses_nothing():
    data = sent(layer_data(SQUARES, 5))
    assert data["count"] == 3 and data["k"] == 5 and data["records"] is None
    assert data["sizes"].tolist() == [6, 5, 7]
    lat, lon = data["origin"]
    south, west, north, east = data["edges"].astype(float) + np.array([lat, lon, lat, lon])[:, None]
    assert south == pytest.approx([35.1, 35.0, 35.2], abs=1e-7)
    assert east == pytest.approx([139.3, 139.01, 139.2], abs=1e-7)
    areas = rectangle_area_km2(south, west, north, east)
    assert areas == pytest.approx(SQUARES.areas_km2[[1, 0, 2]], rel=1e-4)
    assert data["colors"].argmax() == 0 and data["legend"]["of"] == "area"
    by_size = sent(layer_data(SQUARES, 5, "size"))
    assert by_size["legend"] == {"of": "size", "ticks": ["≤ 2", "20", "≥ 200"]}
    assert by_size["colors"].tolist() == [61, 51, 69]
    empty = sent(layer_data(Boxes.none(), 0))
    assert empty["count"] == 0 and empty["legend"]["ticks"] == []


def test_the_overview_sends_the_records_of_each_square_in_place_of_too_many_rectangles():
    draw = np.random.default_rng(31)
    south, west = 35 + draw.random(3_000), 139 + draw.random(3_000)
    boxes = Boxes(
        south, west, south + 0.1 * draw.random(3_000), west + 0.1 * draw.random(3_000), np.full(3_000, 5)
    )
    made = density(boxes, CROWD["cell"])
    squares = 64 * 2 ** made["zoom"]
    counts = made["most"] * (made["sums"] / 65_535) ** 2
    assert counts.sum() == pytest.approx(15_000, rel=1e-3)
    assert max(made["wide"] / 160, made["rows"] / 75) <= 1.05  # all fits the frame
    slow = np.zeros_like(counts)
    ends = zip(across(boxes.west), across(boxes.east), down(boxes.north), down(boxes.south), strict=True)
    for left, right, top, bottom in ends:
        columns = slice(int(left * squares) - made["x"], int(np.ceil(right * squares)) - made["x"])
        rows = slice(int(top * squares) - made["y"], int(np.ceil(bottom * squares)) - made["y"])
        slow[rows, columns] += 5 / slow[rows, columns].size
    assert np.abs(counts - slow).max() < 1e-3 * slow.max()
    overview, few = overview_data(boxes, 5), overview_data(SQUARES, 5)
    assert overview["count"] == 3_000 and overview["density"]["zoom"] == made["zoom"]
    assert len(str(overview)) < len(str(layer_data(boxes, 5)))
    assert few == layer_data(SQUARES, 5)


def test_colors_mean_the_same_at_every_k(people):
    table, _ = people
    ends, found, legends = places(table, NAMED).ends("area"), {}, []
    for k in (2, 5, 20, 50):
        boxes, _ = placed(kc.anonymize(table, kc.MDAV(), k, seed=1), *NAMED)
        data = sent(layer_data(boxes, k, ends=ends))
        legends.append(data["legend"]["ticks"])
        for area, color in zip(boxes.areas_km2[drawing_order(boxes)], data["colors"].tolist(), strict=True):
            assert found.setdefault(float(area), color) == color
        assert np.mean((data["colors"] > 0) & (data["colors"] < 255)) > 0.85  # the scale is used
    assert [found[area] for area in sorted(found)] == sorted(found.values())
    assert all(one == legends[0] for one in legends)


def test_offsets_keep_centimeters_in_a_city_far_from_zero():
    south = 35.0 + np.arange(1000) * 1e-7
    data = sent(layer_data(Boxes(south, south + 104, south + 1e-6, south + 105, np.full(1000, 2)), 2))
    assert len(np.unique(data["edges"][0])) == 1000


@given(st.lists(st.one_of(st.just(0.0), st.floats(1e-6, 1e6)), min_size=1, max_size=40))
def test_color_scale_keeps_the_order(values):
    colors = color_scale(np.array(values), (0.01, 100.0))
    order = np.argsort(values, kind="stable")
    assert (np.diff(colors[order].astype(int)) >= 0).all()
    assert all(color == 255 for color, value in zip(colors.tolist(), values, strict=True) if value >= 100)
    assert all(color == 0 for color, value in zip(colors.tolist(), values, strict=True) if value <= 0.01)


def test_a_scale_without_extent_has_one_color_and_one_label():
    assert color_scale(np.zeros(3), (0.0, 0.0)).tolist() == [128] * 3
    here = Boxes.places(np.array([35.0, 35.0, np.nan]), np.array([139.0, 139.0, 140.0]))
    assert len(here) == 2 and here.ends("area")[1] == 0.0
    assert layer_data(here, 2)["legend"]["ticks"] == ["0 m²"]


def test_palette_changes_in_one_direction():
    for dark in [False, True]:
        colors = palette(dark)
        assert len(colors) == 256
        light = [np.dot(unlabel_rgb(color), [0.2126, 0.7152, 0.0722]) for color in colors]
        assert (np.diff(light[::16]) * (-1 if dark else 1) > 2).all()


def test_a_releases_boxes_are_its_published_intervals():
    table = table_of(
        lat=[35.0, 36.0, 37.0, 38.0, np.nan, np.nan], lon=[139.0, 139.5, 140.0, 141.0, np.nan, np.nan]
    )
    drawn, own = placed(release_of(table, [0, 0, 1, 1, 2, 2]), "lat", "lon")
    assert own.tolist() == [0, 0, 1, 1, -1, -1]
    assert drawn.south.tolist() == [35.0, 37.0] and drawn.east.tolist() == [139.5, 141.0]
    assert drawn.sizes.tolist() == [2, 2]


def test_groups_that_publish_the_same_are_one_box():
    table = table_of(lat=[35.0, 35.5] * 4, lon=[139.0, 139.5] * 4, age=[1, 2, 1, 2, 1, 2, 8, 9])
    release = release_of(table, [0, 0, 1, 1, 2, 2, 3, 3])
    drawn, own = placed(release, "lat", "lon")
    assert own.tolist() == [0, 0, 0, 0, 0, 0, 1, 1]
    assert drawn.sizes.tolist() == drawn.published.tolist() == [6, 2] == release.hiding_sizes.tolist()


@pytest.mark.parametrize(
    "algorithm", [kc.MDAV(), kc.FullDomain(), kc.FullDomain(max_suppressed=0.2), kc.Lottery()], ids=expression
)
def test_each_record_is_drawn_with_the_box_that_is_published(algorithm):
    """The boxes are right whether a column's cells are numbered by group, by record or, as in full-domain
    generalization, by value."""
    table = kc.read_table("sample:people-100")
    release = kc.anonymize(table, algorithm, 3, seed=1)
    boxes, own = placed(release, *NAMED)
    drawn = {"latitude": (boxes.south, boxes.north), "longitude": (boxes.west, boxes.east)}
    assert (own >= 0).sum() == len(table) - release.suppressed.sum()
    for name, (low, high) in drawn.items():
        column = release[name]
        cells, cell = column.cells.as_intervals(), column.cell[own >= 0]
        assert np.array_equal(low[own[own >= 0]], cells.low[cell])
        assert np.array_equal(high[own[own >= 0]], cells.high[cell])


# What is said of it


def test_areas_are_those_of_each_record_whatever_the_cover():
    table, methods = city(), (kc.OptimalConcealment(), kc.Pairing(), kc.MDAV())
    shown = [Placed.of(m.title, kc.anonymize(table, m, 4), NAMED) for m in methods]
    for one in shown:
        assert len(one.areas_km2) == len(table)
        assert dict(one.facts())["mean area"] == area_text(float(one.areas_km2.mean()))
    assert sorted(shown[0].own.tolist()) == list(range(len(table)))
    means = {one.title: float(one.areas_km2.mean()) for one in shown}
    best = min(means, key=means.__getitem__)
    says = compared_sentence(shown)
    assert says.startswith(f"{best} has the smallest mean area, {area_text(means[best])}; ")
    assert all(title in says for title in means)
    assert compared_sentence(shown[:1]) == ""
    assert "the same for all" in compared_sentence([shown[0], shown[0]])


def test_no_place_is_said():
    table = table_of(lat=[np.nan, np.nan], lon=[np.nan, np.nan])
    found = Placed.of("none", release_of(table, [0, 0]), ("lat", "lon"))
    assert found.sentence == "No published record has a place." and found.facts() == [
        ("records on the map", "none")
    ]


# A layer of one's own


def geojson(*features: object) -> bytes:
    return json.dumps({"type": "FeatureCollection", "features": features}).encode()


def feature(kind: str, coordinates: object, **properties: object) -> dict[str, object]:
    return {
        "type": "Feature",
        "geometry": {"type": kind, "coordinates": coordinates},
        "properties": properties,
    }


def test_properties_are_text_and_geometries_numbers():
    layer = OwnLayer.read(geojson(feature("Point", [139, 35, 7], name=EVIL, **{EVIL: 1})), EVIL)
    assert layer.geometries == ({"type": "Point", "coordinates": [139.0, 35.0]},)
    made = OfflineMap()
    layer.layer().add_to(made)
    folium.LayerControl().add_to(made)
    assert "<img" not in made.get_root().render() and "</script><" not in layer.about[0]


def test_every_kind_of_geometry_is_read():
    ring = [[139, 35], [140, 35], [140, 36], [139, 35]]
    kinds = {
        "Point": [139, 35],
        "MultiPoint": [[139, 35]],
        "LineString": ring,
        "MultiLineString": [ring],
        "Polygon": [ring],
        "MultiPolygon": [[ring]],
    }
    layer = OwnLayer.read(geojson(*(feature(*one) for one in kinds.items())), "all")
    assert [one["type"] for one in layer.geometries] == list(kinds)
    assert layer.bounds == (139.0, 35.0, 140.0, 36.0)
    collected = {"type": "GeometryCollection", "geometries": [{"type": "Point", "coordinates": [1, 2]}]}
    assert OwnLayer.read(json.dumps(collected).encode(), "one").bounds == (1.0, 2.0, 1.0, 2.0)


def test_a_layer_over_180_degrees_is_drawn_beside_the_rectangles():
    layer = OwnLayer.read(geojson(feature("LineString", [[-179.5, -17], [-179, -18]])), "islands")
    assert layer.near([[-20, 178], [-15, 182]]).bounds == (180.5, -18.0, 181.0, -17.0)
    assert layer.near([[-20, 170], [-15, 179]]) is layer is layer.near([[-20, -181], [-15, -178]])


@pytest.mark.parametrize(
    "content, says",
    [
        (b"{", "no valid JSON text"),
        (b"[" * 100_000, "no valid JSON text"),
        (b"7", "unknown type"),
        (b'{"type": 7}', "unknown type"),
        (b'"https://example.org/x.geojson"', "unknown type"),
        (geojson(), "nothing to draw"),
        (geojson({"type": "Feature", "geometry": None}), "nothing to draw"),
        (geojson(feature("Point", [])), "WGS 84"),
        (geojson(feature("Point", [4_000_000, 35])), "WGS 84"),
        (geojson(feature("Point", ["139", "35"])), "WGS 84"),
        (geojson(feature("LineString", [[139, None]])), "WGS 84"),
        (geojson(feature("LineString", [[139, 35]] * (MOST_POSITIONS + 1))), "more than 200,000 positions"),
        (b" " * 17_000_000, "has 17 MB"),
    ],
)
def test_what_is_no_layer_is_told_why(content, says):
    with pytest.raises(InputError, match=says):
        OwnLayer.read(content, "mine")


# The paper's figures


def test_the_figures_of_the_paper_each_say_their_cost():
    found = figures()
    assert list(found) == [f"figure-{number}.html" for number in range(4, 11)]
    titles = [page.get_root().title for page in found.values()]
    assert titles[0] == "100 people" and all("k = 2: cost" in title for title in titles[1:])
    assert all(page.foreign() == [] for page in found.values())


def test_places_of_the_basemap_are_spelled_and_placed_right():
    """Two wards of Tokyo, which GeoNames has wrong, are corrected where the file of places is made."""
    content = json.loads((ASSETS / "vendor" / "places" / "places.json").read_text("utf-8"))
    three = np.frombuffer(base64.b64decode(content["places"]), np.uint8).reshape(-1, 2, 3).astype(int)
    degrees = (three @ [1, 256, 65536]) / 40_000 - [90, 180]
    there = dict(zip(content["names"], degrees.tolist(), strict=True))
    assert "Edogawe" not in there
    for ward in ("Edogawa", "Suginami"):
        assert 35.6 < there[ward][0] < 35.8 and 139.6 < there[ward][1] < 139.9


def test_the_scale_of_squares_is_that_of_the_places_at_every_zoom():
    """Counted one by one; and a map of the places themselves reaches its end."""
    drawn = np.random.default_rng(35)
    places = Boxes.places(35.7 + drawn.normal(0, 0.1, 400), 139.7 + drawn.normal(0, 0.1, 400))
    found = densest(places, 4)
    for zoom in range(DEEPEST + 1):
        squares = 256 * 2**zoom / 4
        where = np.floor(np.array([across(places.west), down(places.north)]) * squares)
        assert found[zoom] == np.unique(where, axis=1, return_counts=True)[1].max()
    made = density(places, 4)
    assert round(made["most"]) == found[made["zoom"]]
    assert set(densest(Boxes.none(), 4)) == {0}
