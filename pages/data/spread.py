"""How far apart the records of the table are: the histogram of pairwise distances."""

from __future__ import annotations

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.charts.table.distances import chosen_pairs, spread_figure, spread_sentence
from pages.shell.frame import theme
from pages.state.jobs import working
from pages.state.keys import Key
from pages.state.session import Session
from pages.widgets.layout import chart, fold
from pages.widgets.text import info, note

_OPEN = Key("spread of records", False)


def histogram(session: Session) -> None:
    """The histogram and its sentence; made only while open."""
    box = fold(tr("How far apart records are"), "equalizer", _OPEN.name)
    if not box.open:
        return
    with box:
        if not session.table.quasi:
            st.caption(tr("Give a column the role quasi-identifier first."))
            return
        try:
            with working(lambda: _OPEN.set(False), "stop spread", "measuring") as tick:
                chosen_pairs(session.table, tick)
            figure = spread_figure(session.table, theme())
        except kc.KanonError as reason:
            info(reason)
            return
        chart(figure, "spread")
        note(
            tr(
                "{sentence} The distances are those chosen above, added up over the"
                " quasi-identifiers with their weights."
            ).format(sentence=spread_sentence(session.table))
        )
