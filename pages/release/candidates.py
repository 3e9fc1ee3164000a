"""Settings added to the report, each with a comment."""

from __future__ import annotations

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.metrics import ILSSDM, NCP, SuppressedItems, WorstRisk
from kanon_core.runs.sweeps import scored
from pages.state.keys import linked
from pages.state.session import Session
from pages.state.setting import describe
from pages.widgets.curves import is_point_of
from pages.widgets.pickers import button
from pages.widgets.text import note, plain

_MEASURES = (ILSSDM, NCP, SuppressedItems, WorstRisk)
_LETTERS = 500


def candidates(session: Session, release: kc.Release) -> None:
    """Show the settings in the report with their comments, and a button that adds the current setting."""
    for place, (point, comment) in enumerate(session.signing.noted):
        with st.container(horizontal=True, vertical_alignment="bottom"):

            def take(text: str, at: int = place) -> None:
                session.signing.noted[at] = (session.signing.noted[at][0], text.strip())

            name = tr("Candidate: {title}, k = {k}").format(title=describe(point.algorithm), k=point.k)
            tied = linked(f"candidate.{place}", comment, take)
            st.text_input(
                plain(name), placeholder=tr("reasons for or against it"), max_chars=_LETTERS, **tied
            )
            button(
                tr("Remove"),
                session.signing.noted.pop,
                place,
                icon="delete",
                key=f"candidate.gone.{place}",
            )
    here = any(is_point_of(point, session.setting) for point, _ in session.signing.noted)
    button(
        tr("Add this setting to the report"),
        lambda: add(session, release),
        icon="bookmark_add",
        key="candidate.add",
        disabled=here,
    )
    if here:
        note(
            tr(
                "This setting is in the report. To add another setting, choose it on the Tune page and"
                " return here."
            )
        )


def add(session: Session, release: kc.Release) -> None:
    """Add the current setting with its measures to the report."""
    setting = session.setting
    found = {
        cls.__name__: session.measured(setting, release, cls) for cls in _MEASURES if not session.unfit(cls)
    }
    point = scored(release, setting.algorithm, setting.k, setting.seed, found, 0.0)
    session.signing.noted.append((point, ""))
