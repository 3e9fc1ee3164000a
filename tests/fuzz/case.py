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
    """Raise Late in what takes more processor seconds, those of processes that it starts among them, which
    are counted when it ends; and in what waits ten times as long: a busy machine makes nothing late."""

    def late(*_: object) -> None:
        raise Late

    limits = {signal.ITIMER_PROF: seconds, signal.ITIMER_REAL: 10 * seconds}
    before = {kind: signal.signal(kind, late) for kind in (signal.SIGPROF, signal.SIGALRM)}
    begun = spent()
    for timer, limit in limits.items():
        signal.setitimer(timer, limit)
    try:
        yield
    finally:
        for timer in limits:
            signal.setitimer(timer, 0)
        for kind, usual in before.items():
            signal.signal(kind, usual)
        if spent() - begun > seconds:  # of a refusal, too
            raise Late


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
    before = peak()
    try:
        with at_most(SECONDS):
            came = case.read(case.data)
    except KanonError as problem:
        said = str(problem)
        if not 10 < len(said) <= LONGEST:
            return "FOUND", f"a sentence of {len(said):,} characters: {said[:200]}"
        return _kept("refused", said, before)
    except Late:
        return "FOUND", f"no answer in {SECONDS:.0f} processor seconds, or {10 * SECONDS:.0f} by the clock"
    except Exception:
        return "FOUND", traceback.format_exc(limit=-6)
    if case.check is not None:
        try:
            case.check(came)
        except AssertionError as wrong:
            return "FOUND", f"wrong values: {wrong}"
    return _kept("read", "", before)


def _kept(what: str, said: str, before: int) -> tuple[str, str]:
    if peak() > max(BYTES, before):
        return "FOUND", f"{peak() / 2**30:.1f} GB of memory"
    return what, said
