"""Curves whose points are computed in another process while the page is open; their progress, and the switch
that stops them."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

import kanon_core as kc
from kanon_core.background.curves import Sweeper
from kanon_core.background.curves.disclosed import DisclosedValues
from kanon_core.base.compiled import SMALL
from kanon_core.base.words import counted, tr
from kanon_core.charts.curves.sentences import Curve
from kanon_core.runs.sweeps import SweepPoint, scored
from pages.state import warmup
from pages.state.keys import Key
from pages.state.session import Session
from pages.state.setting import Setting
from pages.widgets.controls import SLIDER_TOP
from pages.widgets.pickers import button

LOOK_SECONDS, LOOK_SECONDS_AT_MOST, POINTS_PER_SECOND = 1.0, 3.0, 10
"""Seconds between two checks for new points, the maximum, and the number of sessions that each get a point
within about a second."""
UNASKED_RECORDS = 200_000
"""The most records of a table whose curves start unasked, as the other process needs a copy of it."""
_PAUSED: Key[bool | None] = Key("curve paused", None)
SWITCHED = Key("curve switched", False)
"""Set by a click; the whole page is then drawn again, which starts or ends the regular reruns."""


@st.cache_resource(show_spinner=False)
def sweeper() -> Sweeper:
    """Return the one process that computes aside, for all browsers of this server in turn."""
    return Sweeper()


def point_of(session: Session, setting: Setting) -> SweepPoint | None:
    """Return the finished point of a setting of the present table."""
    return session.points.get((session.table.digest, setting.key))


def missing_points(session: Session, settings: Sequence[Setting]) -> list[Setting]:
    """Return those of these settings that have no point yet; while sensitive values are limited, also those
    whose values were not counted, as in a session file."""
    counted = session.limited == "finding" and not session.unfit(DisclosedValues)
    return [setting for setting in settings if _is_missing(session, setting, counted)]


def _is_missing(session: Session, setting: Setting, counted: bool) -> bool:
    point = point_of(session, setting)
    if point is None or point.problem or not counted:
        return point is None
    return (session.table.digest, setting.key) not in session.disclosed


def along(session: Session, algorithm: kc.Algorithm) -> list[Setting]:
    """Return the settings of an algorithm at every k of the slider."""
    top = max(2, min(SLIDER_TOP, session.largest_k))
    asked = as_asked(session, algorithm)
    return [replace(session.setting, algorithm=asked, k=k) for k in range(2, top + 1)]


def as_asked(session: Session, algorithm: kc.Algorithm) -> kc.Algorithm:
    """Return the algorithm as requested, before its seconds were settled into steps."""
    return next(
        (point.algorithm for point in list(session.points.values()) if point.settled == algorithm), algorithm
    )


def fill(session: Session, todo: Sequence[Setting]) -> bool:
    """Request these points from the other process, in this order; call it again on each look. Return whether
    points are computed now: a large table waits until its code is compiled."""
    preparing = warmup.running()
    if preparing:  # an uncompiled search would find less
        todo = [setting for setting in todo if not hasattr(setting.algorithm, "seconds")]
    if not todo or (preparing and len(session.table) > SMALL):
        sweeper().drop(_owner(session))
        return bool(todo)
    wanted = {(setting.algorithm, setting.k, setting.seed): setting for setting in todo}
    metrics = tuple(cls() for cls in (*session.metrics, DisclosedValues) if not session.unfit(cls))
    take = partial(_keep_point, session, session.table.digest, wanted)
    session.point_times.start()
    sweeper().wish(_owner(session), session.table, list(wanted), metrics, take, preparing)
    return True


def leave(session: Session) -> None:
    """Stop the points that are on their way."""
    session.point_times.pause()
    sweeper().drop(_owner(session))


def end_sweeper() -> None:
    """End the other process and its copies of tables; a page that needs it starts another one."""
    sweeper().end()


def time_left(session: Session, todo: Sequence[Setting]) -> str:
    """Return the estimated time for the rest, beginning with a comma."""
    done = [p for (digest, _), p in list(session.points.items()) if digest == session.table.digest]
    seconds = session.point_times.seconds_left([(setting.algorithm, setting.k) for setting in todo], done)
    if seconds is None or seconds < 1.5:
        return ""
    if seconds < 90:
        return tr(", about {seconds:.0f} s left").format(seconds=seconds)
    return tr(", about {minutes:.0f} min left").format(minutes=seconds / 60)


def point_on_screen(
    session: Session, release: kc.Release | None, points: Sequence[SweepPoint], names: Collection[str]
) -> list[SweepPoint]:
    """Return the point of the current release with these quantities, if the curves do not have it."""
    setting = session.setting
    if release is None or "seconds" in names or any(is_point_of(point, setting) for point in points):
        return []
    wanted = [cls for cls in session.metrics if cls.__name__ in names and session.way(cls) == cls()]
    if len(wanted) < len(set(names) - {"k"}):
        return []
    measured = {cls.__name__: session.measured(setting, release, cls) for cls in wanted}
    asked = next((p.algorithm for p in points if p.settled == setting.algorithm), setting.algorithm)
    return [scored(release, asked, setting.k, setting.seed, measured, 0.0)]


def is_point_of(point: SweepPoint, setting: Setting) -> bool:
    """Return whether the point is that of this setting, as it was asked for or as it was settled."""
    same = setting.algorithm in (point.algorithm, point.settled)
    return same and (point.k, point.seed) == (setting.k, setting.seed)


def is_on(curve: Curve, setting: Setting) -> bool:
    """Return whether this setting has its place on a curve."""
    return setting.algorithm == curve.algorithm or any(
        point.k == setting.k and setting.algorithm == point.settled for point in curve.points
    )


def _owner(session: Session) -> str:
    return str(id(session))


def _keep_point(
    session: Session,
    digest: str,
    wanted: dict[tuple[kc.Algorithm, int, int], Setting],
    parameters: tuple[kc.Algorithm, int, int],
    result: SweepPoint | str,
) -> None:
    """Keep a point, in the thread of the sweeper."""
    if isinstance(result, str):  # the reason why there is no point
        algorithm, k, seed = parameters
        result = SweepPoint(algorithm, k, {}, 0.0, result, seed=seed)
    if digest == session.table.digest:
        session.point_times.arrived(result)
        place = (digest, wanted[parameters].key)
        session.disclosed[place] = result.scores.pop(DisclosedValues.__name__, math.nan)
        session.points[place] = result


def growing(session: Session, settings: Sequence[Setting]) -> bool:
    """Return whether points of these settings are to come, so that the page looks for them."""
    return bool(missing_points(session, settings)) and not paused(session)


def every() -> float:
    """Return the seconds between two looks now."""
    return min(LOOK_SECONDS_AT_MOST, LOOK_SECONDS * max(1, math.ceil(sweeper().owners / POINTS_PER_SECOND)))


def paused(session: Session) -> bool:
    """Return whether the computation of points was stopped, or not yet started for a large table."""
    choice = _PAUSED.of(session.table.digest).get()
    return len(session.table) > UNASKED_RECORDS if choice is None else choice


def progress(session: Session, settings: Sequence[Setting], todo: Sequence[Setting]) -> None:
    """Show the progress of the curves and a switch to stop; request the missing points."""
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
        rest = tr(", stopped") if stopped else time_left(session, todo)
        st.progress(done / total, text=says.format(done=done, total=counted(total, "point"), left=rest))
        label, icon = (tr("Continue"), "play_arrow") if stopped else (tr("Stop"), "stop")
        button(label, _switch, session, not stopped, icon=icon, key="curve-stop")


def _switch(session: Session, stop: bool) -> None:
    _PAUSED.of(session.table.digest).set(stop)
    if stop:
        leave(session)
    SWITCHED.set(True)
