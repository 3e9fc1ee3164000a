"""Sentences that read a result, made from its numbers."""

from __future__ import annotations

import kanon_core as kc
from kanon_core.base.options import options_of
from kanon_core.guarantees import Withheld
from kanon_core.metrics import ILSSDM, NCP
from pages.state.session import Session


def sentence(session: Session, release: kc.Release) -> list[str]:
    """What this release means and costs, in parts of which every second matters most."""
    held = release.guarantee
    if not held.smallest(release):
        return ["Every record is suppressed: nothing is published."]
    loss = session.measured(session.setting, release, ILSSDM).total
    gone = int(release.suppressed.sum())
    left_out = f" and {gone:,} of {len(release):,} records are left out" if gone and held.pseudonyms else ""
    said = [*held.reading(release), ". For this, ", f"{100 * loss:.1f} %"]
    lost = f" of the variation between records is lost{left_out}"
    open_still = " ".join(["", *held.caveats(release)])
    penalties = session.measured(session.setting, release, NCP).attributes
    if len(penalties) < 2:
        return [*said, f"{lost}.{open_still}"]
    worst = max(penalties, key=penalties.__getitem__)
    span = f" suffers most (its cells span {100 * penalties[worst]:.0f} % of the column on average)."
    return [*said, f"{lost}; ", worst, f"{span}{open_still}"]


def guarantee_name(release: kc.Release) -> str:
    """The guarantee with its parameters: ``k-anonymity with k = 5``."""
    held = release.guarantee
    values = [f"{one.name} = {getattr(held, one.name)}" for one in options_of(type(held))]
    return f"{held.name} with {' and '.join(values)}"


def guarantee(session: Session, release: kc.Release) -> str:
    """Which guarantee was checked and holds, and nothing more."""
    found = session.verdicts(session.setting, release)[0]
    holds = "holds" if found.holds else "does not hold"
    return f"{guarantee_name(release)} {holds} for the quasi-identifiers: {found.sentence}"


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
    direction = "more than" if now > was else "less than"
    direction = "as much as" if abs(now - was) < 5e-5 else direction
    groups = ""
    if old_release.guarantee.disjoint and new_release.guarantee.disjoint and alike(old_release, new_release):
        sizes = f"{len(old_release.hiding_sizes):,} → {len(new_release.hiding_sizes):,}"
        groups = f", {sizes} {new_release.guarantee.groups}"
    return (
        f"{new.title} at k = {new.k} loses {direction} {old.title} at k = {old.k}: {100 * was:.2f} % →"
        f" {100 * now:.2f} %{groups}."
    )


def alike(old: kc.Release, new: kc.Release) -> bool:
    """Whether k counts the same in both releases, for an attacker who knows as much."""
    one, other = old.guarantee, new.guarantee
    return (one.unit, one.known_items) == (other.unit, other.known_items)


def items_text(m: int) -> str:
    """So many items, in words for a sentence."""
    return "1 item" if m == 1 else f"{m} items"
