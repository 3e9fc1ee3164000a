"""Explore: choose an algorithm, move k, see at once what it costs."""

from __future__ import annotations

import streamlit as st

import kanon_core as kc
from kanon_core.base.anytime import UNCOMPILED
from kanon_core.base.words import tr
from kanon_core.charts.loss.attributes import attribute_figure, attribute_sentence
from kanon_core.metrics import ILSSDM, METRICS, NCP, SuppressedRecords, WorstRisk
from pages.shell.frame import open_page, ready, theme
from pages.shell.status import status_bar
from pages.state.jobs import release_of
from pages.state.session import Session, current, describe
from pages.widgets import reading
from pages.widgets.beforeafter import side_by_side
from pages.widgets.cards import Card, cards
from pages.widgets.controls import setting_controls
from pages.widgets.findings import findings, look_further
from pages.widgets.guarantees import other_guarantees
from pages.widgets.measures import barred
from pages.widgets.text import line, note, sentence
from pages.widgets.views import chart, fold

UNFINISHED = (
    "This search ran on loops that this computer is still compiling, the first time only, so it got less far"
    " than it will. It is made again when you change something after that."
)


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
        other_guarantees(session, release)
        details(session, release)
    with bar:
        status_bar(session, release)
    if release is not None:
        look_further(session, release)


def show(session: Session, release: kc.Release) -> None:
    """Sentence, figures, what changed, verdicts."""
    sentence(*reading.sentence(session, release))
    if UNCOMPILED in release.report:
        note(tr(UNFINISHED))
    figures(session, release)
    changed = reading.change(session)
    if changed:
        note(changed)
    verdicts(session, release)


def figures(session: Session, release: kc.Release) -> None:
    """The numbers people look for first, with what changed since the last setting."""
    new, before = session.totals(session.setting, release), session.before
    old = session.totals(*before) if before else new
    k, groups = new["AchievedK"] - old["AchievedK"], len(release.hiding_sizes)
    more = groups - len((before[1] if before else release).hiding_sizes)
    if before and not reading.alike(before[1], release):
        k = more = 0  # numbers of people and of records do not compare, nor those for different knowledge
    held = release.guarantee
    name, reached, about = held.achieved(release)
    if held.known_items:  # counted for an attacker who knows few items; the metric is for one who knows all
        reached, k = int(session.verdicts(session.setting, release)[0].found), 0
    shown = [Card(name, f"{reached}", about, f"{k:+.0f}" if k else "", k > 0)]
    title, equal = "Different rows", "records with equal published quasi-identifiers"
    title, equal = (held.groups.capitalize(), held.alike) if held.disjoint else (title, equal)
    shown.append(Card(title, f"{groups:,}", f"sets of {equal}", f"{more:+,}" if more else ""))
    for metric in (ILSSDM, SuppressedRecords if held.pseudonyms else NCP, WorstRisk):
        if metric.__name__ not in new:
            shown.append(Card(metric.short, "–", session.unfit(metric)[0]))
            continue
        points = 100 * (new[metric.__name__] - old[metric.__name__])
        change = "" if abs(points) < 0.005 else f"{points:+.2f} points"
        short = f"{metric.short}, all known" if held.known_items and metric is WorstRisk else metric.short
        shown.append(Card(short, metric().text(new[metric.__name__]), metric.sentence, change, points < 0))
    cards(shown)


def verdicts(session: Session, release: kc.Release) -> None:
    """Which guarantee holds, all that was checked, and how missing and suppressed cells count."""
    if session.table.schema.of_role("other"):
        note(reading.columns_as_agreed(session, release), 240)
    with fold(reading.guarantee(session, release), "fact_check", "audit"):
        for verdict in session.verdicts(session.setting, release):
            line(f"{'✓' if verdict.holds else '✗'} {verdict.guarantee}: {verdict.sentence}")
        st.caption(
            "Checked on the published cells alone, after every run. A missing value counts as a value of its"
            " own; suppressed records are not published and not counted."
        )
    findings(session, release)


def details(session: Session, release: kc.Release) -> None:
    """Losses by column, and all metrics; drawn only while open, or they would slow the slider."""
    for title, icon, content in (
        ("What each column loses", "bar_chart", losses),
        ("All measures, and how they are computed", "functions", measures),
    ):
        box = fold(title, icon, title)
        if box.open:
            with box:
                content(session, release)


def losses(session: Session, release: kc.Release) -> None:
    """Certainty penalty and information loss of each column."""
    for metric in (NCP, ILSSDM):
        parts = session.measured(session.setting, release, metric).attributes
        figure = attribute_figure(parts, metric(), theme())
        line("", metric.title, f" ({metric.direction} is better)")
        chart(figure, f"columns {metric.__name__}")
        note(attribute_sentence(parts, metric()))
    for rounded in kc.round_ends(release):
        note(rounded.sentence)


def measures(session: Session, release: kc.Release) -> None:
    """All metrics with sentence, example and formula, and what the algorithm told of its run."""
    for metric in (session.way(cls) for cls in session.metrics):
        total = session.measured(session.setting, release, metric).total
        line("", describe(metric), f" {metric.symbol} = {metric.text(total)} ({metric.direction} is better)")
        note(f"{metric.sentence} Example: {metric.example}")
        st.latex(metric.formula)
    barred(session, METRICS)
    if release.report:
        st.markdown("**Told by the algorithm**")
        for what, value in release.report.items():
            line(f"{what}: {value:,.6g}")


if ready(open_page("explore")):
    explore()
