"""Make what the docs show of the program, sample reports and screenshots, before a version is published::

python docs/make_samples.py            # both
python docs/make_samples.py reports    # or screenshots
"""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

DOCS = Path(__file__).parent
ROOT = DOCS.parent
sys.path.insert(0, str(ROOT))

from kanon_core.cli import main  # noqa: E402

REPORTS = {
    "people": ("people-5000", "mdav"),
    "receipts": ("receipts-10000", "refinesets"),
    "purchases": ("purchases-80000", "purchasehistories"),
}
"""The sample and the algorithm of each report."""
SCREENS = {
    "tune": "tune?table=people-5000&algorithm=MDAV&k=7",
    "data": "data?table=people-5000",
    "curves": "curves?table=people-5000&algorithm=MDAV&k=5",
    "map": "map?table=people-5000&algorithm=MDAV&k=5",
    "learn": "learn",
}
"""The address of each screenshot."""
COMPLETE = {
    "tune": ".st-key-results .cards",
    "curves": "text=Finished points",
    "map": ".statusbar:has-text('achieved')",
}
"""The selector of an element that is on each screen once its result is there."""


def reports() -> None:
    """Write docs/samples/*.html, by the commands that a person would type."""
    (DOCS / "samples").mkdir(exist_ok=True)
    for name, (sample, algorithm) in REPORTS.items():
        with tempfile.TemporaryDirectory() as folder:
            released, recipe = f"{folder}/{name}.csv", f"{folder}/recipe.json"
            made = (
                f"sample:{sample} --algorithm {algorithm} --k 5 --seed 1 --out {released} --recipe {recipe}"
            )
            assert main(["anonymize", *made.split(), "--recipe", recipe]) == 0
            why = ["--by", "a course", "--why", "This report is an example."]
            report = f"{recipe} sample:{sample} --released {released} --k 2-20 --date 2026-11-28"
            out = ["--out", str(DOCS / "samples" / f"{name}.html")]
            assert main(["report", *report.split(), *why, *out]) in (0, 1)


@contextlib.contextmanager
def app() -> Iterator[str]:
    """Serve the screens; yield their address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", f"--server.port={port}"]
    server = subprocess.Popen([*command, "--server.headless=true"], cwd=ROOT)
    try:
        address = f"http://127.0.0.1:{port}"
        for _ in range(120):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"{address}/_stcore/health", timeout=2).close()
                break
            time.sleep(0.5)
        yield address
    finally:
        server.terminate()
        server.wait()


def screenshots() -> None:
    """Write docs/pictures/*.png, and the picture of the README. Everything is compiled first: otherwise they
    show how a page waits for that."""
    (DOCS / "pictures").mkdir(exist_ok=True)
    assert main(["prepare"]) == 0
    with app() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for name, path in SCREENS.items():
            page = browser.new_page(viewport={"width": 1440, "height": 900}, color_scheme="light")
            page.goto(f"{address}/{path}")
            page.wait_for_selector(COMPLETE.get(name, "h1"), timeout=120_000, state="attached")
            _settle(page)
            page.screenshot(path=DOCS / "pictures" / f"{name}.png")
            page.context.close()
        browser.close()
    (ROOT / "assets" / "screenshot.png").write_bytes((DOCS / "pictures" / "tune.png").read_bytes())


def _settle(page: Page) -> None:
    """Wait until the page has drawn everything, curves in the background too."""
    page.wait_for_timeout(3_000)
    page.wait_for_function("!document.querySelector('[data-testid=stStatusWidget]')", timeout=120_000)
    page.wait_for_timeout(5_000)
    page.locator(".st-key-curve-progress [data-testid=stProgress]").wait_for(
        state="detached", timeout=600_000
    )
    page.wait_for_timeout(5_000)


if __name__ == "__main__":
    for make in (reports, screenshots):
        if make.__name__ in (sys.argv[1:] or (make.__name__,)):
            make()
