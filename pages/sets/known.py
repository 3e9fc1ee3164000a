"""How many items of a person somebody may know: the choice on the Sets page, what it means, and what it
costs."""

from __future__ import annotations

import dataclasses

import streamlit as st

import kanon_core as kc
from pages.state.jobs import computed, ticker
from pages.state.session import Session, Setting
from pages.widgets.cards import Card, cards
from pages.widgets.text import note

CHOICES = {0: "all of them", 3: "3 items", 2: "2 items", 1: "1 item"}
"""From the most that somebody may know to the least."""


def known_control(session: Session) -> None:
    """The choice, its ends labelled, and a line on what is assumed; nothing for algorithms without it."""
    algorithm = session.setting.algorithm
    if not isinstance(algorithm, kc.TopDown):
        return
    st.session_state["known items"] = algorithm.known_items

    def changed() -> None:
        session.ask(algorithm=dataclasses.replace(algorithm, known_items=st.session_state["known items"]))

    st.segmented_control(
        "Items of a person that somebody may know",
        list(CHOICES),
        format_func=CHOICES.__getitem__,
        required=True,
        key="known items",
        on_change=changed,
        width="content",
    )
    m = algorithm.known_items
    if not m:
        note(
            "Safest: a group publishes what all its records share, so that even who knows every item finds at"
            " least k."
        )
        return
    few = "1 item" if m == 1 else f"{m} items"
    note(
        f"Assumed: nobody knows more than {few} of a person, besides the single values. Each record shows"
        f" items of its own, and whatever {few} or fewer are published together, at least k records of the"
        " group publish, or none. The fewer are known, the less is lost, over all columns, as a rule;"
        " whoever knows more than assumed may tell people apart."
    )


def knowledge_costs(session: Session) -> None:
    """On demand: the share of items lost for each answer, at the current k."""
    algorithm = session.setting.algorithm
    if not isinstance(algorithm, kc.TopDown):
        return
    with st.expander(
        "What knowledge costs", icon=":material/psychology:", key="knowledge", on_change="rerun"
    ) as box:
        if box.open:
            _costs(session, algorithm)


def _costs(session: Session, algorithm: kc.TopDown) -> None:
    shown, alone = [], all(a.kind == "items" for a in session.table.schema.quasi_identifiers)
    for m, words in sorted(CHOICES.items(), key=lambda choice: choice[0] or 9):
        setting = dataclasses.replace(
            session.setting, algorithm=dataclasses.replace(algorithm, known_items=m)
        )
        found = _release(session, setting)
        if isinstance(found, kc.Release):
            lost = session.measured(setting, found, kc.SuppressedItems).total
            mean = session.measured(setting, found, kc.NCP).total
            others = "" if alone else f"NCP {100 * mean:.1f} %"
            shown.append(Card(f"{words} known", f"{100 * lost:.1f} %", "", others))
        else:
            shown.append(Card(f"{words} known", "–", found))
    cards(shown)
    note(
        f"Items lost at k = {session.setting.k}, by how many items of a person somebody may know."
        + (
            ""
            if alone
            else (
                " What is gained may go into finer single values, even if more items are lost: NCP is the"
                " mean penalty of all columns."
            )
        )
    )


def _release(session: Session, setting: Setting) -> kc.Release | str:
    """The release of a setting, kept from now on; the reason when there is none."""
    found = session.kept(setting)
    if found is not None:
        return found
    place = st.empty()
    tick = ticker(place, _close, f"stop knowledge {setting.key}", setting.title)
    try:
        return computed(session, setting, place, tick)
    except kc.KanonError as reason:
        return str(reason)


def _close() -> None:
    st.session_state["knowledge"] = False
