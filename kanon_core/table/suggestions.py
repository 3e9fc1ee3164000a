"""Kinds that a column may have and that are not guessed but offered: ordinal and cyclic.

They change what is published – [low, high] in place of {low, high} –, so a person says so.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kanon_core.table.columns.columns import Categories, Column, Numbers
from kanon_core.table.kinds import CLOCK, guessed_cycle, is_usual_order, named_period

if TYPE_CHECKING:
    from kanon_core.table.table import Table

_MOST = 2_000
_RANGE = re.compile(r"\D{0,12}\d+\s*[-–~]\s*\d+\D{0,8}")
_BOUND = re.compile(r"([<>≤≥]=?|under|over)?\s*\d+\s*(\+|or more|and over|以上|未満)?", re.I)


def suggested_kinds(table: Table) -> dict[str, str]:
    """By quasi-identifier: ordinal where all values are of a usual order (low, medium, high) or are ranges of
    numbers (20-29, 30+); cyclic for weekdays, months, winds, times of day, and numbers whose name and values
    are those of hours, weekdays, months or directions. Cost O(values).

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
