"""Sentences that read a result, made from its numbers."""

from __future__ import annotations

import kanon_core as kc
from kanon_core.guarantees import Withheld
from kanon_core.guarantees.itemsets import told_apart
from kanon_core.metrics import ILSSDM, NCP
from pages.state.session import Session
from pages.widgets.words import guarantee_name, items_text, words_of


def sentence(session: Session, release: kc.Release) -> list[str]:
    """One or two sentences that say what this release means, in parts of which every second matters most."""
    among = release.hidden_among[~release.suppressed]
    if not len(among):
        return ["Every record is suppressed: nothing is published."]
    said = _few_known(release, len(among)) if release.known_items else _hidden(release, int(among.min()))
    loss = session.measured(session.setting, release, ILSSDM).total
    lost = f" of the variation between records is lost{_left_out(release)}"
    penalties = session.measured(session.setting, release, NCP).attributes
    if len(penalties) < 2:
        return [*said, f"{100 * loss:.1f} %", f"{lost}."]
    worst = max(penalties, key=penalties.__getitem__)
    span = f" suffers most (its cells span {100 * penalties[worst]:.0f} % of the column on average)."
    return [*said, f"{100 * loss:.1f} %", f"{lost}; ", worst, span]


def _hidden(release: kc.Release, smallest: int) -> list[str]:
    """Among how many everybody hides, up to what it costs."""
    among = f" {words_of(release).among} "
    return [
        "Everybody hides among at least ",
        f"{smallest}",
        among,
        f"{100 / smallest:.1f} %",
        ". For this, ",
    ]


def _few_known(release: kc.Release, count: int) -> list[str]:
    """What an attacker finds who knows a few items, and one who knows all, up to what it costs."""
    k, items = release.recipe.k, items_text(release.known_items)
    return [
        f"An attacker who knows the single values and up to {items} of a person finds at least ",
        f"{k}",
        " records that publish them, or none, so a guess is right with at most ",
        f"{100 / k:.1f} %",
        f"; one who knows every item could tell {told_apart(release):,} of {count:,} records apart."
        " For this, ",
    ]


def _left_out(release: kc.Release) -> str:
    """How many records are not published, where that is the price of protecting people."""
    gone = int(release.suppressed.sum())
    priced = gone and release.protects_people
    return f" and {gone:,} of {len(release):,} records are left out" if priced else ""


def guarantee(session: Session, release: kc.Release) -> str:
    """Which guarantee was checked and holds, and nothing more."""
    found = session.verdicts(session.setting, release)[0]
    holds = "holds" if found.holds else "does not hold"
    return f"{guarantee_name(release)} {holds} of the quasi-identifiers: {found.sentence}"


def columns_as_agreed(session: Session, release: kc.Release) -> str:
    """What the audit found about columns left out and columns published unchanged."""
    found = session.verdicts(session.setting, release)
    return next(verdict.sentence for verdict in found if verdict.promise == Withheld.name)


def change(session: Session) -> str:
    """What changed since the last setting shown; "" when there was none."""
    if session.before is None or session.shown is None:
        return ""
    (old, old_release), (new, new_release) = session.before, session.shown
    was = session.measured(old, old_release, ILSSDM).total
    now = session.measured(new, new_release, ILSSDM).total
    direction = "more than" if now > was else "less than"
    direction = "as much as" if abs(now - was) < 5e-5 else direction
    groups = ""
    closed = isinstance(old_release.cover, kc.Partition) and isinstance(new_release.cover, kc.Partition)
    if closed and alike(old_release, new_release):
        of = " of people" if new_release.protects_people else ""
        groups = f", {len(old_release.hiding_sizes):,} → {len(new_release.hiding_sizes):,} groups{of}"
    return (
        f"{new.title} at k = {new.k} loses {direction} {old.title} at k = {old.k}: {100 * was:.2f} % →"
        f" {100 * now:.2f} %{groups}."
    )


def alike(old: kc.Release, new: kc.Release) -> bool:
    """Whether k counts the same in both releases, for an attacker who knows as much."""
    return old.unit == new.unit and old.known_items == new.known_items
