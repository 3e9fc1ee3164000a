"""What is typed, or set by a slider, just before a click reaches the server first; no click is lost by it."""

from __future__ import annotations

import streamlit as st

from kanon_core.base.assets import ASSETS

_hold = st.components.v2.component("kanon.leaving", js=(ASSETS / "leaving.js").read_text("utf-8"))


def hold() -> None:
    """Let a click that opens another page, or hands over a file, wait until what was typed or set by a slider
    is with the server; and let a button stay where it is until it is released."""
    _hold(key="leaving", width="content")
