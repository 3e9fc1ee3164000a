"""The map's canvas in a real browser: a self-contained document, opened without any server."""

from __future__ import annotations

from itertools import pairwise

import pytest

from kanon_core.charts.maps.maps import Look, Rectangles, rectangle_map

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
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []


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
          const map = Object.values(window).find((v) => v instanceof L.Map);
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
        "km²",
        "diagonal",
        "0",
        "km",
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
