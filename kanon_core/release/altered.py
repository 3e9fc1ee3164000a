"""Find the published values that differ from those of the records."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kanon_core.base.words import later
from kanon_core.covers.cells import AggregatedNumbers, AggregatedValues, PublishedColumn
from kanon_core.table.columns.columns import Column, Numbers

if TYPE_CHECKING:
    from kanon_core.release.release import Release

FEW = 5.0
"""Percent: a masking that changes a smaller share of a column's values gives no protection."""
NOTHING_ALTERED = later(
    "{title} changes no value of these records, so the release would be the table"
    " itself; choose a greater range, share or base, or another masking."
)
"""The masking, by its title."""


def altered(column: Column, published: PublishedColumn) -> np.ndarray:
    """Return n booleans: the record is published with another single value than its own; False for a
    suppressed record. ``published`` has single values in place of others: means, medians, modes or masked
    values. Cost O(n).

    >>> import kanon_core as kc
    >>> table = kc.read_table(b"age\\n30\\n34\\n35\\n40\\n")
    >>> release = kc.mask(table, kc.Rounding(base=10), seed=1)
    >>> altered(table["age"], release["age"]).tolist()
    [False, True, True, False]
    """
    cells, cell = published.cells, published.cell
    assert isinstance(cells, AggregatedNumbers | AggregatedValues)
    own, shown = column.keys, np.append(cells.values, cells.values[:1])[cell]
    if isinstance(column, Numbers) and column.circle is not None:
        own, shown = column.circle.written(own), column.circle.written(shown)
    same = (own == shown) | (np.isnan(own) & np.isnan(shown))
    return np.asarray(~same & (cell >= 0))


def masked(published: PublishedColumn) -> bool:
    """Return whether a masking chose these cells, in a release that promises no k."""
    return published.cells.aggregated and published.attribute.recoding == "generalize"


def differs(column: Column) -> bool:
    """Return whether two records have different values there, so that there is something to hide."""
    return column.distinct + bool(column.missing.any()) > 1


def nothing_altered(release: Release) -> bool:
    """Return whether a masking leaves out no record and changes no value, though some differ. Cost O(n) per
    column."""
    if release.suppressed.any() or not any(map(differs, release.table.quasi)):
        return False
    columns = zip(release.table.quasi, release.published, strict=True)
    return not any(masked(published) and altered(column, published).any() for column, published in columns)


def outside(column: Column, published: PublishedColumn) -> np.ndarray:
    """Return n booleans: the number that is published of the record is below the least or above the greatest
    of the column; always False for words, ordinal values and cyclic values. Cost O(n)."""
    cells, cell = published.cells, published.cell
    lined = isinstance(column, Numbers) and column.circle is None and not column.levels
    if not lined or not isinstance(cells, AggregatedNumbers):
        return np.zeros(len(cell), bool)
    assert isinstance(column, Numbers)
    shown, (low, high) = np.append(cells.values, np.nan)[cell], column.range
    return np.asarray(((shown < low) | (shown > high)) & (cell >= 0))
