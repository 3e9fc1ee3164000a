"""Many small computations with progress, that any click interrupts and that go on where they were."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import streamlit as st

import kanon_core as kc
from kanon_core.base.progress import Tick
from kanon_core.base.words import tr
from pages.shell.private import Place
from pages.state.jobs import ticker
from pages.state.keys import Key
from pages.widgets.text import plain, warning

T = TypeVar("T")
_RUNS = Key("batch", False)
_PROBLEM = Key("problem of", "")
_SLICE_SECONDS = 0.7


def started(name: str, todo: int, total: int, what: str) -> bool:
    """The button that starts or stops the batch ``name``, and how much of it is there; whether it runs."""
    if problem := _PROBLEM.of(name).pop():
        warning(problem)
    running = bool(todo) and _RUNS.of(name).get()
    switch = _RUNS.of(name).set
    with st.container(horizontal=True, vertical_alignment="center"):
        if running:
            st.button(tr("Stop"), icon=":material/stop:", on_click=switch, args=(False,), key=f"stop {name}")
        elif todo:
            says = tr("Compute {count} {what}").format(count=todo, what=what)
            start: dict[str, Any] = {"type": "primary", "icon": ":material/play_arrow:"}
            st.button(plain(says), on_click=switch, args=(True,), key=f"start {name}", **start)
        says = (
            tr("{done} of {total} {what}").format(done=total - todo, total=total, what=what)
            if todo
            else tr("all {total} {what} are there").format(total=total, what=what)
        )
        st.progress(1 - todo / max(total, 1), text=plain(says))
    return running


def carried_on(name: str, todo: Sequence[T], make: Callable[[T, Tick], None], place: Place) -> None:
    """Make what is missing for a slice of time, then draw again; call it last. What is finished stays."""
    runs = _RUNS.of(name)
    tick = ticker(place, lambda: runs.set(False), key=f"stop {name} at once")
    until = time.perf_counter() + _SLICE_SECONDS
    try:
        for task in todo:
            make(task, tick)
            if time.perf_counter() > until:
                break
        else:
            runs.set(False)
    except kc.KanonError as reason:
        runs.set(False)
        _PROBLEM.of(name).set(str(reason))
    st.rerun()
