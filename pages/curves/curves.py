"""Comparison of algorithms: a measure over k, computed while the page is open."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from kanon_core.base.words import tr
from kanon_core.charts.curves import sentences
from kanon_core.charts.curves.optima import gap_sentence, least_sentence, theorem_sentence, with_least
from kanon_core.charts.curves.tradeoff import tradeoff_figure
from kanon_core.runs.sweeps import FLOORS, SweepPoint, floor_points, gap, quantity
from pages.curves.answers import Questions, answers, ask
from pages.curves.choosing import ACROSS, SHOWN_AS, UP, VALUE, choose
from pages.curves.floor import floor
from pages.shell.frame import go_to, theme
from pages.shell.private import regularly
from pages.shell.status import status_bar
from pages.state.comparisons import loss_bounds, picked_point, take_point
from pages.state.keys import Key
from pages.state.session import Session, current
from pages.state.setting import Setting, describe
from pages.widgets.controls import k_slider
from pages.widgets.curves import (
    SWITCHED,
    every,
    growing,
    is_on,
    is_point_of,
    missing_points,
    point_of,
    point_on_screen,
    progress,
)
from pages.widgets.layout import chart, fold, panel
from pages.widgets.text import info, note

_OPENED = Key("opened", False)
_HEIGHT = 300


@st.fragment
def curves() -> None:
    """Show choices, chart, sentences, questions and points."""
    session = current()
    status_bar(session, session.kept(session.setting))
    with st.container(key="seat"):
        controls, results = st.columns([10, 31], gap="small")
    with controls, st.container(key="controls", gap="xsmall"):
        settings = choose(session)
    with results:
        if not settings:
            info(tr("Choose at least one algorithm."))
            return
        tile = st.container(border=True, key="curve-tile", gap="xsmall")
        with st.container(key="questions"):
            now, within, least = st.columns(3, vertical_alignment="bottom")
        beneath = st.container(key="answers", gap="xsmall")
    with now:  # above all parts that grow, so that the slider does not move
        k_slider(session)
    asked, running = ask(session, within, least), growing(session, settings)
    seconds = every() if running else None
    with tile:
        regularly(drawn_curves, seconds)(session, settings, asked)
    with beneath:
        floor(session, UP.get())
        regularly(replies, seconds)(session, settings, asked, running)


def drawn_curves(session: Session, settings: list[Setting], asked: Questions | None) -> None:
    """Show the finished points; a click on a point opens its setting in Tune."""
    if _OPENED.pop():
        go_to("tune")
    points, up, setting = everything(session, settings), UP.get(), session.setting
    drawn = sentences.curves(points)
    mine = next((curve for curve in drawn if is_on(curve, setting)), None)
    here = (mine.label if mine else "", setting.k, setting.seed)
    above = bool(floor_points(points, up)) and SHOWN_AS.get() != VALUE
    figure = tradeoff_figure(points, ACROSS.get(), up, above, here, asked.bound if asked else None, theme())
    figure.update_layout(height=_HEIGHT)
    if ACROSS.get() == "k":  # the final width, before all points are computed
        ks = _ks(points, setting)
        with_least(figure, points, up, loss_bounds(session.table, up, ks), theme())
        figure.update_xaxes(range=[min(ks) - 0.6, max(ks) + 0.6])
    chart(figure, "curves", picked_point(drawn), partial(open_point, session))


def _ks(points: Sequence[SweepPoint], setting: Setting) -> set[int]:
    return {point.k for point in points} | {setting.k}


def everything(session: Session, settings: Sequence[Setting]) -> list[SweepPoint]:
    """Return all points in the order of the settings, with pending ones and that of the current release, so
    that each curve keeps its color."""
    found = [point_of(session, one) or sentences.pending(one.algorithm, one.k, one.seed) for one in settings]
    done = [point for point in found if not sentences.is_pending(point)]
    own = point_on_screen(session, session.kept(session.setting), done, {ACROSS.get(), UP.get()})
    compared = {one.algorithm for one in settings}
    if not own or own[0].algorithm not in compared:
        return found
    return [point for point in found if not is_point_of(point, session.setting)] + own


def replies(session: Session, settings: list[Setting], asked: Questions | None, running: bool) -> None:
    """Show the progress of the curves, their sentences, the answers, and all points as a table."""
    if _OPENED.pop():
        go_to("tune")
    todo = missing_points(session, settings)
    progress(session, settings, todo)  # first, as a click on its switch is answered at once
    points, up = everything(session, settings), UP.get()
    _says(session, points, up)
    if asked:
        answers(points, asked, partial(open_point, session))
    _remarks(session, points, up)
    table([point for point in points if not sentences.is_pending(point)])
    if SWITCHED.pop() or (running and not todo):
        st.rerun()  # starts or ends the regular reruns


def _says(session: Session, points: list[SweepPoint], up: str) -> None:
    """Show which algorithm is best at this k, and where a step costs more."""
    setting, drawn = session.setting, sentences.curves(points)
    mine = next((curve for curve in drawn if is_on(curve, setting)), drawn[0])
    least = loss_bounds(session.table, up, _ks(points, setting))
    bound = next((one for one in least if one.k == setting.k), None)
    best = gap_sentence(points, up, setting.k) or _at(points, up, setting.k)
    said = (best, least_sentence(points, up, bound), sentences.knee_sentence(mine, up))
    note(" ".join(filter(None, said)))


def _at(points: Sequence[SweepPoint], up: str, k: int) -> str:
    """Return a sentence on which algorithm is best at this k, as far as there are points of it."""
    ks = sorted({point.k for point in points})
    if k not in ks:
        says = tr("k = {k} is not on these curves, which go from {low} to {high}.")
        return says.format(k=k, low=ks[0], high=ks[-1])
    return sentences.cheapest_sentence(points, up, k)


def _remarks(session: Session, points: list[SweepPoint], up: str) -> None:
    seeds = sentences.seeds_sentence(points, up, session.setting.k)
    negative = sentences.negative_sentence(points, up, session.setting.k)
    for told in ([seeds], [negative], sentences.warnings(points, up), sentences.problem_sentences(points)):
        if any(told):
            note(" ".join(told))
    if any(point.guarantee.known_items for point in points):
        note(
            tr(
                "For an algorithm with known items, k holds only for an attacker who knows at most that many"
                " items of a person. Its risks and achieved k are those for an attacker who knows all items."
            )
        )
    if up == "seconds":
        note(tr("The first run of an algorithm also loads its compiled code."))
    if up == "MatchingCost":
        theorem(session, points)


def open_point(session: Session, point: SweepPoint) -> None:
    """Make a point the setting and go to Tune, which shows the same."""
    take_point(session, point)
    _OPENED.set(True)


def theorem(session: Session, done: list[SweepPoint]) -> None:
    """Show theorem 2.1 with the finished points: at k = 2 and at the current k."""
    told = [theorem_sentence(done, k) for k in dict.fromkeys((2, session.setting.k))]
    if any(told):
        title = tr("The least cost of k-concealment is at most that of k-anonymity (theorem 2.1)")
        with panel("theorem", title, *filter(None, told)):
            pass


def table(done: list[SweepPoint]) -> None:
    """Show all finished points as a table."""
    floors = {name: floor_points(done, name) for name in FLOORS}
    box = fold(tr("Finished points ({count})").format(count=len(done)), "table_rows", "finished points")
    if not box.open:
        return
    with box:
        rows = [
            {
                tr("algorithm"): describe(p.algorithm),
                "k": p.k,
                tr("seed"): current().seed_text(p.seed),
                **{quantity(m).title: v for m, v in p.scores.items()},
                **{
                    tr("{measure} above the optimum (%)").format(measure=quantity(m).title): _percent(
                        gap(p, found.get(p.k), m)
                    )
                    for m, found in floors.items()
                    if found
                },
                tr("seconds"): round(p.seconds, 3),
                tr("problem"): p.problem,
            }
            for p in sorted(done, key=lambda p: (describe(p.algorithm), p.k, p.seed))
        ]
        st.dataframe(rows, hide_index=True, alt=tr("Scores of all finished points"))


def _percent(share: float) -> float | None:
    return round(100 * share, 2) if share >= 0 else None
