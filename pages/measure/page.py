"""Measure: the release by every measure, compared with another one, and among all finished settings."""

from __future__ import annotations

from functools import partial

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.metrics import METRICS, UTILITIES, Metric
from pages.measure.risk import risk_view
from pages.measure.usage import usage_view
from pages.measure.versus import versus_view
from pages.measure.views import columns_view, records_view
from pages.shell.frame import open_page, ready
from pages.state.session import Session, current
from pages.widgets.controls import release_below
from pages.widgets.layout import views
from pages.widgets.lens import lens
from pages.widgets.measures import barred, explained, losses_differ, score_cards


@st.fragment
def measure() -> None:
    """Draw everything that moves with the slider; only the view that is looked at is drawn."""
    session = current()
    release = release_below(session)
    if release is None:
        return
    content = {
        tr("Scorecard"): partial(scorecard, session, release),
        tr("By column"): partial(columns_view, session, release),
        tr("By record"): partial(records_view, session, release),
        tr("Utility"): partial(usage_view, session, release),
        tr("Compare A and B"): partial(versus_view, session, release),
        tr("Risk and loss"): partial(risk_view, session),
    }
    views("measure view", content)
    lens(session)


def scorecard(session: Session, release: kc.Release) -> None:
    """Show the total of every measure that applies to this table, its meaning, and its change."""
    metrics: list[Metric] = [session.way(cls) for cls in session.metrics]
    before = session.before
    was = [session.measured(*before, metric) if before else None for metric in metrics]
    now = [session.measured(session.setting, release, metric) for metric in metrics]
    losses_differ()
    score_cards(zip(metrics, now, was, strict=True))
    explained(session, [session.way(cls) for cls in (*METRICS, *UTILITIES)])
    barred(session, METRICS)


if ready(open_page("measure")):
    measure()
