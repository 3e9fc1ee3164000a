"""Cards of the examples: a picture, a question, and one click to the page that answers it."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from html import escape

import streamlit as st

from kanon_core.base.assets import ASSETS
from kanon_core.base.words import tr
from pages.shell.examples import EXAMPLES, Example, open_example
from pages.shell.frame import go_to, theme
from pages.shell.page_address import SAMPLE
from pages.state.limits import files_refused
from pages.state.session import Session

_LETTERS = {"light": "#1f2430", "dark": "#f3f4f6"}
_chooser = st.components.v2.component("kanon.chooser", js=(ASSETS / "chooser.js").read_text("utf-8"))


def cards(session: Session) -> None:
    """Show a card for each example, while a sample is loaded: who has a table of their own has begun."""
    if not session.source.startswith(SAMPLE):
        return
    shown = [one for one in EXAMPLES if one.sample or not files_refused()]
    with st.container(key="examples"):
        for place, one in zip(st.columns(len(shown), gap="small"), shown, strict=True):
            with place, st.container(border=True, height="stretch", gap=None, key=f"card-{one.name}"):
                _card(session, one)
    _chooser(key="chooser", width="content")


def _card(session: Session, one: Example) -> None:
    """Show a card. All of it presses its button; that of one's own file also opens the browser's dialog."""
    st.html(f'<img class="drawn" src="{_picture(one.name, theme())}" alt="{escape(tr(one.picture))}"/>')
    title = tr(one.title)
    if st.button(title, key=f"example-{one.name}", type="tertiary"):
        open_example(session, one, go_to)
    st.html(f'<p class="note">{escape(tr(one.asks))}</p>')


@cache
def _picture(name: str, theme: str) -> str:
    """Return a picture as the address of its contents, in the color of the letters: what a page shows as an
    image does not know it."""
    text = (ASSETS / "examples" / f"{name}.svg").read_text("utf-8")
    drawn = text.replace("currentColor", _LETTERS[theme])
    return f"data:image/svg+xml;base64,{b64encode(drawn.encode()).decode()}"
