"""A street map below the rectangles: off until somebody switches it on."""

from __future__ import annotations

import streamlit as st

from kanon_core.base.errors import OptionError
from kanon_core.base.streets import EXAMPLE, TileServer, name_for, tile_servers
from kanon_core.base.words import tr
from pages.shell.headers import COOKIE
from pages.state.keys import Key, linked
from pages.widgets.pickers import button
from pages.widgets.text import info, note, warning

_ADDRESS, _CREDIT = Key("tiles-address", ""), Key("tiles-credit", "")
_ON = Key("street map", False)
_PROBLEM, _NEW = Key("tiles-problem", ""), Key("tiles-new", False)


def streets(of: str) -> TileServer | None:
    """Return the tile server whose maps are switched on for the table of this digest; draws the controls."""
    browser = st.context.cookies.get(COOKIE, "")
    known = next(iter(tile_servers(browser)), None)
    if known is None:
        note(tr("Street map: name a tile server. Until then the browser asks no other machine for anything."))
        _ask(browser)
        return None
    says = tr(
        "When it is on, the tile server {host} learns which area you look at and the address of this Kanon"
        " server. No record is sent to it."
    )
    on = _ON.of(of)  # not kept with the session: after a reload, nobody is asked before it is switched on
    st.toggle(tr("Street map"), **linked(f"tiles {of}", on.get(), on.set))
    warning(says.format(host=known.host), ":material/cloud:")
    button(tr("Forget my tile server"), _forget, browser, icon="public_off", key="tiles-forget")
    if on.get() and _NEW.get():
        says = tr(
            "Reload the page and switch the street map on: the browser then allows pictures of this server."
        )
        info(says)
        return None
    return known if on.get() else None


def credited(server: TileServer | None) -> None:
    """Show a line below the map that says which server is asked for streets."""
    if server is not None:
        says = tr("Streets are asked for at {host}, which learns which area you look at.")
        note(says.format(host=server.host))


def _ask(browser: str) -> None:
    """The address of a tile server, for this browser alone."""
    if not browser:
        note(tr("This browser keeps no cookie of this server, so that nothing can be remembered for it."))
        return
    st.text_input(tr("Address of a tile server"), key=_ADDRESS.name, placeholder=EXAMPLE)
    about = tr("Shown on the map. The license of the map may ask for it.")
    st.text_input(tr("Credit line"), key=_CREDIT.name, help=about)
    button(tr("Use this tile server"), _take, browser, icon="public", key="tiles-use")
    if problem := _PROBLEM.get():
        warning(problem)


def _take(browser: str) -> None:
    _PROBLEM.set("")
    try:
        name_for(browser, TileServer(_ADDRESS.get().strip(), _CREDIT.get().strip()))
        _NEW.set(True)
    except OptionError as problem:
        _PROBLEM.set(str(problem))


def _forget(browser: str) -> None:
    name_for(browser, None)
