"""Layout that pages share: tabs of which only the open one is drawn, parts that fold, panels, charts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import streamlit as st

from kanon_core.base.assets import ASSETS
from kanon_core.charts.canvas.theme import CONFIG
from pages.shell.private import Fold
from pages.state.keys import Key, kept
from pages.widgets.text import heading, line, plain

if TYPE_CHECKING:
    import plotly.graph_objects as go

T = TypeVar("T")
_js, _css = ((ASSETS / f"drawing.{kind}").read_text("utf-8") for kind in ("js", "css"))
_shown = st.components.v2.component("kanon.drawing", js=_js, css=_css)


def views(key: str, shown: Mapping[str, Callable[[], None]]) -> None:
    """Show a tab for each title; only the open tab is computed, and it stays open."""
    titles = list(shown)
    tabs = st.tabs(titles, key=kept(key, titles[0], titles), on_change="rerun")
    for tab, draw in zip(tabs, shown.values(), strict=True):
        if tab.open:
            with tab:
                draw()


def fold(title: str, icon: str, key: str) -> Fold:
    """Show a part of the page that is folded until it is opened, and stays open when its title changes.

    Draw costly contents only while it is ``open``.
    """
    return st.expander(plain(title), icon=f":material/{icon}:", key=kept(key, False), on_change="rerun")


def boxed(text: str, language: str | None = None) -> None:
    """Show code in a box that scrolls, by keys as well."""
    with st.container(height=420):
        st.code(text, language=language, wrap_lines=True)


@contextmanager
def lazy_popover(title: str, key: str, icon: str) -> Iterator[bool]:
    """Show a small button; its contents are drawn only while it is open. Yield whether it is."""
    box = st.popover(
        plain(title), key=key, on_change="rerun", type="tertiary", icon=f":material/{icon}:", width="content"
    )
    with box, st.container(key=f"later-{key}"):
        yield bool(box.open)


@contextmanager
def panel(key: str, title: str, *lines: str) -> Iterator[None]:
    """Draw a framed part of the page, with its heading; the caller draws its contents."""
    with st.container(border=True, key=key):
        heading(title)
        for text in lines:
            line(text)
        yield


def chart(
    figure: go.Figure,
    key: str,
    picked: Callable[[Any], T | None] | None = None,
    take: Callable[[T], object] | None = None,
    **options: Any,
) -> str:
    """Show a chart with its own colors; return its text, which is also for those who cannot see it.

    ``picked`` reads from Streamlit's selection what a click chose, and ``take`` is given it.
    """

    def clicked() -> None:
        found = picked(Key[Any](key, None).get()) if picked else None
        if found is not None and take is not None:
            take(found)

    st.plotly_chart(
        figure,
        key=key,
        on_select=clicked if picked else "ignore",
        selection_mode="points",
        theme=None,
        config=CONFIG,
        alt=figure.layout.meta["alt"],
        **options,
    )
    return str(figure.layout.meta["alt"])


def drawn(
    drawing: str,
    key: str,
    picked: Callable[[Any], T | None] | None = None,
    take: Callable[[T], object] | None = None,
    grows: bool = False,
) -> None:
    """Show a drawing of `kanon_core.charts.drawing`. It is made without a chart library, so that it follows a
    slider at once. Its points have texts and answer a click, or arrow keys and Enter. ``picked`` and
    ``take``: see `chart`. ``grows``: it takes all the height that there is, at least its own."""

    def clicked() -> None:
        event = Key[Any](key, None).get()
        found = picked(event) if picked else None
        if found is not None and take is not None:
            take(found)

    height: Literal["stretch", "content"] = "stretch" if grows else "content"
    _shown(key=key, data={"drawing": drawing, "grows": grows}, height=height, on_selection_change=clicked)
