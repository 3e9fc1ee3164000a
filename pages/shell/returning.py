"""Who comes back finds everything: after a reload, or within the hour, the session this browser left; else
what the address asks for."""

from __future__ import annotations

from functools import partial

import streamlit as st

from kanon_core.base.words import tr
from pages.shell import private, tabs
from pages.shell.browsers import COOKIE
from pages.state import address
from pages.state.keys import Key
from pages.state.memory import Memory
from pages.state.person import here
from pages.state.session import BACK, Session, begun, current, take_over
from pages.widgets.text import info, warning

_SAID = Key("said on return", "")


@st.cache_resource(show_spinner=False)
def memory() -> Memory:
    """The one memory of this server."""
    made = Memory(private.is_open)
    made.tidy_for_ever()
    return made


def session_here(studies: bool = False) -> Session:
    """The session of this tab: its own, the one that this browser left, or a new one; then as the address
    asks. ``studies``: the page has tables of its own, and the rest of its address is about them."""
    wanted = {} if begun() else address.asked()
    if studies:
        wanted = {"table": address.OWN} if address.names_own_table(wanted) else {}
    BACK.set(False)
    if not begun():
        found = memory().resume(_cookie(), partial(_suits, wanted))
        if found is not None:
            take_over(found)
            BACK.set(True)
        elif address.names_own_table(wanted):
            _SAID.set(
                tr(
                    "The table of this address is no longer in the memory of the server: it is kept for"
                    " an hour at most after its page was closed, and gone when the server is restarted. Load"
                    " the file again; algorithm and k are as they were."
                )
            )
    session = current()
    if wanted and (problem := address.follow(session, wanted)):
        warning(problem)
    memory().keep(_cookie(), tabs.seen(), session)
    if said := _SAID.pop():
        info(said)
    return session


def forget() -> None:
    """Drop what the server remembers of this browser."""
    memory().forget(_cookie())


def _suits(wanted: dict[str, str], session: Session) -> bool:
    return not wanted or address.address_of(session)["table"] == wanted.get("table", address.OWN)


def _cookie() -> str:
    """The name of the browser, and of who is signed in there: another person does not find what was left."""
    browser, person = st.context.cookies.get(COOKIE, ""), here()
    return f"{person.name} {browser}" if browser and person else str(browser)
