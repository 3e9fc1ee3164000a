"""Many small computations with progress, that any click interrupts and that go on where they were."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import kanon_core as kc
from kanon_core.base.progress import Tick
from pages.state.jobs import ticker
from pages.widgets.text import plain, warning

T = TypeVar("T")
_SLICE_SECONDS = 0.7


def started(name: str, todo: int, total: int, what: str, left: str = "") -> bool:
    """The button that starts or stops the batch ``name``, and how much of it is there; whether it runs.

    ``left``: what is known of the time that the rest takes, written after the count.
    """
    if f"problem of {name}" in st.session_state:
        warning(st.session_state.pop(f"problem of {name}"))
    running = bool(todo) and st.session_state.get(f"batch {name}", False)
    with st.container(horizontal=True, vertical_alignment="center"):
        if running:
            st.button(
                "Stop", icon=":material/stop:", on_click=_switch, args=(name, False), key=f"stop {name}"
            )
        elif todo:
            st.button(
                plain(f"Compute {todo} {what}"),
                type="primary",
                icon=":material/play_arrow:",
                on_click=_switch,
                args=(name, True),
                key=f"start {name}",
            )
        says = f"{total - todo} of {total} {what}{left}" if todo else f"all {total} {what} are there"
        st.progress(1 - todo / max(total, 1), text=plain(says))
    return running


def carried_on(name: str, todo: Sequence[T], make: Callable[[T, Tick], None], place: DeltaGenerator) -> None:
    """Make what is missing for a slice of time, then draw again; call it last. What is finished stays,
    whatever is clicked."""
    tick = ticker(place, lambda: _switch(name, False), key=f"stop {name} at once")
    until = time.perf_counter() + _SLICE_SECONDS
    try:
        for task in todo:
            make(task, tick)
            if time.perf_counter() > until:
                break
        else:
            _switch(name, False)
    except kc.KanonError as reason:
        _switch(name, False)
        st.session_state[f"problem of {name}"] = str(reason)
    st.rerun()


def _switch(name: str, on: bool) -> None:
    st.session_state[f"batch {name}"] = on
