"""Curves that fill by themselves, on what the machine has to spare: points are computed aside, in another
process, while somebody looks."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

import streamlit as st

import kanon_core as kc
from kanon_core.background import Sweeper
from kanon_core.base.compiled import SMALL
from kanon_core.base.words import tr
from kanon_core.charts.curves.sentences import Curve
from kanon_core.metrics import Metric
from kanon_core.sweeps import SweepPoint, scored
from pages.shell import warmup
from pages.state.session import Session
from pages.state.setting import Setting


@st.cache_resource(show_spinner=False)
def sweeper() -> Sweeper:
    """The one process that computes aside, for all browsers of this server in turn."""
    return Sweeper()


def point_of(session: Session, setting: Setting) -> SweepPoint | None:
    """The finished point of a setting of the present table."""
    return session.points.get((session.table.digest, setting.key))


def missing(session: Session, settings: Sequence[Setting]) -> list[Setting]:
    """Those of these settings that have no point yet."""
    return [setting for setting in settings if point_of(session, setting) is None]


def fill(session: Session, todo: Sequence[Setting]) -> bool:
    """Have these points computed aside, in this order; to be called again while somebody looks. Whether
    anything is on its way: a large table waits until its code is compiled."""
    preparing = warmup.running()
    if preparing:  # a search would get less far than it will
        todo = [one for one in todo if not hasattr(one.algorithm, "seconds")]
    if not todo or (preparing and len(session.table) > SMALL):
        sweeper().drop(_owner(session))
        return bool(todo)
    asked = {(one.algorithm, one.k, one.seed): one for one in todo}
    metrics = tuple(cls() for cls in session.metrics)
    take = partial(_take, session, session.table.digest, asked)
    session.pace.go()
    sweeper().wish(_owner(session), session.table, list(asked), metrics, take, preparing)
    return True


def waiting() -> int:
    """Return how many sessions wait for points, each in its turn."""
    return sweeper().owners


def leave(session: Session) -> None:
    """Stop what is on its way."""
    session.pace.rest()
    sweeper().drop(_owner(session))


def forget() -> None:
    """End the other process, and with it its copies of tables; who still looks starts another."""
    sweeper().end()


def left(session: Session, todo: Sequence[Setting]) -> str:
    """The time that the rest may take, learned from the points done; a comma stands before it."""
    done = [p for (digest, _), p in list(session.points.items()) if digest == session.table.digest]
    seconds = session.pace.left([(one.algorithm, one.k) for one in todo], done)
    if seconds is None or seconds < 1.5:
        return ""
    if seconds < 90:
        return tr(", about {seconds:.0f} s left").format(seconds=seconds)
    return tr(", about {minutes:.0f} min left").format(minutes=seconds / 60)


def on_screen(
    session: Session, release: kc.Release | None, points: Sequence[SweepPoint], names: Collection[str]
) -> list[SweepPoint]:
    """The point of the release on screen, with these quantities, where the curves have not come to it."""
    setting = session.setting
    if release is None or "seconds" in names or any(is_of(point, setting) for point in points):
        return []
    wanted = [cls for cls in session.metrics if cls.__name__ in names and _is_plain(session, cls)]
    if len(wanted) < len(set(names) - {"k"}):
        return []
    found = {cls.__name__: session.measured(setting, release, cls) for cls in wanted}
    asked = next((p.algorithm for p in points if p.settled == setting.algorithm), setting.algorithm)
    return [scored(release, asked, setting.k, setting.seed, found, 0.0)]


def is_of(point: SweepPoint, setting: Setting) -> bool:
    """Return whether it is the point of this setting, as it was asked for or as it was settled."""
    same = setting.algorithm in (point.algorithm, point.settled)
    return same and (point.k, point.seed) == (setting.k, setting.seed)


def is_on(curve: Curve, setting: Setting) -> bool:
    """Return whether this setting has its place on a curve."""
    return setting.algorithm == curve.algorithm or any(
        point.k == setting.k and setting.algorithm == point.settled for point in curve.points
    )


def _is_plain(session: Session, cls: type[Metric]) -> bool:
    """Return whether the session measures with the options that curves are measured with."""
    return session.way(cls) == cls()


def _owner(session: Session) -> str:
    return str(id(session))


def _take(
    session: Session,
    digest: str,
    asked: dict[tuple[kc.Algorithm, int, int], Setting],
    setting: tuple[kc.Algorithm, int, int],
    found: SweepPoint | str,
) -> None:
    """Keep a point, in the thread of the sweeper."""
    if isinstance(found, str):
        algorithm, k, seed = setting
        found = SweepPoint(algorithm, k, {}, 0.0, found, seed=seed)
    if digest == session.table.digest:
        session.pace.came(found)
        session.points[(digest, asked[setting].key)] = found
