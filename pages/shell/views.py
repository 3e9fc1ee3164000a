"""Views of a page: it shows one of them at a time, and its address names the one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

import streamlit as st

from kanon_core.base.words import tr
from pages.shell.menu import PAGES
from pages.state.keys import Key, drawn_page, linked

PARAMETER = "view"
"""The parameter of the address, as in ``clusters?view=people``."""
_CHOSEN = Key("view", "")


def chosen_view(page: str) -> str:
    """Return the view of a page that is open, or opens first; "" for a page without views."""
    name, views = _CHOSEN.of(page).get(), PAGES[page].views
    return name if name in views else next(iter(views), "")


def choose_view(page: str, name: str) -> None:
    """Open a view of a page."""
    _CHOSEN.of(page).set(name)


def follow_address(page: str) -> None:
    """Open the view that the address names. Use it only when a page begins: later, the address that a browser
    sends with a click may be older than the choice."""
    name = st.query_params.get(PARAMETER, "")
    if name in PAGES[page].views:
        choose_view(page, name)


def view_in_address() -> dict[str, str]:
    """Return the part of the address that names the view, if it is not the first."""
    page = drawn_page()
    views = PAGES[page].views if page in PAGES else {}
    name = chosen_view(page) if views else ""
    return {PARAMETER: name} if name != next(iter(views), "") else {}


def show_view(page: str, shown: Mapping[str, Callable[[], None]], fitting: Collection[str] = ()) -> None:
    """Show the switch between views, and the open one. ``fitting``: the views that the switch offers beside
    the open one; all, if none is given."""
    chosen = chosen_view(page)
    offered = [name for name in shown if not fitting or name in fitting or name == chosen]
    if len(offered) > 1:
        tied = linked(f"view of {page}", chosen, lambda name: choose_view(page, name))
        with st.container(key="views"):
            st.segmented_control(
                tr("View"),
                offered,
                format_func=lambda name: tr(PAGES[page].views[name].title),
                label_visibility="collapsed",
                required=True,
                **tied,
            )
    shown[chosen]()
