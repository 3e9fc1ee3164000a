"""Session of a browser after its page is closed: kept in memory for an hour or until it is deleted, and
resumed by a browser that comes back."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import streamlit as st

from kanon_core.base.memory import give_back
from kanon_core.base.words import tr
from pages.shell import page_address, private, tabs
from pages.shell.headers import COOKIE
from pages.shell.sign_in import reader
from pages.state.keys import Key
from pages.state.limits import memory_full
from pages.state.session import RESUMED, Session, continue_with, current, has_session
from pages.widgets.text import info, warning

HOUR = 3600.0
MOST_SESSIONS, MOST_RECORDS, MOST_OWN_LAYERS = 24, 2_000_000, 2
"""The limits for sessions whose pages are closed; the oldest are dropped first. An own map layer may have 16
MB as a file."""
_TIDY_SECONDS = 10.0
_MESSAGE = Key("said on return", "")


@dataclass
class _Held:
    browser: str
    tab: str
    session: Session
    left: float | None = None
    """The time at which its page was first found closed."""


@dataclass
class Memory:
    """Sessions by browser and tab. A browser is identified by a keyed hash of its cookie; the key exists
    until the server ends. ``alive`` returns whether the page of a tab is open."""

    alive: Callable[[str], bool]
    seconds: float = HOUR
    _key: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    _held: list[_Held] = field(default_factory=list)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def keep(self, cookie: str, tab: str, session: Session) -> None:
        """Hold the session of a tab; nothing is held for a browser without a name."""
        if not cookie:
            return
        with self._lock:
            self.tidy()
            if not any(held.session is session and held.tab == tab for held in self._held):
                self._held = [held for held in self._held if held.tab != tab and held.session is not session]
                self._held.append(_Held(self._name(cookie), tab, session))

    def resume(self, cookie: str, suits: Callable[[Session], bool]) -> Session | None:
        """Return the suitable session that this browser left last; None if there is none or its page is still
        open."""
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
        """Drop the sessions that were left too long ago, and the oldest if there are too many or memory is
        full. Return whether anything was dropped or put aside."""
        now = time.monotonic()
        with self._lock:
            before = len(self._held), sum(held.left is None for held in self._held)
            for held in self._held:
                if self.alive(held.tab):  # possibly again, after a lost connection
                    held.left = None
                elif held.left is None:
                    held.left = now
                    held.session.put_aside()
            self._held = [held for held in self._held if held.left is None or now - held.left < self.seconds]
            while (gone := [held for held in self._held if held.left is not None]) and (
                len(gone) > MOST_SESSIONS or sum(held.session.records for held in gone) > MOST_RECORDS
            ):
                self._held.remove(gone[0])
            if gone and memory_full():  # one at a time, to return its memory first
                self._held.remove(gone[0])
            for held in [held for held in gone if held.session.own_layer is not None][:-MOST_OWN_LAYERS]:
                held.session.take_layer(None)
            return before != (len(self._held), sum(held.left is None for held in self._held))

    def tidy_for_ever(self) -> None:
        """Tidy every ten seconds, in a thread of its own, so that memory is given back even if nobody
        visits."""

        def work() -> None:
            while True:
                time.sleep(_TIDY_SECONDS)
                if self.tidy():
                    give_back()

        threading.Thread(target=work, name="kanon-memory", daemon=True).start()

    def _name(self, cookie: str) -> str:
        return hmac.new(self._key, cookie.encode(), hashlib.sha256).hexdigest()


@st.cache_resource(show_spinner=False)
def memory() -> Memory:
    """Return the one memory of this server."""
    made = Memory(private.is_open)
    made.tidy_for_ever()
    return made


def session_here(studies: bool = False) -> Session:
    """Return the session of this tab: its own, the one that this browser left, or a new one; then follow the
    address. ``studies``: the page has its own tables, which the rest of its address is about."""
    wanted = {} if has_session() else page_address.setting_in_address()
    if studies:
        wanted = {"table": page_address.OWN} if page_address.names_own_table(wanted) else {}
    RESUMED.set(False)
    if not has_session():
        left = memory().resume(_cookie(), partial(_suits, wanted))
        if left is not None:
            continue_with(left)
            RESUMED.set(True)
        elif page_address.names_own_table(wanted):
            _MESSAGE.set(
                tr(
                    "The table of this address is no longer in the server's memory. The server"
                    " keeps a table for at most one hour after its page is closed, and loses it"
                    " when it restarts. Load the file again. Algorithm and k are unchanged."
                )
            )
    session = current()
    if wanted and (problem := page_address.follow(session, wanted)):
        warning(problem)
    memory().keep(_cookie(), tabs.note_tab(), session)
    if message := _MESSAGE.pop():
        info(message)
    return session


def forget() -> None:
    """Drop what the server remembers of this browser."""
    memory().forget(_cookie())


def _suits(wanted: dict[str, str], session: Session) -> bool:
    return not wanted or page_address.address_of(session)["table"] == wanted.get("table", page_address.OWN)


def _cookie() -> str:
    """Return the name of the browser with that of the person signed in, so that another person does not find
    the session."""
    browser, person = st.context.cookies.get(COOKIE, ""), reader()
    return f"{person.name} {browser}" if browser and person else str(browser)
