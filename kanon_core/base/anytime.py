"""Anytime searches: they improve an answer, step by step, until their seconds or their steps are over."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Annotated, Any

from kanon_core.base.compiled import needed
from kanon_core.base.kinds import Integer, Real
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import later, tr

Seconds = Annotated[float, Real(0, 3600, help="time for the search", unit="s")]
Steps = Annotated[int, Integer(0, 2**53 - 1, help="stop after this many search steps instead; 0 = by time")]
"""The options of an algorithm that searches; `Limits.of` reads them."""

TOO_SHORT = later("time too short")
"""Named in the report, as 1, when the seconds were over before the first improving step was done."""
UNCOMPILED = later("loops not compiled yet")
"""Named in the report, as 1, when the seconds went into loops that another process was still compiling."""
_BETWEEN_TICKS = 0.05


@dataclass(frozen=True)
class Limits:
    """Limits on a search: it ends after ``seconds`` or after ``steps``, whichever comes first; both may be
    infinite.

    ``tick`` shows the progress, and any exception that it raises stops the search; `drive` writes into
    ``report`` and ``settled``.
    """

    seconds: float = math.inf
    steps: float = math.inf
    tick: Tick = silent
    report: dict[str, float] = field(default_factory=dict)
    settled: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, seconds: float, steps: int, *rest: Any) -> Limits:
        """Return the limits that the options of an algorithm name; the clock never cuts a given number of
        steps short, whatever the machine."""
        return cls(math.inf if steps else seconds, steps or math.inf, *rest)


def drive(
    work: Iterator[str], limits: Limits, load: Callable[[], object] | None = None, prepare: Iterable[str] = ()
) -> int:
    """Take the steps of a search until a limit is reached or none is left; returns how many were taken.

    ``work`` yields a few words after every step, which takes 0.1 s at most; ``prepare`` does so before,
    while nothing can be improved yet. ``load`` brings the compiled code before the clock starts. The first
    step is taken whatever the time. Writes the steps into report and recipe, where 1 is the least, and
    `TOO_SHORT` into the report.
    """
    if limits.seconds < math.inf and load:
        limits.tick(0.0, tr("loading compiled code"))
        with needed() as can:
            load()
        if not can:
            limits.report[UNCOMPILED] = 1
    begin = last = time.perf_counter()
    steps, prepared = 0, False
    for improves, note in chain(((False, note) for note in prepare), ((True, note) for note in work)):
        steps += 1
        now = time.perf_counter()
        spent = max((now - begin) / max(limits.seconds, 1e-9), steps / limits.steps)
        if spent >= 1 or now - last >= _BETWEEN_TICKS:
            last = now
            limits.tick(min(spent, 1.0) if min(limits.seconds, limits.steps) < math.inf else None, note)
        if spent >= 1:
            if not prepared and now - begin >= limits.seconds:
                limits.report[TOO_SHORT] = 1
            break
        prepared = improves
    limits.report["steps"] = steps
    limits.settled["steps"] = max(steps, 1)
    return steps
