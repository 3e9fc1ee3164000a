"""Fair turns: the delay that work on a large table causes for people who move k on small ones.

``python -m benchmarks fairness``. Eight people move k every second on tables of 100 and 200 records: first
alone, then beside one person who groups 30,000 records again and again, then beside four of them, then beside
one who asks for the least-cost k-concealment of 30,000 records, with its figures and its audit. Seconds are
from the move to the complete answer.
"""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks._bringer import Bringer
from benchmarks._people import UNANSWERED, table
from benchmarks.classroom import TABLES, served
from kanon_core.base.classroom import Classroom

LOOKING, EVERY, SECONDS = 8, 1.0, 30.0
ROWS = 30_000
BESIDE = (
    ("alone", 0, ""),
    (f"beside 1 who groups {ROWS:,} records", 1, "MDAV"),
    (f"beside 4 who group {ROWS:,} records", 4, "MDAV"),
    ("before the next", 0, ""),
    (f"beside the optimum of {ROWS:,} records", 1, "OptimalConcealment"),
)
"""The work that goes on beside: its name, the number of people, and the algorithm."""
ASKED = 0.4
"""Seconds that a move on a small table may take beside others' long work."""


def rows() -> Iterator[dict[str, Any]]:
    """Moves of k alone, and beside one and four people with large tables."""
    with served(Classroom("", uploads=True)) as (address, _):
        found = asyncio.run(_measured(address))
    for beside, (moves, note) in found.items():
        median, high, most = map(float, np.percentile(moves, [50, 95, 100]))
        note = f"most {most:.2f} s; {note}; load {os.getloadavg()[0]:.1f}"
        yield {"work": f"{LOOKING} people move k {beside}: median", "ours_s": median}
        yield {"work": "95th percentile", "ours_s": high, "target_s": ASKED, "note": note}


async def _measured(address: str) -> dict[str, tuple[list[float], str]]:
    """Return, by the work that goes on beside, the seconds of the moves, and how much of that work was
    done."""
    looking = [Bringer(address, TABLES[n % len(TABLES)], 2 + n) for n in range(LOOKING)]
    for one in looking:
        await one.enter()
    found: dict[str, tuple[list[float], str]] = {}
    large: list[Bringer] = []
    for says, heavy, algorithm in BESIDE:
        while len(large) > heavy:
            await _left(large.pop())
        while len(large) < heavy:
            large.append(await _large(address, len(large), algorithm))
        until = time.perf_counter() + SECONDS
        working = [asyncio.create_task(_works(one, until)) for one in large]
        moves = await _all_move(looking, until)
        runs = [run for one in await asyncio.gather(*working) for run in one]
        found[says] = moves, f"{len(runs)} large runs"
    for one in (*looking, *large):
        await _left(one)
    return found


async def _left(one: Bringer) -> None:
    await one.leave()
    assert not one.problems, one.problems[:3]


async def _all_move(looking: list[Bringer], until: float) -> list[float]:
    moves = await asyncio.gather(*(_moves(one, n, until) for n, one in enumerate(looking)))
    return [second for one in moves for second in one]


async def _large(address: str, number: int, algorithm: str) -> Bringer:
    one = Bringer(address, TABLES[0], 3 + number, algorithm=algorithm)
    await one.enter()
    await one.bring(f"large-{number}", table(number, ROWS), 120.0)
    return one


async def _works(one: Bringer, until: float) -> list[float]:
    """Asks for another k as soon as there is an answer."""
    found = list[float]()
    while time.perf_counter() < until:
        await _moved(one, one.k + 1, found, 60.0)
    return found


async def _moved(one: Bringer, k: int, found: list[float], patience: float) -> None:
    """A move, and its seconds; one that has no answer counts with all that was waited for."""
    try:
        found.append(await one.move(k, patience))
    except ConnectionError as silence:
        if "closed" in str(silence):
            raise
        found.append(patience)


async def _moves(one: Bringer, number: int, until: float) -> list[float]:
    drawn, found = random.Random(number), list[float]()
    await asyncio.sleep(EVERY * number / LOOKING)
    while time.perf_counter() < until:
        rest = time.perf_counter() + EVERY
        await _moved(one, drawn.choice([k for k in range(2, 41) if k != one.k]), found, UNANSWERED)
        await asyncio.sleep(max(0.0, rest - time.perf_counter()))
    return found
