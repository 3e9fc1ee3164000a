"""Figures 4.1 to 4.6 of the paper on ILD, made again on the Measure page."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from kanon_core.charts.curves.lossfigures import loss_figure, loss_sentence, span_of
from kanon_core.papers import Row, Source
from kanon_core.papers.losses import LossFigures
from kanon_core.table.columns.columns import Categories, Column, Numbers
from pages.shell.frame import theme
from pages.state.kept import kept
from pages.state.session import Session
from pages.widgets.reproduce import Asked, Panel, reproduce_panel
from pages.widgets.text import line, note
from pages.widgets.views import chart

_OWN, _LOADED = "our sample of invented households", "the loaded table"


def figures_panel(session: Session) -> None:
    """An expander in which figures 4.1 to 4.6 are made again; draw it last, and in no fragment."""
    reproduce_panel(session, FIGURES)


def _asked(session: Session) -> Asked:
    """The reproduction with the chosen columns of the loaded table, or of our own sample."""
    numbers, categories = (_names(session, kind) for kind in (Numbers, Categories))
    usable = bool(numbers and categories)
    data, number, category, largest = st.columns(4)
    with data:
        names = [_LOADED, _OWN] if usable else [_OWN]
        chosen = st.selectbox("Data", names, key=kept("losses made again from", names[0], names))
    with largest:
        k = int(st.number_input("Largest k", 2, 1_000, key=kept("losses made again k", 100)))
    if chosen == _OWN:
        return LossFigures(largest_k=k), None
    with number:
        key = kept(f"number of losses {session.table.digest}", numbers[0])
        one = st.selectbox("Number", numbers, key=key)
    with category:
        key = kept(f"category of losses {session.table.digest}", categories[0])
        other = st.selectbox("Category", categories, key=key)
    return LossFigures(str(one), str(other), k), Source(session.table, f"“{session.name}”")


def _names(session: Session, kind: type[Column]) -> list[str]:
    """The columns of a kind that may be looked at, quasi-identifiers first."""
    found = [c.attribute for c in session.table.columns if isinstance(c, kind) and not c.attribute.is_private]
    return [a.name for a in sorted(found, key=lambda a: a.role != "quasi_identifier")]


def _draw(rows: Sequence[Row]) -> None:
    """The three figures of each distance beside one another, all on one scale."""
    curves: dict[str, dict[str, dict[int, float]]] = {}
    titles: dict[str, str] = {}
    for row in rows:
        figure, place = row.part.table, row.place
        titles[figure] = row.part.title
        curves.setdefault(figure, {}).setdefault(str(place["measured"]), {})[int(place["k"])] = row.mean
    span = span_of(list(curves.values()))
    for number, name in enumerate(curves):
        if number % 3 == 0:
            sides = st.columns(3, gap="medium")
        drawn = loss_figure(curves[name], None, span, theme())
        with sides[number % 3]:
            line("", titles[name])
            chart(drawn, f"again {name}")
            note(loss_sentence(curves[name]))


FIGURES = Panel(
    title="Make figures 4.1 to 4.6 of the paper again",
    about=(
        "What is lost of a number, of a category and of both, by k, when records are grouped in the order of"
        " the number (D_A), of the category (D_B), or of the category and then the number (D_C), by two"
        " distances between categories."
    ),
    what="figures",
    file="figures-4.1-to-4.6.csv",
    state="losses made again",
    asked=_asked,
    draw=_draw,
)
"""What the panel on the Measure page makes."""
