"""Answer to the main question for one algorithm, from the finished points of its curve: the largest k within
a limit of the loss, or the smallest k within a limit of the risk or without a sensitive value given away,
with the next k beside it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import streamlit as st

from kanon_core.background.curves.disclosed import DisclosedValues
from kanon_core.base.words import counted, tr
from kanon_core.findings.anonymity_sets import knowledge
from kanon_core.metrics import NCP, WorstRisk
from kanon_core.runs.sweeps import SweepPoint, best_within
from pages.shell.private import regularly
from pages.state.comparisons import leading, take_point
from pages.state.keys import Key, linked, linked_number
from pages.state.session import Session
from pages.state.setting import Setting
from pages.widgets.curves import along, every, growing, missing_points, point_of
from pages.widgets.pickers import button
from pages.widgets.text import bold, sentence

LOSS, RISK, FINDING = "loss", "risk", "finding"
_TAKEN = Key("answer taken", False)
"""Set by the button of the answer; everything is then drawn again, not the answer alone."""


class Answer(NamedTuple):
    """The point that a limit asks for, and the neighboring one beyond the limit, if the curve has one."""

    within: SweepPoint
    beyond: SweepPoint | None


def limit(session: Session) -> None:
    """Show a menu for what is limited, and a field for the limit."""
    penalty = leading(session) is NCP
    titles = {
        LOSS: tr("Limit of the certainty penalty (%)") if penalty else tr("Limit of the loss (%)"),
        RISK: tr("Limit of the worst risk (%)"),
    }
    if not session.unfit(DisclosedValues):
        titles[FINDING] = tr("No sensitive value given away")
    with st.container(key="limit", horizontal=True, vertical_alignment="center", gap="xsmall"):
        what = limited(session)
        tied = linked("limited", what, session.limit_by)
        hidden: Any = {"label_visibility": "collapsed"}
        st.selectbox(tr("Limit"), list(titles), format_func=titles.__getitem__, **hidden, **tied)
        if what != FINDING:
            name = measure(session)
            tied = linked_number(
                f"limit {name}", session.bound(name), lambda most: session.take_bound(name, most)
            )
            st.number_input(titles[what], 0.0, 100.0, format="%g", width=112, **hidden, **tied)


def limited(session: Session) -> str:
    """Return what is limited: what was chosen, but the loss where the table has no sensitive values."""
    return LOSS if session.limited == FINDING and session.unfit(DisclosedValues) else session.limited


def measure(session: Session) -> str:
    """Return the name of the metric that is limited."""
    named = {RISK: WorstRisk, FINDING: DisclosedValues}
    return named.get(limited(session), leading(session)).__name__


def answer(session: Session) -> None:
    """Show the answer, and renew it while the curve grows."""
    running = session.settled and growing(session, along(session, session.setting.algorithm))
    regularly(_answer, every() if running else None)(session)


def _answer(session: Session) -> None:
    if _TAKEN.pop():
        st.rerun()
    settings, name = along(session, session.setting.algorithm), measure(session)
    points = [point for one in settings if (point := _limited_point(session, one)) is not None]
    points = [point for point in points if not math.isnan(point.value(name))]
    missing, what = len(missing_points(session, settings)), limited(session)
    most = 0.0 if what == FINDING else session.bound(name)
    with st.container(key="answer", horizontal=True, vertical_alignment="center", gap="small"):
        if not points:
            soon = tr("The answer for your limit appears with the first points of the curve.")
            sentence(soon if missing else tr("The curve has no point for this limit."), width="content")
            return
        found = within(points, name, most / 100, what)
        if what == FINDING:
            parts = said_of_values(points, name, found)
        else:
            parts = said(points, name, most, found, (what, settings[-1].k))
        parts[0] = tr("{algorithm}: ").format(algorithm=settings[-1].title) + parts[0]
        if missing:
            so_far = tr(" So far: {done} of {points} of the curve.")
            parts[-1] += so_far.format(done=len(settings) - missing, points=counted(len(settings), "point"))
        sentence(*parts, width="content")
        if found is not None and found.within.k != session.setting.k:
            says = tr("Use k = {k}").format(k=found.within.k)
            button(says, _take, session, found.within, key="take-answer", help=tr("Set the slider to it."))


def _limited_point(session: Session, setting: Setting) -> SweepPoint | None:
    """Return the finished point of a setting, with the number of values that it gives away if that is
    limited."""
    point = point_of(session, setting)
    if point is None or limited(session) != FINDING or point.problem:
        return point
    count = session.disclosed.get((session.table.digest, setting.key), math.nan)
    return replace(point, scores={DisclosedValues.__name__: count})


def _take(session: Session, point: SweepPoint) -> None:
    take_point(session, point)
    _TAKEN.set(True)


def within(points: Sequence[SweepPoint], name: str, most: float, limited: str) -> Answer | None:
    """Return the largest k whose loss is at most ``most``, or the smallest k whose risk, or number of values
    that are given away, is; None if there is none."""
    by_k = sorted(points, key=lambda point: point.k)
    if limited == LOSS:
        best = best_within(by_k, name, most)
        further = [point for point in by_k if best is not None and point.k > best.k]
    else:
        best = next((point for point in by_k if point.value(name) <= most), None)
        further = [point for point in reversed(by_k) if best is not None and point.k < best.k]
    return None if best is None else Answer(best, next(iter(further), None))


def said(
    points: Sequence[SweepPoint], name: str, most: float, found: Answer | None, which: tuple[str, int]
) -> list[str]:
    """Return the parts of the sentence that answers; every second part is bold. ``which``: what is limited,
    and the last k of the curve."""
    limited, last = which
    what = tr("a certainty penalty") if name == NCP.__name__ else tr("a loss")
    facts: dict[str, object] = {"most": f"{most:g}", "what": what}
    if found is None:
        nearest = min(points, key=lambda point: point.value(name))
        text = tr("*No k* of the slider has {what} of at most {most} %: k = {k} has the least, {value}.")
        if limited == RISK:
            text = tr("*No k* of the slider keeps the worst risk at or below {most} %: k = {k} has {value}.")
        return bold(text, k=nearest.k, value=nearest.text(name), **facts)
    facts |= {"k": found.within.k, "value": found.within.text(name)}
    if limited == RISK:
        text = tr("*k = {k}* is the smallest k with a worst risk of at most {most} % ({value}).")
    elif found.within.k == last:
        text = tr("*k = {k}*, the largest k of the slider, has {what} of at most {most} % ({value}).")
    else:
        text = tr("*k = {k}* is the largest k with {what} of at most {most} % ({value}).")
    parts = bold(text, **facts)
    if found.beyond is not None:
        parts[-1] += tr(" k = {k} has {value}.").format(k=found.beyond.k, value=found.beyond.text(name))
    return parts


def said_of_values(points: Sequence[SweepPoint], name: str, found: Answer | None) -> list[str]:
    """Return the parts of the sentence on the smallest k that gives no sensitive value away; every second
    part is bold."""
    at = {point.k: int(point.value(name)) for point in points}
    if found is None:
        nearest = min(at, key=lambda k: (at[k], k))
        text = tr(
            "*Every k* of the slider gives sensitive values away: k = {k} gives away the fewest, {count:,}."
        )
        return bold(text, k=nearest, count=at[nearest])
    text = tr(
        "*k = {k}* is the smallest k at which an attacker who {knows} learns no sensitive value with"
        " certainty."
    )
    parts = bold(text, k=found.within.k, knows=knowledge(found.within.guarantee))
    if found.beyond is not None:
        k = found.beyond.k
        parts[-1] += tr(" k = {k} gives away {count:,}.").format(k=k, count=at[k])
    if again := next((k for k in sorted(at) if k > found.within.k and at[k]), None):
        parts[-1] += tr(" k = {k}, though larger, gives away {count:,}.").format(k=again, count=at[again])
    return parts
