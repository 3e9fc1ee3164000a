"""Details of the figures: losses by column, and every measure with its formula."""

from __future__ import annotations

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.charts.loss.column_scores import attribute_sentence
from kanon_core.metrics import ILSSDM, METRICS, NCP
from kanon_core.metrics.base import scale_of
from pages.state.session import Session
from pages.state.setting import describe
from pages.widgets.columnlosses import column_bars
from pages.widgets.layout import fold
from pages.widgets.measures import barred, losses_differ
from pages.widgets.text import line, note


def details(session: Session, release: kc.Release) -> None:
    """Show losses by column and all metrics; drawn only while open, as they slow the slider."""
    for title, icon, content in (
        (tr("Loss by column"), "bar_chart", losses),
        (tr("All measures with their formulas"), "functions", measures),
    ):
        box = fold(title, icon, title)
        if box.open:
            with box:
                content(session, release)


def losses(session: Session, release: kc.Release) -> None:
    """Show certainty penalty and information loss of each column."""
    losses_differ()
    for metric in (NCP, ILSSDM):
        parts = session.measured(session.setting, release, metric).attributes
        line("", metric.title, f" {scale_of(metric)}")
        column_bars(session, parts, metric())
        note(attribute_sentence(parts, metric()))
    for rounded in kc.round_ends(release):
        note(rounded.sentence)


def measures(session: Session, release: kc.Release) -> None:
    """Show all metrics with sentence, example and formula, and the report of the algorithm."""
    losses_differ()
    for metric in (session.way(cls) for cls in session.metrics):
        found = session.measured(session.setting, release, metric)
        number = metric.text(found.total, found.error)
        line("", describe(metric), f" {metric.symbol} = {number}", f" {scale_of(metric)}")
        if found.total < 0:
            note(" ".join(found.notes))
        note(tr("{sentence} Example: {example}").format(sentence=metric.sentence, example=metric.example))
        st.latex(metric.formula)
    barred(session, METRICS)
    if release.report:
        line("", tr("Report of the algorithm"))
        for what, value in release.report.items():
            line(f"{what}: {value:,.6g}")
