"""From releasing the slider to the settled picture, in the real app and a real browser.

A table of 30,000 people is uploaded, and where there is KANON_DATA one of 53,438 places; the k values are
computed first, then visited again with the slider's arrow keys. A picture is settled at the last change of
the document, the last plot, or the last stroke on a canvas before half a second without any. Where a curve
fills beside the slider there is no such rest: Tune is settled once status bar, figures, verdict, picture and
the curve's mark are those of the new k, nothing is dimmed and no run is left.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
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
    "--disable-component-update",
    "--disable-sync",
]
MOVES = 24
PLACES = Path(os.environ.get("KANON_DATA", ".")) / "location" / "tokyo_nightley_poi_visits_expanded.csv"
WATCH = """() => {
  const now = () => performance.timeOrigin + performance.now();
  const drawn = () => { window.lastDrawn = now(); };
  const all = {subtree: true, childList: true, attributes: true, characterData: true};
  new MutationObserver(drawn).observe(document.documentElement, all);
  for (const name of ["fill", "stroke", "fillRect", "strokeRect", "drawImage", "putImageData"]) {
    const proto = CanvasRenderingContext2D.prototype, old = proto[name];
    proto[name] = function (...args) { drawn(); return old.apply(this, args); };
  }
  const released = () => { window.released = now(); };
  for (const event of ["keydown", "pointerdown"]) document.addEventListener(event, released, true);
}"""

SETTLED = """(k) => {
  const text = (where) => [...document.querySelectorAll(where)].map((one) => one.innerText).join();
  const drawn = [...document.querySelectorAll('.st-key-curve-tile *')].filter((one) => one.shadowRoot);
  const marked = drawn.some((one) => [...one.shadowRoot.querySelectorAll('svg[role=group]')]
    .some((curve) => curve.getAttribute('aria-label').includes(`At k = ${k},`)));
  if (!text('.statusbar').includes(`${k} requested`) || !marked) return false;
  if (!text('.st-key-results .cards')) return false;
  if (document.querySelector('[data-testid=stApp][data-test-script-state=running]')) return false;
  return document.querySelector('.st-key-seat [data-stale=true]') ? false : performance.now();
}"""


def rows() -> Iterator[dict[str, Any]]:
    """Start-up, first runs, and the slider on Tune, Clusters and Map."""
    begun = time.perf_counter()
    with opened() as (page, _):
        yield {
            "work": "app started, sample on screen",
            "ours_s": time.perf_counter() - begun,
            "target_s": 10,
        }
        page.wait_for_timeout(20_000)  # the warm-up ends
        yield from first_runs(page)
        yield from beside_curve(page, "30,000 rows", 0.2)
        for title in ("Clusters", "Map"):
            yield slider(page, title, "30,000 rows", 0.2)
        if PLACES.is_file():
            yield from places(page)


@contextmanager
def opened() -> Iterator[tuple[Any, int]]:
    """The page Data in a browser, and the number of the server's process; both end afterwards."""
    from playwright.sync_api import sync_playwright

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        with sync_playwright() as p:
            browser = p.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
            page = browser.new_page(viewport={"width": 1440, "height": 900}, bypass_csp=True)
            page.set_default_timeout(120_000)
            wait_for(address)
            page.goto(f"{address}/data")
            page.locator(".statusbar").wait_for()
            yield page, server.pid
            browser.close()
    finally:
        server.terminate()
        server.wait(10)


def wait_for(address: str) -> None:
    """Until the server answers."""
    for _ in range(600):
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=1)
            return
        except OSError:
            time.sleep(0.05)


def first_runs(page: Any) -> Iterator[dict[str, Any]]:
    """Upload 30,000 × 8, then the first run of MDAV and of Mondrian until the result is on screen."""
    page.locator(".st-key-upload input").set_input_files(
        {"name": "people.csv", "mimeType": "text/csv", "buffer": census(30_000)}
    )
    page.get_by_text("people.csv, 30,000 records").wait_for()
    visit(page, "Tune")
    page.locator(".statusbar", has_text="achieved").wait_for()
    for title in ("Mondrian", "MDAV"):
        choose(page, "Sorting")
        page.locator(".statusbar", has_text="Sorting").wait_for()
        page.wait_for_timeout(2000)
        watch(page)
        choose(page, title)
        yield {
            "work": f"first run of {title}, 30,000 × 8, k = 5",
            "ours_s": settled(page) / 1000,
            "target_s": 1.5,
        }


def visit(page: Any, title: str) -> None:
    """Go to another page through the menu."""
    page.get_by_test_id("stTopNavLink").filter(has_text=title).click()
    page.locator("h1", has_text=title).wait_for(state="attached")


def choose(page: Any, title: str) -> None:
    """Choose an algorithm from the menu, and wait until the page says so."""
    page.get_by_role("button", name=re.compile("^Algorithm: ")).click()
    page.get_by_role("button", name=re.compile(f"^{re.escape(title)} –")).click()
    page.locator(".statusbar", has_text=f"algorithm {title}").wait_for()


def census(n: int) -> bytes:
    """A csv of n people with places: five numbers and three categories."""
    from kanon_core.table.samples import people

    frame = people(n)
    rng = np.random.default_rng(0)
    frame["hours"], frame["income_k"] = rng.integers(0, 60, n), rng.gamma(4, 12, n).round(1)
    frame["work"] = rng.choice(["office", "shop", "field", "none"], n)
    frame = frame.drop(columns=["condition"]).rename(columns={"person": "person_id"})
    return frame.to_csv(index=False).encode()


def watch(page: Any) -> None:
    """Install the observers in every frame that has none yet."""
    for frame in page.frames:
        if not frame.evaluate("() => Boolean(window.watched)"):
            frame.evaluate(WATCH)
            frame.evaluate("() => { window.watched = true; }")


def settled(page: Any) -> float:
    """Milliseconds from the last key to the last drawing before half a second without any."""
    while True:
        page.wait_for_timeout(200)
        last = max(frame.evaluate("() => window.lastDrawn || 0") for frame in page.frames)
        now = page.evaluate("() => performance.timeOrigin + performance.now()")
        running = page.locator('[data-testid="stApp"][data-test-script-state="running"]').count()
        if now - last > 500 and not running:
            return float(last - page.evaluate("() => window.released"))


def places(page: Any) -> Iterator[dict[str, Any]]:
    """The slider on Map and Tune with 53,438 visits at exact places."""
    visit(page, "Data")
    page.locator(".st-key-upload input").set_input_files(
        {"name": "places.csv", "mimeType": "text/csv", "buffer": PLACES.read_bytes()}
    )
    page.get_by_text("places.csv, 53,438 records").wait_for()
    visit(page, "Tune")
    choose(page, "Sorting")
    yield slider(page, "Map", "53,438 places", 0.3)
    visit(page, "Tune")
    yield from beside_curve(page, "53,438 places", 0.3)


def beside_curve(page: Any, rows: str, target: float) -> Iterator[dict[str, Any]]:
    """The slider of Tune between k = 3 and 4, whose results are kept, while a curve of searches of a second
    each fills, and beside a full one."""
    filling = page.locator(".st-key-curve-progress [data-testid=stProgress]")
    for title, full in (("Refine", False), ("Sorting", True)):
        choose(page, title)
        kept(page, 3000)
        if full:
            filling.wait_for(state="detached")
        times = [answered(page, 4 - move % 2) for move in range(MOVES)]
        assert bool(filling.count()) != full
        yield measured(f"Tune, {title}'s curve {'full' if full else 'filling'}", rows, target, times)


def answered(page: Any, k: int) -> float:
    """Milliseconds from the key that leads to this k until Tune is settled."""
    thumb = page.get_by_role("slider").first
    thumb.focus()
    begun = page.evaluate("() => performance.now()")
    thumb.press("ArrowRight" if k == 4 else "ArrowLeft")
    found = page.wait_for_function(SETTLED, arg=k, polling=5).json_value()
    page.wait_for_timeout(400)
    return float(found - begun)


def slider(page: Any, title: str, rows: str, target: float) -> dict[str, Any]:
    """Median and 95th percentile over moves between k = 3 and 4, whose results are kept."""
    visit(page, title)
    kept(page, 3000)
    watch(page)
    thumb = page.get_by_role("slider").first
    thumb.focus()
    times = []
    for move in range(MOVES):
        thumb.press("ArrowRight" if move % 2 == 0 else "ArrowLeft")
        times.append(settled(page))
    return measured(title, rows, target, times)


def kept(page: Any, rest: float) -> None:
    """Visit k = 4 and 3, so that their results are kept, with a rest of milliseconds after each."""
    page.locator(".statusbar", has_text="achieved").wait_for()
    field = page.get_by_role("spinbutton", name="Any k")
    for k in (4, 3):
        field.fill(str(k))
        field.press("Enter")
        page.locator(".statusbar", has_text=f"{k} requested").wait_for()
        page.wait_for_timeout(rest)


def measured(title: str, rows: str, target: float, times: list[float]) -> dict[str, Any]:
    """One row: the median of these milliseconds without the first two."""
    median, high = np.percentile(times[2:], [50, 95])
    note = f"95th percentile {high:.0f} ms, target 400; load {os.getloadavg()[0]:.1f}"
    return {"work": f"slider on {title}, {rows}", "ours_s": median / 1000, "target_s": target, "note": note}
