"""Summaries of pinned settings: computed once, one setting after another, and kept in this tab."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import streamlit as st

import kanon_core as kc
from kanon_core.base.options import expression
from kanon_core.base.progress import Tick
from kanon_core.base.words import tr
from kanon_core.charts.table.columnbins import ColumnBins
from kanon_core.charts.table.correlations import correlations
from kanon_core.runs.sweeps import SweepPoint, scored
from pages.shell.status import groups_text
from pages.state.cache_eviction import give_back_after
from pages.state.jobs import release_or_reason, rerun_here, working
from pages.state.keys import Key
from pages.state.session import Session
from pages.state.setting import Setting
from pages.widgets.curves import as_asked, is_point_of
from pages.widgets.findings import findings_of
from pages.widgets.pickers import button
from pages.widgets.sentences import guarantee_name

_SUMMARY: Key[Summary | str | None] = Key("pinned summary", None)
"""By table, setting and options of the measures: what is known of a pin, or why there is nothing."""
_STOPPED = Key("pin stopped", False)
"""By table and setting: True after Stop, until it is asked for again."""


@dataclass(frozen=True, eq=False)
class Summary:
    """The numbers of a pinned setting.

    ``point``: its measures, with the options that were chosen for them; ``after``: by column, the published
    counts in the bars of `bins_of`; ``correlations``: those of the release (`correlations`).
    """

    point: SweepPoint
    groups: str
    guarantee: str
    findings: tuple[kc.Finding, ...]
    after: dict[str, np.ndarray]
    correlations: np.ndarray


def bins_of(table: kc.Table) -> list[ColumnBins]:
    """Return the bars of each quasi-identifier, made once for a table."""
    return table.once("desk bins", lambda: [ColumnBins.of(column) for column in table.quasi])


def summary_of(session: Session, setting: Setting) -> Summary | str | None:
    """Return what is known of a pin: its summary, the reason why there is none, or None before it is
    computed."""
    return _place(session, setting).get()


def _place(session: Session, setting: Setting) -> Key[Summary | str | None]:
    ways = [expression(session.way(cls)) for cls in session.metrics]
    return _SUMMARY.of(session.table.digest, setting.key, *ways)


def point_of_pin(session: Session, setting: Setting) -> SweepPoint | None:
    """Return the point of a pin in the chart: that of the curves, else one of its summary; of that only
    measures with their usual options, as those of the curves are."""
    digest = session.table.digest
    own = (point for (whose, _), point in list(session.points.items()) if whose == digest)
    if found := next((point for point in own if is_point_of(point, setting)), None):
        return None if found.problem else found
    made = summary_of(session, setting)
    if not isinstance(made, Summary):
        return None
    usual = {cls.__name__ for cls in session.metrics if session.way(cls) == cls()}
    scores = {name: score for name, score in made.point.scores.items() if name in usual}
    return replace(made.point, scores=scores)


def compute_missing(session: Session, pins: dict[str, Setting]) -> None:
    """Compute the first pin that has no summary yet, with its progress, and draw again; call it last. A click
    interrupts it; after Stop, a button continues."""
    for letter, setting in pins.items():
        stopped = _STOPPED.of(session.table.digest, setting.key)
        if summary_of(session, setting) is not None:
            continue
        if stopped.get():
            says = tr("Compute {letter}").format(letter=letter)
            button(says, stopped.pop, icon="play_arrow", key=f"compute pin {letter}")
            continue
        with st.container():
            made = _made(session, letter, setting, partial(stopped.set, True))
        _place(session, setting).set(made)
        rerun_here()


def _made(session: Session, letter: str, setting: Setting, stop: partial[None]) -> Summary | str:
    lead = f"{letter}: {setting.title}"
    release = release_or_reason(session, setting, stop, f"stop pin {letter}", lead)
    if isinstance(release, str):
        return release
    with working(stop, f"stop numbers {letter}", lead) as tick:
        found = _summary(session, setting, release, tick)
    give_back_after(session.table)
    return found


def _summary(session: Session, setting: Setting, release: kc.Release, tick: Tick) -> Summary:
    measured = {cls.__name__: session.measured(setting, release, cls, tick) for cls in session.metrics}
    asked = as_asked(session, setting.algorithm)
    point = scored(release, asked, setting.k, setting.seed, measured, float("nan"))
    return Summary(
        point,
        groups_text(release),
        guarantee_name(release),
        findings_of(session, setting, release, tick),
        {bins.name: bins.after(release) for bins in bins_of(session.table)},
        correlations(session.table, release, tick),
    )
