"""Figures 7 to 11 of the paper on item sets, made again on the Sets and Trade-off pages."""

from __future__ import annotations

import streamlit as st

from kanon_core.charts.sets.itemsets import item_columns
from kanon_core.papers import Part, Source
from kanon_core.papers.itemsets import SetFigures
from pages.state.kept import kept
from pages.state.session import Session
from pages.widgets.reproduce import Asked, Panel, reproduce_panel


def figures_panel(session: Session) -> None:
    """An expander in which figures 7 to 11 and tables 2 and 3 are made again; draw it last, and in no
    fragment."""
    reproduce_panel(session, FIGURES)


def _asked(session: Session) -> Asked:
    """The reproduction with what the controls say, and the loaded table if that is wanted."""
    left, right = st.columns([3, 1])
    names = {False: "our own samples", True: f"the loaded table: {session.name}"}
    if not item_columns(session.table):
        names = {False: names[False]}
    with left:
        loaded = st.selectbox(
            "Data",
            list(names),
            format_func=names.__getitem__,
            key=kept("figures made again from", False, names),
        )
    with right:
        seeds = st.number_input(
            "Samples",
            1,
            20,
            key=kept("figures made again samples", 1),
            help="drawn at random; means and ranges are shown",
        )
    if not loaded:
        return SetFigures(seeds=int(seeds)), None
    alone = len(item_columns(session.table)) == len(session.table.quasi)
    chosen = SetFigures(figures="baskets" if alone else "receipts", seeds=int(seeds))
    return chosen, Source(session.table, f"“{session.name}”")


def _axis(part: Part) -> str:
    """What a figure is drawn over; the two sizes of tables 2 and 3 are no figure."""
    if not part.table.startswith("figure"):
        return ""
    return "number of quasi-identifiers" if part.table == "figure 8" else "k"


FIGURES = Panel(
    title="Make figures 7 to 11 of the paper again",
    about=(
        "How many items are suppressed, and how long it takes on this machine: by k, by the number of"
        " quasi-identifiers and by size, beside the few numbers that the paper prints."
    ),
    what="figures",
    file="figures-7-to-11.csv",
    state="figures made again",
    asked=_asked,
    axis=_axis,
)
"""What the panel makes."""
