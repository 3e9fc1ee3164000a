"""The first minutes on a new machine: a fresh clone without compiled code, the real app, a real browser, two
cores.

One server is asked for Tune and then for every other algorithm of the menu at once, in an order that
KANON_COLD gives: a number (which shuffles the menu) or class names with commas between them. A second server,
of a second clone, is asked for Data and then left alone. Reads /proc, so only Linux can run it.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import kanon_core as kc
from benchmarks.screens import FLAGS, ROOT, wait_for

CORES = 2
HEADING, FIRST, OTHERS, COMPILED, COMPILING, MEMORY = 2.5, 4.0, 3.0, 60.0, 75.0, 300.0
"""Targets: seconds, the last but one of a processor, the last megabytes."""
_PATIENCE = 1200.0
_GIVEN_UP = 60.0
_SAMPLED = 0.2
_QUIET = 5.0
_TICKS = os.sysconf("SC_CLK_TCK")


def rows() -> Iterator[dict[str, Any]]:
    """Headings, first results, what compiling takes, and what the server then holds."""
    from playwright.sync_api import sync_playwright

    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        with served() as server:
            yield from explored(browser, server)
            yield from compiled(server, "while algorithms are tried")
            yield from held(server, "every algorithm tried")
        with served() as server:
            page, opened = opened_at(browser, server, "data", "Data")
            yield opened
            yield from compiled(server, "left alone")
            yield from held(server, "one page")
            page.close()
        browser.close()


class Server:
    """The app of a fresh clone, and what its processes have used."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
        # Compiled code lies beside the sources; Python's own of a new checkout has to be made too.
        lent = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen(command, cwd=folder, env=lent, stdout=quiet, stderr=quiet)
        self.asked = begun = time.perf_counter()
        self.used: dict[int, float] = {}
        self.alone_since = time.perf_counter()
        self._ended = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()
        wait_for(self.address)
        self.answered = time.perf_counter() - begun

    def _watch(self) -> None:
        while not self._ended.wait(_SAMPLED):
            children = {child for child in descendants(self.process.pid) if not fills_curves(child)}
            for child in children:
                self.used[child] = max(self.used.get(child, 0.0), processor_seconds(child))
            if children:
                self.alone_since = time.perf_counter()

    def end(self) -> None:
        """End the server and all that it started."""
        self._ended.set()
        self._watcher.join()
        started = descendants(self.process.pid)
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
        for child in started:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGTERM)


@contextmanager
def served() -> Iterator[Server]:
    """The server of a fresh clone of what is committed; clone and server are gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "kanon"
        subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", str(ROOT), str(place)], check=True)
        server = Server(place)
        try:
            yield server
        finally:
            server.end()


def opened_at(browser: Any, server: Server, path: str, title: str) -> tuple[Any, dict[str, Any]]:
    """A page of a new browser session with its heading on screen, and how long that took."""
    page = browser.new_context(viewport={"width": 1440, "height": 900}, bypass_csp=True).new_page()
    page.set_default_timeout(1000 * _GIVEN_UP)
    server.asked = time.perf_counter()
    page.goto(f"{server.address}/{path}", wait_until="commit")
    page.locator("h1", has_text=title).wait_for(state="attached")
    took = time.perf_counter() - server.asked
    return page, {
        "work": f"{title}: heading after the first request",
        "ours_s": took,
        "target_s": HEADING,
        "note": f"the server answered {server.answered:.1f} s after its start",
    }


def explored(browser: Any, server: Server) -> Iterator[dict[str, Any]]:
    """Heading and first result of Tune, and the first result of every other algorithm."""
    page, opened = opened_at(browser, server, "", "Tune")
    yield opened
    shown = page.locator(".statusbar", has_text="achieved")
    shown.wait_for()
    took = time.perf_counter() - server.asked
    yield {"work": "Tune: first result after the first request", "ours_s": took, "target_s": FIRST}
    for cls in order([cls for cls in kc.ALGORITHMS if cls is not kc.MDAV]):
        yield from chosen(page, server, cls.title)
    page.close()


def chosen(page: Any, server: Server, title: str) -> Iterator[dict[str, Any]]:
    """Yield the time from choosing an algorithm that fits to its first result; give up after a minute."""
    from playwright.sync_api import TimeoutError

    page.get_by_role("button", name=re.compile("^Algorithm: ")).click()
    entry = page.get_by_role("button", name=re.compile(f"^{re.escape(title)} –"))
    entry.wait_for()
    if entry.is_disabled():
        page.keyboard.press("Escape")
        return
    begun = time.perf_counter()
    entry.click()
    note = f"chosen {begun - server.asked:.1f} s after the first request"
    result = page.locator(".statusbar", has_text=f"algorithm {title}").filter(has_text="achieved")
    try:
        result.wait_for(timeout=1000 * _GIVEN_UP)
    except TimeoutError:
        note += "; given up without a result"
    took = time.perf_counter() - begun
    yield {
        "work": f"{title}: first result after it was chosen",
        "ours_s": took,
        "target_s": OTHERS,
        "note": note,
    }


def order(menu: list[type[kc.Algorithm]]) -> list[type[kc.Algorithm]]:
    """The algorithms as KANON_COLD orders them; shuffled with 0 when nothing is said."""
    said = os.environ.get("KANON_COLD", "0")
    if said.isdecimal():
        random.Random(int(said)).shuffle(menu)
        return menu
    return [next(cls for cls in menu if cls.__name__ == name) for name in said.split(",")]


def compiled(server: Server, how: str) -> Iterator[dict[str, Any]]:
    """Yield the time until the server's child processes have ended."""
    begun = time.perf_counter()  # the first process may not have been started yet
    while (now := time.perf_counter()) - max(server.alone_since, begun) < _QUIET and now < begun + _PATIENCE:
        time.sleep(_SAMPLED)
    note = f"{len(server.used)} processes" if server.used else "the server started no process"
    yield {
        "work": f"all code compiled, {how}",
        "ours_s": max(server.alone_since - server.asked, 0.0),
        "target_s": COMPILED,
        "note": note,
    }
    spent, longest = sum(server.used.values()), max(server.used.values(), default=0.0)
    own = processor_seconds(server.process.pid)
    yield {
        "work": f"processor seconds of compiling, {how}",
        "ours_s": spent,
        "target_s": COMPILING,
        "note": f"the longest process {longest:.1f}; the server's own {own:.1f}",
    }


def held(server: Server, after: str) -> Iterator[dict[str, Any]]:
    """The memory of the server once it does nothing any more."""
    pid, before = server.process.pid, -1.0
    while (now := processor_seconds(pid)) - before > 0.05:
        before = now
        time.sleep(_QUIET)
    rss, pss = memory(pid)
    yield {
        "work": f"memory of the server, warmed up, {after}",
        "ours_mb": rss,
        "target_mb": MEMORY,
        "note": f"resident; {pss:.0f} MB with shared pages shared out",
    }


def descendants(pid: int) -> set[int]:
    """The living processes that this one started, and those that they did."""
    found: set[int] = set()
    parents = {child: facts[0] for child in numbers_in_proc() if (facts := _facts(child))}
    todo = {pid}
    while todo:
        todo = {child for child, parent in parents.items() if parent in todo and child not in found}
        found |= todo
    return found


def fills_curves(pid: int) -> bool:
    """Return whether this is the process that computes points of curves, which compiles nothing that others
    compile."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return b"kanon_core.background.curves" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


def numbers_in_proc() -> Iterator[int]:
    """The numbers of all processes."""
    return (int(place.name) for place in Path("/proc").iterdir() if place.name.isdecimal())


def processor_seconds(pid: int) -> float:
    """Return the processor seconds that a process has used; 0 when it is gone."""
    facts = _facts(pid)
    return facts[1] if facts else 0.0


def _facts(pid: int) -> tuple[int, float] | None:
    """Parent and processor seconds of a living process."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] == "Z" else (int(fields[1]), (int(fields[11]) + int(fields[12])) / _TICKS)


def memory(pid: int) -> tuple[float, float]:
    """Resident and proportional set size, in MB of a million bytes."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text("utf-8").splitlines()[1:]
    sizes = {line.split(":")[0]: 1024 * int(line.split()[1]) / 1e6 for line in lines}
    return sizes["Rss"], sizes["Pss"]
