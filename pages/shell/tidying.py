"""Memory comes back when people leave.

Streamlit holds what a tab left for a while, in case that its connection comes back, and drops it with the
next visit – that may be tomorrow's. Here it is dropped in time. What was freed is then given back to the
system, which Python's and C's allocators would keep for themselves.
"""

from __future__ import annotations

import asyncio
import gc
from typing import cast

from streamlit.runtime import Runtime, get_instance
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

EVERY = 10.0
"""Seconds."""


async def tidy_for_ever() -> None:
    """Let go what was left long enough ago, and give its memory back."""
    before = frozenset[str]()
    while True:
        await asyncio.sleep(EVERY)
        now = held(get_instance())
        if before - now:
            await asyncio.to_thread(_give_back)
        before = now


def held(runtime: Runtime) -> frozenset[str]:
    """The tabs that are open or may still come back; others are let go. To be called where Streamlit's own
    loop runs."""
    sessions = cast(WebsocketSessionManager, runtime._session_mgr)
    stored = cast(MemorySessionStorage, sessions._session_storage)
    len(stored._cache)  # counting lets go what is too old
    return frozenset(info.session.id for info in sessions.list_sessions())


def _give_back() -> None:
    from kanon_core.base.memory import give_back

    gc.collect()  # a page that was run holds itself by its own frames and callbacks
    give_back()
