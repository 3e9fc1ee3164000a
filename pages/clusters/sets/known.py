"""Choice of the number of items that an attacker may know (view Item sets), its meaning and its cost."""

from __future__ import annotations

import dataclasses

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from pages.state.jobs import release_or_reason
from pages.state.keys import Key, linked
from pages.state.session import Session
from pages.widgets.layout import fold
from pages.widgets.sentences import items_text
from pages.widgets.tables import Card, cards
from pages.widgets.text import note

CHOICES = (0, 3, 2, 1)
"""The choices, from the strongest attacker to the weakest."""
_OPEN = Key("knowledge", False)


def known_control(session: Session) -> None:
    """Show the choice of known items and the assumption; nothing for algorithms without it."""
    algorithm = session.setting.algorithm
    if not isinstance(algorithm, kc.TopDown):
        return
    m = algorithm.known_items

    def take(known: int) -> None:
        session.ask(algorithm=dataclasses.replace(algorithm, known_items=known))

    st.segmented_control(
        tr("Items of a person that an attacker may know"),
        list(CHOICES),
        format_func=_known,
        required=True,
        width="content",
        **linked("known items", m, take),
    )
    if not m:
        note(
            tr(
                "Safest choice: each group publishes only what all its records share. Even an"
                " attacker who knows every item of a person finds at least k records."
            )
        )
        return
    few = items_text(m)
    note(
        tr(
            "Assumption: no attacker knows more than {few} of a person, besides the single values. Each"
            " record publishes its own items. At least k records of the group, or none, publish any"
            " combination of up to {few}. With fewer known items, the loss over all columns is usually"
            " smaller. An attacker who knows more than assumed may distinguish people."
        ).format(few=few)
    )


def _known(items: int) -> str:
    return items_text(items) if items else tr("all items")


def knowledge_costs(session: Session) -> None:
    """Show, on request, the share of suppressed items for each choice at the current k."""
    algorithm = session.setting.algorithm
    if not isinstance(algorithm, kc.TopDown):
        return
    with fold(tr("Loss by known items"), "psychology", _OPEN.name) as box:
        if box.open:
            _costs(session, algorithm)


def _costs(session: Session, algorithm: kc.TopDown) -> None:
    shown, alone = [], all(a.kind == "items" for a in session.table.schema.quasi_identifiers)
    for m in sorted(CHOICES, key=lambda m: m or 9):
        knowing = dataclasses.replace(algorithm, known_items=m)
        setting = dataclasses.replace(session.setting, algorithm=knowing)
        title, key = tr("{items} known").format(items=_known(m)), f"stop.knowledge.{m}"
        found = release_or_reason(session, setting, lambda: _OPEN.set(False), key, setting.title)
        if isinstance(found, kc.Release):
            lost = session.measured(setting, found, kc.SuppressedItems).total
            mean = session.measured(setting, found, kc.NCP).total
            others = "" if alone else f"NCP {100 * mean:.1f} %"
            shown.append(Card(title, f"{100 * lost:.1f} %", "", others))
        else:
            shown.append(Card(title, "–", found))
    cards(shown)
    note(
        tr(
            "Suppressed items at k = {k}, by the number of items of a person that an attacker may know."
        ).format(k=session.setting.k)
    )
    if not alone:
        note(
            tr(
                "Single values may lose less even if more items are suppressed. NCP is the mean"
                " penalty of all columns."
            )
        )
