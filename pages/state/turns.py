"""Fair turns: long work of many people shares the cores, and leaves one for what takes no time.

Work asks at every tick whether it may go on. So many may at once as there are places; when others wait, each
gives its place up after a while and waits behind them. Work that has not asked for some seconds has ended or
was interrupted, and loses its place. Work that is done within half a second never asks.
"""

from __future__ import annotations

import os
import threading
import time
from dataclasses import dataclass, field

TURN = 2.0
"""Seconds for which work goes on while others wait."""
GONE = 2.0
"""Seconds without a tick after which work is thought to have ended."""


def _places() -> int:
    return max(1, (os.cpu_count() or 1) - 1)


@dataclass
class Turns:
    """The work that runs and that waits, by its owner.

    >>> turns, first, second = Turns(places=1), object(), object()
    >>> turns.may(first), turns.may(second), turns.may(first), turns.waiting
    (True, False, True, 1)
    >>> turns.leave(first)
    >>> turns.may(second), turns.running, turns.waiting
    (True, 1, 0)
    """

    places: int = field(default_factory=_places)
    _running: dict[object, tuple[float, float]] = field(default_factory=dict)
    """The time since which each work runs, and the time at which it last asked."""
    _waiting: dict[object, float] = field(default_factory=dict)
    """The time at which each work last asked; the first has waited longest."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def may(self, owner: object) -> bool:
        """Return whether this work may go on now; if not, it should ask again soon."""
        now = time.monotonic()
        with self._lock:
            self._running = {one: held for one, held in self._running.items() if now - held[1] < GONE}
            self._waiting = {one: asked for one, asked in self._waiting.items() if now - asked < GONE}
            if owner in self._running:
                begun, _ = self._running.pop(owner)
                if not self._waiting or now - begun < TURN:
                    self._running[owner] = begun, now
                    return True
            self._waiting[owner] = now
            if len(self._running) < self.places and next(iter(self._waiting)) is owner:
                del self._waiting[owner]
                self._running[owner] = now, now
                return True
            return False

    def leave(self, owner: object) -> None:
        """Note that this work has ended."""
        with self._lock:
            self._running.pop(owner, None)
            self._waiting.pop(owner, None)

    @property
    def running(self) -> int:
        """Return how many go on now."""
        return len(self._running)

    @property
    def waiting(self) -> int:
        """Return how many wait."""
        return len(self._waiting)


TURNS = Turns()
"""The turns of this server."""
