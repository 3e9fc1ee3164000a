"""Load (and on a fresh machine compile) every algorithm's kernels by running it on tiny tables."""

from __future__ import annotations

import numpy as np
import pandas as pd

from kanon_core.algorithms import ALGORITHMS
from kanon_core.data.table import Table
from kanon_core.run import anonymize


def warm_up() -> None:
    """Run every algorithm on a tiny numeric and a tiny mixed table; seconds on a fresh machine, else under one."""
    values = np.arange(12.0) ** 1.5
    numbers = Table.from_frame(pd.DataFrame({"x": values}))
    mixed = Table.from_frame(pd.DataFrame({"x": values, "y": values[::-1] % 7, "c": list("abcabcabcaba")}))
    for algorithm in (cls() for cls in ALGORITHMS):
        for table in (numbers, mixed):
            if not algorithm.unsuitable(table, 2):
                anonymize(table, algorithm, 2)
