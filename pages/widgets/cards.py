"""Numbers people look for first, as a row of cards: one element, which updates faster than one each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

import streamlit as st


@dataclass(frozen=True)
class Card:
    """A number with its name, what it means, how it changed, and whether that is good (None: neither)."""

    name: str
    value: str
    meaning: str = ""
    change: str = ""
    good: bool | None = None


def cards(shown: Iterable[Card]) -> None:
    """The cards side by side, as many as fit in a row."""
    st.html(f'<div class="cards">{"".join(map(_card, shown))}</div>')


def _card(card: Card) -> str:
    mood = {True: " good", False: " bad", None: ""}[card.good]
    change = f'<span class="change{mood}">{escape(card.change)}</span>' if card.change else ""
    return (
        f'<div title="{escape(card.meaning)}"><span class="name">{escape(card.name)}</span>'
        f'<span class="value">{escape(card.value)}</span>{change}</div>'
    )
