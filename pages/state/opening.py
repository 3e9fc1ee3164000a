"""For whom the menu is arranged: chosen once, kept for the tab, and in its address (``for=teacher``)."""

from __future__ import annotations

import streamlit as st

from pages.state.keys import Key

IN_ADDRESS = "for"
_OPENING: Key[str] = Key("opening", "")


def opening() -> str:
    """The name of what was chosen, "" while nothing was. A tab that begins follows its address; later the
    address follows the tab."""
    if not _OPENING.is_set:
        _OPENING.set(st.query_params.get(IN_ADDRESS, ""))
    return _OPENING.get()


def choose(name: str) -> None:
    """Arrange the menu for somebody else; "": as for everybody."""
    _OPENING.set(name)


def in_address() -> dict[str, str]:
    """Return what the address says of it."""
    name = opening()
    return {IN_ADDRESS: name} if name else {}
