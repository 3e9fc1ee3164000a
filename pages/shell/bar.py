"""Buttons in the bar above every page: every word explained, and how a class comes in."""

from __future__ import annotations

from html import escape

import streamlit as st

from kanon_core.base.words import tr
from pages.state.classroom import classroom


@st.fragment
def words() -> None:
    """A button in the bar above the page; what is behind it is read and drawn only while it is open, and
    apart from the page."""
    box = st.popover(
        tr("Words"), icon=":material/menu_book:", key="words-open", on_change="rerun", type="tertiary"
    )
    if box.open:
        from pages.widgets.glossary import glossary

        with box:
            glossary()


@st.fragment
def join() -> None:
    """A button in the bar above the page of a server for a class; nothing anywhere else."""
    room = classroom()
    if room is None:
        return
    box = st.popover(
        tr("Join"), icon=":material/qr_code_2:", key="join-open", on_change="rerun", type="tertiary"
    )
    if box.open:
        import segno

        from pages.widgets.text import plain

        picture = segno.make(room.address).svg_data_uri(scale=8, border=4, light="white")
        alt = tr("QR code of {address}").format(address=room.address)
        with box:
            st.html(f'<img class="qr" src="{escape(picture)}" alt="{escape(alt)}"/>')
            st.html(f'<p class="sentence"><b>{escape(room.address)}</b></p>')
            st.caption(plain(_allowed(room.uploads), 200))


def _allowed(uploads: bool) -> str:
    """Return who can come in, and what they may open."""
    files = tr("Everybody on this network can come in. Their files go to the computer that runs Kanon.")
    none = tr("Everybody on this network can come in. Samples only: the server takes no files.")
    return files if uploads else none
