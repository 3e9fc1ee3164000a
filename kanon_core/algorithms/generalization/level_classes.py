"""Equivalence classes of records at a choice of levels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from kanon_core.algorithms.generalization.lattice import Node
from kanon_core.algorithms.generalization.levels import Levels
from kanon_core.covers.cells import PublishedColumn
from kanon_core.table.columns.keys import paired

_COUNTED_AT_MOST = 1 << 22
_EXACT = 1 << 62


class Rows(NamedTuple):
    """The distinct records: ``values`` int64 (rows, columns), their values; ``weight`` int64 (rows), their
    numbers of records; ``row`` int64 (n), the row of each record."""

    levels: Sequence[Levels]
    values: np.ndarray
    weight: np.ndarray
    row: np.ndarray

    @classmethod
    def of(cls, levels: Sequence[Levels]) -> Rows:
        """Return the rows of these columns. Cost O(n log n · columns)."""
        row = np.zeros(len(levels[0].value), np.int64)
        for column in levels:
            row = paired(row, column.value)
        first = np.empty(int(row.max()) + 1, np.int64)
        first[row[::-1]] = np.arange(len(row))[::-1]
        values = np.column_stack([column.value[first] for column in levels])
        return cls(levels, np.asfortranarray(values), np.bincount(row), row)

    def classes(self, node: Node) -> np.ndarray:
        """Return a number, int64 (rows), equal for rows of one class at these levels; with gaps."""
        keys, size = np.zeros(len(self.weight), np.int64), 1
        for column, step, values in zip(self.levels, node, self.values.T, strict=True):
            cells, cell = column.steps[step]
            if len(cells) == 1:
                continue
            if size * len(cells) > _EXACT:
                keys, size = paired(keys, np.zeros(1, np.int64)), len(keys)
            keys, size = keys * len(cells) + cell[values], size * len(cells)
        return keys if size <= _COUNTED_AT_MOST else np.asarray(pd.factorize(keys)[0], np.int64)

    def few(self, node: Node, k: int) -> np.ndarray:
        """Return which rows are in classes of fewer than k records, booleans."""
        classes = self.classes(node)
        return np.asarray(np.bincount(classes, self.weight)[classes] < k)

    def groups(self, node: Node, k: int) -> np.ndarray:
        """Return the class of each record at these levels, int64 (n); −1 in classes of fewer than k
        records."""
        return np.asarray(np.where(self.few(node, k), -1, self.classes(node))[self.row])

    def published(self, node: Node, kept: np.ndarray) -> dict[str, PublishedColumn]:
        """Return, by name, the generalized columns at these levels; records that are not ``kept`` (n
        booleans) are suppressed. The cover's groups define columns with other recodings."""
        return {
            column.column.attribute.name: column.published(step, kept)
            for column, step in zip(self.levels, node, strict=True)
            if column.column.attribute.recoding == "generalize"
        }
