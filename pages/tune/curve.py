"""Curve beside the slider: loss, or another measure, over k; points are added while the page is open."""

from __future__ import annotations

from functools import partial

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.charts.curves import sentences
from kanon_core.charts.curves.optima import gap_sentence, least_sentence, with_least
from kanon_core.charts.curves.tradeoff import tradeoff_figure
from kanon_core.charts.drawing.drawing import drawing
from kanon_core.runs.sweeps import SweepPoint, refining
from kanon_core.teaching.glossary import of_quantity
from pages.shell.frame import link_to, theme
from pages.shell.private import regularly
from pages.state.comparisons import (
    COMPARED_METHODS,
    leading,
    loss_bounds,
    methods,
    picked_point,
    quantities,
    take_point,
)
from pages.state.keys import Key, linked
from pages.state.session import Session
from pages.state.setting import Setting
from pages.widgets.curves import (
    SWITCHED,
    along,
    every,
    growing,
    is_on,
    missing_points,
    point_of,
    point_on_screen,
    progress,
)
from pages.widgets.glossary import meaning
from pages.widgets.layout import drawn
from pages.widgets.pickers import UNLABELED, menu
from pages.widgets.text import note

_HEIGHT = 300
_OFFERED = 3
_UP = Key("tile measure", "ILSSDM")


def curve(session: Session, release: kc.Release | None) -> None:
    """Draw the tile: the choices, the chart, its sentence, and its progress. The choices are outside of the
    part that is drawn every second, which would reset a menu that somebody has just opened."""
    with st.container(horizontal=True, vertical_alignment="center", key="curve-choice", gap="xsmall"):
        first = leading(session).__name__
        up = menu(tr("Measure"), _measures(session), _UP.name, first, width=190, **UNLABELED)
        meaning(of_quantity(up), "measure")
        _beside(session)
        link_to("curves/curves", tr("Larger"), ":material/open_in_full:")
    running = session.settled and growing(session, _settings(session))
    k = session.setting.k
    regularly(_tile, every() if running else None)(session, k, release, up, running)


def _settings(session: Session) -> list[Setting]:
    """Return the curve of the current algorithm and of the compared ones, coarse to fine."""
    found = methods(session)
    names = [name for name in COMPARED_METHODS.of(session.table.digest).get() if name in found]
    curves = [along(session, one) for one in (session.setting.algorithm, *(found[name] for name in names))]
    by_k = {at_one_k[0].k: at_one_k for at_one_k in zip(*curves, strict=True)}
    return list(dict.fromkeys(setting for k in refining(list(by_k)) for setting in by_k[k]))


def _tile(session: Session, k: int, release: kc.Release | None, up: str, running: bool) -> None:
    if SWITCHED.pop():
        st.rerun()
    settings = _settings(session)
    todo = missing_points(session, settings)
    points = [point for one in settings if (point := point_of(session, one)) is not None]
    with session.trying(k):  # drawn again by itself, the tile keeps the k of the thumb
        _chart(session, release, points, up)
    progress(session, settings, todo)
    if running and not todo:
        st.rerun()  # no point is missing: end the regular reruns


def _measures(session: Session) -> dict[str, str]:
    return {name: title for name, title in quantities(session).items() if name != "k"}


def _beside(session: Session) -> None:
    """Show other algorithms, one click each."""
    _, *others = methods(session)
    key = COMPARED_METHODS.of(session.table.digest)
    chosen = [name for name in key.get() if name in others]
    offered = list(dict.fromkeys([*chosen, *others[:_OFFERED]]))

    st.pills(
        tr("Compare with"),
        offered,
        selection_mode="multi",
        format_func=lambda name: name if name in chosen else f"+ {name}",
        label_visibility="collapsed",
        **linked(f"pills {session.table.digest}", chosen, key.set),
    )


def _chart(session: Session, release: kc.Release | None, points: list[SweepPoint], up: str) -> None:
    found = sentences.curves([*points, *point_on_screen(session, release, points, {up})])
    everything = [point for line in found for point in line.points]
    mine = next((one for one in found if is_on(one, session.setting)), None)
    here = (mine.label if mine else "", session.setting.k, session.setting.seed)
    figure = tradeoff_figure(everything, "k", up, False, here, None, theme())
    ks = [setting.k for setting in along(session, session.setting.algorithm)]
    reach = [min(*ks, session.setting.k) - 1, max(*ks, session.setting.k) + 1]
    least = loss_bounds(session.table, up, ks)
    floor = with_least(figure, everything, up, least, theme())
    figure.update_layout(showlegend=len(found) > 1 or floor, xaxis={"range": reach})
    if reach[1] - reach[0] < 12:
        figure.update_xaxes(dtick=1)
    drawn(drawing(figure, _HEIGHT, picked=True), "tile-curve", picked_point(found), partial(_open, session))
    bound = next((one for one in least if one.k == session.setting.k), None)
    best = gap_sentence(everything, up, session.setting.k) or least_sentence(everything, up, bound)
    knee = sentences.knee_sentence(mine, up) if mine else ""
    note(
        " ".join(filter(None, (knee, best))) or sentences.cheapest_sentence(everything, up, session.setting.k)
    )
    if negative := sentences.negative_sentence(everything, up, session.setting.k):
        note(negative)
    if any(up in point.errors for point in everything):
        note(tr("Error bars: 95 % interval of figures estimated from a sample."))


def _open(session: Session, point: SweepPoint) -> None:
    take_point(session, point)
    SWITCHED.set(True)
