"""The risk–utility map: every finished point of the Trade-off by two measures, with the front that nothing beats."""

from __future__ import annotations

import streamlit as st

from kanon_core.charts import sentences
from kanon_core.charts.riskmap import front_sentence, risk_figure
from kanon_core.charts.theme import CONFIG
from kanon_core.charts.tradeoff import picked_setting
from kanon_core.sweeps import SweepPoint
from pages.common.frame import ROOT, theme
from pages.common.session import Session
from pages.common.sweeping import TITLES, quantities
from pages.common.text import heading, line, note

_FIRST = {"risk across": "WorstRisk", "risk up": "ILSSDM"}


def risk_view(session: Session) -> None:
    """The map and what it says; a click on a point makes it the current setting."""
    digest = session.table.digest
    points = [point for (whose, _), point in session.points.items() if whose == digest]
    if not any(not point.problem for point in points):
        _invitation()
        return
    names = quantities(session)
    across, up = _axes(names)
    curves, setting = sentences.curves(points), session.setting
    mine = next(
        (c for c in curves if setting.algorithm in (c.algorithm, *(p.settled for p in c.points))), None
    )
    figure = risk_figure(points, across, up, (mine.label if mine else "", setting.k, setting.seed), theme())

    def clicked() -> None:
        picked = picked_setting(st.session_state["risk map"])
        if picked is not None:
            number, k, seed = picked
            for point in curves[number].points:
                if (point.k, point.seed) == (k, seed):
                    take(session, point)

    st.plotly_chart(
        figure, key="risk map", on_select=clicked, selection_mode="points", theme=None, config=CONFIG,
        alt=figure.layout.meta["alt"],
    )  # fmt: skip
    note(f"{front_sentence(points, across, up)} Click a point to make it the current setting.")
    _more(len(points))


def take(session: Session, point: SweepPoint) -> None:
    """Make a point the setting, with the steps that its time was worth."""
    session.ask(algorithm=point.settled or point.algorithm, k=point.k, seed=point.seed)


def _axes(names: list[str]) -> tuple[str, str]:
    """The two measures; one that this table cannot have is given up."""
    for key, first in _FIRST.items():
        if st.session_state.get(key) not in names:
            st.session_state[key] = first if first in names else names[0]
    left, right = st.columns(2)
    with left:
        across = st.selectbox("Across", names, format_func=TITLES.__getitem__, key="risk across")
    with right:
        up = st.selectbox("Up", names, format_func=TITLES.__getitem__, key="risk up")
    return across, up


def _invitation() -> None:
    with st.container(border=True, key="no points"):
        heading("What does each step of risk cost?")
        line(
            "Every finished setting of the Trade-off page is drawn here by two measures of your choice, with the front of those "
            "that no other setting beats by both. Compute some points there first; they are kept."
        )
        _link()


def _more(count: int) -> None:
    note(f"The {count:,} points computed on the Trade-off page.")
    _link()


def _link() -> None:
    st.page_link(
        ROOT / "pages" / "tradeoff.py",
        label="Compute points on the Trade-off page",
        icon=":material/show_chart:",
    )
