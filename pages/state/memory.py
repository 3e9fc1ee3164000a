"""What the server remembers of a browser after its page is gone: in memory only, for an hour, or until it is
asked to forget."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from kanon_core.base.memory import give_back
from pages.state.keeping import asleep
from pages.state.room import full
from pages.state.session import Session

HOUR = 3600.0
MOST_SESSIONS, MOST_RECORDS, MOST_OWN_LAYERS = 24, 2_000_000, 2
"""Of pages that are gone; those left longest ago make room. A layer of one's own on the map may have
16 MB as a file."""
_EVERY = 10.0
"""Seconds."""
Alive = Callable[[str], bool]


@dataclass
class _Held:
    browser: str
    tab: str
    session: Session
    left: float | None = None
    """When its page was first seen to be gone."""


@dataclass
class Memory:
    """Sessions by browser and tab. A browser is known by a keyed hash of its cookie; the key dies with the
    server. ``alive`` tells whether the page of a tab is still there."""

    alive: Alive
    seconds: float = HOUR
    _key: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    _held: list[_Held] = field(default_factory=list)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def keep(self, cookie: str, tab: str, session: Session) -> None:
        """Hold the session of a tab; of a browser without a name nothing is held."""
        if not cookie:
            return
        with self._lock:
            self.tidy()
            if not any(held.session is session and held.tab == tab for held in self._held):
                self._held = [held for held in self._held if held.tab != tab and held.session is not session]
                self._held.append(_Held(self._name(cookie), tab, session))

    def resume(self, cookie: str, suits: Callable[[Session], bool]) -> Session | None:
        """The session that this browser left last and that suits; None where there is none, or its page is
        still open in another tab."""
        if not cookie:
            return None
        with self._lock:
            self.tidy()
            browser = self._name(cookie)
            mine = [held for held in self._held if held.browser == browser and held.left is not None]
            fitting = [held for held in mine if suits(held.session)]
            if not fitting:
                return None
            last = fitting[-1]
            self._held.remove(last)
            return last.session

    def forget(self, cookie: str) -> None:
        """Drop all that is held of this browser."""
        with self._lock:
            browser = self._name(cookie)
            self._held = [held for held in self._held if held.browser != browser]

    def tidy(self) -> bool:
        """Drop what was left longer ago than is remembered, and the oldest of what is too much; where the
        server is full, the oldest each time. Whether anything was dropped, or fell asleep."""
        now = time.monotonic()
        with self._lock:
            before = len(self._held), sum(one.left is None for one in self._held)
            for held in self._held:
                if self.alive(held.tab):  # also again, after a connection was lost
                    held.left = None
                elif held.left is None:
                    held.left = now
                    asleep(held.session)
            self._held = [one for one in self._held if one.left is None or now - one.left < self.seconds]
            while (gone := [one for one in self._held if one.left is not None]) and (
                len(gone) > MOST_SESSIONS or sum(len(one.session.table) for one in gone) > MOST_RECORDS
            ):
                self._held.remove(gone[0])
            if gone and full():  # one at a time: what it held is given back first
                self._held.remove(gone[0])
            for one in [one for one in gone if one.session.own_layer is not None][:-MOST_OWN_LAYERS]:
                one.session.take_layer(None)
            return before != (len(self._held), sum(one.left is None for one in self._held))

    def tidy_for_ever(self) -> None:
        """Tidy every ten seconds, in a thread of its own: memory comes back though nobody visits."""

        def work() -> None:
            while True:
                time.sleep(_EVERY)
                if self.tidy():
                    give_back()

        threading.Thread(target=work, name="kanon-memory", daemon=True).start()

    def _name(self, cookie: str) -> str:
        return hmac.new(self._key, cookie.encode(), hashlib.sha256).hexdigest()
