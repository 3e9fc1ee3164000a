"""Sentences that read a result, made from its numbers. They are HTML-safe: every name from data is escaped."""

from __future__ import annotations

from html import escape

import kanon_core as kc
from kanon_core.metrics import ILSSDM, NCP
from pages.common.session import Session


def sentence(session: Session, release: kc.Release) -> str:
    """One or two sentences that say what this release means."""
    sizes = release.class_sizes
    if not len(sizes):
        return "Every record is suppressed: nothing is published."
    smallest = int(sizes.min())
    loss = session.measured(session.setting, release, ILSSDM).total
    penalties = session.measured(session.setting, release, NCP).attributes
    text = (
        f"Everybody hides among at least <b>{smallest}</b> records with the same published values, so a guess at the "
        f"worst-protected person is right with at most <b>{100 / smallest:.1f} %</b>. For this, "
        f"<b>{100 * loss:.1f} %</b> of the variation between records is lost"
    )
    if len(penalties) > 1:
        worst = max(penalties, key=penalties.__getitem__)
        text += f"; <b>{escape(worst)}</b> suffers most (its cells span {100 * penalties[worst]:.0f} % of the column on average)"
    return text + "."


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
    return (
        f"{new.title} at k = {new.k} {direction} {old.title} at k = {old.k}: {100 * was:.2f} % → {100 * now:.2f} %, "
        f"{len(old_release.class_sizes):,} → {len(new_release.class_sizes):,} groups."
    )
