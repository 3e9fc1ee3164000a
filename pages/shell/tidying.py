"""Memory comes back when people leave.

Streamlit holds what a tab left for a while, in case that its connection comes back, and drops it with the
next visit – that may be tomorrow's. Here it is dropped in time. What was freed is then given back to the
system, which Python's and C's allocators would keep for themselves.
"""

from __future__ import annotations

import asyncio
import gc

from pages.shell.tabs import held

EVERY = 10.0
"""Seconds."""


async def tidy_for_ever() -> None:
    """Let go what was left long enough ago, and give its memory back."""
    before = frozenset[str]()
    while True:
        await asyncio.sleep(EVERY)
        now = held()
        if before - now:
            await asyncio.to_thread(_give_back)
        before = now


def _give_back() -> None:
    from kanon_core.base.memory import give_back

    gc.collect()  # a page that was run holds itself by its own frames and callbacks
    give_back()
