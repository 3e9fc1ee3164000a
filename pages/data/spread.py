"""How far apart the records of the table are: the histogram of pairwise distances."""

from __future__ import annotations

import streamlit as st

import kanon_core as kc
from kanon_core.charts.table.distances import chosen_pairs, spread_figure, spread_sentence
from pages.shell.frame import theme
from pages.state.jobs import ticker
from pages.state.session import Session
from pages.widgets.text import info, note
from pages.widgets.views import chart, fold

_BOX = "spread of records"


def histogram(session: Session) -> None:
    """The histogram and its sentence; made only while open."""
    box = fold("How far apart records are", ":material/equalizer:", _BOX)
    if not box.open:
        return
    with box:
        if not session.table.quasi:
            st.caption("Give a column the role quasi-identifier first.")
            return
        try:
            place = st.empty()
            chosen_pairs(session.table, ticker(place, _close, "stop spread", "measuring"))
            place.empty()
            figure = spread_figure(session.table, theme())
        except kc.KanonError as reason:
            info(reason)
            return
        chart(figure, "spread")
        note(
            f"{spread_sentence(session.table)} The distances are those chosen above, added up over the"
            " quasi-identifiers with their weights."
        )


def _close() -> None:
    st.session_state[_BOX] = False
