"""Curves that are filled by another process: its cost beyond its points, and how soon it stops.

    python -m benchmarks curve        about a minute

57 points: three algorithms at k = 2 … 20 on 30,000 records. The processor seconds of the process aside, its
start and the table's way to it included, are held against those of the same points made here.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from typing import Any

import kanon_core as kc
from benchmarks.cold import processor_seconds
from benchmarks.screens import census
from kanon_core.background.curves import Sweeper
from kanon_core.metrics import METRICS
from kanon_core.runs.sweeps import sweep_point

ALGORITHMS = (kc.MDAV(), kc.VMDAV(), kc.Mondrian())
KS = range(2, 21)
OVERHEAD, STOPS = 1.3, 0.5


def rows() -> Iterator[dict[str, Any]]:
    """Processor seconds of the curve aside beside those of its points, and the time until a point stops."""
    table = kc.read_table(census(30_000))
    metrics = tuple(cls() for cls in METRICS if not cls().unsuitable(table))
    todo = [(algorithm, k, 1) for k in KS for algorithm in ALGORITHMS]
    for algorithm in ALGORITHMS:  # compiled code is loaded
        sweep_point(table, algorithm, 2, metrics, 1)
    begun = time.process_time()
    for setting in todo:
        sweep_point(table, *setting[:2], metrics, setting[2])
    here = time.process_time() - begun
    sweeper, found, there = Sweeper(), list[Any](), threading.Event()

    def take(setting: Any, point: Any) -> None:
        found.append(point)
        if len(found) == len(todo):
            there.set()

    begun = time.perf_counter()
    sweeper.wish("one", table, todo, metrics, take)
    while not there.wait(1.0):  # a page that shows a curve asks for the missing points again
        sweeper.wish("one", table, todo[len(found) :], metrics, take)
    took = time.perf_counter() - begun
    pid = sweeper._process.pid if sweeper._process else 0
    aside = processor_seconds(pid)
    note = f"{took:.1f} s of wall time; load {os.getloadavg()[0]:.1f}"
    yield {
        "work": "57 points aside, processor seconds",
        "ours_s": aside,
        "peer": "the same points here",
        "peer_s": here,
        "target_s": OVERHEAD * here,
        "note": note,
    }
    yield _stopped(sweeper, table)
    sweeper.end()


def _stopped(sweeper: Sweeper, table: kc.Table) -> dict[str, Any]:
    """Return the seconds from dropping a long search until the next point is there."""
    there = threading.Event()
    sweeper.wish("one", table, [(kc.Refine(seconds=600), 5, 1)], (), lambda *_: None)
    time.sleep(3)
    begun = time.perf_counter()
    sweeper.drop("one")
    sweeper.wish("two", table, [(kc.Sorting(), 5, 1)], (), lambda *_: there.set())
    there.wait(60)
    took = time.perf_counter() - begun
    return {
        "work": "a search aside is stopped and the next point is there",
        "ours_s": took,
        "target_s": STOPS,
        "note": "Sorting of 30,000 records included",
    }
