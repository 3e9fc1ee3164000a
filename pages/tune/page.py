"""Tune: choose an algorithm, move k, and see on one screen the result, its loss and the findings."""

from __future__ import annotations

import streamlit as st

import kanon_core as kc
from kanon_core.base.anytime import UNCOMPILED
from kanon_core.base.words import later, tr
from pages.shell.frame import open_page, ready
from pages.shell.private import Place
from pages.shell.status import status_bar
from pages.state.jobs import release_of
from pages.state.session import Session, current
from pages.tune.answer import answer, limit
from pages.tune.curve import curve
from pages.tune.details import details
from pages.tune.figures import all_checked, all_found, brief, figures, verdict, worst_finding
from pages.tune.pictures import picture
from pages.widgets import sentences
from pages.widgets.beforeafter import side_by_side
from pages.widgets.controls import algorithm_menu, further_controls, k_slider
from pages.widgets.findings import look_further
from pages.widgets.guarantees import other_guarantees
from pages.widgets.lens import lens
from pages.widgets.live import under_the_thumb
from pages.widgets.text import note, sentence
from pages.widgets.wholecells import run_on_everything, sample_said

UNFINISHED = later(
    "This computer is still compiling the code of this search, the first time only. The search was therefore"
    " slower and its result may improve. After compilation, it runs again when you change a setting."
)


@st.fragment
def tune() -> None:
    """Draw everything that moves with the slider."""
    session = current()
    with st.container(key="top", gap=None):
        bar, headline = st.container(key="state"), st.container()
    with st.container(key="seat"):
        left, right = st.columns([10, 31], gap="small")
    with right:
        with st.container(key="tiles"):
            middle, last = st.columns(2, gap="small")
        beneath = st.container(key="beneath")
    with left:
        line, work = controls(session)
    with headline:
        answer(session)
    with under_the_thumb(session) as held:
        with work:
            release = release_of(session)
        with bar:
            status_bar(session, release, brief=True)
            sample_said(session)
        with last, st.container(border=True, key="curve-tile", height="stretch", gap="xsmall"):
            curve(session, release)
        if release is None:
            return
        with line:
            brief(session, release)
        with left, st.container(key="results", gap="xsmall"):
            results(session, release)
        with middle, st.container(border=True, key="picture-tile", height="stretch", gap="xsmall"):
            picture(session, release)
        with beneath:
            run_on_everything(session, release)
            below(session, release)
        other_guarantees(session, release)
        details(session, release)
    if not held:
        lens(session)
        look_further(session, release)


def results(session: Session, release: kc.Release) -> None:
    """Show figures, verdict, and findings."""
    figures(session, release)
    verdict(session, release)
    worst_finding(session, release)
    with st.container(horizontal=True, gap="xsmall", key="behind"):
        all_found(session, release)
        all_checked(session, release)


def controls(session: Session) -> tuple[Place, Place]:
    """Show algorithm and k; return the place below the slider that stays in view with it on a phone, and the
    place of progress, below the slider so that it does not move it."""
    with st.container(key="controls", gap="xsmall"):
        algorithm_menu(session)
        with st.container(key="held", gap="xsmall"):
            k_slider(session)
            line = st.container(key="brief-line")
        further_controls(session)
        limit(session)
        work = st.container(key="work")
    return line, work


def below(session: Session, release: kc.Release) -> None:
    """Show the sentence, what changed, and before and after."""
    sentence(*sentences.sentence(session, release))
    if UNCOMPILED in release.report:
        note(tr(UNFINISHED))
    if changed := sentences.change(session):
        note(changed)
    if session.table.schema.of_role("other"):
        note(sentences.columns_as_agreed(session, release), 20_000)
    side_by_side(session, release)


if ready(open_page("tune")):
    tune()
