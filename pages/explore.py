"""Explore: choose an algorithm, move k, see at once what it costs."""

from __future__ import annotations

import streamlit as st

import kanon_core as kc
from kanon_core.charts.attributes import attribute_figure, attribute_sentence
from kanon_core.charts.theme import CONFIG
from kanon_core.metrics import ILSSDM, METRICS, NCP, WorstRisk
from pages.common import reading
from pages.common.beforeafter import side_by_side
from pages.common.controls import setting_controls
from pages.common.frame import open_page, theme
from pages.common.jobs import release_of
from pages.common.session import Session, current
from pages.common.status import status_bar
from pages.common.text import plain


@st.fragment
def explore() -> None:
    """Everything that moves with the slider."""
    session = current()
    bar = st.container()
    controls, results = st.columns([1, 2], gap="large")
    with controls:
        setting_controls(session)
    with results:
        release = release_of(session)
        if release is not None:
            show(session, release)
    if release is not None:
        side_by_side(session, release)
        details(session, release)
    with bar:
        status_bar(session, release)


def show(session: Session, release: kc.Release) -> None:
    """Sentence, figures, what changed, verdicts."""
    st.html(f'<p class="sentence">{reading.sentence(session, release)}</p>')
    figures(session, release)
    changed = reading.change(session)
    if changed:
        st.caption(changed)
    verdicts(session, release)


def figures(session: Session, release: kc.Release) -> None:
    """The four numbers people look for first, with what changed since the last setting."""
    setting, sizes = session.setting, release.class_sizes
    smallest = int(sizes.min()) if len(sizes) else 0
    before = session.before
    old = session.totals(*before) if before else {}
    new = session.totals(setting, release)
    with st.container(horizontal=True):
        st.metric("Achieved k", f"{smallest}", border=True, help="size of the smallest group of equal published records",
                  delta=_difference(old, new, "AchievedK", "+.0f"))  # fmt: skip
        st.metric("Groups", f"{len(sizes):,}", border=True, help="groups of records that cannot be told apart",
                  delta=len(sizes) - len(before[1].class_sizes) if before else None, delta_color="off")  # fmt: skip
        for metric in (ILSSDM, NCP, WorstRisk):
            name = metric.__name__
            points = None if name not in old else f"{100 * (new[name] - old[name]):+.2f} points"
            st.metric(metric.short, metric().text(new[name]), border=True, help=metric.sentence, delta=points,
                      delta_color="inverse")  # fmt: skip


def _difference(old: dict[str, float], new: dict[str, float], name: str, form: str) -> str | None:
    return None if name not in old else format(new[name] - old[name], form)


def verdicts(session: Session, release: kc.Release) -> None:
    """What the audit found, and how missing and suppressed cells count."""
    found = session.verdicts(session.setting, release)
    with st.expander("Audit passed: " + found[0].sentence, icon=":material/verified_user:"):
        for verdict in found:
            st.markdown(f"{'✓' if verdict.holds else '✗'} **{verdict.promise}** — {plain(verdict.sentence)}")
        st.caption(
            "Checked on the published cells alone, after every run. A missing value counts as a value of its own; "
            "suppressed records are not published and not counted."
        )


def details(session: Session, release: kc.Release) -> None:
    """Losses by column, and all metrics; drawn only while open, or they would slow every move of the slider."""
    for title, icon, content in (
        ("What each column loses", ":material/bar_chart:", losses),
        ("All measures, and how they are computed", ":material/functions:", measures),
    ):
        box = st.expander(title, icon=icon, key=title, on_change="rerun")
        if box.open:
            with box:
                content(session, release)


def losses(session: Session, release: kc.Release) -> None:
    """Certainty penalty and information loss of each column."""
    for metric in (NCP, ILSSDM):
        parts = session.measured(session.setting, release, metric).attributes
        figure = attribute_figure(parts, metric(), theme())
        st.plotly_chart(
            figure,
            key=f"columns {metric.__name__}",
            theme=None,
            config=CONFIG,
            alt=figure.layout.meta["alt"],
        )
        st.caption(plain(attribute_sentence(parts, metric()), 600))


def measures(session: Session, release: kc.Release) -> None:
    """All metrics with sentence, example and formula, and what the algorithm told of its run."""
    for cls in METRICS:
        total = session.measured(session.setting, release, cls).total
        st.markdown(f"**{cls.title}** {cls.symbol} = {cls().text(total)} ({cls.direction} is better)")
        st.caption(f"{cls.sentence} Example: {cls.example}")
        st.latex(cls.formula)
    if release.report:
        st.markdown("**Told by the algorithm**")
        for what, value in release.report.items():
            st.markdown(f"- {what}: {value:,.6g}")


open_page("Explore", "Choose an algorithm and move k: who hides behind whom, and what is lost.")
explore()
