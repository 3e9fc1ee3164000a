"""The columns that are published unchanged, as codes of what stands in the released file."""

from __future__ import annotations

import numpy as np
import pandas as pd

from kanon_core.table.columns.columns import Items
from kanon_core.table.columns.sets import set_keys
from kanon_core.table.schema import Attribute
from kanon_core.table.table import Table

UNCHANGED = ("sensitive", "other")
"""Roles of columns whose values are published as they stand."""


def unchanged(table: Table) -> tuple[Attribute, ...]:
    """The attributes whose values are published as they stand."""
    return table.schema.of_role(*UNCHANGED)


def codes_of(table: Table, name: str) -> np.ndarray:
    """int64 (n): equal numbers for equal cells of a column, 0 …; all missing cells have the last. Found once
    for a table, O(n)."""

    def make() -> np.ndarray:
        column = table[name]
        if isinstance(column, Items):
            return set_keys(column.starts, column.items).astype(np.int64)
        # Cells that do not fit the kind of their column are published as well.
        codes = pd.factorize(table.frame[name])[0].astype(np.int64)
        return np.where(codes < 0, codes.max(initial=-1) + 1, codes)

    return table.once(f"codes:{name}", make)


def is_missing(table: Table, name: str) -> np.ndarray:
    """n booleans: the cell is empty."""
    return table.frame[name].isna().to_numpy(bool)
