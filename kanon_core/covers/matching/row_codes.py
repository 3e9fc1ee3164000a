"""Tables and published columns as whole numbers, for comparing records with rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from kanon_core.covers.cells import PublishedColumn
from kanon_core.table.table import Table

if TYPE_CHECKING:
    from kanon_core.covers.matching.fit_kernels import Fit


def classes(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the classes of equal rows of an integer array: one place of each class, the class of each row,
    and the sizes of the classes."""
    packed = np.ascontiguousarray(rows).view([("", rows.dtype)] * rows.shape[1]).ravel()
    return np.unique(packed, return_index=True, return_inverse=True, return_counts=True)[1:]


def true_of_all(
    table: Table, published: Sequence[PublishedColumn], records: np.ndarray, rows: np.ndarray
) -> np.ndarray:
    """Booleans: record ``records[i]`` fits, in every column, the row at which record ``rows[i]`` is
    published. An aggregate counts as its hidden cell; no such row is suppressed."""
    fits = np.ones(len(records), bool)
    for column in published:
        fits &= column.cells.underlying.contain(table[column.attribute.name], records, column.cell[rows])
    return fits


def fit_of(table: Table, published: Sequence[PublishedColumn], rows: np.ndarray) -> Fit:
    """Return the arrays that the kernels compare: all n records, and the rows at which ``rows`` are
    published, the most selective column first. An aggregate counts as its hidden cell; a suppressed row fits
    every record.

    Raises KanonError for too many different item sets (`kanon_core.covers.cells.items`).
    """
    from kanon_core.covers.matching.fit_kernels import Fit

    shown = np.flatnonzero(published[0].cell[rows] >= 0)
    parts = [
        column.cells.underlying.ranges(table[column.attribute.name], column.cell[rows[shown]])
        for column in published
    ]
    order = np.argsort([_pairs(part.values, part.low, part.high) for part in parts], kind="stable")
    shape = len(parts), len(rows)
    fit = Fit(
        np.array([parts[a].values for a in order], np.int32),
        np.zeros(shape, np.int32),
        np.full(shape, np.iinfo(np.int32).max, np.int32),
        np.ones(shape, bool),
        np.full(shape, -1, np.int64),
        np.ones(shape, np.int64),
        np.array([(parts[a].first >= 0).any() for a in order], bool),
        np.concatenate([parts[a].members for a in order]).astype(np.int32),
    )
    offset = 0
    for place, part in enumerate(parts[a] for a in order):
        fit.low[place, shown], fit.high[place, shown] = part.low, part.high
        fit.gaps[place, shown], fit.size[place, shown] = part.gaps, part.size
        fit.first[place, shown] = np.where(part.first < 0, -1, part.first + offset)
        offset += len(part.members)
    return fit


def _pairs(values: np.ndarray, low: np.ndarray, high: np.ndarray) -> int:
    """Return how many pairs of a record and a row agree in one column, sets with holes taken as whole."""
    width = int(high.max(initial=0)) + 1
    below = np.concatenate([[0], np.cumsum(np.bincount(values[values >= 0], minlength=width))])
    return int((below[high + 1] - below[low]).sum())
