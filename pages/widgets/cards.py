"""Numbers people look for first, as a row of cards: one element, which updates faster than one each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

import streamlit as st

from kanon_core.glossary import Entry
from pages.widgets.glossary import mark


@dataclass(frozen=True)
class Card:
    """A number with its name, a few words on how to read it, how it changed, whether that is good (None:
    neither), and what the name means."""

    name: str
    value: str
    about: str = ""
    change: str = ""
    good: bool | None = None
    entry: Entry | None = None


def cards(shown: Iterable[Card]) -> None:
    """The cards side by side, as many as fit in a row."""
    st.html(f'<div class="cards">{"".join(map(_card, shown))}</div>')


def _card(card: Card) -> str:
    mood = {True: " good", False: " bad", None: ""}[card.good]
    change = f'<span class="change{mood}">{escape(card.change)}</span>' if card.change else ""
    about = f'<span class="about">{escape(card.about)}</span>' if card.about else ""
    opens = mark(card.entry, card.name) if card.entry else ""
    return (
        f'<div><span class="name">{escape(card.name)}{opens}</span>'
        f'<span class="value">{escape(card.value)}</span>{about}{change}</div>'
    )
