"""A class on one server: 28 clients that speak the app's protocol and two real browsers, each of which moves
k every three seconds, from sending the move to the complete answer of the new k.

``python -m benchmarks classroom``; ``KANON_CLASS_SECONDS`` says for how long, 300 s when left out. No answer
may be another learner's: each looks at a table and a k of its own, and every answer of a client is read.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import shutil
import socket
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._learner import PATIENCE, Learner
from benchmarks.screens import FLAGS, ROOT, SETTLED, wait_for
from kanon_core.base.classroom import Classroom

CLIENTS, BROWSERS, EVERY = 28, 2, 3.0
ENTERING = 15.0
"""Seconds within which all come in."""
SECONDS = float(os.environ.get("KANON_CLASS_SECONDS", "300"))
ALONE = 24.0
"""Seconds for which the browsers move k before the others come."""
MEGABYTES = 10
"""The most megabytes that the server may hold for each learner."""
TABLES = ("people-100", "DS0", "DS1", "DS2", "DS3", "DS4")
"""Samples of 100 and 200 records, as small as those of a lesson."""
KS = (2, 50)
"""The ends of the slider."""


@dataclass
class _Found:
    """Seconds: until a tab has its first result, of browsers before anybody else came, of all moves of
    clients and of browsers; the share of a core that the server took, and its seconds for each move."""

    entering: list[float]
    alone: list[float]
    clients: list[float]
    browsers: list[float]
    computed: float
    each: float


def rows() -> Iterator[dict[str, Any]]:
    """Entering, moving k, and what the server holds before and after."""
    with served() as (address, pid):
        before = held(pid)
        found = asyncio.run(_class(address, pid))
        after = held(pid)
    load = f"load {os.getloadavg()[0]:.1f}"
    share = f"the server computed {1000 * found.each:.0f} ms a move, {found.computed:.0%} of a core; {load}"
    everybody = [*found.clients, *found.browsers]
    yield from _rows(f"{CLIENTS + BROWSERS} learners move k", everybody, (0.3, 1.0), share)
    yield from _rows(f"of them {CLIENTS} clients", found.clients, (0.3, 1.0))
    yield from _rows(f"of them {BROWSERS} browsers, until all is drawn", found.browsers)
    yield from _rows("the same browsers before the clients came", found.alone)
    yield from _rows(f"first result of a tab, {CLIENTS} come in {ENTERING:.0f} s", found.entering)
    yield {"work": "server's memory before anybody came", "ours_mb": before}
    most = before + MEGABYTES * (CLIENTS + BROWSERS)
    yield {"work": f"… after {len(everybody):,} moves", "ours_mb": after, "target_mb": most}


async def _class(address: str, pid: int) -> _Found:
    """Let everybody come in, then let all move; raise AssertionError where an answer was not the one asked
    for."""
    learners = [
        Learner(address, table, 2 + number)
        for number, table in zip(range(CLIENTS), itertools.cycle(TABLES), strict=False)
    ]
    await learners[0].enter()  # waits for imports
    async with _browsers(address) as pages:
        alone = await asyncio.gather(*(_looked(one, time.perf_counter() + ALONE) for one in pages))
        entering = await asyncio.gather(*(_entered(one, n) for n, one in enumerate(learners[1:])))
        begun, spent = time.perf_counter(), processor(pid)
        until = begun + SECONDS
        working = [_moved(one, until, number) for number, one in enumerate(learners)]
        looking = [_looked(page, until) for page in pages]
        found = await asyncio.gather(*working, *looking)
        spent, took = processor(pid) - spent, time.perf_counter() - begun
    for one in learners:
        await one.leave()
    assert not (wrong := [problem for one in learners for problem in one.problems]), wrong
    clients, browsers = (list(itertools.chain(*part)) for part in (found[:CLIENTS], found[CLIENTS:]))
    each = spent / (len(clients) + len(browsers))
    return _Found(list(entering), list(itertools.chain(*alone)), clients, browsers, spent / took, each)


async def _entered(learner: Learner, number: int) -> float:
    await asyncio.sleep(ENTERING * number / CLIENTS)
    begun = time.perf_counter()
    await learner.enter()
    return time.perf_counter() - begun


async def _moved(learner: Learner, until: float, number: int) -> list[float]:
    """The seconds of each move, one begun every three seconds."""
    found = []
    next_at = time.perf_counter() + EVERY * number / CLIENTS
    for k in _walk(learner.k):
        await asyncio.sleep(max(0.0, next_at - time.perf_counter()))
        if time.perf_counter() >= until:
            break
        next_at += EVERY
        found.append(await learner.move(k))
    return found


def _walk(k: int) -> Iterator[int]:
    """Always another k, up and down the slider in steps of different length."""
    low, high = KS
    for step in itertools.cycle((1, 1, 5, -2, 11, -3)):
        k = low + (k - low + step) % (high - low + 1)
        yield k


@asynccontextmanager
async def _browsers(address: str) -> AsyncIterator[list[Any]]:
    """Pages of real browsers, each with a table and a k of its own."""
    from playwright.async_api import async_playwright

    async with async_playwright() as p:
        browsers, opened = [], []
        for number in range(BROWSERS):
            browser = await p.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
            page = await browser.new_page(viewport={"width": 1440, "height": 900}, bypass_csp=True)
            page.set_default_timeout(1000 * PATIENCE)
            k = 10 + 10 * number
            await page.goto(f"{address}/?table={TABLES[number]}&algorithm=MDAV&k={k}")
            await page.wait_for_function(SETTLED, arg=k)
            browsers.append(browser)
            opened.append(page)
        yield opened
        for browser in browsers:
            await browser.close()


async def _looked(page: Any, until: float) -> list[float]:
    """The seconds of each move in a real browser, by the keys of the slider, until everything that follows k
    is drawn; four up, four down, and so on."""
    thumb, found = page.get_by_role("slider").first, list[float]()
    k = int(await thumb.input_value())
    while time.perf_counter() < until:
        rest = time.perf_counter() + EVERY
        up = len(found) % 8 < 4
        k += 1 if up else -1
        await thumb.focus()
        begun = await page.evaluate("() => performance.now()")
        await thumb.press("ArrowRight" if up else "ArrowLeft")
        answer = await page.wait_for_function(SETTLED, arg=k, polling=10)
        found.append((await answer.json_value() - begun) / 1000)
        await asyncio.sleep(max(0.0, rest - time.perf_counter()))
    return found


@contextmanager
def served(room: Classroom | None = None) -> Iterator[tuple[str, int]]:
    """The address of a server for a class, and the number of its process; it ends afterwards. ``room``: what
    is allowed there."""
    from kanon_core.cli.serving import started

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    allowed = replace(room or Classroom(""), address=f"http://127.0.0.1:{port}")
    command, environment = started(str(port), allowed)
    server = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        address = f"http://127.0.0.1:{port}"
        wait_for(address)
        yield address, server.pid
    finally:
        server.terminate()
        server.wait(10)


def held(pid: int) -> float:
    """Megabytes that a process holds."""
    pages = int(Path(f"/proc/{pid}/statm").read_text("utf-8").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def processor(pid: int) -> float:
    """Seconds that a process has computed."""
    user, system = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _rows(
    work: str, seconds: list[float], targets: tuple[float | None, float | None] = (None, None), note: str = ""
) -> Iterator[dict[str, Any]]:
    """Median and 95th percentile."""
    median, high, most = map(float, np.percentile(seconds, [50, 95, 100]))
    first, second = targets
    yield {"work": f"{work}: median of {len(seconds):,}", "ours_s": median, "target_s": first, "note": note}
    yield {"work": "95th percentile", "ours_s": high, "target_s": second, "note": f"most {most:.2f} s"}
