"""A real browser on the real app: Chromium, headless, allowed to talk to the app's own server only."""

from __future__ import annotations

import contextlib
import os
import shutil
import socketserver
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.screens import FLAGS
from tests.app.test_offline import SERVER
from tests.needs import needs
from tests.servers import ROOT, free_port, wait_for

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need the package playwright")

PATIENCE = 60_000
"""Milliseconds a test waits for what must appear: on a fresh copy kernels are compiled beside the app."""
playwright.expect.set_options(timeout=PATIENCE)
POLICY = "Content Security Policy"
"""Words in Chromium's console where a page did what its policy forbids."""
FAULTS = (POLICY, "Cached ForwardMsg")
"""Words that the console must never show; the second entry appears when an element was lost, and with it the
connection."""
BROWSERS_OWN = (
    ".google.com:443 ",
    ".googleapis.com:443 ",
    ".gvt1.com:443 ",
    "http://update.googleapis.com/service/update2/",
)
"""Whom Chromium asks for updates of its own, whatever page is open. Kanon knows none of them."""
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def _installed() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


@pytest.fixture(scope="session")
def chromium() -> str | None:
    """Path of an installed Chromium, or None for Playwright's own; installs one when there is none, else
    skips saying so."""
    if _installed():
        return _installed()
    with playwright.sync_playwright() as p:
        if Path(p.chromium.executable_path).is_file():
            return None
    installs = [[sys.executable, "-m", "playwright", "install", "chromium"]]
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        installs += [
            ["apt-get", "update"],
            ["apt-get", "install", "-y", "--no-install-recommends", "chromium"],
        ]
    for command in installs:
        try:
            done = subprocess.run(command, capture_output=True, timeout=600, check=False)
        except (OSError, subprocess.TimeoutExpired):
            continue
        if _installed():
            return _installed()
        if done.returncode == 0 and "playwright" in command:
            return None
    pytest.skip(needs("Chromium"))


WRITTEN = tempfile.NamedTemporaryFile("ab", prefix="servers-", suffix=".log")  # noqa: SIM115
"""The file in which servers write their errors, open until the tests end."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo) -> Iterator[None]:
    """Tell of a test that failed what servers wrote last: a page only says that there was an error."""
    report = yield
    if report.failed:
        report.sections.append(("servers", Path(WRITTEN.name).read_text("utf-8", "replace")[-4_000:]))
    return report


@pytest.fixture(scope="session")
def app_address() -> Iterator[str]:
    """The address of the app that the tests share."""
    with started_app() as address:
        yield address


@contextlib.contextmanager
def started_app(*streamlit: str) -> Iterator[str]:
    """The address of an app, started on a free port and ended afterwards; ``streamlit``: what Python runs in
    place of the module of that name, else a server that writes down every connection and every look-up of a
    name: what leads to another machine fails at the end."""
    with tempfile.TemporaryDirectory() as folder:
        book = Path(folder, "asked")
        server, address = start(free_port(), *(streamlit or ("-c", SERVER, str(book))))
        try:
            yield address
        finally:
            server.terminate()
            server.wait(10)
        asked = book.read_text("utf-8").splitlines() if book.exists() else []
    outside = [line for line in asked if "127.0.0.1" not in line]
    assert not outside, f"the server asked for {outside[:3]}"


def start(port: int, *streamlit: str) -> tuple[subprocess.Popen, str]:
    """An app on this port that answers, and its address."""
    runs = streamlit or ("-m", "streamlit")
    command = [sys.executable, *runs, "run", "app.py", "--server.port", str(port)]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=WRITTEN)
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(server, address)
    except BaseException:
        server.kill()
        server.wait(10)
        raise
    return server, address


@pytest.fixture(scope="session")
def browser(chromium: str | None) -> Iterator[playwright.Browser]:
    """One headless browser for all tests. What it asks of any machine but this one, whichever page or part of
    it does, goes to a way out that leads nowhere, and fails at the end."""
    with way_out() as (address, outside), playwright.sync_playwright() as p:
        running = p.chromium.launch(executable_path=chromium, args=[*FLAGS, f"--proxy-server={address}"])
        yield running
        running.close()
    assert not outside, f"the browser asked for {outside[:3]}"


@contextlib.contextmanager
def way_out() -> Iterator[tuple[str, list[str]]]:
    """The address of a proxy that refuses everything, and what it was asked for. Browsers do not look up the
    names that they ask a proxy for, and go to this machine without it."""
    outside: list[str] = []

    class Refusing(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            asked = self.rfile.readline(4096).decode("latin-1").strip()
            if asked and not any(name in asked for name in BROWSERS_OWN):  # "": opened in advance
                outside.append(asked)
            self.wfile.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Refusing) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}", outside
        server.shutdown()


@pytest.fixture
def page(browser: playwright.Browser, app_address: str) -> Iterator[playwright.Page]:
    """A page of a new session at desktop size; the test fails if anything but the app's own server was asked
    for, or the page did what its policy for contents forbids."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, accept_downloads=True)
    opened = context.new_page()
    foreign: list[str] = []
    own = app_address.removeprefix("http://")

    def note(request: playwright.Request) -> None:
        host = request.url.split("://", 1)[-1].split("/", 1)[0]
        if host != own and not request.url.startswith(("data:", "blob:")):
            foreign.append(request.url)

    context.on("request", note)
    opened.on("websocket", lambda ws: foreign.append(ws.url) if own not in ws.url else None)
    forbidden: list[str] = []

    def hear(said: playwright.ConsoleMessage) -> None:
        if any(sign in said.text for sign in FAULTS):
            forbidden.append(said.text)

    opened.on("console", hear)
    opened.on("pageerror", lambda problem: forbidden.append(f"{problem}"))
    opened.set_default_timeout(PATIENCE)
    yield opened
    context.close()
    assert not forbidden, forbidden[:3]
    assert not foreign, f"the page asked for {foreign[:3]}"
