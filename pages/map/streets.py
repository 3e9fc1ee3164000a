"""A street map below the rectangles: off until somebody switches it on."""

from __future__ import annotations

import streamlit as st

from kanon_core.base.errors import OptionError
from kanon_core.base.streets import TileServer, name_for, tile_servers
from kanon_core.base.words import tr
from pages.shell.browsers import COOKIE
from pages.state.keys import Key, kept
from pages.widgets.pickers import button
from pages.widgets.text import info, note, warning

_ADDRESS, _CREDIT = Key("tiles-address", ""), Key("tiles-credit", "")
_PROBLEM, _RELOAD = Key("tiles-problem", ""), Key("tiles-reload", False)


def streets() -> tuple[str, str] | None:
    """Return address and credit of the tile server that is switched on, or None; draws the controls."""
    browser = st.context.cookies.get(COOKIE, "")
    known = tile_servers(browser)
    on = st.toggle(tr("Street map"), key=kept("tiles", False))
    if not on:
        return None
    if not known or st.toggle(tr("Another tile server"), key=kept("tiles-other", False)):
        _ask(browser)
    if not known:
        note(tr("Until you name one, the browser asks no other machine for anything."))
        return None
    host = known[0].origin.split("://")[1]
    warning(
        tr(
            "The tile server {host} learns which area you look at, and from which server. No record is sent"
            " to it."
        ).format(host=host),
        ":material/cloud:",
    )
    if _RELOAD.get():
        info(tr("Reload the page once: the browser then admits pictures of this one server."))
        return None
    return known[0].address, known[0].credit


def _ask(browser: str) -> None:
    """The address of a tile server, for this browser alone."""
    example = "https://tiles.example.org/{z}/{x}/{y}.png"
    st.text_input(tr("Address of a tile server"), key=_ADDRESS.name, placeholder=example)
    st.text_input(
        tr("Whose the map is"), key=_CREDIT.name, help=tr("shown on the map; its license may ask for it")
    )
    button(tr("Use this tile server"), _take, browser, icon="public", key="tiles-use")
    if problem := _PROBLEM.get():
        warning(problem)


def _take(browser: str) -> None:
    _PROBLEM.set("")
    try:
        name_for(browser, TileServer(_ADDRESS.get().strip(), _CREDIT.get().strip()))
        _RELOAD.set(True)
    except OptionError as problem:
        _PROBLEM.set(str(problem))
