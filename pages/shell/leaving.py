"""What is typed, or set by a slider, just before a click on another page reaches the server first."""

from __future__ import annotations

import streamlit as st

from kanon_core.base.assets import ASSETS

_hold = st.components.v2.component("kanon.leaving", js=(ASSETS / "leaving.js").read_text("utf-8"))


def hold() -> None:
    """Let a click that opens another page wait until what was typed or set by a slider is with the
    server."""
    _hold(key="leaving", width="content")
