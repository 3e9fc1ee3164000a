"""Learn: lessons, the steps of each algorithm, exercises and papers, for one person or a room."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from kanon_core.base.words import counted, tr
from pages.learn.begin import VIEW, begin, say
from pages.learn.exercise import exercise_chips, exercises_view
from pages.learn.lessons import lessons_view
from pages.learn.papers import papers_view
from pages.learn.player import steps_view
from pages.learn.study import study
from pages.shell.frame import open_page
from pages.shell.statusline import bar
from pages.state.keys import Key
from pages.state.session import Session, current
from pages.widgets.pickers import UNLABELED, choice
from pages.widgets.presenting import stage, unpresented
from pages.widgets.sentences import table_name

VIEWS: dict[str, tuple[Callable[[], str], Callable[[Session], Mapping[str, str]]]] = {
    "lessons": (lambda: tr("Lessons"), lessons_view),
    "steps": (lambda: tr("Step by step"), steps_view),
    "exercises": (lambda: tr("Exercises"), exercises_view),
    "papers": (lambda: tr("Papers"), lambda session: {}),
}
"""By name in the address: the title, and the function that draws the view and returns its part of the
address."""
PAPERS = "papers"
_OUTSIDE = Key("papers-outside", False)
"""True if the papers are drawn outside the fragment: their Stop can interrupt only a run of the whole
page."""


@st.fragment
def learn() -> None:
    """Show the chosen view."""
    session = current()
    begin(session, VIEWS)
    with st.container(horizontal=True, vertical_alignment="center", key="learn-top"):
        with unpresented("views", "content"):
            titles = {name: title() for name, (title, _) in VIEWS.items()}
            view = choice(tr("View"), titles, VIEW.name, **UNLABELED)
        stage()
    if (view == PAPERS) != _OUTSIDE.get():
        st.rerun()
    more = VIEWS[view][1](session)
    say(view, more)
    if view == "steps":
        bar(_chips(study(session)))
    elif view == "exercises":
        bar(exercise_chips(study(session)))


def _chips(session: Session) -> list[tuple[str, str]]:
    records = counted(len(session.table), "record")
    return [
        (tr("table"), f"{table_name(session).removesuffix(f' ({len(session.table):,})')}, {records}"),
        (tr("algorithm"), session.setting.title),
        ("k", f"{session.setting.k:,}"),
    ]


open_page("learn")
_OUTSIDE.set(VIEW.get() == PAPERS)
learn()
if _OUTSIDE.get():
    papers_view(current())
