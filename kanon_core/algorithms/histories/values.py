"""Records as numbers and codes, in which errors of published cells are computed."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from kanon_core.table.columns.columns import Categories, Numbers
from kanon_core.table.purchase_columns import step_of
from kanon_core.table.table import Table


class Values(NamedTuple):
    """``numbers`` float64 (n, p): numbers and dates in standard deviations from their mean, 0 = missing;
    ``steps`` (p): the least difference of values, in the same unit; ``codes`` int32 (n, q) of categories;
    ``weights`` (p + q)."""

    numbers: np.ndarray
    steps: np.ndarray
    codes: np.ndarray
    weights: np.ndarray


def values_of(table: Table) -> Values:
    """Return the quasi-identifiers that are numbers, dates or categories. Cost O(n · attributes)."""
    numeric = [column for column in table.quasi if isinstance(column, Numbers)]
    named = [column for column in table.quasi if isinstance(column, Categories)]
    numbers, steps = np.zeros((len(table), len(numeric))), np.zeros(len(numeric))
    for a, column in enumerate(numeric):
        first, last = column.range
        if first < last:
            shares = (column.values - first) / (last - first)
            mean, spread = _moments(column, shares)
            numbers[:, a] = np.where(column.missing, 0.0, (shares - mean) / spread)
            steps[a] = step_of(column) / (last - first) / spread
    codes = np.zeros((len(table), len(named)), np.int32)
    for b, categories in enumerate(named):
        codes[:, b] = categories.codes
    attributes = [column.attribute for column in table.quasi if isinstance(column, Numbers)]
    attributes += [column.attribute for column in named]
    weights = np.array([attribute.weight for attribute in attributes], np.float64)
    return Values(numbers, steps, codes, weights)


def _moments(column: Numbers, shares: np.ndarray) -> tuple[float, float]:
    """Return mean and standard deviation of ``shares`` (n) of the range; for a part, those of the whole."""
    if column.whole is None:
        return float(np.nanmean(shares)), float(np.nanstd(shares))
    (first, last), n = column.range, column.whole.count
    spread = column.deviation * math.sqrt((n - 1) / n)  # of the population; `deviation` is the sample's
    return (column.mean - first) / (last - first), spread / (last - first)
