"""Reproduction of tables 2 to 4 of the MIL paper, and of the statements on MIL in the appendix of the ILD
paper."""

from __future__ import annotations

import streamlit as st

from kanon_core.base.words import later, tr
from kanon_core.papers.mil import MILTables
from pages.papers.panel import Panel, Progress, Wanted
from pages.state.keys import Key, kept
from pages.state.session import Session
from pages.widgets.pickers import menu

MADE: Key[Progress | None] = Key("mil made again", None)
_K, _SAMPLES, _RECORDS = (f"mil made again {what}" for what in ("k", "samples", "records"))
_SIZES = {size: f"{size:,}" for size in (100, 1_000, 10_000, 100_000)}


def _wanted(session: Session) -> Wanted:
    left, middle, right = st.columns(3)
    with left:
        k = st.number_input(tr("Largest k"), 2, 150, key=kept(_K, 15))
    with middle:
        seeds = st.number_input(
            tr("Samples"),
            1,
            60,
            key=kept(_SAMPLES, 6),
            help=tr("Samples are drawn at random. The tables show means and ranges."),
        )
    with right:
        largest = menu(tr("Maximum number of records"), _SIZES, _RECORDS, 1_000)
    return MILTables(largest_k=int(k), largest=largest, seeds=int(seeds)), None


TABLES = Panel(
    title=later("Reproduce tables 2 to 4 and A.5 to A.8 of the papers"),
    about=later(
        "Reduction of the loss of MDAV and V-MDAV by MIL, by k, and its judgement count, on"
        " samples drawn from the distributions in the papers."
    ),
    start=later("Compute the tables"),
    file="tables-of-mil.csv",
    state=MADE,
    wanted=_wanted,
)
