"""Pin control beside the status bar: it pins the current setting and leads to the desk."""

from __future__ import annotations

from html import escape

import streamlit as st

from kanon_core.base.words import tr
from pages.shell.frame import go_to
from pages.state.keys import Key
from pages.state.pins import LETTERS, letter_of, pin, pinned, unpin
from pages.state.session import Session
from pages.widgets.pickers import button

_CLICKED, _COMPARE = Key("pin clicked", False), Key("compare clicked", False)
"""True after a click, until the run that knows the setting."""


def pin_control(session: Session) -> None:
    """Show a button that pins or unpins the current setting, and one that compares the pinned settings; say
    why a click did not pin."""
    if _COMPARE.pop():
        go_to("curves/compare")
    letter, setting = letter_of(session, session.setting), session.setting
    full = False
    if _CLICKED.pop():
        if letter:
            unpin(session, letter)
        else:
            full = not pin(session, setting)
        letter = letter_of(session, setting)
    found = pinned(session)
    with st.container(
        horizontal=True, gap="xsmall", vertical_alignment="center", width="content", key="pins"
    ):
        says, about = tr("Pin"), tr("pin this setting to compare it with others")
        if letter:
            says, about = tr("Unpin {letter}").format(letter=letter), tr("this setting is pinned")
        elif len(found) == len(LETTERS):
            about = _full()
        button(says, _CLICKED.set, True, icon="push_pin", help=about, key="pin")
        if found:
            says = tr("Compare ({count})").format(count=len(found))
            about = tr("compare the pinned settings side by side")
            button(says, _COMPARE.set, True, icon="view_column", help=about, key="compare")
    if full:
        st.html(f'<div class="verdict decide" role="alert"><p>{escape(_full())}</p></div>')


def _full() -> str:
    says = tr("{count} settings are pinned, which is the most. Unpin one to pin this setting.")
    return says.format(count=len(LETTERS))
