"""“A or B?”: a pinned setting beside the current one, measure by measure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import later, tr
from kanon_core.charts.loss.versus import Duel, duel_sentence, duels, radar_figure, radar_sentence
from kanon_core.metrics import Metric
from pages.curves.usage import usages
from pages.shell.frame import theme
from pages.state.jobs import release_or_reason
from pages.state.session import Session
from pages.state.setting import Setting, describe
from pages.widgets import text
from pages.widgets.layout import chart
from pages.widgets.pickers import button
from pages.widgets.tables import Cell, cell, html_table, number

_BETTER = {"A": "A", "B": "B", "": later("equal"), "±": later("within the error"), "?": later("not defined")}


def versus_view(session: Session, release: kc.Release) -> None:
    """Show the buttons, A and B, and their differences."""
    _buttons(session)
    a, b = session.pinned, session.setting
    if a is None:
        text.heading(tr("Comparison of two releases"))
        text.line(
            tr("Pin the current setting as A. Then change algorithm, options or k: the new setting is B.")
        )
        return
    first, second = (escape(_name(session, setting)) for setting in (a, b))
    st.html(f'<div class="duelists"><p><b>A</b> {first}</p><p><b>B</b> {second}</p></div>')
    if a == b:
        text.note(tr("A and B are the same setting. Change algorithm, options or k to compare."))
        return
    pinned = _release(session, a)
    if pinned is not None:
        _sides(session, (a, pinned), (b, release))


def _buttons(session: Session) -> None:
    a = session.pinned
    with st.container(horizontal=True, vertical_alignment="bottom"):
        here, now = a == session.setting, session.setting
        says, first = tr("Pin this as A"), a is None
        button(says, _pin, session, now, icon="push_pin", key="pin", primary=first, disabled=here)
        if a is not None:
            about = tr("make A the current setting and pin the present one")
            button(tr("Go to A"), _swap, session, icon="swap_horiz", key="swap", disabled=here, help=about)
            button(tr("Unpin"), _pin, session, None, icon="close", key="unpin")


def _pin(session: Session, setting: Setting | None) -> None:
    session.pinned = setting


def _swap(session: Session) -> None:
    a, session.pinned = session.pinned, session.setting
    if a is not None:
        session.ask(algorithm=a.algorithm, k=a.k, seed=a.seed)


def _name(session: Session, setting: Setting) -> str:
    if not setting.algorithm.randomized:
        return f"{setting.title}, k = {setting.k}"
    seed = session.seed_text(setting.seed)
    return tr("{title}, k = {k}, seed {seed}").format(title=setting.title, k=setting.k, seed=seed)


def _release(session: Session, setting: Setting) -> kc.Release | None:
    """Return the release of A, computed again if it was dropped."""
    found = release_or_reason(session, setting, lambda: _pin(session, None), key="stop A", lead="A")
    if isinstance(found, kc.Release):
        return found
    text.warning(found)
    return None


def _sides(session: Session, a: tuple[Setting, kc.Release], b: tuple[Setting, kc.Release]) -> None:
    """Show the sentence, the radar and the table of all measures that both have."""
    metrics: list[Metric] = [session.way(cls) for cls in session.metrics]
    first, second = ({type(m).__name__: session.measured(*side, m) for m in metrics} for side in (a, b))
    for metric in usages(session):
        mine, other = (session.known(side[0], metric) for side in (a, b))
        if mine is not None and other is not None:
            metrics.append(metric)
            first[type(metric).__name__], second[type(metric).__name__] = mine, other
    found = duels(metrics, first, second)
    text.sentence(duel_sentence(found))
    left, right = st.columns([2, 3], gap="large")
    with left:
        _radar(found)
    with right:
        heads = [cell(tr("measure")), *map(number, ("A", "B", tr("change from A to B"))), cell(tr("better"))]
        html_table(heads, _rows(found), kind="duel")


def _radar(duels: Sequence[Duel]) -> None:
    figure = radar_figure(duels, theme())
    if figure is not None:
        chart(figure, "radar")
        text.note(radar_sentence(duels))


def _rows(duels: Sequence[Duel]) -> Iterator[list[Cell]]:
    for duel in duels:
        values = zip("AB", (duel.a, duel.b), strict=True)
        both = [number(duel.metric.text(v), "won" if duel.better == letter else "") for letter, v in values]
        name = cell(describe(duel.metric), title=duel.metric.sentence)
        yield [name, *both, number(duel.change), cell(tr(_BETTER[duel.better]))]
