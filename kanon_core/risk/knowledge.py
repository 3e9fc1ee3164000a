"""Knowledge of an attacker about a person: some quasi-identifiers, each exactly or roughly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from kanon_core.base.errors import OptionError
from kanon_core.base.words import quoted, tr
from kanon_core.covers.cells import PublishedColumn
from kanon_core.covers.matching.fitting import allowed
from kanon_core.table.columns.columns import Categories, Column, Numbers
from kanon_core.table.hierarchy.placed import placed
from kanon_core.table.table import Table

_DAY = 86_400


@dataclass(frozen=True)
class Known:
    """A quasi-identifier that is known of a person: exactly, or ``roughly``. A number is then known within ±
    this amount (a date: days), a category with a hierarchy by its group this many levels up."""

    column: str
    roughly: float = 0.0

    def __str__(self) -> str:
        says = tr("“{name}” (roughly)") if self.roughly else "“{name}”"
        return says.format(name=self.column)

    def values(self, column: Column, record: int) -> np.ndarray:
        """Booleans (n): the value agrees with the knowledge of this record. A missing value is known to be
        missing."""
        if isinstance(column, Numbers):
            own, width = column.values[record], self._width(column)
            if np.isnan(own):
                return column.missing
            apart = np.abs(column.values - own)
            return np.asarray((apart if column.circle is None else column.circle.way(apart)) <= width)
        keys = column.keys
        if not self.roughly or not isinstance(column, Categories):
            return np.asarray(keys == keys[record])
        places = placed(column)
        node = int(places.leaf[column.codes[record]])
        for _ in range(int(self.roughly)):
            node = int(places.parent[node])
        leaves = places.leaf[column.codes]
        return np.asarray((node <= leaves) & (leaves < places.end[node]))

    def cells(self, column: Column, published: PublishedColumn, record: int) -> np.ndarray:
        """Booleans (cells): the published cell can be true of a person with these known values."""
        every = np.arange(len(published.cells))
        if isinstance(column, Numbers) and self.roughly and not column.missing[record]:
            between, width = published.cells.underlying.as_intervals(), self._width(column)
            around = [0.0] if column.circle is None else [-column.circle.period, 0.0, column.circle.period]
            own = column.values[record] + np.array(around)[:, None]
            return np.asarray(((between.low <= own + width) & (own - width <= between.high)).any(axis=0))
        having = np.flatnonzero(self.values(column, record))
        having = having[np.unique(column.keys[having], return_index=True)[1]]
        return np.asarray(allowed(column, published.cells, having, every).any(axis=0))

    def _width(self, column: Numbers) -> float:
        hours = column.circle is not None and column.circle.clock
        return self.roughly * (_DAY if column.attribute.kind == "datetime" else 3_600 if hours else 1)


def knowledge(table: Table, known: Mapping[str, float] | None) -> tuple[Known, ...]:
    """Return the checked knowledge, given by name of quasi-identifier as the precision of each (`Known`);
    None = all, exactly. Raises OptionError for another column, a width below 0, or a level that a category
    does not have."""
    names = [attribute.name for attribute in table.schema.quasi_identifiers]
    if known is None:
        return tuple(map(Known, names))
    for name in known:
        if name not in names:
            raise OptionError(
                tr(
                    "“{name}” is not a quasi-identifier; an attacker knows quasi-identifiers: {names}."
                ).format(name=name, names=quoted(names) or tr("none"))
            )
    return tuple(Known(name, _checked(table[name], roughly)) for name, roughly in known.items())


def levels(column: Column) -> int:
    """Return how many levels above its values a column of categories has; 0 without a hierarchy."""
    tree = column.attribute.hierarchy
    return int(tree.depth.max()) if isinstance(column, Categories) and tree is not None else 0


def _checked(column: Column, roughly: Any) -> float:
    number = isinstance(roughly, int | float) and not isinstance(roughly, bool)
    most = np.inf if isinstance(column, Numbers) else levels(column)
    fits = number and 0 <= roughly < np.inf and roughly <= most
    if not fits or not (isinstance(column, Numbers) or float(roughly).is_integer()):
        if isinstance(column, Numbers):
            allowed_here = tr("a number of 0 or more (the value is known to within ± this number)")
        else:
            allowed_here = tr("a level of its hierarchy from 0 (exact) to {most}").format(most=int(most))
        raise OptionError(
            tr("The precision to which “{name}” is known must be {allowed}.").format(
                name=column.attribute.name, allowed=allowed_here
            )
        )
    return float(roughly)
