"""What pages show alike: tabs of which only the open one is drawn, and charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import streamlit as st

from kanon_core.charts.canvas.theme import CONFIG
from pages.state.kept import kept

if TYPE_CHECKING:
    import plotly.graph_objects as go
    from streamlit.elements.lib.mutable_expander_container import ExpanderContainer


def views(key: str, shown: Mapping[str, Callable[[], None]]) -> None:
    """A tab for each title; what is not looked at is not computed, and the open tab stays open."""
    titles = list(shown)
    tabs = st.tabs(titles, key=kept(key, titles[0], titles), on_change="rerun")
    for tab, draw in zip(tabs, shown.values(), strict=True):
        if tab.open:
            with tab:
                draw()


def fold(title: str, icon: str, key: str) -> ExpanderContainer:
    """A part of the page that is folded until somebody opens it, and stays open when its title changes.

    What is costly to draw is to be drawn only while it is ``open``.
    """
    return st.expander(title, icon=icon, key=kept(key, False), on_change="rerun")


def chart(figure: go.Figure, key: str, clicked: Callable[[], None] | None = None) -> None:
    """A chart with its own colors and its text for those who cannot see it; ``clicked``: what a click on a
    mark does."""
    st.plotly_chart(
        figure,
        key=key,
        on_select=clicked or "ignore",
        selection_mode="points",
        theme=None,
        config=CONFIG,
        alt=figure.layout.meta["alt"],
    )
