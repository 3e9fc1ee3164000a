"""Risk: re-identification risk by attacker in the original and the release, and small anonymity sets."""

from __future__ import annotations

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.guarantees.files.cells import ANY, OWN
from kanon_core.risk import THRESHOLDS
from pages.risk.figures import attackers, fewer
from pages.risk.population import known
from pages.state.jobs import working
from pages.state.keys import Key, kept
from pages.state.session import Session, current
from pages.state.setting import KnownPopulation, known_population
from pages.widgets.controls import release_below
from pages.widgets.pickers import button, menu
from pages.widgets.text import error

_OWN = 0.0
_STOPPED: Key[str] = Key("risk-stopped", "")


@st.fragment
def risk() -> None:
    """Draw everything that moves with the slider: the choices on the left, the results on the right."""
    session = current()
    release = release_below(session)
    if release is None:
        return
    left, right = st.columns([2, 5], gap="large")
    with left, st.container(key="risk-settings"):
        threshold = threshold_chosen()
        population = known(session.table)._replace(missing=missing_counted(session.table))
    known_population(session.table).set(population)
    with right:
        found = _found(session, release, population)
        if found is not None:
            attackers(found, threshold)
            fewer(session, found, f"{population.key} {population.missing}", session.setting.k)


def threshold_chosen() -> float:
    """Return the largest acceptable risk: one in common use, or a custom one."""
    says = tr("{one:g} (1 in {people})")
    offered = {one: says.format(one=one, people=round(1 / one)) for one in THRESHOLDS} | {_OWN: tr("custom")}
    about = tr("Health authorities accept 0.05 to 0.33, depending on how widely a table is shared.")
    chosen = menu(tr("Largest acceptable risk"), offered, "risk-threshold", 0.2, help=about)
    if chosen != _OWN:
        return chosen
    key = kept("risk-threshold-own", 0.1)
    return float(st.number_input(tr("Custom threshold"), 0.001, 0.999, step=0.01, format="%.3f", key=key))


def missing_counted(table: kc.Table) -> str:
    """Return how missing cells count, as chosen where there are any."""
    if not any(column.missing.any() for column in table.quasi):
        return OWN
    names = {OWN: tr("a value of their own"), ANY: tr("they fit every value")}
    return menu(tr("Missing cells count as"), names, "risk-missing")


def _found(session: Session, release: kc.Release, population: KnownPopulation) -> kc.Risks | None:
    """Return the figures, computed once for each setting and population; None, with the reason, if there are
    none."""
    key = f"{session.setting.key} {population.key} {population.missing}"
    if _STOPPED.get() == key:
        button(tr("Measure again"), _STOPPED.pop, icon="play_arrow")
        return None
    try:
        with working(lambda: _STOPPED.set(key), "stop-risk") as tick:
            return session.risks(release, population, tick)
    except kc.KanonError as reason:
        error(reason)
        return None
