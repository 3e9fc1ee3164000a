"""People of a long day: clients that speak the pages' protocol, and real browsers, each with a mark of their
own in the names and cells of their tables."""

from __future__ import annotations

import asyncio
import random
import re
import shutil
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks._bringer import Bringer
from benchmarks._harm import Server
from benchmarks.screens import FLAGS, SETTLED

_MARK = re.compile(r"mark(\d\d)x")
UNANSWERED = 15.0
"""Seconds after which a move counts as unanswered."""
PATIENCE = 60.0


@dataclass
class Day:
    """The results of a day.

    Seconds of moves and of uploads; moves without an answer; what somebody saw that was another's; tabs that
    were closed in the middle; visits that the end of a server cut off; browsers that then opened the page
    anew, and those that found their table when they came back; processes of the server that were killed, and
    how the server itself ended where nobody killed it; what was not done for want of memory; megabytes,
    second by second; what the page said about memory; all else that was wrong.
    """

    moves: list[float] = field(default_factory=list)
    uploads: list[float] = field(default_factory=list)
    unanswered: list[str] = field(default_factory=list)
    mixed: list[str] = field(default_factory=list)
    closed: int = 0
    cut: int = 0
    anew: int = 0
    back: int = 0
    workers: int = 0
    ended: list[str] = field(default_factory=list)
    refused: int = 0
    narrow: bool = False
    """True if memory is narrow, or was when somebody asked who may still be waiting for an answer."""
    memory: list[float] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    without: list[str] = field(default_factory=list)
    """The trials that were not possible on this machine."""


def mark(number: int) -> str:
    """Return a text that stands in all that somebody brings, and nowhere else."""
    return f"mark{number:02}x"


def foreign(number: int, text: str) -> set[str]:
    """The marks of others in a text."""
    return {f"mark{found}x" for found in _MARK.findall(text)} - {mark(number)}


@dataclass
class Marked(Bringer):
    """A client that looks for others' marks in every message."""

    number: int = 0
    mixed: list[str] = field(default_factory=list)

    def _take(self, message: ForwardMsg) -> None:
        text = message.SerializeToString().decode("utf-8", "ignore")
        self.mixed += [f"{mark(self.number)} was shown {other}" for other in foreign(self.number, text)]
        super()._take(message)


def table(number: int, records: int) -> bytes:
    """Somebody's own table, as csv: their mark is in its cells."""
    drawn, own = np.random.default_rng(number), mark(number)
    columns = [drawn.integers(low, high, records) for low, high in ((18, 90), (10, 99), (0, 5))]
    lines = (f"{age},{'MF'[ward % 2]},{ward},{own} {kind}" for age, ward, kind in zip(*columns, strict=True))
    return ("age,sex,ward,disease\n" + "\n".join(lines)).encode()


def another(k: int, drawn: random.Random) -> int:
    """Some k that is not this one."""
    return drawn.choice([one for one in range(2, 41) if one != k])


async def moved(one: Marked, k: int, day: Day) -> None:
    """A move, and its seconds; raises ConnectionError where the connection is gone."""
    one.alerts.clear()
    try:
        day.moves.append(await one.move(k, UNANSWERED))
    except ConnectionError as silence:
        if "closed" in str(silence):
            raise
        if day.narrow:
            day.refused += 1
        else:
            day.unanswered.append(f"{mark(one.number)}: {silence}")


@dataclass
class Tab:
    """The page that somebody's browser shows."""

    page: Any

    async def again(self) -> None:
        """Close it, and open its address in another."""
        address, context = self.page.url, self.page.context
        await self.page.close()
        self.page = await context.new_page()
        self.page.set_default_timeout(1000 * PATIENCE)
        await self.page.goto(address)


async def looked(tab: Tab, number: int, server: Server, until: float, day: Day) -> None:
    """One visit in a real browser: bring a table, move k, close the tab and come back, move again. Raises
    Playwright's errors where the page does not answer."""
    page = tab.page
    await page.goto(f"{server.address}/data")
    await page.locator(".statusbar").wait_for()
    file = {"name": f"{mark(number)}.csv", "mimeType": "text/csv", "buffer": table(number, 1000)}
    begun = time.perf_counter()
    await page.locator(".st-key-upload input").set_input_files(file)
    await page.locator(".statusbar", has_text=mark(number)).wait_for()
    day.uploads.append(time.perf_counter() - begun)
    await page.get_by_test_id("stTopNavLink").filter(has_text="Tune").click()
    await _moved_by_keys(page, number, until, day)
    await tab.again()
    await tab.page.locator(".statusbar", has_text=mark(number)).wait_for()
    day.back += 1
    await _moved_by_keys(tab.page, number, until, day)


async def _moved_by_keys(page: Any, number: int, until: float, day: Day, moves: int = 6) -> None:
    """Moves by the keys of the slider, until everything that follows k is drawn."""
    thumb = page.get_by_role("slider").first
    await page.wait_for_function(SETTLED, arg=int(await thumb.input_value()))
    for _ in range(moves):
        if time.perf_counter() > until:
            return
        await asyncio.sleep(2)
        k = int(await thumb.input_value()) + 1
        await thumb.focus()
        begun = await page.evaluate("() => performance.now()")
        await thumb.press("ArrowRight")
        answer = await page.wait_for_function(SETTLED, arg=k, polling=10, timeout=1000 * UNANSWERED)
        day.moves.append((await answer.json_value() - begun) / 1000)
        day.mixed += [f"{mark(number)} was shown {one}" for one in foreign(number, await page.content())]


async def opened_anew(tab: Tab, day: Day) -> None:
    """Check that a page that was open when its server was killed shows a result again once another server
    answers; a page that was only just asked for cannot know of it."""
    from playwright.async_api import Error

    try:
        if await tab.page.locator("[data-testid=stApp]").count():
            await tab.page.locator(".statusbar").wait_for()
            day.anew += 1
    except Error as late:
        text = (await tab.page.locator("body").inner_text())[:300]
        day.problems.append(f"a browser did not open its page anew: {str(late).splitlines()[0]} “{text}”")


@asynccontextmanager
async def browsers(numbers: Iterable[int]) -> AsyncIterator[list[Any]]:
    """A page of a browser of its own for each of these."""
    from playwright.async_api import async_playwright

    async with async_playwright() as p:
        running = [
            await p.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS) for _ in numbers
        ]
        pages = []
        for browser in running:
            context = await browser.new_context(viewport={"width": 1440, "height": 900}, bypass_csp=True)
            page = await context.new_page()
            page.set_default_timeout(1000 * PATIENCE)
            pages.append(page)
        yield pages
        for browser in running:
            await browser.close()
