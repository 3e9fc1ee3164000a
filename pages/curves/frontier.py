"""Risk–utility map: every finished point by two measures, with the Pareto front."""

from __future__ import annotations

from functools import partial

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import later, tr
from kanon_core.charts.curves import sentences
from kanon_core.charts.curves.tradeoff import front_sentence, risk_figure
from pages.shell.frame import link_to, theme
from pages.state.comparisons import picked_point, quantities, take_point
from pages.state.session import Session
from pages.widgets.layout import chart, panel
from pages.widgets.pickers import menu
from pages.widgets.text import note

_MENUS = (
    (later("Horizontal axis"), "risk across", "WorstRisk"),
    (later("Vertical axis"), "risk up", "ILSSDM"),
)
"""Label, key and first choice of each axis."""


def risk_view(session: Session, release: kc.Release) -> None:
    """Show the map and what it says; a click on a point makes it the current setting."""
    digest = session.table.digest
    points = [point for (whose, _), point in list(session.points.items()) if whose == digest]
    if not any(not point.problem for point in points):
        _invitation()
        return
    across, up = _axes(quantities(session))
    curves, setting = sentences.curves(points), session.setting
    now = setting.algorithm
    mine = next((c for c in curves if now in (c.algorithm, *(p.settled for p in c.points))), None)
    figure = risk_figure(points, across, up, (mine.label if mine else "", setting.k, setting.seed), theme())
    chart(figure, "risk map", picked_point(curves), partial(take_point, session))
    note(
        tr("{sentence} Click a point to make it the current setting.").format(
            sentence=front_sentence(points, across, up)
        )
    )
    note(tr("Points of the curves on Tune and here: {count:,}.").format(count=len(points)))
    _link()


def _axes(names: dict[str, str]) -> tuple[str, str]:
    """Return the two measures; one that does not fit this table is replaced."""
    chosen = []
    for place, (label, key, first) in zip(st.columns(2), _MENUS, strict=True):
        with place:
            chosen.append(menu(tr(label), names, key, first if first in names else None))
    return chosen[0], chosen[1]


def _invitation() -> None:
    says = tr(
        "This chart shows every finished point of the curves by two measures of your choice. The"
        " front connects the settings that no other setting beats in both. Open Tune or"
        " “Loss over k” first: they compute the points."
    )
    with panel("no points", tr("Risk and loss of all settings"), says):
        _link()


def _link() -> None:
    link_to("curves", tr("Open the curves"), ":material/show_chart:")
