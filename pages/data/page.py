"""Data: load a table, see it, say what its columns are."""

from __future__ import annotations

import streamlit as st

from kanon_core.base.words import tr
from pages.data import categories, distances, hierarchies, items, preview, roles, source, spread
from pages.shell.frame import go_to, open_page
from pages.shell.status import status_bar
from pages.state.session import Session
from pages.widgets.text import note
from pages.widgets.whose import question


def main(session: Session) -> None:
    """Where the table comes from, what it looks like, what its columns are."""
    bar = st.container()
    asked = question(session)
    left, right = st.columns([1, 2], gap="large")
    with left:
        source.choose(session)
    with right:
        preview.table(session)
    roles.editor(session)
    items.delimiter_controls(session)
    hierarchies.chooser(session)
    categories.chooser(session)
    distances.chooser(session)
    spread.histogram(session)
    with bar:
        status_bar(session, session.kept(session.setting))
    ready = bool(session.table.quasi) and not asked
    if st.button("Explore k", type="primary", icon=":material/arrow_forward:", disabled=not ready):
        go_to("explore")
    if asked:
        note(tr("Say first, at the top of this page, whose the records are."))
    elif not ready:
        st.caption("Give at least one column the role quasi-identifier first.")


main(open_page("data"))
