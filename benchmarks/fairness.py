"""Fair turns: what somebody who works on a large table costs those who move k on small ones.

``python -m benchmarks fairness``. Eight people move k every second on tables of 100 and 200 records: first
alone, then beside one person who groups 30,000 records again and again, then beside four of them. Seconds are
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

from benchmarks import soak
from benchmarks._bringer import Bringer
from benchmarks.classroom import TABLES, served
from kanon_core.base.classroom import Classroom

LOOKING, EVERY, SECONDS = 8, 1.0, 30.0
ROWS = 30_000
ASKED = 0.4
"""Seconds that a move on a small table may take beside others' long work."""


def rows() -> Iterator[dict[str, Any]]:
    """Moves of k alone, and beside one and four people with large tables."""
    with served(Classroom("", uploads=True)) as (address, _):
        found = asyncio.run(_measured(address))
    for heavy, (moves, runs) in found.items():
        median, high, most = map(float, np.percentile(moves, [50, 95, 100]))
        beside = f"beside {heavy} who group {ROWS:,} records" if heavy else "alone"
        note = f"most {most:.2f} s; {runs} large runs; load {os.getloadavg()[0]:.1f}"
        yield {"work": f"{LOOKING} people move k {beside}: median", "ours_s": median}
        yield {"work": "95th percentile", "ours_s": high, "target_s": ASKED, "note": note}


async def _measured(address: str) -> dict[int, tuple[list[float], int]]:
    looking = [Bringer(address, TABLES[n % len(TABLES)], 2 + n) for n in range(LOOKING)]
    for one in looking:
        await one.enter()
    found: dict[int, tuple[list[float], int]] = {}
    large: list[Bringer] = []
    for heavy in (0, 1, 4):
        while len(large) < heavy:
            large.append(await _large(address, len(large)))
        until = time.perf_counter() + SECONDS
        working = [asyncio.create_task(_works(one, until)) for one in large]
        moves = await asyncio.gather(*(_moves(one, n, until) for n, one in enumerate(looking)))
        runs = [run for one in await asyncio.gather(*working) for run in one]
        found[heavy] = [second for one in moves for second in one], len(runs)
    for one in (*looking, *large):
        await one.leave()
        assert not one.problems, one.problems[:3]
    return found


async def _large(address: str, number: int) -> Bringer:
    one = Bringer(address, TABLES[0], 3 + number)
    await one.enter()
    await one.bring(f"large-{number}", soak.table(number, ROWS))
    return one


async def _works(one: Bringer, until: float) -> list[float]:
    """Asks for another k as soon as there is an answer."""
    found = list[float]()
    while time.perf_counter() < until:
        await soak.moved(one, one.k + 1, found, 60.0)
    return found


async def _moves(one: Bringer, number: int, until: float) -> list[float]:
    drawn, found = random.Random(number), list[float]()
    await asyncio.sleep(EVERY * number / LOOKING)
    while time.perf_counter() < until:
        rest = time.perf_counter() + EVERY
        await soak.moved(one, drawn.choice([k for k in range(2, 41) if k != one.k]), found)
        await asyncio.sleep(max(0.0, rest - time.perf_counter()))
    return found
