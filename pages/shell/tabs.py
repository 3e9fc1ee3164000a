"""Tabs of this server: their owners, those that are open, and those that were closed, which are dropped.

Streamlit keeps a closed tab for a while, in case its connection comes back, and drops it with the next visit,
which may be tomorrow. Here it is dropped in time, and its memory is returned to the system, which the
allocators of Python and C would otherwise keep.
"""

from __future__ import annotations

import asyncio
import gc
import time
from dataclasses import dataclass

import streamlit as st

from pages.shell import private
from pages.shell.sign_in import reader

RETURNING = "server.disconnectedSessionTTL"
"""Streamlit's option for the seconds in which a lost tab may come back. After them it waits for the next
visit before it drops the tab, so tabs are dropped after half of them."""
TIDY_SECONDS = 10.0
"""Seconds between two checks of the tabs that were left."""


@dataclass
class _Tab:
    owner: str | None
    left: float | None = None
    """The time at which its page was first found closed."""


_TABS: dict[str, _Tab] = {}


def note_tab() -> str:
    """Record the tab whose page is drawn and its owner; return its name."""
    tab, person = private.tab(), reader()
    if tab:
        _TABS[tab] = _Tab(person.name if person else None)
    return tab


def owner_of(tab: str) -> str | None:
    """Return the name of the tab's owner, even if its connection is lost; None for nobody."""
    found = _TABS.get(tab)
    return found.owner if found else None


def count_open() -> int:
    """Return how many tabs are open."""
    return sum(private.is_open(tab) for tab in list(_TABS))


def remaining_tabs() -> frozenset[str]:
    """Return the tabs that are open or may still come back, and drop the others; to be called in Streamlit's
    event loop."""
    now, patience = time.monotonic(), float(st.get_option(RETURNING) or 0) / 2
    for name, tab in list(_TABS.items()):
        if private.is_open(name):
            tab.left = None
        elif tab.left is None:
            tab.left = now
        elif now - tab.left >= patience:
            private.close(name)
            del _TABS[name]
    return frozenset(_TABS)


async def tidy_for_ever() -> None:
    """Drop the tabs that were left long enough ago, and give their memory back."""
    before = frozenset[str]()
    while True:
        await asyncio.sleep(TIDY_SECONDS)
        now = remaining_tabs()
        if before - now:
            await asyncio.to_thread(_give_back)
        before = now


def _give_back() -> None:
    from kanon_core.base.memory import give_back

    gc.collect()  # frames and callbacks of a finished page still refer to the session
    give_back()
