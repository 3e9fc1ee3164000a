"""Maps in a real browser: as files without any network, and in the page."""

from __future__ import annotations

import base64
import http.server
import json
import re
import threading
from itertools import pairwise

import folium
import numpy as np
import pandas as pd
import pytest
from folium.plugins import Fullscreen, MeasureControl, MousePosition

import kanon_core as kc
from kanon_core.charts.maps.boxes import Boxes
from kanon_core.charts.maps.layers import Ground, Records, Rectangles
from kanon_core.charts.maps.offline import OfflineMap
from kanon_core.charts.maps.own import OwnLayer
from tests.browser.steps import close_lens, expect, settled, upload, visit

pytestmark = pytest.mark.deep

CANVAS = "canvas[aria-label]"
EVIL = "<img src=x onerror=alert(1)>"
SQUARES = Boxes([35.0, 35.4], [139.0, 139.4], [36.0, 35.6], [140.0, 139.6], [40, 5])
MAPS = "Object.values(window).filter((one, at, all) => one instanceof L.Map && all.indexOf(one) === at)"
MAP = f"({MAPS})[0]"


@pytest.fixture
def open_map(browser, tmp_path):
    """Opens a map as a file and gives its page; nothing but the file may have been asked for."""
    asked, contexts = list[str](), []

    def open_(made, **context):
        file = tmp_path / "map.html"
        made.save(str(file))
        contexts.append(browser.new_context(**{"viewport": {"width": 800, "height": 600}, **context}))
        page = contexts[-1].new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: asked.append(f"error: {error}"))
        page.goto(file.as_uri())
        page.wait_for_selector("canvas.kanon-sheet", state="attached")
        return page

    yield open_
    for context in contexts:
        context.close()
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


def map_of(boxes: Boxes, *layers, view=((35.0, 139.0), (36.0, 140.0))) -> OfflineMap:
    made = OfflineMap()
    Ground().add_to(made)
    for layer in layers:
        layer.add_to(made)
    Rectangles(boxes, 5, whole=[list(corner) for corner in view]).add_to(made)
    made.fit_bounds([list(corner) for corner in view])
    return made


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


def place(page, latitude: float, longitude: float) -> list[float]:
    """Return the position of a place on the map, in pixels from its upper left corner."""
    return page.evaluate(
        f"""([lat, lng]) => {{
          const point = ({MAP}).latLngToContainerPoint([lat, lng]);
          return [point.x, point.y];
        }}""",
        [latitude, longitude],
    )


def over(page, selector: str) -> None:
    """Point at a button that gives way to what it opens."""
    box = page.locator(selector).bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


# A file


def test_a_saved_map_with_all_its_plugins_asks_for_nothing(open_map):
    table = kc.read_table("sample:people-100")
    made = kc.rectangle_map(table, kc.anonymize(table, kc.MDAV(), 5, seed=1), points=True)
    folium.Marker([35.7, 139.7], popup=folium.Popup("here", show=True), icon=folium.Icon("red")).add_to(made)
    folium.Marker([35.6, 139.6]).add_to(made)
    page = open_map(made)
    expect(page.locator(CANVAS)).to_have_attribute("aria-label", "Rectangles on the map: 20")
    expect(page.locator(".leaflet-popup-content")).to_have_text("here")
    expect(page.locator(".awesome-marker")).to_have_count(2)  # and its shadow
    page.mouse.move(400, 300)
    expect(page.locator(".leaflet-control-mouseposition")).to_contain_text("°")
    over(page, ".leaflet-control-measure-toggle")
    expect(page.get_by_text("Create a new measurement")).to_be_visible()
    page.mouse.move(400, 300)
    over(page, ".leaflet-control-layers-toggle")
    layers = page.locator(".leaflet-control-layers-overlays label")
    expect(layers).to_have_text(["Land and names of places", "Original records", "Rectangles"])
    layers.filter(has_text="Rectangles").click()
    expect(page.locator(CANVAS)).to_have_count(0)
    expect(page.locator(".kanon-legend")).to_have_count(0)
    layers.filter(has_text="Rectangles").click()
    expect(page.locator(CANVAS)).to_be_visible()
    expect(page.locator(".fullscreen-icon")).to_be_visible()


def test_rectangles_are_painted_and_the_smallest_answers(open_map):
    page = open_map(map_of(SQUARES))
    middle = (400, 300)
    assert pixel(page, *middle)[3] > 0
    page.mouse.move(*middle)
    page.mouse.move(middle[0] + 2, middle[1])
    shown = page.inner_text(".kanon-tip")
    assert shown.split() == ["records", "5", "k", "5", "area", "403", "km²", "diagonal", "28.7", "km"]
    page.mouse.move(middle[0] - 150, middle[1] - 150)
    assert "40" in page.inner_text(".kanon-tip").split()
    page.mouse.move(2, 2)
    assert page.locator(".kanon-tip").count() == 0


def test_a_rectangle_without_area_is_a_dot_that_answers(open_map):
    page = open_map(map_of(Boxes([35.5], [139.5], [35.5], [139.5], [3])))
    at = place(page, 35.5, 139.5)
    assert pixel(page, *at)[3] > 200
    page.mouse.move(at[0] + 1, at[1] + 1)
    assert " ".join(page.inner_text(".kanon-tip").split()) == "records 3 k 5 area 0 m² diagonal 0 m"


def test_land_names_and_records_are_painted(open_map):
    page = open_map(map_of(SQUARES, Records([35.0, 35.5, 36.0], [139.0, 139.5, 140.0])))
    page.wait_for_function("""() => {
          const base = document.querySelector('.leaflet-outlines-pane canvas'), pen = base.getContext('2d');
          const data = pen.getImageData(0, 0, base.width, base.height).data;
          const colors = new Set();
          for (let i = 0; i < data.length; i += 4) colors.add([data[i], data[i + 1], data[i + 2]].join(','));
          return colors.has('247,245,240') && colors.has('169,182,191');
        }""")
    assert page.evaluate(f"getComputedStyle(({MAP}).getContainer()).backgroundColor") == "rgb(221, 231, 238)"
    page.wait_for_function("+document.querySelector('.leaflet-names-pane canvas').dataset.names > 5")
    credits = page.inner_text(".leaflet-control-attribution")
    assert "Natural Earth" in credits and "GeoNames (CC BY 4.0)" in credits
    painted = page.evaluate("""() => {
          const canvas = document.querySelector('.leaflet-overlay-pane canvas:not([aria-label])');
          const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
          return data.filter((value, i) => i % 4 === 3 && value > 0).length;
        }""")
    assert 0 < painted < 300


def test_no_text_of_a_file_becomes_markup(open_map):
    """Names of layers, properties of a GeoJSON file, credits of tiles."""
    content = {
        "type": "Feature",
        "geometry": {"type": "Polygon", "coordinates": [[[139.0, 35.0], [140, 35], [140, 36], [139, 35]]]},
        "properties": {"name": EVIL, EVIL: "</script>"},
    }
    made = map_of(SQUARES, OwnLayer.read(json.dumps(content).encode(), EVIL).layer())
    folium.LayerControl(collapsed=False).add_to(made)
    page = open_map(made)
    at = place(page, 35.2, 139.8)
    page.mouse.move(*at)
    page.mouse.move(at[0] + 2, at[1])
    expect(page.locator(".leaflet-tooltip")).to_contain_text(EVIL)
    expect(page.locator(".leaflet-control-layers-overlays")).to_contain_text(EVIL)
    assert page.locator("img[src=x]").count() == 0


@pytest.mark.parametrize("width", [390, 362])
def test_legend_and_attribution_fit_a_phone(open_map, width):
    wide = Boxes([-40.0, 0.0], [-120.0, 10.0], [60.0, 11.0], [150.0, 40.0], [9, 9])
    page = open_map(map_of(wide, view=((-40, -120), (60, 150))), viewport={"width": width, "height": 500})
    expect(page.locator(".kanon-legend .ticks span")).to_have_count(3)
    boxes = [page.locator(name).bounding_box() for name in (".kanon-legend", ".leaflet-control-attribution")]
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]
    ends = "all => all.map(one => [one.getBoundingClientRect().left, one.getBoundingClientRect().right])"
    ticks = page.locator(".kanon-legend .ticks span").evaluate_all(ends)  # at once: the legend is redrawn
    assert "million km²" in page.inner_text(".kanon-legend .ticks") and len(ticks) == 3
    assert all(right < left for (_, right), (left, _) in pairwise(ticks))


def many(count: int) -> Boxes:
    """Squares of 0.001° at whole multiples of 0.01°, five records each."""
    rows = int(count**0.5) + 1
    places = np.arange(count)
    south, west = 35 + 0.01 * (places // rows), 139 + 0.01 * (places % rows)
    return Boxes(south, west, south + 0.001, west + 0.001, np.full(count, 5))


STATUS = ".kanon-status"


def test_too_many_rectangles_are_density_until_one_clicks_closer(open_map):
    page = open_map(map_of(many(2_500), view=((35.0, 139.0), (35.5, 139.5))))
    says = page.inner_text(STATUS)
    assert says.startswith("2,500 rectangles are too many to tell apart")
    assert page.inner_text(".kanon-legend b") == "Records in each square"
    assert says in page.get_attribute(CANVAS, "aria-label")
    held = page.evaluate(f"""() => {{
          let sum = 0;
          ({MAP}).eachLayer((one) => one._squares?.sums.forEach((held) => {{ sum += held; }}));
          return sum;
        }}""")
    assert held == pytest.approx(12_500)
    at = place(page, 35.2505, 139.2505)
    page.mouse.move(*at)
    page.mouse.move(at[0] + 0.5, at[1])
    assert page.inner_text(".kanon-tip").startswith("records in this square")
    for _ in range(2):
        zoom = page.evaluate(f"({MAP}).getZoom()")
        page.mouse.click(*at)
        page.wait_for_function(f"({MAP}).getZoom() > {zoom} && !document.querySelector('.leaflet-zoom-anim')")
        at = place(page, 35.2505, 139.2505)
    page.wait_for_function(f"document.querySelector('{STATUS}').textContent.includes('are in view')")
    assert 0 < int(page.inner_text(STATUS).split()[0]) < 400
    assert page.inner_text(".kanon-legend b") == "Area of a rectangle"


# The page

FRAME = ".map-box"


RECTANGLES = """
    map.eachLayer((one) => {
      if (one._rectangles) at = one._rectangles.ends(one._rectangles.count - 1).slice(0, 2);
    });
"""


def picked(page, latitude: float, longitude: float) -> None:
    """Click a place of the map."""
    x, y = place(page, latitude, longitude)
    box = page.locator(FRAME).first.bounding_box()
    page.mouse.click(box["x"] + x, box["y"] + y)


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
    expect(frame.locator(".leaflet-control-measure-toggle")).to_be_visible()
    seen = [frame, frame.locator(".kanon-legend"), frame.locator(".leaflet-control-attribution")]
    seen += [page.locator(".cards").last, page.get_by_role("button", name="Download map")]
    for one in seen:
        box = one.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= size[1]
    assert frame.bounding_box()["height"] >= 280


def test_when_k_moves_view_and_layers_stay_and_only_rectangles_change(page, app_address):
    page.goto(f"{app_address}/map?table=people-100")
    settled(page)
    expect(page.locator(FRAME)).to_have_attribute("data-ready", "true")
    over(page, ".leaflet-control-layers-toggle")
    page.locator(".leaflet-control-layers-overlays label", has_text="Original records").click()
    page.evaluate(f"({MAP}).setView([35.7, 139.7], 11.5, {{ animate: false }})")
    page.evaluate(f"({MAP}).openPopup('stays', [35.7, 139.7])")
    before = page.locator(CANVAS).get_attribute("aria-label")
    page.get_by_role("slider").first.press("ArrowRight")
    expect(page.locator(CANVAS)).not_to_have_attribute("aria-label", before)
    settled(page)
    assert page.evaluate(f"({MAP}).getZoom()") == 11.5
    expect(page.locator(".leaflet-popup-content")).to_have_text("stays")
    records = page.locator(".leaflet-control-layers-overlays label", has_text="Original records")
    expect(records.locator("input")).not_to_be_checked()


def test_the_tile_gets_squares_until_one_zooms_in(page, app_address):
    draw = np.random.default_rng(7)
    frame = pd.DataFrame(
        {"latitude": 35 + draw.random(12_000).round(5), "longitude": 139 + draw.random(12_000).round(5)}
    )
    page.goto(f"{app_address}/data")
    settled(page)
    upload(page, frame.to_csv(index=False).encode(), "places.csv", "places.csv, 12,000 records")
    visit(page, "Tune")
    settled(page)
    expect(page.locator(STATUS)).to_contain_text("rectangles are too many to tell apart")
    layer = f"Object.values(({MAP})._layers).find((one) => one._rectangles)"
    assert page.evaluate(f"{layer}._rectangles.box.length") == 0
    held = page.evaluate(f"{layer}._squares.sums.reduce((a, b) => a + b)")
    assert held == pytest.approx(12_000, rel=1e-3)
    page.evaluate(f"({MAP}).setView([35.5, 139.5], ({MAP}).getZoom() + 5, {{ animate: false }})")
    expect(page.locator(STATUS)).to_contain_text("are in view")
    assert page.evaluate(f"{layer}._rectangles.box.length") > 8_000


def test_the_map_is_there_again_after_another_page(page, app_address):
    """The script of the map then runs a second time."""
    page.goto(f"{app_address}/map?table=people-100")
    settled(page)
    for _ in range(2):
        expect(page.locator(FRAME)).to_have_attribute("data-ready", "true")
        expect(page.locator(FRAME).locator(CANVAS)).to_be_visible()
        visit(page, "Tune")
        visit(page, "Map")
    expect(page.locator(FRAME).locator(CANVAS)).to_be_visible()


def test_a_click_lists_the_records_of_a_rectangle(page, app_address):
    page.goto(f"{app_address}/map?table=people-100")
    settled(page)
    expect(page.locator(FRAME)).to_have_attribute("data-ready", "true")
    page.evaluate(f"({MAP}).setView([35.69, 139.76], 13, {{ animate: false }})")
    picked(page, 35.69, 139.76)
    close_lens(page)
    expect(page.get_by_text("Records of the chosen rectangle")).to_be_visible()
    expect(page.locator(".beforeafter").last.locator("tbody tr")).to_have_count(5)
    page.get_by_role("slider").first.press("ArrowRight")
    expect(page.get_by_text("Click a rectangle to list its records")).to_be_visible()


def test_maps_side_by_side_move_together(page, app_address):
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{app_address}/map?table=people-100")
    settled(page)
    page.get_by_text("Side by side").click()
    expect(page.locator(f"{FRAME}[data-ready=true]")).to_have_count(2)
    settled(page)
    for box in [one.bounding_box() for one in page.locator(FRAME).all()]:
        assert box["y"] >= 0 and box["y"] + box["height"] <= 900
    page.evaluate(f"({MAP}).setView([35.5, 139.5], 12, {{ animate: false }})")
    views = f"({MAPS}).map((one) => [one.getZoom(), one.getCenter().lat.toFixed(3)].join(' '))"
    page.wait_for_function(f"new Set({views}).size === 1")
    assert page.evaluate(views) == ["12 35.500"] * 2


def test_maps_side_by_side_show_squares_of_one_scale_as_soon_as_one_is_crowded(page, app_address):
    """At k = 2, 2,500 rectangles are too many to tell apart; at k = 400 there are 12."""
    legend = page.locator(".kanon-legend")
    page.goto(f"{app_address}/map?table=people-5000&k=2")
    settled(page)
    expect(page.locator(FRAME)).to_have_attribute("data-ready", "true")
    expect(legend).to_contain_text("Records in each square")
    page.get_by_text("Side by side").click()
    another = page.get_by_label("Another k").and_(page.locator("input"))
    another.fill("400")
    another.press("Enter")
    expect(page.get_by_text("MDAV, k = 400", exact=True)).to_be_visible()
    settled(page)
    expect(page.locator(f"{FRAME}[data-ready=true]").last).to_be_visible()
    page.wait_for_function("() => document.querySelectorAll('.kanon-legend').length > 1")
    texts = "[...document.querySelectorAll('.kanon-legend')].map((one) => one.innerText)"
    page.wait_for_function(f"() => new Set({texts}).size === 1")
    expect(legend.first).to_contain_text("Records in each square")
    expect(legend.first).to_contain_text("≥")


def test_the_map_that_is_downloaded_is_the_one_on_screen(page, app_address, browser, tmp_path):
    page.goto(f"{app_address}/map?table=people-100")
    settled(page)
    with page.expect_download() as given:
        page.get_by_role("button", name="Download map").click()
    file = tmp_path / "map.html"
    given.value.save_as(file)
    other = browser.new_page()
    asked: list[str] = []
    other.on("request", lambda request: asked.append(request.url))
    other.goto(file.as_uri())
    expect(other.locator(CANVAS)).to_have_attribute(
        "aria-label", page.locator(CANVAS).get_attribute("aria-label")
    )
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert "Original records" not in other.content()
    other.close()


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


def test_a_geojson_file_becomes_a_layer_and_is_taken_away_again(page, app_address):
    page.goto(f"{app_address}/map")
    settled(page)
    page.get_by_role("button", name="More layers").click()
    files = page.locator('[data-testid="stPopoverBody"] input[type="file"]')
    text = b'{"type": "LineString", "coordinates": [[139.0, 35.6], [140.0, 35.7]]}'
    wrong = {"name": "wrong.geojson", "mimeType": "application/json", "buffer": b'{"type": 7}'}
    files.set_input_files(wrong)
    expect(page.get_by_text("The file is not GeoJSON")).to_be_visible()
    name = f"{EVIL}.geojson"
    files.set_input_files({"name": name, "mimeType": "application/json", "buffer": text})
    expect(page.get_by_text(f"{name}, features: 1")).to_be_visible()
    layers = page.locator(".leaflet-control-layers-overlays label")
    expect(layers.filter(has_text=name)).to_be_attached()
    assert page.locator("img[src=x]").count() == 0
    visit(page, "Tune")
    visit(page, "Map")
    page.get_by_role("button", name="More layers").click()
    page.get_by_role("button", name="Remove layer").click()
    expect(layers.filter(has_text=name)).to_have_count(0)
    expect(layers).to_have_count(3)


def test_names_of_columns_are_text_on_the_page(page, app_address):
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(
        {f"latitude {EVIL}": rng.normal(35, 1, 40), f"longitude {EVIL}": rng.normal(139, 1, 40)}
    )
    page.goto(f"{app_address}/data")
    settled(page)
    upload(page, frame.to_csv(index=False).encode(), "places.csv", "places.csv, 40 records")
    visit(page, "Map")
    expect(page.locator(FRAME)).to_have_attribute("data-ready", "true")
    picked(page, *page.evaluate(f"((map) => {{ let at; {RECTANGLES} return at; }})({MAP})"))
    close_lens(page)
    expect(page.locator(".beforeafter").last).to_contain_text(EVIL)
    assert page.locator("img[src=x]").count() == 0


@pytest.fixture
def tile_server():
    """The address of tiles on this machine, and which were asked for."""
    asked: list[str] = []
    picture = base64.b64decode(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
    )

    class Tiles(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.send_header("Content-Type", "image/png")
            self.end_headers()
            self.wfile.write(picture)

        def log_message(self, *about: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Tiles) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
        server.shutdown()


def test_a_tile_server_is_named_by_a_person_and_admitted_alone(browser, app_address, tile_server):
    address, asked = tile_server
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    body = page.locator('[data-testid="stPopoverBody"]')

    def opened() -> None:
        settled(page)
        page.get_by_role("button", name="More layers").click()

    page.goto(f"{app_address}/map?table=people-100")
    opened()
    box = body.get_by_label("Address of a tile server")
    box.fill("javascript:alert(1)/{z}/{x}/{y}")
    body.get_by_role("button", name="Use this tile server").click()
    expect(body.get_by_text("a host in lower case")).to_be_visible()
    box.fill(f"{address}/{{z}}/{{x}}/{{y}}.png")
    body.get_by_role("button", name="Use this tile server").click()
    expect(body.get_by_text("learns which area you look at")).to_be_visible()
    body.get_by_text("Street map", exact=True).click()
    expect(body.get_by_text("Reload the page and switch the street map on")).to_be_visible()
    assert not asked
    page.reload()
    opened()
    expect(body.get_by_role("switch", name="Street map")).not_to_be_checked()
    assert not asked
    body.get_by_text("Street map", exact=True).click()
    expect(page.locator("img.leaflet-tile-loaded").first).to_be_attached()
    assert asked and all(path.endswith(".png") for path in asked)
    policy = page.request.get(f"{app_address}/map").headers["content-security-policy"]
    assert f"img-src 'self' data: blob: {address};" in policy
    other = browser.new_context().request.get(f"{app_address}/map").headers["content-security-policy"]
    assert address not in other
    body.get_by_role("button", name="Forget my tile server").click()
    expect(body.get_by_text("name a tile server")).to_be_visible()
    assert address not in page.request.get(f"{app_address}/map").headers["content-security-policy"]
    page.context.close()


def test_plugins_of_ones_own_work_in_a_file(open_map):
    made = map_of(SQUARES)
    for plugin in (Fullscreen(), MousePosition(), MeasureControl(), folium.LayerControl()):
        plugin.add_to(made)
    page = open_map(made)
    for place_ in (".fullscreen-icon", ".leaflet-control-measure", ".leaflet-control-layers"):
        expect(page.locator(place_)).to_be_visible()
