"""Choices that stay while their control is not on screen, such as while another page or view is open."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

import streamlit as st


def kept(key: str, first: Any, among: Container[Any] | None = None) -> str:
    """The key of a control that is drawn next, set to what was last chosen there, before that to ``first``.

    Streamlit forgets a control that a run does not draw. Where ``first`` itself was left standing, it may be
    another one when the control comes back. ``among``: what is offered now; of a list the rest is taken out,
    and one value that is not offered any more gives way to ``first``.
    """
    known: dict[str, Any] = st.session_state.setdefault("kept choices", {})
    chosen = st.session_state.get(key, known.get(key, first))
    if among is not None and isinstance(chosen, list):
        chosen = [one for one in chosen if one in among]
    elif among is not None and chosen not in among:
        chosen = first
    st.session_state[key] = chosen
    known.pop(key, None)
    if chosen != first:
        known[key] = chosen
    return key
