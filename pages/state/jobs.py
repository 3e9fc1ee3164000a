"""Long work in the page: progress, time left, stop.

Work runs in the script of the page and draws its progress with every tick. A click anywhere interrupts it at
the next tick: Streamlit raises its rerun request in the drawing call, and the core passes it on and leaves
nothing behind. A click inside a fragment would wait for the end of the run, so the tick checks for it. A
batch of many small computations is interrupted by any click too, and continues afterwards.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, NoReturn, TypeVar

import streamlit as st

import kanon_core as kc
from kanon_core.base.anytime import UNCOMPILED
from kanon_core.base.progress import Remaining, Tick
from kanon_core.base.words import later, tr
from pages.shell import private
from pages.state import warmup
from pages.state.cache_eviction import give_back_after
from pages.state.keys import Key, latest
from pages.state.session import Session
from pages.state.setting import Setting
from pages.state.turns import TURNS
from pages.widgets.text import error, plain, warning

T = TypeVar("T")
SHORT = later(
    "The computer that runs Kanon does not have enough free memory for this computation. Choose"
    " another algorithm, use fewer records or columns, or try again when other people have left."
)
_QUIET_SECONDS = 0.4
_BETWEEN_DRAWINGS = 0.15
_BETWEEN_ASKING = 0.05
_RUNNING = Key("batch", False)
_BATCH_PROBLEM = Key("problem of", "")
_SLICE_SECONDS = 0.7


def release_of(session: Session, log: kc.Log | None = None) -> kc.Release | None:
    """Return the release of the current setting, computed if need be; None (with the reason on screen) when
    there is none. ``log`` takes the decisions of the run, if there is one now."""
    setting = session.setting
    release = session.kept(setting)
    # Always drawn, so that what follows keeps its place: otherwise a click during a run shows controls twice.
    with st.container():
        if release is None or provisional(release):
            release = _made(session, setting, log)
    if release is not None:
        session.show(setting, release)
    return release


def _made(session: Session, setting: Setting, log: kc.Log | None) -> kc.Release | None:
    if session.stopped == setting.key:
        st.info(tr("Stopped. Change the setting or run it again."), icon=":material/stop_circle:")
        st.button(tr("Run again"), icon=":material/play_arrow:", on_click=session.resume)
        return None
    try:
        return computed(session, setting, session.stop, log=log)
    except kc.BrokenPromise as broken:
        says = tr("{reason} Kanon does not show the result. Please report this error.").format(reason=broken)
        error(says, icon=":material/gpp_bad:")
    except kc.KanonError as reason:
        warning(reason, icon=":material/info:")
    return None


def provisional(release: kc.Release) -> bool:
    """Return whether a search ran uncompiled and would get further now."""
    return UNCOMPILED in release.report and not warmup.running()


def release_or_reason(
    session: Session, setting: Setting, stop: Callable[[], object], key: str, lead: str
) -> kc.Release | str:
    """Return the release of any setting, kept or computed now with its progress here; else the reason."""
    found = session.kept(setting)
    try:
        return computed(session, setting, stop, key, lead) if found is None else found
    except kc.KanonError as reason:
        return str(reason)


def computed(
    session: Session,
    setting: Setting,
    stop: Callable[[], object],
    key: str = "stop",
    lead: str = "",
    log: kc.Log | None = None,
) -> kc.Release:
    """Return the release of a setting, computed now and kept; raises KanonError when there is none."""
    with working(stop, key, lead, _meanwhile(session, setting)) as tick:
        _wait_for_code(session, setting.algorithm, tick)
        try:
            release = kc.anonymize(session.table, setting.algorithm, setting.k, setting.seed, tick, log)
        except MemoryError:
            raise kc.UnsuitableError(tr(SHORT)) from None
    session.keep(setting, release)
    give_back_after(session.table)
    return release


def _meanwhile(session: Session, setting: Setting) -> str:
    """Return a sentence on the previous result, which is shown while a new one is computed."""
    if session.shown is None or setting != session.setting:
        return ""
    old = session.shown[0]
    return tr("The previous result is shown until the new one is ready: {title} at k = {k}.").format(
        title=old.title, k=old.k
    )


def _wait_for_code(session: Session, algorithm: kc.Algorithm, tick: Tick) -> None:
    """Wait until an algorithm is compiled on a new machine, and offer one that needs no compiler."""
    if not warmup.waits(session.table, algorithm):
        warmup.prepare(session.table, algorithm, tick)
        return
    offer, ready = st.empty(), kc.Sorting()
    if not ready.unsuitable(session.table, session.setting.k):
        offer.button(
            tr("Use {title} until then").format(title=ready.title),
            key=f"meanwhile.{type(algorithm).__name__}",
            icon=":material/bolt:",
            help=tr("This algorithm needs no compiled code. The preparation continues in the background."),
            on_click=session.ask,
            kwargs={"algorithm": ready},
        )
    try:
        warmup.prepare(session.table, algorithm, tick)
    finally:
        offer.empty()


def once(
    place: Key[tuple[str, T] | None], key: str, name: str, again: str, make: Callable[[Tick], T]
) -> T | None:
    """Return the latest result for ``key``, computed now with progress if need be; None, with the reason or
    the button ``again`` on screen, if that fails or was stopped."""
    stopped = Key(f"{name} stopped", "")
    if stopped.get() == key:
        forget = partial(stopped.set, "")
        st.button(plain(again), icon=":material/play_arrow:", on_click=forget, key=f"again-{name}")
        return None
    try:
        with working(lambda: stopped.set(key), f"stop-{name}") as tick:
            return latest(place, key, lambda: make(tick))
    except kc.KanonError as reason:
        error(reason)
    return None


@contextmanager
def working(stop: Callable[[], object], key: str, lead: str = "", meanwhile: str = "") -> Iterator[Tick]:
    """Yield a tick for work whose progress is drawn here while it lasts."""
    place = st.empty()
    try:
        yield ticker(place, stop, key, lead, meanwhile)
    finally:
        TURNS.leave(private.tab())
        place.empty()


def ticker(
    place: private.Place, stop: Callable[[], Any], key: str = "stop", lead: str = "", meanwhile: str = ""
) -> Tick:
    """Return a tick that draws a bar with progress, time left and a Stop button after 0.4 s of work, and from
    then on waits for its turn.

    ``lead``: the name of the larger work, written before each note. ``meanwhile``: a sentence on the result
    shown until then.
    """
    start = last = time.perf_counter()
    remaining = Remaining()
    bar: private.Place | None = None
    who = private.tab()

    def tick(fraction: float | None, note: str = "") -> None:
        left = remaining.after(fraction)
        if time.perf_counter() - start < _QUIET_SECONDS:
            return
        while not TURNS.may(who):
            draw(fraction, tr("waiting for other computations"))
            time.sleep(_BETWEEN_ASKING)
        draw(fraction, " · ".join(filter(None, (note or tr("computing"), left))))

    def draw(fraction: float | None, does: str) -> None:
        nonlocal last, bar
        if time.perf_counter() - last < _BETWEEN_DRAWINGS:
            return
        last = time.perf_counter()
        if bar is None:
            box = place.container(key=f"working-{key}", gap=None)
            row = box.container(horizontal=True, vertical_alignment="center")
            bar = row.empty()
            row.button(tr("Stop"), key=key, on_click=stop, icon=":material/stop:")
            if meanwhile:
                box.caption(plain(meanwhile))
        share = min(max(fraction or 0.0, 0.0), 1.0)
        bar.progress(share, text=plain(f"{lead}{': ' if lead else ''}{does}"))
        _yield_to_click()

    return tick


def _yield_to_click() -> None:
    """Run again if a control inside a fragment was clicked; regular reruns of fragments wait."""
    if private.clicked():
        rerun_here()


def rerun_here() -> NoReturn:
    """Run again: only the fragment where it is run alone, else the whole page."""
    with suppress(Exception):  # Streamlit raises one outside a fragment; a rerun is a BaseException
        st.rerun(scope="fragment")
    st.rerun()


def batch_controls(name: str, todo: int, total: int, things: str) -> bool:
    """Show the progress of the batch ``name`` and the button that starts or stops it; return whether it
    runs."""
    if problem := _BATCH_PROBLEM.of(name).pop():
        warning(problem)
    running = bool(todo) and _RUNNING.of(name).get()
    switch = _RUNNING.of(name).set
    with st.container(horizontal=True, vertical_alignment="center"):
        if running:
            st.button(tr("Stop"), icon=":material/stop:", on_click=switch, args=(False,), key=f"stop {name}")
        elif todo:
            says = tr("Compute {count} {what}").format(count=todo, what=things)
            start: dict[str, Any] = {"type": "primary", "icon": ":material/play_arrow:"}
            st.button(plain(says), on_click=switch, args=(True,), key=f"start {name}", **start)
        says = (
            tr("{done} of {total} {what}").format(done=total - todo, total=total, what=things)
            if todo
            else tr("all {total} {what} computed").format(total=total, what=things)
        )
        st.progress(1 - todo / max(total, 1), text=plain(says))
    return running


def run_batch(name: str, todo: Sequence[T], make: Callable[[T, Tick], None], place: private.Place) -> None:
    """Compute missing results for a slice of time, then draw again; call it last. Finished results stay."""
    runs = _RUNNING.of(name)
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
        _BATCH_PROBLEM.of(name).set(str(reason))
    st.rerun()
