"""Findings of the current release: quick ones at once, others after the page is drawn."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

import kanon_core as kc
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import later, tr
from kanon_core.findings.base import SEVERITIES
from kanon_core.table.columns.columns import Items
from kanon_core.teaching.glossary import of_finding
from pages.state.cache_eviction import give_back_after
from pages.state.jobs import rerun_here, working
from pages.state.keys import Key
from pages.state.session import Session
from pages.state.setting import Setting
from pages.widgets.glossary import explained
from pages.widgets.layout import fold
from pages.widgets.pickers import button
from pages.widgets.text import note

ICONS = {"stops": "✗", "decide": "!", "know": "·"}
"""A sign for each severity, so that color is not needed to tell them apart."""
_NUMBERS_SHOWN = 20
_NO_COST = later(
    "Kanon computes the cost of a change where a finding recommends the role of quasi-identifier, or round"
    " ends, for a column. None of these findings does."
)
_COST = later(
    "Some findings recommend the role of quasi-identifier, or round ends, for a column. Kanon can make the"
    " release again with each of these changes and state the certainty penalty before and after. This changes"
    " nothing in your setting."
)
_STOPPED: Key[str] = Key("findings.stopped", "")
_PRICED: Key[bool] = Key("findings.priced", False)
"""By table and setting: True if costs were requested."""
_CLICKED: Key[bool] = Key("findings.price clicked", False)
"""By table: True after a click on the button, until the setting is known."""
_AT_ONCE, _CHEAP_AT_ONCE, _LINKED_AT_ONCE = 5_000, 2_000_000, 50_000
"""The most records for which all searches run with the slider, and the most for the cheap ones: fewer with
item sets, histories or overlapping sets."""


def known_findings(session: Session, release: kc.Release) -> tuple[kc.Finding, ...]:
    """Return the findings of the current release, the most severe first; quick searches run now."""
    quick = [search for search in missing_searches(session) if _quick(session, release, search)]
    _search(session, session.setting, release, quick)
    return _ranked(session, session.setting)


def findings_of(
    session: Session, setting: Setting, release: kc.Release, tick: Tick
) -> tuple[kc.Finding, ...]:
    """Return all findings of the release of any setting, the most severe first; searched now if need be."""
    _search(session, setting, release, missing_searches(session, setting), tick)
    return _ranked(session, setting)


def _ranked(session: Session, setting: Setting) -> tuple[kc.Finding, ...]:
    names, severities = [cls.name for cls in kc.FINDINGS], list(SEVERITIES)

    def rank(finding: kc.Finding) -> tuple[int, int]:
        return severities.index(finding.severity), names.index(finding.name)

    return tuple(sorted(chain.from_iterable(_made(session, setting).values()), key=rank))


def missing_searches(session: Session, setting: Setting | None = None) -> list[kc.Search]:
    """Return the searches that have not run for the release of a setting (default: the current one)."""
    made = _made(session, setting or session.setting)
    return [cls() for cls in kc.FINDINGS if cls.__name__ not in made]


def _search(
    session: Session,
    setting: Setting,
    release: kc.Release,
    searches: list[kc.Search],
    tick: Tick = silent,
) -> None:
    """Make these searches and keep what they find."""
    made = _made(session, setting)
    for search in searches:
        made[type(search).__name__] = kc.judge(session.table, release, [search], tick)


def _made(session: Session, setting: Setting) -> dict[str, tuple[kc.Finding, ...]]:
    return session.findings.setdefault((session.table.digest, setting.key), {})


def _quick(session: Session, release: kc.Release, search: kc.Search) -> bool:
    if not search.cheap:
        return len(session.table) <= _AT_ONCE
    sets = any(isinstance(column, Items) for column in session.table.columns)
    plain = release.guarantee.disjoint and not release.pseudonymous and not sets
    return len(session.table) <= (_CHEAP_AT_ONCE if plain else _LINKED_AT_ONCE)


def worst(session: Session, release: kc.Release) -> str:
    """Return the most severe finding in a few words, and the number of others."""
    found, rest = known_findings(session, release), missing_searches(session)
    if not found:
        return tr("search still running") if rest else tr("none")
    said = f"{ICONS[found[0].severity]} {tr(SEVERITIES[found[0].severity])}: {tr(found[0].name)}"
    more = tr("{said} and {more} more").format(said=said, more=len(found) - 1) if len(found) > 1 else said
    return tr("{more} so far").format(more=more) if rest else more


def findings(session: Session, release: kc.Release, left_out: str = "") -> None:
    """Show a fold whose title is the most severe finding, with all findings and running searches inside.
    Findings of severity ``left_out`` are shown elsewhere on the page."""
    rest = missing_searches(session)
    found = [finding for finding in known_findings(session, release) if finding.severity != left_out]
    title = tr("There are no findings.")
    if found:
        title = f"{tr(SEVERITIES[found[0].severity]).capitalize()} – {tr(found[0].name)}: {found[0].sentence}"
    elif rest:
        title = tr("The search for findings is still running.")
    with fold(title, "policy", "findings"):
        show_findings(session, release, found)


def show_findings(session: Session, release: kc.Release, shown: list[kc.Finding]) -> None:
    """Show these findings with actions and costs, and the running searches."""
    list_findings(_priced(session, release, shown))
    _price_button(session, shown)
    if rest := missing_searches(session):
        names = ", ".join(tr(search.name) for search in rest)
        note(tr("Searches still running: {names}.").format(names=names))
    note(
        tr(
            "Findings state what the guarantee means for this release and what it does not cover. The"
            " command “kanon findings” lists their thresholds; “kanon judge” takes others."
        )
    )


def _priced(session: Session, release: kc.Release, unpriced: list[kc.Finding]) -> Iterable[kc.Finding]:
    """Return the findings, with the costs of their remedies on request."""
    asked = _PRICED.of(session.table.digest, session.setting.key)
    if _CLICKED.of(session.table.digest).pop():
        asked.set(True)
    if not asked.get() or not any(one.remedy for one in unpriced):
        return unpriced

    def make() -> tuple[kc.Finding, ...]:
        with working(lambda: asked.set(False), "stop.prices", tr("repeating the release")) as tick:
            return kc.priced(session.table, release, unpriced, progress=tick)

    return session.picture(("prices", *(one.sentence for one in unpriced)), make)


def _price_button(session: Session, shown: list[kc.Finding]) -> None:
    """Show, below the findings, the button that computes the costs of their remedies, and its meaning."""
    if not any(one.remedy for one in shown):
        if shown:
            note(tr(_NO_COST))
    elif not _PRICED.of(session.table.digest, session.setting.key).get():
        note(tr(_COST))
        clicked = _CLICKED.of(session.table.digest)
        button(tr("Compute the cost of the recommended changes"), clicked.set, True, icon="sell")


def list_findings(shown: Iterable[kc.Finding]) -> None:
    """Show each finding with its severity, records, action and cost."""
    for number, finding in enumerate(shown):
        named = f"{tr(SEVERITIES[finding.severity])} – {tr(finding.name)}"
        place, sign = f"finding-{number}", f"{ICONS[finding.severity]} "
        explained(of_finding(finding.name), place, sign, named, f": {finding.sentence}")
        does = f"→ {finding.action} {finding.price}".rstrip()
        if finding.witnesses:
            some = ", ".join(map(str, finding.witnesses[:_NUMBERS_SHOWN]))
            more = finding.count - min(_NUMBERS_SHOWN, len(finding.witnesses))
            rest = tr(" and {more:,} more").format(more=more) if more else ""
            does += " " + tr("Records: {some}{rest}.").format(some=some, rest=rest)
        note(does)


def look_further(session: Session, release: kc.Release) -> None:
    """Run the slower searches after everything else is drawn; any click interrupts them. Then draw the page
    again."""
    rest, here = missing_searches(session), f"{session.table.digest} {session.setting.key}"
    if not rest:
        return
    if _STOPPED.get() == here:
        button(tr("Search for the other findings"), _STOPPED.pop, icon="policy")
        return
    with working(lambda: _STOPPED.set(here), "stop.findings", tr("searching for findings")) as tick:
        _search(session, session.setting, release, rest, tick)
    give_back_after(session.table)
    rerun_here()


def all_findings(session: Session, release: kc.Release) -> tuple[kc.Finding, ...] | None:
    """Return every finding, searched now; None while the search is stopped."""
    look_further(session, release)
    return None if missing_searches(session) else known_findings(session, release)
