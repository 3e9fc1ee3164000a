"""One made-up file, and what came of reading it."""

from __future__ import annotations

import contextlib
import resource
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from kanon_core.base.errors import KanonError

SECONDS, BYTES = 10.0, 2 * 2**30
"""Processor seconds and bytes that an answer may take, for a file below 10 MB."""
LONGEST = 3_000
"""Characters that a person may be asked to read."""


@dataclass(frozen=True)
class Case:
    """``read`` is what is done with the file ``data``; ``check`` compares what came out with what the file
    was made of, and raises AssertionError."""

    name: str
    data: bytes
    read: Callable[[bytes], Any]
    check: Callable[[Any], None] | None = None
    how: dict[str, Any] = field(default_factory=dict)


class Late(BaseException):
    """No answer came in time."""


@contextlib.contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raises Late in what takes longer."""

    def late(*_: object) -> None:
        raise Late

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def spent() -> float:
    """Return the processor seconds of this process and of those that it started and that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def peak() -> int:
    """The most memory that this process, or one that it started, has taken, in bytes."""
    unit = 1 if sys.platform == "darwin" else 1024
    return unit * max(
        resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )


def outcome(case: Case) -> tuple[str, str]:
    """ "read", "refused" or "FOUND", and what was found or said."""
    start, before = spent(), peak()
    try:
        with at_most(10 * SECONDS):
            came = case.read(case.data)
    except KanonError as problem:
        said = str(problem)
        if not 10 < len(said) <= LONGEST:
            return "FOUND", f"a sentence of {len(said):,} characters: {said[:200]}"
        return _timed("refused", said, start, before)
    except Late:
        return "FOUND", f"no answer in {10 * SECONDS:.0f} s by the clock"
    except Exception:
        return "FOUND", traceback.format_exc(limit=-6)
    if case.check is not None:
        try:
            case.check(came)
        except AssertionError as wrong:
            return "FOUND", f"wrong values: {wrong}"
    return _timed("read", "", start, before)


def _timed(what: str, said: str, start: float, before: int) -> tuple[str, str]:
    seconds = spent() - start
    if seconds > SECONDS:
        return "FOUND", f"an answer after {seconds:.1f} s: {said}"
    if peak() > max(BYTES, before):
        return "FOUND", f"{peak() / 2**30:.1f} GB of memory"
    return what, said
