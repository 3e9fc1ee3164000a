"""Reproduction of tables 9, 13 and 14 of the paper on purchase histories."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from kanon_core.base.words import later, tr, tr_each
from kanon_core.charts.curves.papers import marketing_figure
from kanon_core.papers import Part, Row
from kanon_core.papers.marketing import BY_CATEGORY, BY_PRODUCT, FREQUENCY, MONETARY, RECENCY, UTILITY
from kanon_core.papers.points import curves
from kanon_core.papers.purchases import PurchaseTables
from pages.papers.panel import Panel, Progress, Wanted, loaded_table, source_of
from pages.papers.rows import beside, draw_figures
from pages.shell.frame import theme
from pages.state.keys import Key, kept
from pages.state.session import Session, has_people
from pages.widgets import text
from pages.widgets.layout import chart
from pages.widgets.pickers import menu

MADE: Key[Progress | None] = Key("purchases made again", None)
_DRAWN = (UTILITY, RECENCY, FREQUENCY, MONETARY)
_METHODS = {"paper": later("the paper's"), "ours": later("ours: similar people, least cost")}


def _wanted(session: Session) -> Wanted:
    """Return the chosen reproduction and its table."""
    left, middle, right = st.columns([2, 2, 1])
    names = {True: loaded_table(session)} if has_people(session.table) else {}
    names[False] = tr("sample of purchases")
    with left:
        loaded = menu(tr("Data"), names, f"purchases made again from {session.table.digest}")
    with middle:
        method = menu(tr("Method"), tr_each(_METHODS), "purchases made again by")
    with right:
        k = st.number_input(tr("Largest k"), 2, 20, key=kept("purchases made again k", 20))
    return PurchaseTables(method=method, largest_k=int(k)), source_of(session) if loaded else None


def _axis(part: Part) -> str:
    """Return the horizontal axis of a utility figure; "" for a table."""
    return tr("k, in people") if part.called.endswith("utility by k") else ""


def _draw(rows: Sequence[Row]) -> None:
    """Draw the utilities and the marketing figures, by category if there are any."""
    draw_figures(rows, _axis)
    found = curves(
        row for row in rows if row.part.table in (BY_PRODUCT, BY_CATEGORY) and row.place["measured"] in _DRAWN
    )
    titles = {row.part.table: row.part.title for row in rows}
    for name in beside(2, found):
        text.line("", titles[name])
        lines = {tr(measured): line for measured, line in found[name].items()}
        text.note(chart(marketing_figure(lines, theme()), f"again {name}"))


TABLES = Panel(
    title=later("Reproduce tables 9, 13 and 14 of the paper"),
    about=later(
        "Utility, safety and their sum by k, compared with the printed numbers, and the gain from"
        " categories instead of products. Then the marketing figures kept for each product and"
        " category. With the file of the contest, the numbers equal those of the paper."
    ),
    start=later("Compute the tables"),
    file="tables-9-13-14.csv",
    state=MADE,
    wanted=_wanted,
    draw=_draw,
)
