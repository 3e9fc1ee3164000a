"""Presenter mode, for a room: large type, one message, no menus; next and back by keys or by a clicker.

Any view of a page can be presented:

- The page calls `stage` once, before its views: it draws the switch, which Alt+P presses too, and in
  presenter mode makes everything larger and hides the menu, the heading and the status bar.
- What only matters to whoever prepares (choices, further links) is drawn within ``with unpresented("name"):``
  and is hidden then; or the view asks `presenting`.
- The one message is said by `message`: large in presenter mode, a sentence like others otherwise.
- A view whose next and back are Streamlit's buttons gives them the keys `NEXT` and `BACK`
  (``button(…, key=NEXT)``): the arrow keys and Page Up and Page Down of a clicker press them, Escape leaves.
  They may stand in an `unpresented` part: hidden buttons are pressed as well. A component with keys of its
  own takes them first and calls ``event.preventDefault()``.

It is made for 1280 × 720: pictures are best ``height: 62vh``, as the player's are.
"""

from __future__ import annotations

from typing import Literal

import streamlit as st

from kanon_core.base.assets import ASSETS
from kanon_core.base.words import tr
from pages.shell.private import Place
from pages.state.keys import Key
from pages.widgets.pickers import button
from pages.widgets.text import marked

NEXT, BACK = "present-next", "present-back"
"""The keys of the buttons that a clicker presses."""
PRESENTING = Key("presenting", False)
_keys = st.components.v2.component("kanon.presenting", js=(ASSETS / "presenting.js").read_text("utf-8"))


def presenting() -> bool:
    """Return whether the page is shown to a room."""
    return PRESENTING.get()


def stage() -> None:
    """Show the switch, the keys, and in presenter mode the large type; once on a page, before its views."""
    on = presenting()
    if on:
        st.html('<div class="presenting"></div>')
    button(
        tr("Exit") if on else tr("Present"),
        PRESENTING.set,
        not on,
        icon="close_fullscreen" if on else "present_to_all",
        help=tr(
            "Press Alt+P to switch presenter mode on or off. Use the arrow keys or a clicker to move"
            " forward and back."
        ),
        key="present",
    )
    _keys(key="presenting-keys")


def unpresented(name: str, width: Literal["stretch", "content"] = "stretch") -> Place:
    """Return a container that is hidden in presenter mode; ``name``: which one of the page."""
    return st.container(key=f"unpresented-{name}", width=width)


def message(*parts: object) -> None:
    """Show the message of the moment, every second part bold."""
    st.html(f'<p class="sentence message">{marked(parts)}</p>')


def step_keys() -> None:
    """Let the arrow keys and a clicker press the buttons `NEXT` and `BACK` of the person lens."""
    _keys(key="step-keys")
