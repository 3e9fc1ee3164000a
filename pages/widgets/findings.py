"""Findings on a page: the worst in a word, and all of them with what to do."""

from __future__ import annotations

from collections.abc import Iterable

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.findings.base import SEVERITIES
from kanon_core.glossary import of_finding
from pages.state.jobs import rerun_here, working
from pages.state.judging import known, looked_for, missing
from pages.state.keeping import tidied
from pages.state.keys import Key
from pages.state.session import Session
from pages.widgets.glossary import explained
from pages.widgets.layout import fold
from pages.widgets.pickers import button
from pages.widgets.text import note

ICONS = {"stops": "✗", "decide": "!", "know": "·"}
"""A sign for each severity, so that color is not needed to tell them apart."""
_NUMBERS_SHOWN = 20
_STOPPED: Key[str] = Key("findings.stopped", "")
_PRICED: Key[bool] = Key("findings.priced", False)
"""By table and setting: whether prices were asked for."""
_CLICKED: Key[bool] = Key("findings.price clicked", False)
"""By table: whether they are asked for now, of the setting that is then on screen."""


def worst(session: Session, release: kc.Release) -> str:
    """The heaviest finding in a few words, and how many there are."""
    found, rest = known(session, release), missing(session)
    if not found:
        return tr("still being looked for") if rest else tr("nothing")
    said = f"{ICONS[found[0].severity]} {tr(SEVERITIES[found[0].severity])}: {tr(found[0].name)}"
    more = tr("{said} and {more} more").format(said=said, more=len(found) - 1) if len(found) > 1 else said
    return tr("{more}, so far").format(more=more) if rest else more


def findings(session: Session, release: kc.Release, said_elsewhere: str = "") -> None:
    """A fold whose title is the worst finding; inside all, and what is still looked for. Those of severity
    ``said_elsewhere`` are left out: the page says them elsewhere."""
    rest = missing(session)
    found = [finding for finding in known(session, release) if finding.severity != said_elsewhere]
    title = tr("Nothing else was found.")
    if found:
        title = f"{tr(SEVERITIES[found[0].severity]).capitalize()} – {tr(found[0].name)}: {found[0].sentence}"
    elif rest:
        title = tr("What else must be known of this release is still being looked for.")
    with fold(title, "policy", "findings"):
        draw_findings(session, release, found)


def draw_findings(session: Session, release: kc.Release, findings: list[kc.Finding]) -> None:
    """These findings with what to do and its price, and what is still looked for."""
    listed(_priced(session, release, findings))
    if rest := missing(session):
        names = ", ".join(tr(search.name) for search in rest)
        note(tr("Still being looked for: {names}.").format(names=names))
    note(
        tr(
            "A guarantee says what an attacker cannot do; this is what is left. Thresholds are those of"
            " `kanon findings`; `kanon judge` takes others."
        )
    )


def _priced(session: Session, release: kc.Release, findings: list[kc.Finding]) -> Iterable[kc.Finding]:
    """The findings, and what their remedies cost once somebody asks for it."""
    asked, clicked = _PRICED.of(session.table.digest, session.setting.key), _CLICKED.of(session.table.digest)
    if clicked.pop():
        asked.set(True)
    if not any(one.remedy for one in findings):
        return findings
    if not asked.get():
        button(tr("Compute what the changes would cost"), clicked.set, True, icon="sell")
        return findings

    def make() -> tuple[kc.Finding, ...]:
        with working(lambda: asked.set(False), "stop.prices", tr("making the release again")) as tick:
            return kc.priced(session.table, release, findings, progress=tick)

    return session.picture(("prices", *(one.sentence for one in findings)), make)


def listed(findings: Iterable[kc.Finding]) -> None:
    """Each finding with its severity, whom it is about, what to do and what that costs."""
    for number, one in enumerate(findings):
        named = f"{tr(SEVERITIES[one.severity])} – {tr(one.name)}"
        place, sign = f"finding-{number}", f"{ICONS[one.severity]} "
        explained(of_finding(one.name), place, sign, named, f": {one.sentence}")
        does = f"→ {one.action} {one.price}".rstrip()
        if one.witnesses:
            some = ", ".join(map(str, one.witnesses[:_NUMBERS_SHOWN]))
            more = one.count - min(_NUMBERS_SHOWN, len(one.witnesses))
            rest = tr(" and {more:,} more").format(more=more) if more else ""
            does += " " + tr("Records: {some}{rest}.").format(some=some, rest=rest)
        note(does)


def look_further(session: Session, release: kc.Release) -> None:
    """Make the searches that take longer, when everything else is drawn; any click interrupts them. What they
    find is shown by drawing the page again."""
    rest, here = missing(session), f"{session.table.digest} {session.setting.key}"
    if not rest:
        return
    if _STOPPED.get() == here:
        button(tr("Look for the other findings"), _STOPPED.pop, icon="policy")
        return
    with working(lambda: _STOPPED.set(here), "stop.findings", tr("looking for findings")) as tick:
        looked_for(session, release, rest, tick)
    tidied(session.table)
    rerun_here()


def all_findings(session: Session, release: kc.Release) -> tuple[kc.Finding, ...] | None:
    """Every finding, looked for now; None while that is stopped."""
    look_further(session, release)
    return None if missing(session) else known(session, release)
