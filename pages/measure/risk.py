"""The risk–utility map: every finished point of the Trade-off by two measures, with the front that nothing
beats."""

from __future__ import annotations

import streamlit as st

from kanon_core.charts.curves import sentences
from kanon_core.charts.curves.riskmap import front_sentence, risk_figure
from pages.shell.frame import page_file, theme
from pages.state.kept import kept
from pages.state.session import Session
from pages.state.sweeping import TITLES, picked_point, quantities, take
from pages.widgets.text import heading, line, note
from pages.widgets.views import chart

_MENUS = (("Across", "risk across", "WorstRisk"), ("Up", "risk up", "ILSSDM"))
"""Label, key and first choice of each axis."""


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
        point = picked_point("risk map", curves)
        if point is not None:
            take(session, point)

    chart(figure, "risk map", clicked)
    note(f"{front_sentence(points, across, up)} Click a point to make it the current setting.")
    _more(len(points))


def _axes(names: list[str]) -> tuple[str, str]:
    """The two measures; one that this table cannot have is given up."""
    across, up = (
        place.selectbox(
            label,
            names,
            format_func=TITLES.__getitem__,
            key=kept(key, first if first in names else names[0], names),
        )
        for place, (label, key, first) in zip(st.columns(2), _MENUS, strict=True)
    )
    return across, up


def _invitation() -> None:
    with st.container(border=True, key="no points"):
        heading("What does each step of risk cost?")
        line(
            "Every finished setting of the Trade-off page is drawn here by two measures of your choice, with"
            " the front of those that no other setting beats by both. Compute some points there first; they"
            " are kept."
        )
        _link()


def _more(count: int) -> None:
    note(f"The {count:,} points computed on the Trade-off page.")
    _link()


def _link() -> None:
    st.page_link(
        page_file("tradeoff"),
        label="Compute points on the Trade-off page",
        icon=":material/show_chart:",
    )
