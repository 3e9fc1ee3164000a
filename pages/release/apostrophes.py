"""Apostrophes that keep spreadsheets from running texts of a csv file: their number and switch."""

from __future__ import annotations

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.table.writers import marked_cells, marked_said
from pages.state.keys import Key, kept
from pages.state.session import Session
from pages.widgets.text import note

PLAIN = Key("plain cells", False)


def apostrophes(session: Session, release: kc.Release, form: str) -> bool:
    """Show how many cells get an apostrophe, with a toggle to write none. Return whether to write none."""
    if form == "xlsx":
        st.caption(
            tr(
                "Texts that look like formulas are stored as cells of type text. Spreadsheets do not run"
                " them."
            )
        )
    if form != "csv":
        return False
    count = session.picture(("apostrophes",), lambda: marked_cells(release.publish(False)))
    if not count:
        return False
    about = tr("For programs other than spreadsheets: texts that begin with = + - @ stay unchanged")
    plain = st.toggle(tr("Without apostrophes"), key=kept(PLAIN.name, False), help=about)
    note(marked_said(count, plain))
    return plain
