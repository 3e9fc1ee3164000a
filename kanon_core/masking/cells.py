"""Cells that publish one number for each record, in place of what it may have been."""

from __future__ import annotations

import numpy as np

from kanon_core.release.cells import AggregatedNumbers, Intervals
from kanon_core.table.columns.columns import Numbers

DAY = 86_400.0
"""Seconds: dates are counted in them."""
_STEPS = {"D": DAY, "s": 1.0, "us": 1e-6}


def standing_for(values: np.ndarray, low: np.ndarray, high: np.ndarray) -> AggregatedNumbers:
    """The numbers ``values`` that are published, each in place of one from ``low`` to ``high``, float64 (n)
    each; NaN = missing."""
    gone = np.isnan(values)
    low, high = (np.where(gone, np.nan, end) + 0.0 for end in (low, high))
    return AggregatedNumbers.of(values + 0.0, Intervals(low, high, np.zeros(len(values), bool)))


def written_step(column: Numbers) -> float:
    """The step in which a column is written: 1 for whole numbers, a day, a second or a microsecond for dates;
    0 for other numbers, which have none."""
    if column.attribute.kind == "datetime":
        return _STEPS[column.unit]
    return 1.0 if column.integral else 0.0
