"""Wall and processor seconds of a piece of work."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any, TypeVar

Result = TypeVar("Result")


def seconds(work: Callable[[], object]) -> float:
    """Wall seconds of one run."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def least(work: Callable[[], Result], runs: int) -> tuple[float, float, Result]:
    """The least wall seconds and the least processor seconds of several runs; and the last result."""
    wall = cpu = math.inf
    for _ in range(runs):
        begun, used = time.perf_counter(), time.process_time()
        result = work()
        wall, cpu = min(wall, time.perf_counter() - begun), min(cpu, time.process_time() - used)
    return wall, cpu, result


def measured(work: Callable[[], object], runs: int) -> dict[str, Any]:
    """A row with the least wall seconds of several runs; its note has the least processor seconds."""
    wall, cpu, _ = least(work, runs)
    return {"ours_s": wall, "note": f"CPU {cpu:.3f} s"}
