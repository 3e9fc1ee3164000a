"""Choice of the known population: nothing, its size, or a table of it."""

from __future__ import annotations

import streamlit as st

import kanon_core as kc
from kanon_core.base.options import options_of
from kanon_core.base.words import counted, tr
from kanon_core.risk.population import LARGEST
from kanon_core.table.people import no_persons, persons_of
from pages.state.keys import kept
from pages.state.setting import NOTHING, KnownPopulation
from pages.widgets.files import read_once, upload
from pages.widgets.pickers import menu
from pages.widgets.text import error, note

SIZE, TABLE = "size", "table"


def known(table: kc.Table, of_file: bool = False) -> KnownPopulation:
    """Return the chosen population; none while there is no readable file. ``of_file``: the table is a
    released file, whose cells are not those of a table of the population."""
    names = {
        NOTHING: tr("not known"),
        SIZE: tr("size known"),
        TABLE: tr("table of the population"),
    }
    if of_file:
        del names[TABLE]
    chosen = menu(tr("Population of the table"), names, "risk-population")
    if chosen == SIZE:
        return _size(table)
    if chosen == TABLE:
        return _table()
    weights = table.schema.of_role("sampling_weight")
    if weights:
        said = tr(
            "The sampling weights in column “{name}” give the number of people that each record represents."
        )
        note(said.format(name=weights[0].name))
    else:
        note(
            tr(
                "Without information on the population, the table counts as the whole population. In a larger"
                " population, the risks of journalist and marketer can be lower."
            )
        )
    return KnownPopulation()


def _size(table: kc.Table) -> KnownPopulation:
    sample = len(table) if no_persons(table) else len(persons_of(table))
    key = kept("risk-size", max(10 * sample, 2))
    size = st.number_input(tr("People in the population"), 1, LARGEST, key=key)
    model = next(option for option in options_of(kc.Population) if option.name == "model")
    words: dict[str, str] = getattr(model.kind, "words", {})
    names = {name: tr(said) for name, said in words.items()}
    chosen = menu(tr("Estimator of the population's classes"), names, "risk-model", help=model.help)
    if size < sample:
        said = tr("The population has {people}, but the table has {sample:,}. Enter at least {sample:,}.")
        error(said.format(people=counted(size, "person"), sample=sample))
        return KnownPopulation()
    return KnownPopulation(kc.Population(int(size), chosen), f"{size} {chosen}")


def _table() -> KnownPopulation:
    about = tr(
        "One row for each person of the population, with the quasi-identifiers of the table under the"
        " same names."
    )
    given = upload(tr("Table of the population"), (), "risk-register-file", about)
    read = read_once(given, kc.read_table, "risk-register") if given is not None else None
    if given is None or read is None:
        return KnownPopulation()
    return KnownPopulation(read, given.file_id)
