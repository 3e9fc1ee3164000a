"""The frame around every screen: pages in the order of the work, style, warm-up."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from kanon_core.base.assets import APP, ASSETS
from kanon_core.base.words import speak
from pages.shell import warmup
from pages.shell.status import status_bar
from pages.state.keys import Key
from pages.state.session import Session, current

NOTHING = "No column is a quasi-identifier: there is nothing to anonymize. Give at least one that role."
_FRAMED, _RUN_AGAIN = Key("framed", False), Key("run again", False)

PAGES = {
    "data": ("Data", ":material/table:"),
    "explore": ("Explore", ":material/tune:"),
    "clusters": ("Clusters", ":material/bubble_chart:"),
    "map": ("Map", ":material/map:"),
    "sets": ("Sets", ":material/shopping_basket:"),
    "histories": ("Histories", ":material/receipt_long:"),
    "concealment": ("Concealment", ":material/compare_arrows:"),
    "tradeoff": ("Trade-off", ":material/show_chart:"),
    "measure": ("Measure", ":material/straighten:"),
    "export": ("Export", ":material/download:"),
}


def page_file(name: str) -> Path:
    """The script of a page."""
    return APP / "pages" / name / "page.py"


def navigate() -> None:
    """Draw the menu and run the chosen page."""
    chosen = _menu()
    _FRAMED.set(True)
    chosen.run()


def first_look() -> None:
    """What the files ``pages/_<name>.py`` do: name the pages, and run app.py.

    Until app.py has run once, a new server looks for a page that is asked for by its address among the files
    of this folder; without one it would say that there is no such page.
    """
    _menu()
    st.rerun()


def _menu() -> StreamlitPage:
    st.set_page_config(page_title="Kanon", page_icon=str(ASSETS / "icon.png"), layout="wide")
    pages = [
        st.Page(page_file(name), title=title, icon=icon, url_path=name, default=name == "data")
        for name, (title, icon) in PAGES.items()
    ]
    return st.navigation(pages, position="top")


def open_page(title: str, lead: str) -> Session:
    """Called first by every page: the menu, the style, the heading; returns the session."""
    # The first request to a new server may ask for a page by its address; Streamlit then runs the page
    # without app.py, and its controls are others than those of the next run: what was put into them would be
    # lost. So it is run once more at once.
    if not _FRAMED.pop():
        _menu()
        if not _RUN_AGAIN.get():
            _RUN_AGAIN.set(True)
            st.rerun()
    speak(st.context.locale or "en")
    st.html(ASSETS / "style.css")
    session = current()
    st.markdown(f"## {title}")
    st.caption(lead)
    warmup.start()
    return session


def ready(session: Session) -> bool:
    """Whether there is anything to anonymize; says what to do when there is not."""
    if not session.table.quasi:
        status_bar(session, None)
        st.info(NOTHING, icon=":material/info:")
        data_link()
    return bool(session.table.quasi)


def data_link() -> None:
    """A link to where roles and kinds of columns are set."""
    st.page_link(page_file("data"), label="Set the columns on the Data page", icon=":material/table:")


def go_to(name: str) -> None:
    """Switch to another page."""
    st.switch_page(page_file(name))


def theme() -> str:
    """ "dark" or "light", as the browser shows the page."""
    return "dark" if st.context.theme.type == "dark" else "light"
