"""Progress of long work, and its cancel point.

Long work calls ``tick(fraction, note)`` at least every 0.2 s. Whatever the tick raises stops the work at once
and must pass through unchanged: that is how a page cancels. Nothing in this package catches
``BaseException``.
"""

from __future__ import annotations

from collections.abc import Callable

Tick = Callable[[float | None, str], None]
"""``tick(fraction, note)``: share of the work done in 0..1 (None when unknown) and a few words on what is
done now."""


def silent(fraction: float | None, note: str = "") -> None:
    """The tick that shows nothing."""


def stage(tick: Tick, start: float, end: float) -> Tick:
    """The tick of one part of a larger work: its 0..1 is shown as start..end of the whole.

    >>> seen = []
    >>> stage(lambda share, note: seen.append(share), 0.5, 1.0)(0.5, "half of the second half")
    >>> seen
    [0.75]
    """

    def scaled(fraction: float | None, note: str = "") -> None:
        tick(None if fraction is None else start + (end - start) * fraction, note)

    return scaled
