"""Sentences that read a result, made from its numbers."""

from __future__ import annotations

import kanon_core as kc
from kanon_core.base.options import options_of
from kanon_core.base.words import counted, tr, tr_n
from kanon_core.charts.canvas.theme import listed
from kanon_core.guarantees import Withheld
from kanon_core.metrics import ILSSDM, NCP
from kanon_core.table.samples import SAMPLES
from pages.state.session import Session
from pages.widgets.text import bold


def table_name(session: Session) -> str:
    """Return the name of the loaded table as people read it: a sample's in their language."""
    known = {f"sample:{one.name}": one for one in SAMPLES}
    return known[session.source].title if session.source in known else session.name


def sentence(session: Session, release: kc.Release) -> list[str]:
    """Return a sentence on the meaning and cost of this release, in parts; every second part is bold."""
    held = release.guarantee
    if not held.smallest(release):
        return [tr("Every record is suppressed. Nothing is published.")]
    loss = session.measured(session.setting, release, ILSSDM).total
    gone = int(release.suppressed.sum())
    penalties = session.measured(session.setting, release, NCP).attributes
    worst = max(penalties, key=penalties.__getitem__, default="")
    says = tr(". The release loses *{loss:.1f} %* of the variation between records{more}.")
    if len(penalties) > 1:
        says = tr(
            ". The release loses *{loss:.1f} %* of the variation between records{more}. By certainty"
            " penalty, *{worst}* loses most: its cells span {share:.0f} % of the column on average."
        )
    more = ""
    if gone and held.pseudonyms:
        more = tr_n(
            "; {gone:,} of {count} is suppressed", "; {gone:,} of {count} are suppressed", gone
        ).format(gone=gone, count=counted(len(release), "record"))
    share = 100 * penalties.get(worst, 0.0)
    first, *said, last = bold(says, loss=100 * loss, more=more, worst=worst, share=share)
    reading = held.reading(release)
    ending = reading.pop() if len(reading) % 2 else ""
    return [*reading, ending + first, *said, " ".join([last, *held.caveats(release)])]


def guarantee_name(release: kc.Release) -> str:
    """Return the guarantee with its parameters: ``k-anonymity with k = 5``."""
    held = release.guarantee
    values = [f"{one.name} = {getattr(held, one.name)}" for one in options_of(type(held))]
    return tr("{name} with {values}").format(name=tr(held.name), values=listed(values))


def guarantee(session: Session, release: kc.Release) -> str:
    """Return a sentence on whether the checked guarantee holds."""
    found = session.verdicts(session.setting, release)[0]
    says = tr("{guarantee} does not hold for the quasi-identifiers: {sentence}")
    if found.holds:
        says = tr("{guarantee} holds for the quasi-identifiers: {sentence}")
    return says.format(guarantee=guarantee_name(release), sentence=found.sentence)


def columns_as_agreed(session: Session, release: kc.Release) -> str:
    """Return a sentence on the columns that are left out or published unchanged."""
    found = session.verdicts(session.setting, release)
    return next(verdict.sentence for verdict in found if verdict.guarantee == Withheld.name)


def change(session: Session) -> str:
    """Return a sentence on the change since the previous setting; "" for none."""
    if session.before is None or session.shown is None:
        return ""
    (old, old_release), (new, new_release) = session.before, session.shown
    was = session.measured(old, old_release, ILSSDM).total
    now = session.measured(new, new_release, ILSSDM).total
    says = tr("{new} loses less than {old}: {was:.2f} % → {now:.2f} %{groups}.")
    if now > was:
        says = tr("{new} loses more than {old}: {was:.2f} % → {now:.2f} %{groups}.")
    if abs(now - was) < 5e-5:
        says = tr("{new} loses as much as {old}: {was:.2f} % → {now:.2f} %{groups}.")
    groups = ""
    if old_release.guarantee.disjoint and new_release.guarantee.disjoint and alike(old_release, new_release):
        sizes = f"{len(old_release.hiding_sizes):,} → {len(new_release.hiding_sizes):,}"
        groups = f", {sizes} {new_release.guarantee.groups}"
    before, after = (tr("{title} at k = {k}").format(title=one.title, k=one.k) for one in (old, new))
    return says.format(new=after, old=before, was=100 * was, now=100 * now, groups=groups)


def alike(old: kc.Release, new: kc.Release) -> bool:
    """Return whether k counts the same unit in both releases, for the same attacker."""
    one, other = old.guarantee, new.guarantee
    return (one.unit, one.known_items) == (other.unit, other.known_items)


def items_text(m: int) -> str:
    """Return a number of items in words."""
    return counted(m, "item")
