"""Fair turns: long work of many people shares the cores, and one core stays free for short work.

Work asks at every tick whether it may continue. At most as many run as there are places. While others wait,
each work gives up its place after a while. Work that has not asked for some seconds counts as ended. Work of
less than half a second never asks.
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
    """The running and the waiting work, by owner.

    >>> turns, first, second = Turns(places=1), object(), object()
    >>> turns.may(first), turns.may(second), turns.may(first), turns.waiting
    (True, False, True, 1)
    >>> turns.leave(first)
    >>> turns.may(second), turns.running, turns.waiting
    (True, 1, 0)
    """

    places: int = field(default_factory=_places)
    _running: dict[object, tuple[float, float]] = field(default_factory=dict)
    """The start of each running work, and its last request."""
    _waiting: dict[object, float] = field(default_factory=dict)
    """The last request of each waiting work, the longest waiting first."""
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
