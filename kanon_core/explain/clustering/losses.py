"""What one group adds to the loss that Refine lowers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kanon_core.distances.mixed import unit_columns_of
from kanon_core.explain.places import coordinates
from kanon_core.table.table import Table


def loss_of(table: Table, word: str) -> Callable[[np.ndarray], float]:
    """The share of a group, given its records, in the SSE ("sse") or the NCP ("ncp") of a partition.

    SSE: the squared distances of its records from their mean. NCP: records / all records · Σ over attributes
    of the weight times the width of its interval / range of the column, or (values − 1) / (domain − 1).
    """
    if word == "sse":
        places = coordinates(table)
        return lambda records: float(((places[records] - places[records].mean(axis=0)) ** 2).sum())
    unit, n = unit_columns_of(table), len(table)

    def ncp(records: np.ndarray) -> float:
        numbers = [_width(column[records]) for column in unit.numeric.T]
        values = [
            (len(np.unique(codes[records])) - 1) / max(domain - 1, 1)
            for codes, domain in zip(unit.codes.T, unit.domains.tolist(), strict=True)
        ]
        each = np.dot(numbers, unit.numeric_weights) + np.dot(values, unit.code_weights)
        return float(len(records) * each / n)

    return ncp


def _width(values: np.ndarray) -> float:
    missing = np.isnan(values)
    if missing.all():
        return 0.0
    return 1.0 if missing.any() else float(np.ptp(values))
