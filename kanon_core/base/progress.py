"""Progress of long work, and its cancel point.

Long work calls ``tick(fraction, note)`` at least every 0.2 s. Whatever the tick raises stops the work at once
and must pass through unchanged: that is how a page cancels. Nothing in this package catches
``BaseException``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from kanon_core.base.words import tr

T = TypeVar("T")
_OFTEN = 4_096
_BEGINNING = 0.03
Tick = Callable[[float | None, str], None]
"""``tick(fraction, note)``: share of the work done in 0..1 (None when unknown) and a few words on the current
work."""


def silent(fraction: float | None, note: str = "") -> None:
    """The tick that shows nothing."""


def stage(tick: Tick, start: float, end: float) -> Tick:
    """Return the tick of one part of a larger work: its 0..1 is shown as start..end of the whole.

    >>> seen = []
    >>> stage(lambda share, note: seen.append(share), 0.5, 1.0)(0.5, "half of the second half")
    >>> seen
    [0.75]
    """

    def scaled(fraction: float | None, note: str = "") -> None:
        tick(None if fraction is None else start + (end - start) * fraction, note)

    return scaled


def stages(tick: Tick, items: Sequence[T], start: float = 0.0, end: float = 1.0) -> Iterator[tuple[Tick, T]]:
    """Yield each item with the tick of its part of a larger work, from ``start`` to ``end`` of the whole.

    >>> [part(0.5, "") for part, _ in stages(lambda share, note: print(share), ["a", "b"])]
    0.25
    0.75
    [None, None]
    """
    for place, item in enumerate(items):
        begin, until = (start + (end - start) * one / len(items) for one in (place, place + 1))
        yield stage(tick, begin, until), item


def each(items: Sequence[T], tick: Tick, note: str = "") -> Iterator[T]:
    """Yield the items one after the other, with a tick before every 4,096 of them.

    >>> seen = []
    >>> sum(each(range(5_000), lambda share, note: seen.append(share))), seen
    (12497500, [0.0, 0.8192])
    """
    for place, item in enumerate(items):
        if not place % _OFTEN:
            tick(place / len(items), note)
        yield item


def time_left(fraction: float | None, elapsed: float) -> str:
    """Return the remaining time of work, in words, if its first ``fraction`` took ``elapsed`` seconds; ""
    before 3 % and before one second, when it cannot be estimated.

    >>> time_left(0.25, 20.0), time_left(0.02, 20.0)
    ('about 60 s left', '')
    """
    if not fraction or fraction < _BEGINNING or elapsed < 1:
        return ""
    seconds = elapsed * (1 - fraction) / fraction
    if seconds < 90:
        return tr("about {seconds:.0f} s left").format(seconds=seconds)
    return tr("about {minutes:.0f} min left").format(minutes=seconds / 60)


class Remaining:
    """The estimated remaining time of a piece of work, computed from its ticks.

    Time counts from the beginning of the current work: it does not include what precedes the first share
    (reading a file, waiting for a compiler), and it starts again when a share falls back to almost nothing.
    Ticks without a share in the middle of the work change nothing.
    """

    def __init__(self) -> None:
        self._begun, self._share = time.perf_counter(), 0.0

    def after(self, fraction: float | None) -> str:
        """Return the time left, for people, when a tick with this share comes now (`time_left`)."""
        now = time.perf_counter()
        nothing_done = not fraction and not self._share
        if nothing_done or (fraction is not None and fraction < min(self._share, _BEGINNING)):
            self._begun = now
        if fraction is not None:
            self._share = fraction
        return time_left(fraction, now - self._begun)
