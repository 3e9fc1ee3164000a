"""How long a map of many rectangles takes from releasing a slider to the settled picture, in a real browser.

    python benchmarks/map_page.py [--groups 10000] [--points 30000] [--moves 40]

starts this file as a Streamlit page on its own server, moves its slider in headless Chromium (the one CHROMIUM names,
else an installed one, else Playwright's own), and prints the median and 95th percentile in milliseconds, with the
machine's load. It fails when a request leaves for another host.
"""

from __future__ import annotations

import argparse
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
]
WATCH = """() => {
  const canvas = document.querySelector('canvas[aria-label]');
  new MutationObserver(() => requestAnimationFrame(() => requestAnimationFrame(() => {
    window.settled = performance.timeOrigin + performance.now();
  }))).observe(canvas, {attributes: true, attributeFilter: ['aria-label']});
}"""
RELEASE = """() => document.addEventListener('pointerup', () => {
  window.released = performance.timeOrigin + performance.now();
}, true)"""


def page() -> None:
    """The page that is measured: a slider, and as many rectangles as asked for, elsewhere at each of its steps."""
    import streamlit as st
    import streamlit.components.v1 as components
    from streamlit_folium import st_folium

    from kanon_core.charts.maps import VENDOR, Look, Rectangles, rectangle_layer, rectangle_map
    from kanon_core.data.samples import people

    vendor = components.declare_component("vendor", path=str(VENDOR))
    groups, points = int(os.environ["MAP_GROUPS"]), int(os.environ["MAP_POINTS"])
    st.set_page_config(layout="wide")

    @st.cache_data
    def places() -> tuple[np.ndarray, np.ndarray]:
        frame = people(max(groups, points))
        return frame["latitude"].to_numpy(), frame["longitude"].to_numpy()

    @st.fragment
    def changing() -> None:
        step = st.slider("step", 0, 100, 0)
        lat, lon = places()
        rng = np.random.default_rng(step)
        half = rng.gamma(1.5, 0.002, (2, groups))
        south, west = lat[:groups] - half[0], lon[:groups] - half[1]
        sizes = rng.integers(3, 6, groups)
        rectangles = Rectangles(south, west, south + 2 * half[0], west + 2 * half[1], sizes)
        look = Look(vendor_url=f"../{vendor.name}")
        base = rectangle_map(lat[:points], lon[:points], look=look)
        st_folium(
            base, key="map", feature_group_to_add=rectangle_layer(rectangles), returned_objects=[],
            use_container_width=True, height=640,
        )  # fmt: skip

    changing()


def measure(address: str, moves: int) -> list[float]:
    """Milliseconds from pointer up to the second frame after painting, for each move of the slider but the first two."""
    from playwright.sync_api import sync_playwright

    foreign: list[str] = []
    own = (address, address.replace("http", "ws"), "data:", "blob:")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM") or shutil.which("chromium"), args=FLAGS
        )
        view = browser.new_page(viewport={"width": 1440, "height": 900})
        view.on("request", lambda sent: None if sent.url.startswith(own) else foreign.append(sent.url))
        view.goto(address)
        view.frame_locator("iframe").locator("canvas[aria-label]").wait_for(timeout=60_000)
        view.wait_for_timeout(3000)
        inner = next(frame for frame in view.frames if "st_folium" in frame.url)
        inner.evaluate(WATCH)
        view.evaluate(RELEASE)
        times = [drag(view, inner, 0.2 + 0.6 * ((move * 0.37) % 1)) for move in range(moves)]
        browser.close()
    if foreign:
        raise SystemExit(f"Requests left for other hosts: {sorted(set(foreign))}")
    return times[2:]


def drag(view: Any, inner: Any, place: float) -> float:
    """Move the slider to a place (0 … 1) and return the milliseconds until the map is settled."""
    slider = view.locator("[data-testid=stSlider]").bounding_box()
    thumb = view.locator("[data-testid=stSliderThumbValue]").locator("..").bounding_box()
    view.mouse.move(thumb["x"] + thumb["width"] / 2, thumb["y"] + thumb["height"] / 2)
    view.mouse.down()
    view.mouse.move(slider["x"] + slider["width"] * place, thumb["y"] + 4, steps=4)
    view.wait_for_timeout(200)
    view.mouse.up()
    released = view.evaluate("window.released")
    inner.wait_for_function(f"window.settled > {released}", timeout=30_000)
    settled = inner.evaluate("window.settled")
    view.wait_for_timeout(150)
    return settled - released


def serve(port: int, groups: int, points: int) -> subprocess.Popen[bytes]:
    """Start this file as a page on a server of its own."""
    environment = {
        **os.environ, "PYTHONPATH": str(ROOT), "MAP_PAGE": "1",
        "MAP_GROUPS": str(groups), "MAP_POINTS": str(points),
    }  # fmt: skip
    command = [
        sys.executable, "-m", "streamlit", "run", __file__, "--server.address=127.0.0.1", f"--server.port={port}",
        "--server.headless=true", "--browser.gatherUsageStats=false", "--server.fileWatcherType=none",
        "--runner.postScriptGC=false",
    ]  # fmt: skip
    return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--groups", type=int, default=10_000)
    parser.add_argument("--points", type=int, default=30_000)
    parser.add_argument("--moves", type=int, default=40)
    asked = parser.parse_args()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = serve(port, asked.groups, asked.points)
    try:
        time.sleep(4)
        times = measure(f"http://127.0.0.1:{port}/", asked.moves)
    finally:
        server.terminate()
        server.wait()
    median, high = np.percentile(times, [50, 95])
    print(
        f"{asked.groups:,} rectangles, {asked.points:,} points: median {median:.0f} ms, 95th percentile {high:.0f} ms, "
        f"fastest {min(times):.0f} ms ({len(times)} moves, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores)"
    )


if os.environ.get("MAP_PAGE"):
    page()
elif __name__ == "__main__":
    main()
