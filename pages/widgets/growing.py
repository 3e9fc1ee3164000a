"""Curves that fill while somebody looks: how far they are, and the one switch that stops them."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import streamlit as st

from kanon_core.base.words import counted, tr
from pages.state.filling import fill, leave, left, missing, waiting
from pages.state.keys import Key
from pages.state.session import Session
from pages.state.setting import Setting
from pages.widgets.pickers import button

EVERY, SELDOM, TURNS = 1.0, 3.0, 10
"""Seconds between two looks at what has come: while few wait, and at most; and how many get a point each, in
turn, in about a second, so that more of them look less often."""
UNASKED = 200_000
"""Records of the largest table whose curves fill unasked: the other process needs a copy of it."""
_PAUSED: Key[bool | None] = Key("curve paused", None)
SWITCHED = Key("curve switched", False)
"""Set by a click; the page is then drawn again as a whole, which starts or ends the looking."""


def growing(session: Session, settings: Sequence[Setting]) -> bool:
    """Return whether points of these settings are to come, so that the page looks for them."""
    return bool(missing(session, settings)) and not paused(session)


def every() -> float:
    """Seconds between two looks now."""
    return min(SELDOM, EVERY * max(1, ceil(waiting() / TURNS)))


def paused(session: Session) -> bool:
    """Return whether somebody has stopped the filling, or nobody has asked for it yet for a large table."""
    said = _PAUSED.of(session.table.digest).get()
    return len(session.table) > UNASKED if said is None else said


def progress(session: Session, settings: Sequence[Setting], todo: Sequence[Setting]) -> None:
    """Show how much of the curves is there, and a switch to stop filling; asks for the points that are
    missing."""
    if not todo:
        leave(session)
        return
    done, total = len(settings) - len(todo), len(settings)
    stopped = paused(session)
    if stopped:
        leave(session)
    else:
        fill(session, todo)
    with st.container(horizontal=True, vertical_alignment="center", key="curve-progress"):
        says = tr("{done} of {total}{left}")
        rest = tr(", stopped") if stopped else left(session, todo)
        st.progress(done / total, text=says.format(done=done, total=counted(total, "point"), left=rest))
        label, icon = (tr("Go on"), "play_arrow") if stopped else (tr("Stop"), "stop")
        button(label, _switch, session, not stopped, icon=icon, key="curve-stop")


def _switch(session: Session, stop: bool) -> None:
    _PAUSED.of(session.table.digest).set(stop)
    if stop:
        leave(session)
    SWITCHED.set(True)
