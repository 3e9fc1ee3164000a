"""Every word explained, one click away on every page."""

from __future__ import annotations

import streamlit as st

from kanon_core.base.words import tr


@st.fragment
def words() -> None:
    """A button in the bar above the page; what is behind it is read and drawn only while it is open, and
    apart from the page."""
    box = st.popover(
        tr("Words"), icon=":material/menu_book:", key="words-open", on_change="rerun", type="tertiary"
    )
    if box.open:
        from pages.widgets.words import glossary

        with box:
            glossary()
