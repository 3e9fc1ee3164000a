"""Line of names and their values at the top of a page."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

import streamlit as st


def bar(chips: Iterable[tuple[str, str]], k: int | None = None) -> None:
    """Show one line of names and their values; scripts of the page read ``k``."""
    cells = "".join(f"<span><b>{escape(name)}</b> {escape(text)}</span>" for name, text in chips)
    of = "" if k is None else f' data-k="{k}"'
    st.html(f'<div class="statusbar" role="status"{of}>{cells}</div>')
