"""The persons of a table in which one person may have many records."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from kanon_core.base.errors import SchemaError
from kanon_core.base.lists import join_pairs
from kanon_core.base.words import counted, tr
from kanon_core.table.columns.columns import Column
from kanon_core.table.table import Table


@dataclass(frozen=True)
class Persons:
    """The persons of a table: ``numbers`` int64 (n): the person of each record; persons are numbered in the
    order in which they first appear, −1 = the record names nobody. ``column`` is the name of the column of
    role person."""

    column: str
    numbers: np.ndarray

    def __len__(self) -> int:
        return self._count

    @cached_property
    def _count(self) -> int:
        return int(self.numbers.max(initial=-1)) + 1

    @property
    def counts(self) -> np.ndarray:
        """int64 (persons): how many records each person has, at least 1."""
        return np.bincount(self.numbers[self.numbers >= 0], minlength=len(self))


def persons_of(table: Table) -> Persons:
    """The persons of the column of that role, once per table; O(n). Raises SchemaError (`no_persons`)."""
    reasons = no_persons(table)
    if reasons:
        raise SchemaError(" ".join(reasons))
    (attribute,) = table.schema.of_role("person")
    return table.once("persons", lambda: _persons(table[attribute.name]))


def _persons(column: Column) -> Persons:
    known = np.flatnonzero(~column.missing)
    numbers = np.full(len(column.missing), -1, np.int64)
    numbers[known] = pd.factorize(column.keys[known])[0]
    return Persons(column.attribute.name, numbers)


def no_persons(table: Table) -> list[str]:
    """Return why the table does not identify the person of each record, in sentences; empty when it does."""
    found = table.schema.of_role("person")
    if reasons := undecided(table):
        return reasons
    if not found:
        return [tr("No column identifies the person of each record; give such a column the role person.")]
    if len(found) > 1:
        names = " and ".join(f"“{attribute.name}”" for attribute in found)
        return [
            tr("The columns {names} all have the role person; keep this role for only one of them.").format(
                names=names
            )
        ]
    if found[0].kind == "items":
        return [
            tr(
                "Column “{name}” has the role person but holds item sets, which identify no person; give"
                " it the kind categorical."
            ).format(name=found[0].name)
        ]
    return []


def many_records_each(table: Table) -> list[str]:
    """Return why records do not represent people, in sentences; empty when each record belongs to a different
    person, or no person is named. k records with equal cells may all belong to one person, so k-anonymity of
    records need not hold for people. O(n)."""
    if not table.schema.of_role("person"):
        return undecided(table)
    if reasons := no_persons(table):
        return reasons
    persons = persons_of(table)
    if len(persons) == len(table):
        return []
    figures = tr("{records}, {people}")
    if (persons.numbers < 0).any():
        figures = tr("{records}, {people}, some records without a person")
    counts = {"records": counted(len(table), "record"), "people": counted(len(persons), "person")}
    said = tr(
        "Column “{column}” identifies the person of each record ({figures}), so k equal records may all"
        " belong to one person. Choose Purchase histories, which protects people, or give the column the role"
        " identifier if every record belongs to a different person."
    )
    return [said.format(column=persons.column, figures=figures.format(**counts))]


def undecided(table: Table) -> list[str]:
    """Return why nothing can be released yet, in sentences: columns of the role undecided, whose values
    repeat and may identify the persons of the records (`kanon_core.table.inference.is_undecided`). Empty when
    there are none. Cost O(n), once per table.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"customer": [7, 7, 7, 8], "age": [30, 30, 30, 41]})
    >>> undecided(Table.from_frame(frame))[0][:80]
    'It is undecided whether these columns identify the people of the 4 records: “cus'
    """
    found = undecided_columns(table)
    return [_question(table, found)] if found else []


def undecided_columns(table: Table) -> dict[str, str]:
    """Return how many different values each column of the role undecided has, in words, by name; O(n), once
    per table."""

    def made() -> dict[str, str]:
        columns = [table[attribute.name] for attribute in table.schema.of_role("undecided")]
        return {c.attribute.name: _values(len(pd.unique(c.keys[~c.missing]))) for c in columns}

    return table.once("undecided", made)


def _values(count: int) -> str:
    return counted(count, "different value")


def _question(table: Table, candidates: dict[str, str]) -> str:
    first = next(iter(candidates))
    return tr(
        "It is undecided whether these columns identify the people of the {records}: {columns}. If they do,"
        " k equal records may all belong to one person. Choose a role on the Data page, with --roles {pair},"
        ' or with schema.with_roles({{{name}: "person"}}): person if the column identifies the person of'
        " each record; identifier if it identifies something else and every record belongs to a different"
        " person; another role, such as quasi_identifier, if it identifies no people."
    ).format(
        records=counted(len(table), "record"),
        columns=", ".join(f"“{name}” ({values})" for name, values in candidates.items()),
        pair=shlex.quote(join_pairs({first: "person"})),
        name=json.dumps(first, ensure_ascii=False),
    )
