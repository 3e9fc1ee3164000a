"""Data: load a table, view it, and set the roles of its columns."""

from __future__ import annotations

import streamlit as st

from kanon_core.base.words import tr
from pages.data import (
    categories,
    distances,
    examples,
    hierarchies,
    history,
    identifying,
    preview,
    reopening,
    roles,
    source,
    values,
)
from pages.shell.frame import go_to, open_page
from pages.shell.status import status_bar
from pages.state.session import Session
from pages.widgets.owners import owner_question
from pages.widgets.text import note
from pages.widgets.wholecells import settled


def main(session: Session) -> None:
    """Show the source of the table, its first rows, its columns, and the button to the next page."""
    seen = history.track_changes(session)
    bar, way_on = st.columns([6, 1], vertical_alignment="center")
    undecided = owner_question(session)
    with way_on:
        _way_on(session, undecided)
    examples.cards(session)
    left, right = st.columns([2, 3], gap="large")
    with left:
        source.choose(session)
        reopening.chooser(session)
    with right:
        preview.table(session)
    if session.table.whole_cells is None:
        _columns(session, seen)
    else:
        settled(session)
    preview.histogram(session)
    with bar:
        status_bar(session, session.kept(session.setting))


def _columns(session: Session, seen: history.SchemaHistory) -> None:
    """Show the columns and how their values are grouped, replaced and compared."""
    roles.editor(session, seen)
    identifying.ranking(session)
    values.delimiter_controls(session)
    values.order_controls(session)
    values.date_controls(session)
    hierarchies.chooser(session)
    categories.chooser(session)
    distances.chooser(session)


def _way_on(session: Session, undecided: bool) -> None:
    """Show the button to the next page, with the reason if it is disabled."""
    ready = bool(session.table.quasi) and not undecided
    icon = ":material/arrow_forward:"
    if st.button(tr("Tune k"), type="primary", icon=icon, disabled=not ready, width="stretch"):
        session.on_file = False
        go_to("tune")
    if not ready and not undecided:  # the question is right below
        note(tr("Give a column the role quasi-identifier first."))


main(open_page("data"))
