"""Reasons for guessed roles, and suggestions of the kinds ordinal and cyclic, which are never guessed.

These two kinds change what is published ([low, high] in place of {low, high}), so a person has to choose
them.
"""

from __future__ import annotations

import re

import pandas as pd

from kanon_core.base.words import tr
from kanon_core.table.attribute import Attribute
from kanon_core.table.columns.columns import Categories, Column, Numbers
from kanon_core.table.identifiers.weights import weigh_bodies
from kanon_core.table.inference import REASONS, Guess, guess_role
from kanon_core.table.kinds import CLOCK, guessed_cycle, is_usual_order, named_period
from kanon_core.table.table import Table

_MOST = 2_000
_RANGE = re.compile(r"\D{0,12}\d+\s*[-–~]\s*\d+\D{0,8}")
_BOUND = re.compile(r"([<>≤≥]=?|under|over)?\s*\d+\s*(\+|or more|and over|以上|未満)?", re.I)


def suggested_kinds(table: Table) -> dict[str, str]:
    """Return suggested kinds by quasi-identifier: ordinal where all values are of a usual order (low, medium,
    high) or are ranges of numbers (20-29, 30+); cyclic for weekdays, months, winds, times of day, and numbers
    whose name and values are those of hours, weekdays, months or directions. Cost O(values).

    >>> import kanon_core as kc
    >>> suggested_kinds(kc.read_table(b"pain,hour,town\\nlow,23,Rome\\nhigh,0,Oslo\\n"))
    {'pain': 'ordinal', 'hour': 'cyclic'}
    """
    found = {column.attribute.name: _suggested(column) for column in table.quasi}
    return {name: kind for name, kind in found.items() if kind}


def _suggested(column: Column) -> str:
    attribute = column.attribute
    if isinstance(column, Numbers):
        fits = attribute.kind == "numeric" and named_period(attribute.name, *column.range)
        return "cyclic" if fits else ""
    if not isinstance(column, Categories) or attribute.hierarchy or attribute.categories:
        return ""
    labels = column.labels[: column.distinct]
    if not 1 < len(labels) <= _MOST:
        return ""
    if guessed_cycle(labels) or all(map(CLOCK.fullmatch, labels)):
        return "cyclic"
    ranges = sum(bool(_RANGE.fullmatch(label)) for label in labels)
    ranged = ranges > 1 and all(_RANGE.fullmatch(label) or _BOUND.fullmatch(label) for label in labels)
    return "ordinal" if ranged or is_usual_order(labels) else ""


def role_reasons(table: Table) -> dict[str, str]:
    """Return by column why its role was guessed, or that the user, a recipe or a sample gave it. Cost: that
    of guessing, once for a table.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"S.No": range(1, 5), "age": [30, 30, 41, 52]})
    >>> role_reasons(Table.from_frame(frame))["S.No"]
    'row numbers, which differ in every record'
    """
    return table.once("reasons", lambda: _reasons(table))


def _reasons(table: Table) -> dict[str, str]:
    of_bodies = weigh_bodies(table.schema.names)
    return {a.name: _reason(a, table.frame[a.name], of_bodies) for a in table.schema}


def _reason(attribute: Attribute, cells: pd.Series, of_bodies: bool) -> str:
    guess: Guess = guess_role(attribute.name, cells, attribute.kind, of_bodies)
    if guess.role != attribute.role:
        return tr("given, not guessed")
    return tr(REASONS[guess.reason]).format(number=tr(guess.number) if guess.number else "")
