"""Sentences that read a result, made from its numbers."""

from __future__ import annotations

import kanon_core as kc
from kanon_core.guarantees import Withheld
from kanon_core.metrics import ILSSDM, NCP
from pages.state.session import Session


def sentence(session: Session, release: kc.Release) -> list[str]:
    """One or two sentences that say what this release means, in parts of which every second matters most."""
    among = release.hidden_among[~release.suppressed]
    if not len(among):
        return ["Every record is suppressed: nothing is published."]
    smallest, m = int(among.min()), release.known_items
    closed = isinstance(release.cover, kc.Partition)
    if release.protects_people:
        what = (
            "people with the same published history, so a guess at the worst-protected person is right with"
            " at most"
        )
    elif closed:
        what = (
            "records with the same published values, so a guess at the worst-protected person is right with"
            " at most"
        )
    else:
        what = (
            "published rows that could be theirs; whoever picks one of these at random is right with at most"
        )
    loss = session.measured(session.setting, release, ILSSDM).total
    penalties = session.measured(session.setting, release, NCP).attributes
    parts = [
        "Everybody hides among at least ",
        f"{smallest}",
        f" {what} ",
        f"{100 / smallest:.1f} %",
        ". For this, ",
        f"{100 * loss:.1f} %",
        f" of the variation between records is lost{_left_out(release)}",
    ]
    if m:
        k = release.recipe.k
        parts[:4] = [
            (
                f"Whoever knows the single values and up to {m} {'item' if m == 1 else 'items'} of a person"
                " finds at least "
            ),
            f"{k}",
            " records that publish them, or none, so a guess is right with at most ",
            f"{100 / k:.1f} %",
        ]
        apart = release.guarantee.told_apart(release)
        parts[4] = (
            f"; whoever knows every item could tell {apart:,} of {len(among):,} records apart. For this, "
        )
    if len(penalties) > 1:
        worst = max(penalties, key=penalties.__getitem__)
        span = f" suffers most (its cells span {100 * penalties[worst]:.0f} % of the column on average)"
        return [*parts[:-1], parts[-1] + "; ", worst, span + "."]
    return [*parts[:-1], parts[-1] + "."]


def _left_out(release: kc.Release) -> str:
    """How many records are not published, where that is the price of protecting people."""
    gone = int(release.suppressed.sum())
    return (
        f" and {gone:,} of {len(release):,} records are left out" if gone and release.protects_people else ""
    )


def columns_as_agreed(session: Session, release: kc.Release) -> str:
    """What the audit found about columns left out and columns published unchanged."""
    found = session.verdicts(session.setting, release)
    return next(verdict.sentence for verdict in found if verdict.guarantee == Withheld.name)


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
    same = old.algorithm.unit == new.algorithm.unit
    same = same and old_release.known_items == new_release.known_items
    if same and isinstance(old_release.cover, kc.Partition) and isinstance(new_release.cover, kc.Partition):
        of = " of people" if new_release.protects_people else ""
        groups = f", {len(old_release.hiding_sizes):,} → {len(new_release.hiding_sizes):,} groups{of}"
    return (
        f"{new.title} at k = {new.k} {direction} {old.title} at k = {old.k}: {100 * was:.2f} % →"
        f" {100 * now:.2f} %{groups}."
    )
