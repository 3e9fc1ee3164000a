"""Desk: up to four pinned settings side by side, below the risk–utility map of all finished settings."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from html import escape

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import later, tr, tr_n
from kanon_core.charts.curves import sentences
from kanon_core.charts.curves.pins import PinLook, Ranking, pin_looks, ranking_sentence
from kanon_core.charts.curves.tradeoff import front_sentence, risk_figure
from kanon_core.findings.base import SEVERITIES
from kanon_core.runs.sweeps import SweepPoint
from pages.curves.pictures import pictures
from pages.curves.pinned import Summary, compute_missing, point_of_pin, summary_of
from pages.shell.frame import theme
from pages.shell.private import regularly
from pages.shell.status import status_bar
from pages.state.comparisons import picked_point, quantities, take_point
from pages.state.pins import LETTERS, pinned, pinned_elsewhere, unpin
from pages.state.session import Session, current
from pages.state.setting import Setting, describe
from pages.widgets.controls import setting_row
from pages.widgets.curves import SWITCHED, along, every, growing, is_on, missing_points, progress
from pages.widgets.findings import ICONS
from pages.widgets.layout import chart
from pages.widgets.pickers import UNLABELED, button, menu
from pages.widgets.text import heading, info, note

_MENUS = (
    (later("Horizontal axis"), "risk across", "ILSSDM"),
    (later("Vertical axis"), "risk up", "WorstRisk"),
)
"""Label, key and first choice of each axis."""


@st.fragment
def desk() -> None:
    """Show the map of risk and loss, and below it the pinned settings side by side."""
    session = current()
    bar = st.container()
    setting_row(session)
    with bar:
        status_bar(session, session.kept(session.setting))
    pins = pinned(session)
    across, up = _axes(quantities(session))
    running = growing(session, _settings(session, pins))
    regularly(_map, every() if running else None)(session, across, up, running)
    heading(tr("Pinned settings"))
    work = st.container()
    if not pins:
        _invitation(session)
        return
    points, found = _finished(session)
    looks = pin_looks(sentences.curves(points), found, theme())
    numbers(session, pins, looks)
    pictures(session, pins, looks)
    with work:
        compute_missing(session, pins)


def _axes(names: dict[str, str]) -> tuple[str, str]:
    """Show the heading of the map and the menus of its axes; return the two measures. One that does not fit
    this table is replaced."""
    chosen = []
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        title = tr("Risk and loss of all settings")
        st.html(f'<h2 class="heading">{escape(title)}</h2>', width="content")
        for label, key, first in _MENUS:
            start = first if first in names else None
            chosen.append(menu(tr(label), names, key, start, width=250, **UNLABELED))
    return chosen[0], chosen[1]


def _settings(session: Session, pins: dict[str, Setting]) -> list[Setting]:
    """Return the curves of the current and the pinned algorithms, whose points fill the map."""
    algorithms = dict.fromkeys((session.setting.algorithm, *(one.algorithm for one in pins.values())))
    return list(dict.fromkeys(setting for one in algorithms for setting in along(session, one)))


def _finished(session: Session) -> tuple[list[SweepPoint], dict[str, SweepPoint]]:
    """Return the finished points of this table, and those of the pins, by letter."""
    digest = session.table.digest
    points = [point for (whose, _), point in list(session.points.items()) if whose == digest]
    pins = {letter: point_of_pin(session, one) for letter, one in pinned(session).items()}
    found = {letter: point for letter, point in pins.items() if point is not None}
    return points + [point for point in found.values() if point not in points], found


def _map(session: Session, across: str, up: str, running: bool) -> None:
    """Show every finished setting by two measures, the pinned ones by their letters; a click on a point makes
    it the current setting."""
    if SWITCHED.pop():
        st.rerun()
    points, pins = _finished(session)
    curves, setting = sentences.curves(points), session.setting
    mine = next((one for one in curves if is_on(one, setting)), None)
    here = (mine.label if mine else "", setting.k, setting.seed)
    if any(not point.problem for point in points):
        figure = risk_figure(points, across, up, here, theme(), pins)
        chart(figure, "risk map", picked_point(curves), partial(_take, session))
        says = tr("{sentence} Click a point to make it the current setting.")
        note(says.format(sentence=front_sentence(points, across, up)))
    settings = _settings(session, pinned(session))
    todo = missing_points(session, settings)
    progress(session, settings, todo)
    if running and not todo:
        st.rerun()  # no point is missing: end the regular reruns


def _take(session: Session, point: SweepPoint) -> None:
    take_point(session, point)
    SWITCHED.set(True)


def _invitation(session: Session) -> None:
    info(
        tr(
            "No setting of this table is pinned. Choose an algorithm and k, or click a point of the chart,"
            " and press “Pin” beside the line with the current setting; it is on every page with that line."
            " Up to {count} settings are compared here."
        ).format(count=len(LETTERS)),
        ":material/push_pin:",
    )
    if others := pinned_elsewhere(session):
        says = tr_n(
            "{count} pinned setting belongs to another table. It is shown when that table is open again.",
            "{count} pinned settings belong to other tables. They are shown when their table is open again.",
            others,
        )
        note(says.format(count=others))


def title_of(session: Session, setting: Setting) -> str:
    """Return algorithm and k, and the seed of a randomized algorithm."""
    if not setting.algorithm.randomized:
        return f"{setting.title}, k = {setting.k}"
    seed = session.seed_text(setting.seed)
    return tr("{title}, k = {k}, seed {seed}").format(title=setting.title, k=setting.k, seed=seed)


def numbers(session: Session, pins: dict[str, Setting], looks: dict[str, PinLook]) -> None:
    """Show a column for each pin, with its measures, groups and findings, and say which is best by what."""
    made = {letter: summary_of(session, one) for letter, one in pins.items()}
    points = {letter: one.point for letter, one in made.items() if isinstance(one, Summary)}
    rankings = {cls.__name__: Ranking.of(cls.__name__, points) for cls in session.metrics}
    if len(points) > 1:
        note(ranking_sentence(rankings.values(), points))
    for place, (letter, setting) in zip(st.columns(len(pins), gap="medium"), pins.items(), strict=True):
        with place:
            name, mark = escape(title_of(session, setting)), ""
            if look := looks.get(letter):
                mark = f'<span aria-hidden="true" style="color:{look.color}">{look.glyph}</span> '
            st.html(f'<h3 class="pin-name">{mark}<b>{letter}</b> {name}</h3>')
            _buttons(session, letter, setting)
            _column(session, letter, made[letter], rankings)


def _buttons(session: Session, letter: str, setting: Setting) -> None:
    here = setting == session.setting
    with st.container(horizontal=True, gap="xsmall"):
        does = partial(session.ask, algorithm=setting.algorithm, k=setting.k, seed=setting.seed)
        about = tr("this is the current setting") if here else tr("make this the current setting")
        button(tr("Use {letter}").format(letter=letter), does, key=f"use {letter}", disabled=here, help=about)
        says = tr("Unpin {letter}").format(letter=letter)
        button(says, unpin, session, letter, icon="close", key=f"unpin {letter}")


def _column(session: Session, letter: str, made: Summary | str | None, rankings: dict[str, Ranking]) -> None:
    if made is None:
        note(tr("Not computed yet."))
    elif isinstance(made, str):
        note(made)
    else:
        st.html("".join(_rows(session, letter, made, rankings)) + _findings(made.findings))


def _rows(session: Session, letter: str, made: Summary, rankings: dict[str, Ranking]) -> Iterator[str]:
    """Yield the lines of a column as HTML: names and numbers; the best ones are bold and marked."""
    yield '<dl class="pin-numbers">'
    for cls in session.metrics:
        best = letter in rankings[cls.__name__].best
        text, kind = escape(made.point.text(cls.__name__)), ' class="best"' if best else ""
        sign = f' <span title="{escape(tr("best"))}">✓</span>' if best else ""
        remark = escape(" ".join(made.point.notes.get(cls.__name__, ())))
        more = f'<dd class="remark">{remark}</dd>' if remark else ""
        yield f"<div{kind}><dt>{escape(describe(session.way(cls)))}</dt><dd>{text}{sign}</dd>{more}</div>"
    for name, text in ((tr("Groups"), made.groups), (tr("Guarantee"), made.guarantee)):
        yield f"<div><dt>{escape(name)}</dt><dd>{escape(text)}</dd></div>"
    yield "</dl>"


def _findings(found: tuple[kc.Finding, ...]) -> str:
    """Return the findings as HTML: each opens to its sentence."""
    if not found:
        return f'<p class="note">{escape(tr("There are no findings."))}</p>'
    drawn = []
    for one in found:
        sign, severity = ICONS[one.severity], tr(SEVERITIES[one.severity])
        said = escape(f"{sign} {severity}: {tr(one.name)}")
        drawn.append(f"<details><summary>{said}</summary><p>{escape(one.sentence)}</p></details>")
    return f'<div class="pin-findings">{"".join(drawn)}</div>'
