"""Sentences that read a result, made from its numbers."""

from __future__ import annotations

import kanon_core as kc
from kanon_core.metrics import ILSSDM, NCP
from kanon_core.promises import Withheld
from pages.common.session import Session


def sentence(session: Session, release: kc.Release) -> list[str]:
    """One or two sentences that say what this release means, in parts of which every second matters most."""
    among = release.hidden_among[~release.suppressed]
    if not len(among):
        return ["Every record is suppressed: nothing is published."]
    smallest = int(among.min())
    closed = isinstance(release.cover, kc.Partition)
    if closed:
        what = "records with the same published values, so a guess at the worst-protected person is right with at most"
    else:
        what = (
            "published rows that could be theirs; whoever picks one of these at random is right with at most"
        )
    loss = session.measured(session.setting, release, ILSSDM).total
    penalties = session.measured(session.setting, release, NCP).attributes
    parts = [
        "Everybody hides among at least ", f"{smallest}", f" {what} ", f"{100 / smallest:.1f} %", ". For this, ", f"{100 * loss:.1f} %",
        " of the variation between records is lost",
    ]  # fmt: skip
    if len(penalties) > 1:
        worst = max(penalties, key=penalties.__getitem__)
        span = f" suffers most (its cells span {100 * penalties[worst]:.0f} % of the column on average)"
        return [*parts[:-1], parts[-1] + "; ", worst, span + "."]
    return [*parts[:-1], parts[-1] + "."]


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
    if abs(now - was) < 5e-5:
        direction = "loses as much as"
    else:
        direction = "loses more than" if now > was else "loses less than"
    groups = ""
    if isinstance(old_release.cover, kc.Partition) and isinstance(new_release.cover, kc.Partition):
        groups = f", {len(old_release.class_sizes):,} → {len(new_release.class_sizes):,} groups"
    return f"{new.title} at k = {new.k} {direction} {old.title} at k = {old.k}: {100 * was:.2f} % → {100 * now:.2f} %{groups}."
