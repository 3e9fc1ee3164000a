"""Send a change made just before a click to the server first; neither is lost."""

from __future__ import annotations

import streamlit as st

from kanon_core.base.assets import ASSETS

_hold = st.components.v2.component("kanon.leaving", js=(ASSETS / "leaving.js").read_text("utf-8"))


def hold() -> None:
    """Let a click that opens another page, or hands over a file, wait until what was typed, slid, ticked or
    opened before it is with the server; and let a button stay where it is until it is released."""
    _hold(key="leaving", width="content")
