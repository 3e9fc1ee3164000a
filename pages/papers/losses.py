"""Reproduction of figures 4.1 to 4.6 of the paper on ILD."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from kanon_core.base.words import later, tr
from kanon_core.charts.curves.papers import loss_figure, loss_sentence, span_of
from kanon_core.papers import Row
from kanon_core.papers.losses import LossFigures
from kanon_core.papers.points import curves
from kanon_core.table.columns.columns import Categories, Column, Numbers
from pages.papers.panel import Panel, Progress, Wanted, source_of
from pages.papers.rows import beside
from pages.shell.frame import theme
from pages.state.keys import Key, kept
from pages.state.session import Session
from pages.widgets.layout import chart
from pages.widgets.pickers import menu
from pages.widgets.text import line, note

MADE: Key[Progress | None] = Key("losses made again", None)
_OWN, _LOADED = later("sample of synthetic households"), later("the loaded table")


def _wanted(session: Session) -> Wanted:
    """Return the reproduction with the chosen columns of the loaded table or of the sample."""
    numbers, categories = (_names(session, kind) for kind in (Numbers, Categories))
    data, number, category, largest = st.columns(4)
    with data:
        offered = [_LOADED, _OWN] if numbers and categories else [_OWN]
        chosen = menu(tr("Data"), {one: tr(one) for one in offered}, "losses made again from")
    with largest:
        k = int(st.number_input(tr("Largest k"), 2, 1_000, key=kept("losses made again k", 100)))
    if chosen == _OWN:
        return LossFigures(largest_k=k), None
    with number:
        one = menu(tr("Number"), numbers, f"number of losses {session.table.digest}")
    with category:
        other = menu(tr("Category"), categories, f"category of losses {session.table.digest}")
    return LossFigures(one, other, k), source_of(session)


def _names(session: Session, kind: type[Column]) -> list[str]:
    """Return the columns of a kind that are not private, quasi-identifiers first."""
    found = [c.attribute for c in session.table.columns if isinstance(c, kind) and not c.attribute.is_private]
    return [a.name for a in sorted(found, key=lambda a: a.role != "quasi_identifier")]


def _draw(rows: Sequence[Row]) -> None:
    """Draw the three figures of each distance in a row, all on one scale."""
    found, titles = curves(rows), {row.part.table: row.part.title for row in rows}
    span = span_of(list(found.values()))
    for name in beside(3, found):
        line("", titles[name])
        chart(loss_figure(found[name], None, span, theme()), f"again {name}")
        note(loss_sentence(found[name]))


FIGURES = Panel(
    title=later("Reproduce figures 4.1 to 4.6 of the paper"),
    about=later(
        "Loss of a number, of a category and of both, by k. Records are grouped in the order of"
        " the number (D_A), of the category (D_B), or of the category and then the number (D_C)."
        " There are two distances between categories."
    ),
    start=later("Compute the figures"),
    file="figures-4.1-to-4.6.csv",
    state=MADE,
    wanted=_wanted,
    draw=_draw,
)
