"""“A or B?”: a pinned setting beside the current one, measure by measure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

import streamlit as st

import kanon_core as kc
from kanon_core.charts.loss.versus import Duel, duel_sentence, duels, radar_figure, radar_sentence
from kanon_core.metrics import Metric
from pages.measure.usage import usages
from pages.shell.frame import theme
from pages.state.jobs import computed, ticker
from pages.state.session import Session, Setting, describe
from pages.widgets import text
from pages.widgets.controls import undo_button
from pages.widgets.views import chart

_BETTER = {"A": "A", "B": "B", "": "equal", "±": "within the error", "?": "not defined"}


def versus_view(session: Session, release: kc.Release) -> None:
    """The buttons, who A and B are, and where they differ."""
    _buttons(session)
    a, b = session.pinned, session.setting
    if a is None:
        text.heading("Which of two releases?")
        text.line(
            "Pin what is on screen as A. Then change algorithm, options or k: that is B, and both stand here"
            " side by side."
        )
        return
    first, second = (escape(_name(session, setting)) for setting in (a, b))
    st.html(f'<div class="duelists"><p><b>A</b> {first}</p><p><b>B</b> {second}</p></div>')
    if a == b:
        text.note("A and B are the same setting: change algorithm, options or k to compare.")
        return
    pinned = _release(session, a)
    if pinned is not None:
        _sides(session, (a, pinned), (b, release))


def _buttons(session: Session) -> None:
    a = session.pinned
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button(
            "Pin this as A",
            icon=":material/push_pin:",
            type="primary" if a is None else "secondary",
            key="pin",
            on_click=_pin,
            args=(session, session.setting),
            disabled=a == session.setting,
        )
        if a is not None:
            st.button(
                "Go to A",
                icon=":material/swap_horiz:",
                key="swap",
                on_click=_swap,
                args=(session,),
                disabled=a == session.setting,
                help="make A the current setting, and pin what was current",
            )
            st.button("Unpin", icon=":material/close:", key="unpin", on_click=_pin, args=(session, None))
        undo_button(session)


def _pin(session: Session, setting: Setting | None) -> None:
    session.pinned = setting


def _swap(session: Session) -> None:
    a, session.pinned = session.pinned, session.setting
    if a is not None:
        session.ask(algorithm=a.algorithm, k=a.k, seed=a.seed)


def _name(session: Session, setting: Setting) -> str:
    seed = f", seed {session.seed_text(setting.seed)}" if setting.algorithm.randomized else ""
    return f"{setting.title}, k = {setting.k}{seed}"


def _release(session: Session, setting: Setting) -> kc.Release | None:
    """The release of A, computed again when it was forgotten."""
    kept = session.kept(setting)
    if kept is not None:
        return kept
    place = st.empty()
    try:
        tick = ticker(place, lambda: _pin(session, None), "stop A", "A")
        return computed(session, setting, place, tick)
    except kc.KanonError as reason:
        text.warning(reason)
        return None


def _sides(session: Session, a: tuple[Setting, kc.Release], b: tuple[Setting, kc.Release]) -> None:
    """The sentence, the radar and the table of the scorecard, with the measures of use that both have."""
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
        st.html("".join(_table(found)))


def _radar(found: Sequence[Duel]) -> None:
    figure = radar_figure(found, theme())
    if figure is not None:
        chart(figure, "radar")
        text.note(radar_sentence(found))


def _table(found: Sequence[Duel]) -> Iterator[str]:
    yield (
        '<div class="beforeafter duel" tabindex="0"><table><thead><tr><th scope="col">measure</th><th'
        ' scope="col" class="number">A</th>'
    )
    yield (
        '<th scope="col" class="number">B</th><th scope="col" class="number">from A to B</th><th'
        ' scope="col">better</th></tr></thead><tbody>'
    )
    for duel in found:
        better = duel.better
        marks = [' class="number won"' if better == letter else ' class="number"' for letter in "AB"]
        yield (
            f'<tr><th scope="row" title="{escape(duel.metric.sentence)}">{escape(describe(duel.metric))}</th>'
        )
        for mark, value in zip(marks, (duel.a, duel.b), strict=True):
            yield f"<td{mark}>{escape(duel.metric.text(value))}</td>"
        yield f'<td class="number">{escape(duel.change)}</td><td>{_BETTER[better]}</td></tr>'
    yield "</tbody></table></div>"
