"""Background compilation, so that no page waits for a compiler.

Compiled code is stored on disk. On a new machine, processes of low priority compile it once (a compiler in
this process would block every session). Meanwhile small tables run the same loops uncompiled; a page that
needs an algorithm for a large table waits for these processes, which take it next.
"""

from __future__ import annotations

import threading
import time

import streamlit as st

import kanon_core as kc
from kanon_core.background.compiling import Preparation
from kanon_core.base import compiled, options
from kanon_core.base.classroom import Classroom
from kanon_core.base.progress import Tick
from kanon_core.base.words import tr

_POLL_SECONDS = 0.1


@st.cache_resource(show_spinner=False)
def start() -> Preparation:
    """Start compiling, once per server."""
    work = Preparation(_workers())
    compiled.compiling_elsewhere(work.running)
    threading.Thread(target=_follow, args=(work,), name="kanon warm-up", daemon=True).start()
    return work


def _workers() -> int | None:
    """Return how many processes compile: one for a demo, whose host is small; None for the usual number."""
    room = Classroom.of()
    return 1 if room is not None and room.demo else None


def _follow(work: Preparation) -> None:
    """Wait until everything is compiled, and then load the modules that run compiled code."""
    work.finished.wait()
    compiled.compiling_elsewhere(False)
    from kanon_core.base.compiled import dispatchers  # noqa: F401


def running() -> bool:
    """Return whether code is still being compiled."""
    return start().running


def waits(table: kc.Table, algorithm: kc.Algorithm) -> bool:
    """Return whether an algorithm has to wait for its compiled code: on a fresh machine, with a table that is
    not small."""
    work = start()
    return work.running and len(table) > compiled.SMALL and not names_in(algorithm) <= work.ready


def prepare(table: kc.Table, algorithm: kc.Algorithm, tick: Tick) -> None:
    """Wait until an algorithm can run; any click ends the wait at a tick."""
    work, names = start(), names_in(algorithm)
    if work.running and not names <= work.ready:
        for name in names:
            work.ask(name)
    while waits(table, algorithm):
        note = tr("preparing {title} on this computer, the first time only; {progress}")
        tick(None, note.format(title=algorithm.title, progress=work.says))
        time.sleep(_POLL_SECONDS)


def names_in(algorithm: kc.Algorithm) -> set[str]:
    """Return the class names of an algorithm and of those in its options, as far as they are compiled."""
    found = {type(algorithm).__name__} & {cls.__name__ for cls in kc.ALGORITHMS}
    for option in options.options_of(type(algorithm)):
        value = getattr(algorithm, option.name)
        if isinstance(value, kc.Algorithm):
            found |= names_in(value)
    return found
