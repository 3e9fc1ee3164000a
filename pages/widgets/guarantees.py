"""Any guarantee, asked of the release on screen: controls and words are made from its declaration."""

from __future__ import annotations

import dataclasses
from typing import Any

import kanon_core as kc
from kanon_core.base.options import options_of
from kanon_core.base.words import tr
from kanon_core.guarantees.base import asked_with
from pages.state.keys import Key, linked
from pages.state.session import Session
from pages.widgets.controls import draw, not_for_this_table
from pages.widgets.pickers import menu
from pages.widgets.text import line, note
from pages.widgets.views import fold

_ASKED: Key[kc.Guarantee | None] = Key("asked guarantee", None)


def other_guarantees(session: Session, release: kc.Release) -> None:
    """A menu of all guarantees, their parameters, and the verdict; checked only while open."""
    box = fold(tr("Check another guarantee"), "rule", "other guarantees")
    if not box.open:
        return
    with box:
        reasons = {cls: asked_with(cls).unsuitable(session.table) for cls in kc.GUARANTEES}
        named = {cls.__name__: cls.name for cls, barred in reasons.items() if not barred}
        chosen = menu(tr("Guarantee"), named, "guarantee asked")
        cls = next(cls for cls in kc.GUARANTEES if cls.__name__ == chosen)
        kept = _ASKED.of(chosen)
        guarantee = kept.get() or asked_with(cls, k=release.recipe.k)
        for option in options_of(cls):

            def take(value: Any, name: str = option.name) -> None:
                kept.set(dataclasses.replace(guarantee, **{name: value}))

            value = getattr(guarantee, option.name)
            shown = list(value) if isinstance(value, tuple) else value
            tied = linked(f"guarantee option {chosen} {option.name}", shown, take)
            draw(session, option.kind, option.label, value, {**tied, "help": option.help or None})
        verdict(session, release, guarantee)
        not_for_this_table((cls.name, barred) for cls, barred in reasons.items())


def verdict(session: Session, release: kc.Release, guarantee: kc.Guarantee) -> None:
    """Whether it holds, what was found and asked, and for whom it says something."""
    found = guarantee.check(session.table, release)
    holds = tr("\u2713 holds: ") if found.holds else tr("\u2717 does not hold: ")
    line(holds, found.guarantee, f". {found.sentence}")
    note(tr("Found {found:,.4g}, asked {asked:,.4g}.").format(found=found.found, asked=found.required))
    if found.witnesses:
        first = ", ".join(map(str, found.witnesses[:20]))
        note(tr("It fails for {named}: {first} …").format(named=found.named, first=first))
    note(
        tr("{meaning} The attacker {attacker}.").format(
            meaning=guarantee.meaning, attacker=guarantee.attacker
        )
    )
