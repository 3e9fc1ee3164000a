"""Load (and on a fresh machine compile) every algorithm's kernels by running it on tiny tables."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np
import pandas as pd

from kanon_core.algorithms import ALGORITHMS, Algorithm
from kanon_core.data.table import Table
from kanon_core.options import Choice, options_of
from kanon_core.run import anonymize


def warm_up() -> None:
    """Run every algorithm on a tiny numeric and a tiny mixed table; a minute or two on a fresh machine, else seconds."""
    values = np.arange(12.0) ** 1.5
    numbers = Table.from_frame(pd.DataFrame({"x": values}))
    mixed = Table.from_frame(pd.DataFrame({"x": values, "y": values[::-1] % 7, "c": list("abcabcabcaba")}))
    for algorithm in _settings():
        for table in (numbers, mixed):
            if not algorithm.unsuitable(table, 2):
                anonymize(table, algorithm, 2)


def _settings() -> Iterator[Algorithm]:
    """Every algorithm in menu order, with each word of each choice, because a choice may lead to other kernels."""
    for cls in ALGORITHMS:
        names = {option.name for option in options_of(cls)}
        quick = cls(**({"steps": 1} if "steps" in names else {}))
        yield quick
        for option in options_of(cls):
            if isinstance(option.kind, Choice):
                for word in option.kind.words:
                    if word != option.default:
                        yield dataclasses.replace(quick, **{option.name: word})
