"""The map in a real browser: its canvas as a self-contained document without any server, and its page."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest

from kanon_core.charts.maps.backgrounds.lines import Lines
from kanon_core.charts.maps.backgrounds.reading import read_background
from kanon_core.charts.maps.maps import Look, rectangle_map
from kanon_core.charts.maps.rectangles import Rectangles
from tests.browser.steps import expect, settled, visit
from tests.charts.tilefiles import around, mbtiles, pmtiles

CANVAS = "canvas[aria-label]"


@pytest.fixture
def open_map(browser, tmp_path):
    """Opens a map as a file and gives its page; afterwards nothing but the file may have been asked for."""
    asked: list[str] = []
    contexts = []

    def open_(map_, **context):
        file = tmp_path / "map.html"
        map_.save(str(file))
        contexts.append(browser.new_context(**{"viewport": {"width": 800, "height": 600}, **context}))
        page = contexts[-1].new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: asked.append(f"error: {error}"))
        page.goto(file.as_uri())
        page.wait_for_selector(CANVAS)
        return page

    yield open_
    for context in contexts:
        context.close()
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


def pixel(page, x, y):
    return page.evaluate(
        """([x, y]) => {
          const canvas = document.querySelector('canvas[aria-label]'), box = canvas.getBoundingClientRect();
          const scale = canvas.width / box.width;
          const pen = canvas.getContext('2d');
          return Array.from(pen.getImageData((x - box.x) * scale, (y - box.y) * scale, 1, 1).data);
        }""",
        [x, y],
    )


def test_rectangles_are_painted_and_the_smallest_answers(open_map):
    squares = Rectangles([35.0, 35.4], [139.0, 139.4], [36.0, 35.6], [140.0, 139.6], [40, 5])
    page = open_map(rectangle_map([35.0, 36.0], [139.0, 140.0], squares))
    assert page.get_attribute(CANVAS, "aria-label") == "Groups on the map: 2"
    middle = (400, 300)
    assert pixel(page, *middle)[3] > 0
    page.mouse.move(*middle)
    page.mouse.move(middle[0] + 2, middle[1])
    shown = page.inner_text(".kanon-tip")
    assert shown.split() == ["records", "5", "area", "403", "km²", "diagonal", "28.7", "km"]
    page.mouse.move(middle[0] - 150, middle[1] - 150)
    assert "40" in page.inner_text(".kanon-tip").split()
    page.mouse.move(2, 2)
    assert page.locator(".kanon-tip").count() == 0


def test_a_rectangle_without_area_is_a_dot_that_answers(open_map):
    dot = Rectangles([35.5], [139.5], [35.5], [139.5], [3])
    page = open_map(rectangle_map([35.0, 36.0], [139.0, 140.0], dot))
    at = page.evaluate("""() => {
          const map = window.kanonMap;
          const point = map.latLngToContainerPoint([35.5, 139.5]);
          return [point.x, point.y];
        }""")
    assert pixel(page, *at)[3] > 200
    page.mouse.move(at[0] + 1, at[1] + 1)
    assert page.inner_text(".kanon-tip").split() == [
        "records",
        "3",
        "area",
        "0",
        "m²",
        "diagonal",
        "0",
        "m",
    ]


def test_without_rectangles_only_the_records_are_painted(open_map):
    page = open_map(rectangle_map([35.0, 35.5, 36.0], [139.0, 139.5, 140.0]))
    assert page.get_attribute(CANVAS, "aria-label") == "Groups on the map: 0"
    assert page.locator(".kanon-legend").count() == 0
    painted = page.evaluate("""() => {
          const canvas = document.querySelector('canvas[aria-label]');
          const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
          return data.filter((value, i) => i % 4 === 3 && value > 0).length;
        }""")
    assert 0 < painted < 300


def test_words_of_the_legend_are_text(open_map):
    squares = Rectangles([35.0], [139.0], [36.0], [140.0], [40])
    words = {"by_area": "<img src=x onerror=alert(1)>"}
    page = open_map(rectangle_map([35.0, 36.0], [139.0, 140.0], squares, look=Look(words=words)))
    assert page.inner_text(".kanon-legend b") == words["by_area"]
    assert page.locator(".kanon-legend img").count() == 0


def test_land_is_painted_under_the_records(open_map):
    page = open_map(rectangle_map([35.0, 36.5], [139.0, 140.5]))
    page.wait_for_function("""() => {
          const base = document.querySelector('.leaflet-outlines-pane canvas'), pen = base.getContext('2d');
          const data = pen.getImageData(0, 0, base.width, base.height).data;
          const colors = new Set();
          for (let i = 0; i < data.length; i += 4) colors.add([data[i], data[i + 1], data[i + 2]].join(','));
          return colors.has('247,245,240') && colors.has('221,231,238');
        }""")
    assert "Natural Earth" in page.inner_text(".leaflet-control-attribution")


def test_legend_and_attribution_fit_a_phone(open_map):
    squares = Rectangles([35.0, 35.4], [139.0, 139.4], [36.0, 35.4001], [140.0, 139.4001], [40, 5])
    map_ = rectangle_map([35.0, 36.0], [139.0, 140.0], squares)
    page = open_map(map_, viewport={"width": 390, "height": 500})
    boxes = [page.locator(name).bounding_box() for name in (".kanon-legend", ".leaflet-control-attribution")]
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= 390 for box in boxes)
    assert (
        boxes[0]["x"] + boxes[0]["width"] < boxes[1]["x"]
        or boxes[0]["y"] + boxes[0]["height"] < boxes[1]["y"]
    )
    ticks = [tick.bounding_box() for tick in page.locator(".kanon-legend .ticks span").all()]
    assert all(a["x"] + a["width"] < b["x"] for a, b in pairwise(ticks))


def test_a_legend_of_continents_fits_a_phone(open_map):
    wide = Rectangles([-40.0, 0.0], [-120.0, 10.0], [60.0, 11.0], [150.0, 40.0], [9, 9])
    page = open_map(
        rectangle_map([-40.0, 60.0], [-120.0, 150.0], wide), viewport={"width": 362, "height": 400}
    )
    ticks = [tick.bounding_box() for tick in page.locator(".kanon-legend .ticks span").all()]
    assert "million km²" in page.inner_text(".kanon-legend .ticks") and len(ticks) == 3
    assert all(a["x"] + a["width"] < b["x"] for a, b in pairwise(ticks))
    assert ticks[0]["x"] >= 0 and ticks[-1]["x"] + ticks[-1]["width"] <= 362


STATUS = ".kanon-status"


def many(count: int) -> Rectangles:
    """Squares of 0.001° at whole multiples of 0.01°, five records each."""
    rows = int(count**0.5) + 1
    places = np.arange(count)
    south, west = 35 + 0.01 * (places // rows), 139 + 0.01 * (places % rows)
    return Rectangles(south, west, south + 0.001, west + 0.001, np.full(count, 5))


def test_names_of_places_are_shown_and_credited(open_map):
    page = open_map(rectangle_map([35.3, 36.0], [139.2, 140.1]))
    page.wait_for_function("+document.querySelector('.leaflet-names-pane canvas').dataset.names > 5")
    assert "GeoNames (CC BY 4.0)" in page.inner_text(".leaflet-control-attribution")


def test_too_many_rectangles_are_density_until_one_zooms_in(open_map):
    found = many(2_500)
    page = open_map(rectangle_map([35.0, 35.5], [139.0, 139.5], found))
    says = page.inner_text(STATUS)
    assert says.startswith("2,500 rectangles are too many to tell apart")
    assert page.inner_text(".kanon-legend b") == "Records in each square"
    assert says in page.get_attribute(CANVAS, "aria-label")
    at = page.evaluate("""() => {
          const map = window.kanonMap;
          const point = map.latLngToContainerPoint([35.2505, 139.2505]);
          return [point.x, point.y];
        }""")
    page.mouse.move(at[0], at[1])
    page.mouse.move(at[0] + 0.5, at[1])
    assert page.inner_text(".kanon-tip").startswith("records in this square")
    page.evaluate("window.kanonMap.setView([35.2, 139.2], 14)")
    page.wait_for_function(f"document.querySelector('{STATUS}').textContent.includes('are in view')")
    shown = int(page.inner_text(STATUS).split()[0])
    assert 0 < shown < 400
    assert page.inner_text(".kanon-legend b") == "Area of a rectangle"


def test_squares_hold_every_record_once(open_map):
    page = open_map(rectangle_map([35.0, 35.5], [139.0, 139.5], many(2_500)))
    held = page.evaluate("""() => {
          const s = window.kanonMap.kanon._squares;
          let sum = 0;
          for (let y = 0; y < s.rows; y++) for (let x = 0; x < s.columns; x++) sum += s.sums[y * s.wide + x];
          return sum;
        }""")
    assert held == pytest.approx(12_500)


def test_few_rectangles_need_no_words(open_map):
    squares = Rectangles([35.0, 35.4], [139.0, 139.4], [36.0, 35.6], [140.0, 139.6], [40, 5])
    page = open_map(rectangle_map([35.0, 36.0], [139.0, 140.0], squares))
    assert not page.locator(STATUS).is_visible()


def test_lines_of_ones_own_are_drawn_below_the_rectangles(open_map):
    evil = b'"name": "</script><img src=x>"'
    text = b'{"type": "LineString", "coordinates": [[139.0, 35.5], [140.0, 35.5]], ' + evil + b"}"
    look = Look(background=Lines.read(text))
    page = open_map(rectangle_map([35.0, 36.0], [139.0, 140.0], look=look))
    panes = page.evaluate("""() => ['lines', 'overlay', 'names'].map(
          (name) => +getComputedStyle(document.querySelector(`.leaflet-${name}-pane`)).zIndex)""")
    assert panes == sorted(panes)
    painted = page.evaluate("""() => {
          const canvas = document.querySelector('.leaflet-lines-pane canvas');
          const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
          return data.filter((value, i) => i % 4 === 3 && value > 0).length;
        }""")
    assert painted > 200
    assert page.locator("img").count() == 0


FRAME = ".st-key-map_frame .map"


@pytest.mark.parametrize("size", [(1440, 900), (1280, 720)])
def test_the_map_its_figures_and_sentence_share_the_first_screen(page, app_address, size):
    """Nothing but the app's own server is asked for: the fixture `page` sees to it."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{app_address}/map")
    settled(page)
    frame = page.locator(FRAME)
    expect(frame.locator(CANVAS)).to_be_visible()
    names = frame.locator(".leaflet-names-pane canvas")
    expect(names).to_have_attribute("data-names", re.compile(r"^([4-9]|\d\d)$"))
    expect(frame.locator(".kanon-legend .ticks span")).to_have_count(3)
    seen = [
        page.locator(FRAME),
        frame.locator(".kanon-legend"),
        frame.locator(".leaflet-control-attribution"),
    ]
    seen += [page.locator(".cards").last, page.locator("p.note").last]
    for one in seen:
        box = one.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= size[1]
    assert page.locator(FRAME).bounding_box()["height"] >= 280


def test_compared_methods_their_figures_and_legend_share_the_first_screen(page, app_address):
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{app_address}/map")
    settled(page)
    page.get_by_text("Compare methods").click()
    expect(page.locator("figure dl")).to_have_count(3)
    expect(page.locator(".panels .legend .ticks span")).to_have_count(3)
    settled(page)
    for one in (page.locator(".panels .legend"), *page.locator("figure").all()):
        box = one.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= 900


def test_on_a_phone_most_of_the_map_is_on_the_first_screen(page, app_address):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{app_address}/map")
    settled(page)
    frame = page.locator(FRAME)
    expect(frame.locator(CANVAS)).to_be_visible()
    box = frame.bounding_box()
    assert box["width"] >= 340 and 844 - box["y"] >= 0.6 * box["height"]
    slider = page.locator('[data-testid="stSlider"]').bounding_box()
    assert 0 <= slider["y"] < box["y"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_geojson_file_becomes_the_background_and_is_taken_away_again(page, app_address):
    page.goto(f"{app_address}/map")
    settled(page)
    page.get_by_role("button", name="Background").click()
    files = page.locator('[data-testid="stPopoverBody"] input[type="file"]')
    text = b'{"type": "LineString", "coordinates": [[139.0, 35.6], [140.0, 35.7]]}'
    wrong = {"name": "wrong.geojson", "mimeType": "application/json", "buffer": b'{"type": 7}'}
    files.set_input_files(wrong)
    expect(page.get_by_text("The background is not a GeoJSON file")).to_be_visible()
    name = "<img src=x onerror=alert(1)>.geojson"
    files.set_input_files({"name": name, "mimeType": "application/json", "buffer": text})
    expect(page.get_by_text(f"{name}, number of lines: 1")).to_be_visible()
    assert page.locator("img[src=x]").count() == 0
    lines = page.locator(FRAME).locator(".leaflet-lines-pane canvas")
    expect(lines).to_be_attached()
    page.get_by_role("button", name="Take away").click()
    expect(lines).to_have_count(0)


def loaded(tiles) -> int:
    """How many tiles show their picture."""
    return tiles.evaluate_all("all => all.filter((one) => one.complete && one.naturalWidth === 256).length")


@pytest.mark.parametrize("make", [mbtiles, pmtiles])
def test_tiles_of_ones_own_are_sent_as_they_come_into_view(page, app_address, make):
    page.goto(f"{app_address}/map")
    settled(page)
    page.get_by_role("button", name="Background").click()
    files = page.locator('[data-testid="stPopoverBody"] input[type="file"]')
    credit = {"attribution": '<img src=x onerror=alert(1)><a href="x">© The <b>Makers</b></a>'}
    content = make(around(35.68, 139.7, range(7, 12), 4), credit)
    kind = {"mimeType": "application/octet-stream"}
    files.set_input_files({"name": "wrong.mbtiles", "buffer": b"SQLite format 3\0" + bytes(9), **kind})
    expect(page.get_by_text("damaged, cut short or takes too long")).to_be_visible()
    files.set_input_files({"name": "mine.tiles.pmtiles", "buffer": content, **kind})
    expect(page.get_by_text("mine.tiles.pmtiles, tiles of zoom levels 7 to 11")).to_be_visible()
    frame = page.locator(FRAME)
    tiles = frame.locator(".leaflet-tile-pane img")
    expect(tiles.first).to_be_visible()
    page.keyboard.press("Escape")
    shown = page.locator(f"{FRAME} .leaflet-tile-pane img.leaflet-tile-loaded")
    expect(shown.nth(5)).to_be_attached()
    assert loaded(shown) >= 6
    expect(frame.locator(".leaflet-control-attribution")).to_contain_text("© The Makers")
    assert frame.locator(".leaflet-control-attribution img").count() == 0
    before = {one.get_attribute("src") for one in shown.all()}
    frame.locator(".leaflet-control-zoom-in").click()
    frame.locator(".leaflet-control-zoom-in").click()
    others = ", ".join(f'[src="{address}"]' for address in before)
    finer = page.locator(f"{FRAME} img.leaflet-tile-loaded:not({others})")
    expect(finer.nth(5)).to_be_attached()
    visit(page, "Tune")
    tile = page.locator("figure.tile")
    expect(tile).to_contain_text("© The Makers")
    assert tile.locator("img.ground").get_attribute("src").startswith("data:image/jpeg")


def test_a_document_shows_tiles_of_ones_own_without_a_server(open_map):
    mine = read_background(pmtiles(around(35.5, 139.5, range(6, 12), 2), {"attribution": "© Me"}))
    page = open_map(rectangle_map([35.3, 35.7], [139.3, 139.7], look=Look(background=mine)))
    tiles = page.locator(".leaflet-tile-pane img")
    expect(page.locator("img.leaflet-tile-loaded").nth(3)).to_be_attached()
    assert loaded(tiles) >= 4
    assert "© Me" in page.inner_text(".leaflet-control-attribution")
    assert page.locator(".leaflet-names-pane").count() == 0
