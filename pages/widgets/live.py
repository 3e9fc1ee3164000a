"""Results that follow the thumb of the k slider while it is held.

Streamlit tells of a slider when it is let go. Until then a script in the page asks for each k that the thumb
passes, and a run shows the result of that k without choosing it: the setting, the address and undo stay as
they were, and changes are those since the thumb was taken. Letting go chooses k, as ever.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from kanon_core.base.assets import ASSETS
from kanon_core.base.words import tr
from pages.state.keys import Key
from pages.state.session import Session
from pages.widgets.controls import slider_top

_KEY = "live-k"
_HELD: Key[tuple[int, int] | None] = Key("k under the thumb", None)
"""The k that the thumb is at, and the one at which it was taken."""
_TURN = Key("turn of the live k", 0)
_live = st.components.v2.component("kanon.live", js=(ASSETS / "live.js").read_text("utf-8"))


@contextmanager
def under_the_thumb(session: Session) -> Iterator[bool]:
    """Draw within: everything that follows the thumb. Yield whether it is held at a k that is not chosen. The
    browser then hears which k is on screen."""
    (held, taken), chosen = _HELD.pop() or (0, 0), session.setting.k
    # A thumb that was let go meanwhile has chosen another k, which came with the same message.
    top = slider_top(session)
    k = held if taken == min(chosen, top) and held != taken and 2 <= held <= top else chosen
    with session.trying(k):
        yield k != chosen
    _TURN.set(_TURN.get() + 1)
    says = tr("computing k = {k} …")
    data = {"k": k, "chosen": min(chosen, top), "turn": _TURN.get(), "says": says}
    _live(key=_KEY, data=data, on_asked_change=_take)


def _take() -> None:
    """Keep the k that the thumb is at, for the run that follows."""
    asked = getattr(Key[object](_KEY, None).get(), "asked", None) or {}
    k, chosen = asked.get("k"), asked.get("chosen")
    _HELD.set((k, chosen) if isinstance(k, int) and isinstance(chosen, int) else None)
