"""A long day of one server: twenty people, two of them in real browsers, and what can happen to it.

``python -m benchmarks.soak --minutes 30``; 4 minutes when left out. Each has tables, a k and a mark of their
own, which nobody else may ever be shown. They bring tables, move k, have curves filled, close their tabs in
the middle and come again. Meanwhile processes of the server are killed at random, the server itself now and
then; it is started again as a service is. Its memory is made narrow while somebody brings a large table; its
clock is a day ahead, then an hour behind. At the end everybody leaves, and it must give its memory back. All
code is compiled before.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any

import numpy as np
from websockets.exceptions import WebSocketException

from benchmarks._bringer import RefusedError
from benchmarks._harm import Server
from benchmarks._people import (
    PATIENCE,
    Day,
    Marked,
    Tab,
    another,
    browsers,
    looked,
    mark,
    moved,
    opened_anew,
    table,
)
from benchmarks.classroom import TABLES
from benchmarks.screens import wait_for

PEOPLE, BROWSERS, EVERY = 20, 2, 2.0
"""The number of people, the number of them in real browsers, and the seconds between two moves."""
ROWS, LARGE = 2_000, 2_200_000
"""Records of a table that somebody brings, and of one for which there is no memory."""
SHARE = 60
"""Megabytes that one tab may have; a file of 70 is refused."""
NARROW = 256
"""Megabytes that the server may take beside those that it has, while somebody brings a large table."""
KILLS = (0.1, 0.15)
"""The times at which the server is killed: shares of the day, each after the one before."""
NARROW_SECONDS = 5.0
"""For how long after that."""
MINUTES = 4.0
REST = 60.0
"""Seconds after everybody left."""
ALLOWED = 1.2
"""The most that the server may hold then, as a multiple of what it held as long after one visit."""


def rows(minutes: float = MINUTES) -> Iterator[dict[str, Any]]:
    """Moves, uploads, harm and memory; raises AssertionError where anything was wrong."""
    day, server = Day(), Server(SHARE)
    subprocess.run([sys.executable, "-m", "kanon_core", "prepare"], check=True, stdout=subprocess.DEVNULL)
    server.start()
    try:
        once, after = asyncio.run(_day(server, 60 * minutes, day))
    finally:
        server.end()
    yield from _figures(day, minutes)
    yield {"work": f"memory {REST:.0f} s after one visit", "ours_mb": once}
    yield {"work": "… at most", "ours_mb": max(day.memory)}
    yield {
        "work": f"… {REST:.0f} s after everybody left",
        "ours_mb": after,
        "target_mb": ALLOWED * once,
    }
    if day.problems:
        print(server.last_words, file=sys.stderr)
    for kind in (day.mixed, day.problems, day.unanswered, day.ended):
        for said in kind[:10]:
            print(said, file=sys.stderr)
    assert not day.mixed and not day.problems, "what was wrong is told above"


def _figures(day: Day, minutes: float) -> Iterator[dict[str, Any]]:
    median, high, most = map(float, np.percentile(day.moves, [50, 95, 100]))
    there = sum("in a browser" in one for one in day.unanswered)
    unanswered = f"{len(day.unanswered)} unanswered ({there} in browsers)"
    count = f"{len(day.moves):,} moves, {unanswered}, {len(day.mixed)} mixed"
    work = f"{PEOPLE} people, {BROWSERS} in browsers, for {minutes:g} min: {count}; median"
    yield {"work": work, "ours_s": median, "note": f"load {os.getloadavg()[0]:.1f}"}
    yield {"work": "95th percentile", "ours_s": high, "note": f"most {most:.2f} s"}
    yield {
        "work": f"{len(day.uploads)} uploads until they are shown: median",
        "ours_s": float(np.median(day.uploads)),
        "note": f"most {max(day.uploads):.2f} s",
    }
    ends = f"ended {len(day.ended)} times by itself" if day.ended else "never ended by itself"
    kills = f"{day.workers} processes and {len(KILLS)} times the server killed, which {ends}"
    yield {"work": f"{kills}: {day.cut} visits cut off, {day.anew} times a browser opened its page anew"}
    yield {
        "work": f"{day.refused} uploads and moves of others not done for want of memory while it was narrow"
    }
    yield {"work": f"{day.closed} tabs closed in the middle; {day.back} times in a browser all was back"}
    for said in (*day.sentences, *day.without):
        yield {"work": said}


async def _day(server: Server, seconds: float, day: Day) -> tuple[float, float]:
    """Megabytes some time after one visit, and as long after everybody's."""
    await _one_visit(server)
    await asyncio.sleep(REST)
    once = server.megabytes
    until = time.perf_counter() + seconds
    beside = [asyncio.create_task(one) for one in (_watched(server, day), server.keep_up(day.ended.append))]
    clients = PEOPLE - BROWSERS
    async with browsers(range(BROWSERS)) as pages:
        await asyncio.gather(
            *(_client(server, number, until, day) for number in range(clients)),
            *(_browser(page, clients + n, server, until, day) for n, page in enumerate(pages)),
            _harm(server, seconds, day),
            _workers_end(server, until, day),
        )
    await asyncio.sleep(REST)
    for task in beside:
        task.cancel()
    return once, server.megabytes


async def _one_visit(server: Server) -> None:
    """With a table of their own: imports are done, and compiled code is loaded."""
    one = Marked(server.address, TABLES[0], 5, number=98)
    await one.enter()
    await one.bring(mark(98), table(98, ROWS))
    await one.move(7)
    await one.leave()


async def _client(server: Server, number: int, until: float, day: Day) -> None:
    """Comes, works, leaves – now and then without waiting for an answer – and comes again. Where the server
    was killed meanwhile, the visit was cut off."""
    drawn, visits = random.Random(number), 0
    await asyncio.sleep(drawn.uniform(0, 5))
    while time.perf_counter() < until:
        if not server.answers:
            await asyncio.sleep(1)
            continue
        starts, visits = server.starts, visits + 1
        one = Marked(server.address, TABLES[number % len(TABLES)], 2 + number, number=number)
        try:
            await _visit(one, f"{mark(number)}-{visits}", drawn, until, day)
        except RefusedError as sentence:
            day.refused += 1
            if not day.narrow or "memory" not in str(sentence):
                day.problems.append(f"{mark(number)}: {sentence}")
        except (OSError, TimeoutError, WebSocketException) as gone:
            await asyncio.sleep(1)  # a connection ends a little before its process does
            if not server.answers or server.starts != starts:
                day.cut += 1
            elif day.narrow:
                day.refused += 1
            else:
                day.problems.append(f"{mark(number)}: {type(gone).__name__} {gone}")
        finally:
            await one.leave()
            day.mixed += one.mixed
            day.problems += one.problems


async def _visit(one: Marked, name: str, drawn: random.Random, until: float, day: Day) -> None:
    await one.enter()
    begun = time.perf_counter()
    await one.bring(name, table(one.number, ROWS))
    day.uploads.append(time.perf_counter() - begun)
    for _ in range(drawn.randrange(4, 16)):
        if time.perf_counter() > until:
            return
        await asyncio.sleep(drawn.uniform(0.5, 1.5) * EVERY)
        await moved(one, another(one.k, drawn), day)
    if drawn.random() < 0.5:
        asked = asyncio.create_task(one.move(another(one.k, drawn)))
        await asyncio.sleep(0.05)
        asked.cancel()
        await asyncio.wait([asked])
        day.closed += 1


async def _browser(page: Any, number: int, server: Server, until: float, day: Day) -> None:
    """Visits in a real browser; a server that was killed and started again must be noticed by the page."""
    from playwright.async_api import Error

    tab = Tab(page)
    while time.perf_counter() < until:
        starts = server.starts
        try:
            await looked(tab, number, server, until, day)
        except Error as late:
            await asyncio.sleep(1)
            if server.answers and server.starts == starts:
                said = " ".join(str(late).split())[:300]
                day.unanswered.append(f"{mark(number)} in a browser: {said}")
                continue
            await asyncio.to_thread(wait_for, server.address)
            await opened_anew(tab, day)
            day.cut += 1


async def _workers_end(server: Server, until: float, day: Day) -> None:
    """Kills one of the server's processes, again and again at random."""
    drawn = random.Random(7)
    while (left := until - time.perf_counter()) > 0:
        await asyncio.sleep(min(left, drawn.uniform(5, 20)))
        day.workers += server.kill_worker(drawn)


async def _harm(server: Server, seconds: float, day: Day) -> None:
    """The server is killed, memory ends, the clock jumps: each at its time of the day."""
    for until_next in KILLS:
        await asyncio.sleep(until_next * seconds)
        server.kill()
    await asyncio.sleep(0.15 * seconds)
    await _refused(server, f"a file above {SHARE} MB", b"a,b\n" + b"1,2\n" * 17_500_000, None, day)
    await _refused(
        server,
        f"{LARGE:,} rows while memory is narrow",
        b"age,ward\n" + b"34,mark99x 1\n" * LARGE,
        NARROW,
        day,
    )
    for jump in (86_400, -3_600, 0):
        if not server.jump(jump):
            day.without.append("the clock was not moved: there is no C compiler")
            return
        await asyncio.sleep(0.1 * seconds)
    day.sentences.append("clock of the server: a day ahead, an hour behind, right again")


async def _refused(server: Server, what: str, content: bytes, narrow: int | None, day: Day) -> None:
    """Somebody brings more than there is memory for: the page must say so, or the server has ended."""
    starts, one = server.starts, Marked(server.address, TABLES[0], 5, number=99)
    said = "taken"
    try:
        await one.enter()
        async with AsyncExitStack() as until:
            if narrow:
                day.narrow = True
                until.enter_context(server.narrow(narrow))
                until.push_async_callback(asyncio.sleep, NARROW_SECONDS)
            await one.give(mark(99), content)
    except RefusedError as sentence:
        said = str(sentence)
    except (OSError, TimeoutError, WebSocketException) as gone:
        said = f"no answer: {type(gone).__name__} {gone}"
    await one.leave()
    asyncio.get_running_loop().call_later(PATIENCE, lambda: setattr(day, "narrow", False))
    day.problems += one.problems
    if "memory" not in said and server.answers and server.starts == starts:
        day.problems.append(f"{what}: “{said}”")
    day.sentences.append(f"{what}: “{said}”")


async def _watched(server: Server, day: Day) -> None:
    while True:
        day.memory.append(server.megabytes)
        await asyncio.sleep(1)


def main() -> None:
    """The figures of a day of so many minutes."""
    from benchmarks.__main__ import machine
    from benchmarks.__main__ import table as printed

    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.soak", description="A long day of one server."
    )
    parser.add_argument("--minutes", type=float, default=MINUTES, help=f"for how long (default {MINUTES:g})")
    print(machine())
    found = list[dict[str, Any]]()
    try:
        for row in rows(parser.parse_args().minutes):
            found.append(row)
    finally:
        print(printed(found))


if __name__ == "__main__":
    main()
