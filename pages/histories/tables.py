"""Tables 9, 13 and 14 of the paper on purchase histories, made again on the Histories page."""

from __future__ import annotations

import streamlit as st

from kanon_core.papers import Part, Source
from kanon_core.papers.purchases import PurchaseTables
from pages.state.kept import kept
from pages.state.session import Session, has_people
from pages.widgets.reproduce import Asked, Panel, reproduce_panel

_METHODS = {"paper": "the paper's", "ours": "ours: similar people, least cost"}


def tables_panel(session: Session) -> None:
    """An expander in which tables 9, 13 and 14 are made again; draw it last, and in no fragment."""
    reproduce_panel(session, TABLES)


def _asked(session: Session) -> Asked:
    """The reproduction with what the controls say, and the loaded table if that is wanted."""
    left, middle, right = st.columns([2, 2, 1])
    names = {False: "our own sample of purchases", True: f"the loaded table: {session.name}"}
    offered = [True, False] if has_people(session.table) else [False]
    with left:
        loaded = st.selectbox(
            "Data",
            offered,
            format_func=names.__getitem__,
            key=kept(f"purchases made again from {session.table.digest}", offered[0]),
        )
    with middle:
        method = st.selectbox(
            "Method",
            list(_METHODS),
            format_func=_METHODS.__getitem__,
            key=kept("purchases made again by", "paper"),
        )
    with right:
        k = st.number_input("Largest k", 2, 20, key=kept("purchases made again k", 20))
    return PurchaseTables(method=method or "paper", largest_k=int(k)), (
        Source(session.table, f"“{session.name}”") if loaded else None
    )


def _axis(part: Part) -> str:
    """Utilities are drawn beside the paper's; the other parts are tables."""
    return "k, in people" if part.title.endswith("utility by k") else ""


TABLES = Panel(
    title="Make tables 9, 13 and 14 of the paper again",
    about=(
        "Utility, safety and their sum by k, beside the numbers the paper prints, and what categories in"
        " place of products gain. With the contest's own file the numbers are the paper's."
    ),
    what="tables",
    file="tables-9-13-14.csv",
    state="purchases made again",
    asked=_asked,
    axis=_axis,
)
"""What the panel on the Histories page makes."""
