"""Frames while a saved map of 100,000 rectangles is dragged, in a real browser.

Rectangles of about a kilometer lie over 10° × 10°: far away the map shows the density of records, close by
the rectangles in view (at most as many as `layers.CROWD` says). The mouse drags for two seconds; the time
between two frames is the page's own.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.screens import FLAGS
from kanon_core.charts.maps.boxes import Boxes
from kanon_core.charts.maps.layers import Ground, Rectangles, corners
from kanon_core.charts.maps.offline import OfflineMap

COUNT = 100_000
WATCH = """() => {
  window.frameTimes = [];
  let last = performance.now();
  const next = (now) => {
    window.frameTimes.push(now - last);
    last = now;
    window.watching = requestAnimationFrame(next);
  };
  window.watching = requestAnimationFrame(next);
}"""
END = "() => { cancelAnimationFrame(window.watching); return window.frameTimes.slice(2); }"


def rows() -> Iterator[dict[str, Any]]:
    """The whole map, and a part of it, dragged."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as p:
        file = Path(folder) / "map.html"
        saved(file)
        browser = p.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(file.as_uri())
        page.locator(".kanon-legend").wait_for()
        for zooms in (0, 4):
            for _ in range(zooms):
                page.locator(".leaflet-control-zoom-in").click()
                page.wait_for_timeout(500)
            yield dragged(page, page.locator(".kanon-status").inner_text()[:60])
        browser.close()


def saved(file: Path) -> None:
    """A map of many rectangles, as one file."""
    rng = np.random.default_rng(0)
    south, west = rng.uniform(34, 44, COUNT), rng.uniform(132, 142, COUNT)
    high, wide = rng.uniform(0.002, 0.02, (2, COUNT))
    boxes = Boxes(south, west, south + high, west + wide, rng.integers(2, 9, COUNT))
    made = OfflineMap()
    Ground().add_to(made)
    Rectangles(boxes, 2).add_to(made)
    made.fit_bounds(corners(boxes))
    made.save(str(file))


def dragged(page: Any, shown: str) -> dict[str, Any]:
    """Seconds between frames while the mouse drags in a circle; 30 frames a second are 0.033."""
    page.mouse.move(720, 450)
    page.mouse.down()
    page.evaluate(WATCH)
    for step in range(120):
        turn = step / 120 * 2 * np.pi
        page.mouse.move(720 + 250 * np.sin(turn), 450 + 250 * (1 - np.cos(turn)) / 2)
        page.wait_for_timeout(12)
    times = page.evaluate(END)
    page.mouse.up()
    return {
        "work": f"{COUNT:,} rectangles dragged, “{shown}…”: median ms a frame",
        "ours_s": float(np.median(times)) / 1000,
        "p95_s": float(np.percentile(times, 95)) / 1000,
        "frames": len(times),
        "target_s": 0.033,
    }
