"""Scorecard: the release by every measure."""

from __future__ import annotations

import kanon_core as kc
from kanon_core.metrics import METRICS, UTILITIES, Metric
from pages.state.session import Session
from pages.widgets.measures import barred, explained, losses_differ, score_cards


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
