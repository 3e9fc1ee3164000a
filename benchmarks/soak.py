"""Twenty people on one server for a while: they move k, bring tables of their own, close their tabs in the
middle and come again; then everybody leaves, and the server must give its memory back.

``python -m benchmarks soak``; ``KANON_SOAK_SECONDS`` says for how long, 1800 s when left out. Memory is that
of the server and of all processes that it has started. No answer may be another person's: each has tables and
a k of their own, and every answer is read.
"""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._bringer import Bringer
from benchmarks.classroom import TABLES, held, served
from kanon_core.base.classroom import Classroom

PEOPLE, BRINGING, EVERY = 20, 8, 2.0
"""How many people, how many of them bring tables, and how many seconds lie between two moves."""
ROWS = 4_000
"""Records of a table that somebody brings, about 100 KB."""
SECONDS = float(os.environ.get("KANON_SOAK_SECONDS", "1800"))
UNDONE = 15.0
"""Seconds without an answer after which a move counts as undone: the page has set the slider back, in answer
to an earlier run that was on its way when the slider was moved."""
REST = 60.0
"""Seconds after everybody left."""
ALLOWED = 1.2
"""What the server may hold then, of what it held after one visit."""


@dataclass
class _Found:
    """Seconds of moves and of uploads; how often a tab was closed in the middle, and a move taken back;
    megabytes of the server and its processes after one visit, at most, and a while after everybody left; what
    was wrong."""

    moves: list[float] = field(default_factory=list)
    uploads: list[float] = field(default_factory=list)
    closed: int = 0
    undone: int = 0
    memory: list[float] = field(default_factory=list)
    once: float = 0.0
    after: float = 0.0
    problems: list[str] = field(default_factory=list)


def rows() -> Iterator[dict[str, Any]]:
    """Moves, uploads and memory."""
    found = _Found()
    with served(Classroom("", uploads=True)) as (address, pid):
        asyncio.run(_soaked(address, pid, found))
    assert not found.problems, found.problems[:5]
    closed, undone = f"{found.closed} tabs closed in the middle", f"{found.undone} moves undone"
    load = f"load {os.getloadavg()[0]:.1f}; {closed}, {undone}"
    median, high, most = map(float, np.percentile(found.moves, [50, 95, 100]))
    yield {
        "work": f"{PEOPLE} people for {SECONDS:.0f} s, {len(found.moves):,} moves: median",
        "ours_s": median,
        "note": load,
    }
    yield {"work": "95th percentile", "ours_s": high, "note": f"most {most:.2f} s"}
    if found.uploads:
        yield {
            "work": f"{len(found.uploads)} uploads of {ROWS:,} rows until the first result: median",
            "ours_s": float(np.median(found.uploads)),
            "note": f"most {max(found.uploads):.2f} s",
        }
    yield {"work": "memory after warm-up and one visit", "ours_mb": found.once}
    yield {"work": "… at most", "ours_mb": max(found.memory)}
    allowed = ALLOWED * found.once
    yield {"work": f"… {REST:.0f} s after everybody left", "ours_mb": found.after, "target_mb": allowed}


async def _soaked(address: str, pid: int, found: _Found) -> None:
    await _visit(address)
    found.once = family(pid)
    until = time.perf_counter() + SECONDS
    watching = asyncio.create_task(_watched(pid, found))
    await asyncio.gather(*(_person(address, number, until, found) for number in range(PEOPLE)))
    watching.cancel()
    await asyncio.sleep(REST)
    found.after = family(pid)


async def _visit(address: str) -> None:
    """One person's visit, with a table of their own: imports are done, and compiled code is loaded."""
    one = Bringer(address, TABLES[0], 5)
    await one.enter()
    await one.bring("first", table(0))
    await one.move(7)
    await one.leave()


async def _person(address: str, number: int, until: float, found: _Found) -> None:
    """Comes, works, leaves – now and then without waiting for an answer – and comes again."""
    drawn = random.Random(number)
    await asyncio.sleep(drawn.uniform(0, 5))
    visits = 0
    while time.perf_counter() < until:
        one = Bringer(address, TABLES[number % len(TABLES)], 2 + number)
        await one.enter()
        visits += 1
        if number < BRINGING:
            begun = time.perf_counter()
            await one.bring(f"person-{number}-{visits}", table(number))
            found.uploads.append(time.perf_counter() - begun)
        for _ in range(drawn.randrange(4, 16)):
            if time.perf_counter() > until:
                break
            await asyncio.sleep(drawn.uniform(0.5, 1.5) * EVERY)
            found.undone += not await moved(one, _another(one.k, drawn), found.moves)
        if drawn.random() < 0.5:
            asked = asyncio.create_task(one.move(_another(one.k, drawn)))
            await asyncio.sleep(0.05)
            asked.cancel()
            await asyncio.wait([asked])
            found.closed += 1
        await one.leave()
        found.problems += one.problems


async def moved(one: Bringer, k: int, seconds: list[float], patience: float = UNDONE) -> bool:
    """A move, whose seconds are noted; False for one that the page takes back, which is not made again."""
    try:
        seconds.append(await one.move(k, patience))
    except ConnectionError as silence:
        if "closed" in str(silence):
            raise
        return False
    return True


def _another(k: int, drawn: random.Random) -> int:
    return drawn.choice([one for one in range(2, 41) if one != k])


async def _watched(pid: int, found: _Found) -> None:
    while True:
        found.memory.append(family(pid))
        await asyncio.sleep(1)


def family(pid: int) -> float:
    """Megabytes that a process and all that it has started hold."""
    total = 0.0
    for process in (pid, *_children(pid)):
        try:
            total += held(process)
        except (FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
            continue
    return total


def _children(pid: int) -> Iterator[int]:
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            started = (task / "children").read_text("utf-8").split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        for child in map(int, started):
            yield child
            yield from _children(child)


def table(number: int, records: int = ROWS) -> bytes:
    """A table of its own for each person, as csv."""
    drawn = np.random.default_rng(number)
    columns = [drawn.integers(low, high, records) for low, high in ((18, 90), (10, 99), (0, 5))]
    lines = (f"{age},{'MF'[ward % 2]},{ward},{kind}" for age, ward, kind in zip(*columns, strict=True))
    return ("age,sex,ward,disease\n" + "\n".join(lines)).encode()
