"""Parsing by a library that holds on to its thread, while ours ticks and can stop it."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from kanon_core.base.progress import Tick

T = TypeVar("T")
_WAIT = 0.1


class Source(io.BytesIO):
    """A file in memory that gives no more when it was stopped. ``given``: bytes so far; where it stands
    cannot be asked once the library has closed it, which it does at any time."""

    stopped = False
    given = 0

    def read(self, size: int | None = -1) -> bytes:
        """The next bytes; raises OSError when it was stopped."""
        if self.stopped:
            raise OSError
        piece = super().read(size)
        self.given += len(piece)
        return piece


class _Work(threading.Thread, Generic[T]):
    def __init__(self, parse: Callable[[Any], T], source: Source) -> None:
        super().__init__(name="kanon-reading", daemon=True)
        self._parse, self._source = parse, source
        self.found: T | None = None
        self.problem: BaseException | None = None

    def run(self) -> None:
        try:
            self.found = self._parse(self._source)
        except BaseException as problem:  # raised where it is waited for
            self.problem = problem


def ticking(parse: Callable[[Any], T], data: bytes, tick: Tick, note: str) -> T:
    """Return what ``parse`` makes of a file with these bytes, which it reads piece by piece in a thread of
    its own. Whatever the tick raises stops it at its next piece.

    >>> ticking(lambda file: file.read(3), b"abcdef", lambda share, note: None, "reading")
    b'abc'
    """
    source = Source(data)
    work = _Work(parse, source)
    work.start()
    try:
        while work.is_alive():
            tick(min(source.given / max(len(data), 1), 1.0), note)
            work.join(_WAIT)
    finally:
        source.stopped = True
    if work.problem is not None:
        raise work.problem
    return work.found  # type: ignore[return-value]
