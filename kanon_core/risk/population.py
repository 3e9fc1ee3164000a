"""The population of which a table is a sample: its size, or a register of its people."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import pandas as pd

from kanon_core.base.errors import SchemaError, UnsuitableError
from kanon_core.base.kinds import Choice, Integer
from kanon_core.base.options import Declared, options_of
from kanon_core.base.progress import Tick, silent, stage
from kanon_core.base.words import counted, quoted, tr, tr_n
from kanon_core.covers.matching.consistency import fitting
from kanon_core.covers.uploaded.uploaded import read_release
from kanon_core.release.release import Release
from kanon_core.risk.crowds import Crowd, classes_of
from kanon_core.risk.superpopulation import Fraction, Model, Zayatz, pitman
from kanon_core.table.columns.columns import Items, Numbers
from kanon_core.table.columns.levels import settled
from kanon_core.table.domain import Domain
from kanon_core.table.schema import Attribute, Schema
from kanon_core.table.table import Table

LARGEST = 100_000_000_000


@dataclass(frozen=True)
class Population(Declared):
    """Knowledge of the population: its ``size``, 0 = not known, and the ``model`` that estimates from the
    table how many people of the population are indistinguishable (`kanon_core.risk.superpopulation`)."""

    size: Annotated[int, Integer(0, LARGEST, help="people in the population; 0 = not known")] = 0
    model: Annotated[
        str,
        Choice(
            {
                "pitman": "Pitman's sampling formula (Hoshino 2001)",
                "zayatz": "class sizes as in the table (Zayatz 1991)",
                "fraction": "the sampling fraction alone",
            },
            help="model that estimates the classes of the population from those of the table",
        ),
    ] = "pitman"

    @property
    def model_words(self) -> str:
        """Return the model in words."""
        kind = next(option.kind for option in options_of(Population) if option.name == "model")
        assert isinstance(kind, Choice)
        return tr(kind.words[self.model])

    def model_of(self, crowd: Crowd) -> Model:
        """Return the model for the published records of a crowd. Raises UnsuitableError for a population that
        is smaller than the table."""
        sample = int(crowd.held.sum())
        check_size(sample, self.size)
        if self.model == "zayatz" and not crowd.overlapping:
            return Zayatz(crowd.held, self.size)
        if self.model == "pitman" and not crowd.overlapping:
            return pitman(crowd.held, self.size)
        return Fraction(crowd.held, self.size)


def check_size(sample: int, people: int) -> None:
    """Raises UnsuitableError for a population that is smaller than its sample."""
    if people < sample:
        said = tr(
            "The population ({people}) must be at least as large as the table ({sample:,}); give the"
            " size of the whole population, or 0 if it is not known."
        )
        raise UnsuitableError(said.format(people=counted(people, "person"), sample=sample))


def people_of(table: Table) -> np.ndarray | None:
    """float64 (n): the number of people of the population that each record represents, its sampling weight;
    None without a column of that role. Raises SchemaError for several such columns, and for weights that are
    missing or not above 0."""
    found = table.schema.of_role("sampling_weight")
    if not found:
        return None
    if len(found) > 1:
        names = quoted(attribute.name for attribute in found)
        raise SchemaError(
            tr(
                "The columns {names} all have the role of sampling weights; give it to only one of them."
            ).format(names=names)
        )
    column = table[found[0].name]
    if not isinstance(column, Numbers):
        said = tr("Column “{name}” holds sampling weights and must be numeric; change its kind.")
        raise SchemaError(said.format(name=found[0].name))
    wrong = np.flatnonzero(~(column.values > 0))
    if len(wrong):
        said = tr_n(
            "Column “{name}” holds sampling weights, which must be numbers above 0; {count:,} record"
            " (number {first}) has no such weight. Correct it, or give the column another role.",
            "Column “{name}” holds sampling weights, which must be numbers above 0; {count:,} records (the"
            " first is number {first}) have no such weight. Correct them, or give the column another role.",
            len(wrong),
        )
        raise SchemaError(said.format(name=found[0].name, count=len(wrong), first=int(wrong[0]) + 1))
    return column.values.astype(np.float64)


def in_register(crowd: Crowd, register: Table, tick: Tick = silent) -> tuple[np.ndarray, int]:
    """Return int64 (n), the number of people of a register who fit the published cells of each record (0 =
    not published, else at least 1), and the number of records that nobody fits.

    The register has a row for each person of the population, and the table's quasi-identifiers under the
    same names. Values are compared as they are, without a release, else with the published intervals and
    sets; means, medians and modes exclude nobody. Raises UnsuitableError for a register without one of the
    columns or with fewer people than the table has, and for tables in which people have many records. Cost
    O(n log n · columns), of a release that of `kanon_core.covers.matching.consistency.fitting`.
    """
    table, release = crowd.table, crowd.release
    names = _compared(table, release)
    _check_register(table, register, names)
    schema = Schema(tuple(_as_in(table, name) for name in names))
    people = register.frame[names]
    tick(0.0, tr("reading the population"))
    whole = Table.from_frame(pd.concat([people, table.frame[names]], ignore_index=True), schema)
    if release is None:
        classes = classes_of(whole)
        found = np.bincount(classes[: len(people)], minlength=int(classes.max()) + 1)[classes[len(people) :]]
        shown = np.ones(len(table), bool)
    else:
        known = Table.from_frame(people, schema, domain=Domain.of(whole.columns))
        texts = {n: t for n, t in release.texts(np.arange(len(table))).items() if n in names}
        file = read_release(pd.DataFrame(texts), known)
        found, shown = fitting(known, file.published, stage(tick, 0.2, 1))[: len(table)], ~release.suppressed
    return np.where(shown, np.maximum(found, 1), 0), int((shown & (found == 0)).sum())


def _compared(table: Table, release: Release | None) -> list[str]:
    """Return the quasi-identifiers whose cells can be compared with a register."""
    if release is None:
        return [column.attribute.name for column in table.quasi]
    names = [column.attribute.name for column in release.published if not column.cells.aggregated]
    if not names:
        raise UnsuitableError(
            tr(
                "Every quasi-identifier is published as a mean, median or mode, which cannot be compared"
                " with a register; give the size of the population instead of its table."
            )
        )
    return names


def _check_register(table: Table, register: Table, names: Sequence[str]) -> None:
    lacking = [name for name in names if name not in register.schema.names]
    if lacking:
        said = tr(
            "The population table has no column {names}; it must have all quasi-identifiers of the"
            " table, under the same names."
        )
        raise UnsuitableError(said.format(names=quoted(lacking)))
    if table.schema.of_role("person"):
        raise UnsuitableError(
            tr(
                "The table can have several records of a person, but the population table has one row for"
                " each person; give the size of the population instead."
            )
        )
    check_size(len(table), len(register))


def _as_in(table: Table, name: str) -> Attribute:
    """Return the attribute as it compares values, with nothing of how it is published."""
    column = table[name]
    delimiter = column.delimiter if isinstance(column, Items) else column.attribute.delimiter
    return dataclasses.replace(settled(column), round_to="", recoding="generalize", delimiter=delimiter)
