"""Answer to the main question: the largest k within a loss."""

from __future__ import annotations

import streamlit as st

from kanon_core.base.words import tr
from kanon_core.metrics import NCP
from kanon_core.runs.sweeps import best_within
from pages.state.comparisons import leading, take_point
from pages.state.keys import Key, kept
from pages.state.session import Session
from pages.widgets.curves import along, missing_points, point_of
from pages.widgets.pickers import button
from pages.widgets.text import note

_BOUND = Key("largest loss", 5.0)


def largest_k(session: Session) -> None:
    """Show a field for the loss, and a button with the largest k within it, among the finished points."""
    with st.container(key="largest-k", gap=None):
        if leading(session) is NCP:
            st.caption(tr("Limit of the certainty penalty (%), and its largest k"))
        else:
            st.caption(tr("Limit of the loss (%), and its largest k"))
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            bound = st.number_input(
                tr("Largest loss allowed, in percent"),
                0.0,
                100.0,
                key=kept(_BOUND.name, 5.0),
                format="%g",
                width=112,
                label_visibility="collapsed",
            )
            _answer(session, float(bound))


def _answer(session: Session, bound: float) -> None:
    settings = along(session, session.setting.algorithm)
    points = [point for one in settings if (point := point_of(session, one)) is not None]
    found = best_within(points, leading(session).__name__, bound / 100)
    so_far = tr(" so far") if missing_points(session, settings) else ""
    if not points:
        note(tr("not computed yet"))
        return
    if found is None:
        note(tr("none up to k = {k}").format(k=settings[-1].k) + so_far)
        return
    loss = found.text(leading(session).__name__)
    beyond = found.k == settings[-1].k < session.largest_k
    says = tr("k = {k} or more ({loss})") if beyond else tr("k = {k} ({loss})")
    button(
        says.format(k=found.k, loss=loss) + so_far,
        take_point,
        session,
        found,
        key="take-largest-k",
        disabled=found.k == session.setting.k,
        help=tr("use this k"),
    )
