"""First minutes by role: the same pages in the order in which somebody needs them, chosen in the bar above
the page and never asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import streamlit as st

from kanon_core.base.words import later, tr
from pages.state.classroom import files_refused
from pages.state.keys import Key
from pages.state.opening import choose, opening

_OPEN, _CHOSEN = Key("opening-open", False), Key("opening chosen", False)


@dataclass(frozen=True)
class Opening:
    """Who somebody is, what they are here to do, what comes first then, and the addresses of the pages that
    stand in the bar itself, in order; all others follow as they stand for everybody."""

    who: str
    title: str
    says: str
    order: tuple[str, ...]


OPENINGS: Mapping[str, Opening] = {
    "analyst": Opening(
        later("Analyst"),
        later("Tune k before I hand data over"),
        later("First your table, then k: what it costs and what it protects."),
        ("data", "tune", "tradeoff", "measure", "export", "check"),
    ),
    "officer": Opening(
        later("Privacy officer"),
        later("Sign a release"),
        later("First whether a released file is what it claims, then who could be found in it."),
        ("check", "risk", "attack", "export", "data", "tune"),
    ),
    "teacher": Opening(
        later("Teacher"),
        later("Teach"),
        later("First how it works: lessons, and who hides behind whom."),
        ("learn", "clusters", "tune", "concealment", "data"),
    ),
}
"""By the name that stands in the address."""
NEED_FILES = ("check",)
"""Pages that show nothing without a file."""


def arranged(pages: Collection[str]) -> tuple[str, ...]:
    """Return which of these pages stand first in the menu, in order, each in the bar itself; none while
    nobody has said what for."""
    chosen = OPENINGS.get(opening())
    return tuple(name for name in chosen.order if name in pages) if chosen else ()


def begins(name: str, pages: Collection[str]) -> str:
    """The page on which an opening begins: the first of its pages that is there and can show something."""
    without = NEED_FILES if files_refused() else ()
    return next(page for page in OPENINGS[name].order if page in pages and page not in without)


@st.fragment
def openings(pages: Collection[str], go_to: Callable[[str], None]) -> None:
    """A button in the bar above the page that says for whom the menu is arranged, and the choices behind it:
    ``pages`` are there, and ``go_to`` leads to one."""
    if _CHOSEN.pop():
        _OPEN.set(False)
    now = opening()
    title = tr(OPENINGS[now].who) if now in OPENINGS else tr("I am here to …")
    box = st.popover(
        title, icon=":material/flag:", key=_OPEN.name, on_change="rerun", type="tertiary", width="content"
    )
    if not box.open:
        return
    with box:
        st.caption(tr("The menu then begins with what you need first. Every page stays in it."))
        for name, one in OPENINGS.items():
            if _choice(tr(one.title), tr(one.says), f"opening-{name}", name == now):
                _chosen(name)
                go_to(begins(name, pages))
        if now in OPENINGS and _choice(tr("The menu as it was"), "", "opening-none", False):
            _chosen("")
            st.rerun()


def _choice(title: str, says: str, key: str, chosen: bool) -> bool:
    """A button with a sentence below it; whether it was pressed now."""
    icon = ":material/check:" if chosen else None
    pressed = st.button(title, key=key, icon=icon, width="stretch")
    if says:
        from pages.widgets.text import plain

        st.caption(plain(says, 200))
    return pressed


def _chosen(name: str) -> None:
    choose(name)
    _CHOSEN.set(True)
