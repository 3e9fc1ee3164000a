"""Risk of a released file that Check examines: each attacker's risk in the file as it is published."""

from __future__ import annotations

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.report.checked_file import about_risks_of_a_file
from kanon_core.risk.measuring import risks_of_file
from pages.risk.attackers import missing_counted, threshold_chosen
from pages.risk.figures import attackers, fewer
from pages.risk.population import known
from pages.shell.cases import file_bar, no_risks
from pages.state.case import CheckedFile
from pages.state.jobs import once
from pages.state.keys import Key
from pages.state.session import Session
from pages.state.setting import known_population
from pages.widgets.text import note, warning

_FOUND: Key[tuple[str, kc.Risks] | None] = Key("risks of the file", None)


def file_risk(session: Session) -> None:
    """Show the choices on the left and the risks in the file on the right."""
    file = file_bar(session)
    if problem := no_risks(file):
        warning(problem)
        return
    table = file.table
    left, right = st.columns([2, 5], gap="large")
    with left, st.container(key="risk-settings"):
        threshold = threshold_chosen()
        population = known(table, of_file=True)._replace(missing=missing_counted(table))
        note(
            tr(
                "The other attacks of this page run the algorithm again or need the released groups. They are"
                " available for releases that Kanon makes from a table."
            )
        )
    known_population(table).set(population)
    key = f"{file.key} {population.key} {population.missing}"
    with right:
        found = once(
            _FOUND,
            key,
            "risk-of-file",
            tr("Measure again"),
            lambda tick: risks_of_file(table, file.original, population.population, population.missing, tick),
        )
        if found is not None:
            attackers(found, threshold, about_risks_of_a_file())
            fewer(session, found, key, smallest_k(file))


def smallest_k(file: CheckedFile) -> int:
    """Return the k that was requested of the file, else 5."""
    asked = () if file.checked is None else file.checked.asked
    return max((getattr(one.guarantee, "k", 0) for one in asked), default=0) or 5
