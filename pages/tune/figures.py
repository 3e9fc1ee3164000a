"""Figures beside the slider: the loss, the risk, the guarantee, and the findings."""

from __future__ import annotations

from html import escape

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import counted, tr
from kanon_core.findings.base import SEVERITIES
from kanon_core.metrics import ILSSDM, NCP, Metric, SuppressedRecords, WorstRisk
from kanon_core.metrics.base import scale_of
from kanon_core.teaching.glossary import Entry, entry, of_finding, of_guarantee, of_metric
from pages.state.comparisons import leading
from pages.state.session import Session
from pages.widgets import sentences
from pages.widgets.findings import ICONS, known_findings, missing_searches, show_findings
from pages.widgets.glossary import explained, mark
from pages.widgets.layout import lazy_popover
from pages.widgets.tables import Card, cards
from pages.widgets.text import note

_CLASS = "equivalence class"


def figures(session: Session, release: kc.Release) -> None:
    """Show the main figures and their change since the last setting."""
    cards(_shown(session, release))


def brief(session: Session, release: kc.Release) -> None:
    """Show loss and guarantee in one line, which stays in view with the slider on a phone. Screen readers
    skip it, as the figures say the same."""
    loss = leading(session)
    found = session.measured(session.setting, release, loss)
    holds = session.verdicts(session.setting, release)[0].holds
    says = tr("{name} {loss} · {sign} {guarantee}").format(
        name=loss.short,
        loss=loss().text(found.total, found.error),
        sign="✓" if holds else "✗",
        guarantee=sentences.guarantee_name(release),
    )
    st.html(f'<p class="brief" aria-hidden="true">{escape(says)}</p>')


def _shown(session: Session, release: kc.Release) -> list[Card]:
    held, before = release.guarantee, session.before
    fourth = SuppressedRecords if held.pseudonyms else NCP
    measures = (ILSSDM, WorstRisk, fourth) if leading(session) is ILSSDM else (NCP, WorstRisk, ILSSDM)
    shown = [_card(session, release, metric) for metric in measures]
    groups = len(release.hiding_sizes)
    more = groups - len(before[1].hiding_sizes) if before and sentences.alike(before[1], release) else 0
    title, equal = tr("Different rows"), tr("records with equal published quasi-identifiers")
    title, equal = (held.groups.capitalize(), held.alike) if held.disjoint else (title, equal)
    means = Entry(title, tr("Sets of {equal}.").format(equal=equal), see=(_CLASS,))
    about = tr("of the sample") if leading(session) is NCP else ""
    shown.insert(1, Card(title, f"{groups:,}", about, f"{more:+,}" if more else "", entry=means))
    return shown


def _card(session: Session, release: kc.Release, metric: type[Metric]) -> Card:
    if reasons := session.unfit(metric):
        return Card(metric.short, "–", reasons[0], entry=of_metric(metric))
    found = session.measured(session.setting, release, metric)
    now, error = found.total, found.error if metric is NCP else 0.0
    was = session.measured(*session.before, metric).total if session.before else now
    points = 100 * (now - was)
    change = "" if abs(points) < 0.005 else tr("{points:+.2f} points").format(points=points)
    all_known = release.guarantee.known_items and metric is WorstRisk
    about = scale_of(metric)
    if leading(session) is NCP:
        about = tr("of the whole table") if metric is NCP else tr("of the sample")
    short = tr("{short}, all items known").format(short=metric.short) if all_known else metric.short
    return Card(short, metric().text(now, error), about, change, points < 0, of_metric(metric))


def verdict(session: Session, release: kc.Release) -> None:
    """Show which guarantee was checked, for whom, and whether it holds."""
    first, held = session.verdicts(session.setting, release)[0], of_guarantee(release.guarantee)
    mood, icon = ("holds", "✓") if first.holds else ("fails", "✗")
    said = tr("holds") if first.holds else tr("does not hold")
    _box(mood, f"{icon} {sentences.guarantee_name(release)}", f"{said}: {first.sentence}", held)


def all_checked(session: Session, release: kc.Release) -> None:
    """Show, behind a button, all verdicts and how missing and suppressed cells count."""
    verdicts = session.verdicts(session.setting, release)
    with lazy_popover(tr("Checked ({count})").format(count=len(verdicts)), "audit", "fact_check") as is_open:
        if not is_open:
            return
        for number, one in enumerate(verdicts):
            sign = "✓ " if one.holds else "✗ "
            explained(entry(one.guarantee), f"checked-{number}", sign, tr(one.guarantee), f": {one.sentence}")
        note(
            tr(
                "Kanon checks the guarantees on the published cells after every run. A missing value counts"
                " as a separate value. Suppressed records are not published and do not count."
            )
        )


def worst_finding(session: Session, release: kc.Release) -> None:
    """Show the most severe finding."""
    found, rest = known_findings(session, release), missing_searches(session)
    if found:
        worst = found[0]
        head = f"{ICONS[worst.severity]} {tr(SEVERITIES[worst.severity])}: {tr(worst.name)}."
        _box(worst.severity, head, worst.sentence, of_finding(worst.name))
    else:
        _box(
            "know",
            "·",
            tr("The search for findings is still running.") if rest else tr("There are no findings."),
        )


def all_found(session: Session, release: kc.Release) -> None:
    """Show, behind a button, all findings with what to do."""
    found, rest = known_findings(session, release), missing_searches(session)
    says = tr("{count} so far") if rest else "{count}"
    with lazy_popover(says.format(count=counted(len(found), "finding")), "findings", "policy") as looked_at:
        if looked_at:
            show_findings(session, release, list(found))


def _box(mood: str, head: str, says: str, entry: Entry | None = None) -> None:
    opens = mark(entry, mood) if entry else ""
    st.html(f'<div class="verdict {mood}"><p><b>{escape(head)}</b>{opens} {escape(says)}</p></div>')
