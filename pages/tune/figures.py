"""The figures beside the slider: what is lost, at what risk, what holds, and what was found."""

from __future__ import annotations

from html import escape

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.findings.base import SEVERITIES
from kanon_core.metrics import ILSSDM, NCP, Metric, SuppressedRecords, WorstRisk
from pages.state.judging import known, missing
from pages.state.session import Session
from pages.widgets import reading
from pages.widgets.cards import Card, cards
from pages.widgets.findings import ICONS, told
from pages.widgets.text import line, note
from pages.widgets.views import behind


def figures(session: Session, release: kc.Release) -> None:
    """The numbers people look for first, with what changed since the last setting."""
    cards(_shown(session, release))


def meanings(session: Session, release: kc.Release) -> None:
    """What each of the figures means, behind a button."""
    with behind(tr("Meaning"), "meanings", "help") as looked_at:
        for card in _shown(session, release) if looked_at else ():
            line("", card.name, f" {card.value}: {card.meaning}")


def _shown(session: Session, release: kc.Release) -> list[Card]:
    held, before = release.guarantee, session.before
    fourth = SuppressedRecords if held.pseudonyms else NCP
    shown = [_card(session, release, metric) for metric in (ILSSDM, WorstRisk, fourth)]
    groups = len(release.hiding_sizes)
    more = groups - len(before[1].hiding_sizes) if before and reading.alike(before[1], release) else 0
    title, equal = tr("Different rows"), tr("records with equal published quasi-identifiers")
    title, equal = (held.groups.capitalize(), held.alike) if held.disjoint else (title, equal)
    about = tr("sets of {equal}").format(equal=equal)
    shown.insert(1, Card(title, f"{groups:,}", about, f"{more:+,}" if more else ""))
    return shown


def _card(session: Session, release: kc.Release, metric: type[Metric]) -> Card:
    if reasons := session.unfit(metric):
        return Card(metric.short, "–", reasons[0])
    now = session.measured(session.setting, release, metric).total
    was = session.measured(*session.before, metric).total if session.before else now
    points = 100 * (now - was)
    change = "" if abs(points) < 0.005 else tr("{points:+.2f} points").format(points=points)
    all_known = release.guarantee.known_items and metric is WorstRisk
    short = tr("{short}, all known").format(short=metric.short) if all_known else metric.short
    return Card(short, metric().text(now), metric.sentence, change, points < 0)


def verdict(session: Session, release: kc.Release) -> None:
    """Which guarantee was checked, for whom, and whether it holds."""
    first = session.verdicts(session.setting, release)[0]
    mood, icon = ("holds", "✓") if first.holds else ("fails", "✗")
    said = tr("holds") if first.holds else tr("does not hold")
    _box(mood, f"{icon} {reading.guarantee_name(release)}", f"{said}: {first.sentence}")


def all_checked(session: Session, release: kc.Release) -> None:
    """All that was checked, and how missing and suppressed cells count, behind a button."""
    verdicts = session.verdicts(session.setting, release)
    with behind(tr("Checked ({count})").format(count=len(verdicts)), "audit", "fact_check") as looked_at:
        if not looked_at:
            return
        for one in verdicts:
            line(f"{'✓' if one.holds else '✗'} {one.guarantee}: {one.sentence}")
        note(
            tr(
                "Checked on the published cells alone, after every run. A missing value counts as a value of"
                " its own; suppressed records are not published and not counted."
            )
        )


def worst_finding(session: Session, release: kc.Release) -> None:
    """The heaviest finding in its own words."""
    found, rest = known(session, release), missing(session)
    if found:
        severity = tr(SEVERITIES[found[0].severity])
        _box(
            found[0].severity,
            f"{ICONS[found[0].severity]} {severity}: {found[0].name}.",
            found[0].sentence,
        )
    else:
        _box("know", "·", tr("still being looked for") if rest else tr("Nothing else was found."))


def all_found(session: Session, release: kc.Release) -> None:
    """All findings with what to do, behind a button."""
    found, rest = known(session, release), missing(session)
    says = tr("{count} findings so far") if rest else tr("{count} findings")
    with behind(says.format(count=len(found)), "findings", "policy") as looked_at:
        if looked_at:
            told(session, release, list(found))


def _box(mood: str, head: str, says: str) -> None:
    st.html(f'<div class="verdict {mood}"><p><b>{escape(head)}</b> {escape(says)}</p></div>')
