"""Check of any guarantee on the current release; controls and texts are made from its declaration."""

from __future__ import annotations

from typing import Any

import kanon_core as kc
from kanon_core.base.options import expression, options_of
from kanon_core.base.words import number_text, tr
from kanon_core.guarantees.base import asked_with
from pages.state.jobs import working
from pages.state.keys import Key, linked
from pages.state.session import Session
from pages.widgets.controls import draw
from pages.widgets.layout import fold
from pages.widgets.pickers import button, menu
from pages.widgets.text import error, line, not_for_this_table, note

_CHANGED: Key[dict[str, Any]] = Key("parameters of guarantees", {})
"""By table and guarantee: the changed parameters; k is that of the release by default."""
_STOPPED: Key[str] = Key("guarantee stopped", "")
_NAMED = 20


def other_guarantees(session: Session, release: kc.Release) -> None:
    """Show a menu of all guarantees, their parameters, and the verdict; checked only while open."""
    box = fold(tr("Check another guarantee"), "rule", "other guarantees")
    if not box.open:
        return
    with box:
        reasons = {cls: asked_with(cls).unsuitable(session.table) for cls in kc.GUARANTEES}
        named = {cls.__name__: tr(cls.name) for cls, barred in reasons.items() if not barred}
        chosen = menu(tr("Guarantee"), named, "guarantee asked")
        cls = next(cls for cls in kc.GUARANTEES if cls.__name__ == chosen)
        guarantee = _parameters(session, cls, release.recipe.k)
        if unfit := guarantee.unsuitable(session.table):
            note(unfit[0])
        else:
            verdict(session, release, guarantee)
        not_for_this_table((tr(cls.name), barred) for cls, barred in reasons.items())


def _parameters(session: Session, cls: type[kc.Guarantee], k: int) -> kc.Guarantee:
    """Return the guarantee with the changed parameters, after a control for each."""
    kept = _CHANGED.of(session.table.data_digest, cls.__name__)
    guarantee = asked_with(cls, **{"k": k, **kept.get()})
    for option in options_of(cls):

        def take(value: Any, name: str = option.name) -> None:
            kept.set({**kept.get(), name: tuple(value) if isinstance(value, list) else value})

        value = getattr(guarantee, option.name)
        shown = list(value) if isinstance(value, tuple) else value
        tied = linked(f"guarantee option {cls.__name__} {option.name}", shown, take)
        draw(session, option.kind, option.label, value, {**tied, "help": option.help or None})
    return guarantee


def verdict(session: Session, release: kc.Release, guarantee: kc.Guarantee) -> None:
    """Show the verdict with the found and the requested value, and the attacker; computed once."""
    asked = expression(guarantee)
    here = f"{session.table.digest} {release.recipe.k} {asked}"
    if _STOPPED.get() == here:
        button(tr("Check again"), _STOPPED.pop, icon="play_arrow")
        return

    def make() -> kc.Verdict:
        with working(lambda: _STOPPED.set(here), "stop guarantee") as tick:
            return guarantee.check(session.table, release, tick)

    try:
        found = session.picture(("guarantee", asked), make)
    except kc.KanonError as reason:
        error(reason)
        return
    holds = tr("\u2713 holds: ") if found.holds else tr("\u2717 does not hold: ")
    line(holds, tr(found.guarantee), f". {found.sentence}")
    values = {"found": number_text(found.found), "asked": number_text(found.required)}
    note(tr("Found {found}, requested {asked}.").format(**values))
    if found.witnesses:
        first = ", ".join(map(str, found.witnesses[:_NAMED]))
        more = " …" if len(found.witnesses) > _NAMED else ""
        note(tr("It fails for {named}: {first}").format(named=found.named, first=first) + more)
    about = tr("{meaning} The attacker {attacker}.")
    note(about.format(meaning=guarantee.meaning, attacker=guarantee.attacker))
