"""How many items of a person an attacker may know: the choice on the Sets page, what it means and costs."""

from __future__ import annotations

import dataclasses

import streamlit as st

import kanon_core as kc
from pages.state.jobs import release_or_reason
from pages.state.keys import Key, linked
from pages.state.session import Session
from pages.widgets.cards import Card, cards
from pages.widgets.reading import items_text
from pages.widgets.text import note
from pages.widgets.views import fold

CHOICES = {0: "all of them", 3: "3 items", 2: "2 items", 1: "1 item"}
"""From the most that an attacker may know to the least."""
_OPEN = Key("knowledge", False)


def known_control(session: Session) -> None:
    """The choice, its ends labelled, and a line on what is assumed; nothing for algorithms without it."""
    algorithm = session.setting.algorithm
    if not isinstance(algorithm, kc.TopDown):
        return
    m = algorithm.known_items

    def take(known: int) -> None:
        session.ask(algorithm=dataclasses.replace(algorithm, known_items=known))

    st.segmented_control(
        "Items of a person that an attacker may know",
        list(CHOICES),
        format_func=CHOICES.__getitem__,
        required=True,
        width="content",
        **linked("known items", m, take),
    )
    if not m:
        note(
            "Safest: a group publishes what all its records share, so that even an attacker who knows every"
            " item finds at least k records."
        )
        return
    few = items_text(m)
    note(
        f"Assumed: no attacker knows more than {few} of a person, besides the single values. Each"
        f" record shows items of its own, and whatever {few} or fewer are published together, at"
        " least k records of the group publish, or none. The fewer are known, the less is lost, over all"
        " columns, as a rule; an attacker who knows more than assumed may tell people apart."
    )


def knowledge_costs(session: Session) -> None:
    """On demand: the share of items lost for each answer, at the current k."""
    algorithm = session.setting.algorithm
    if not isinstance(algorithm, kc.TopDown):
        return
    with fold("What knowledge costs", "psychology", _OPEN.name) as box:
        if box.open:
            _costs(session, algorithm)


def _costs(session: Session, algorithm: kc.TopDown) -> None:
    shown, alone = [], all(a.kind == "items" for a in session.table.schema.quasi_identifiers)
    for m, words in sorted(CHOICES.items(), key=lambda choice: choice[0] or 9):
        knowing = dataclasses.replace(algorithm, known_items=m)
        setting = dataclasses.replace(session.setting, algorithm=knowing)
        key = f"stop knowledge {m}"
        found = release_or_reason(session, setting, lambda: _OPEN.set(False), key, setting.title)
        if isinstance(found, kc.Release):
            lost = session.measured(setting, found, kc.SuppressedItems).total
            mean = session.measured(setting, found, kc.NCP).total
            others = "" if alone else f"NCP {100 * mean:.1f} %"
            shown.append(Card(f"{words} known", f"{100 * lost:.1f} %", "", others))
        else:
            shown.append(Card(f"{words} known", "–", found))
    cards(shown)
    note(f"Items lost at k = {session.setting.k}, by how many items of a person an attacker may know.")
    if not alone:
        note("Single values may gain even if more items are lost: NCP is the mean penalty of all columns.")
