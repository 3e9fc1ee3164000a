"""Cells of a released file that are merged once more: as they are written, or as one that covers several."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kanon_core.release.cells.valuesets import ValueSets
from kanon_core.table.columns.columns import Categories, Column
from kanon_core.table.notation.covering import Covering


@dataclass(frozen=True)
class MergedCells(ValueSets):
    """Sets of cells that a file already has: a set of one is written as it is there, one of several as the
    cell that covers them (`kanon_core.table.notation.covering`)."""

    def texts(self, column: Column, cell: np.ndarray) -> list[str]:
        """What is written."""
        assert isinstance(column, Categories)
        cover = Covering(column.labels)
        members = (self.codes[self.starts[i] : self.starts[i + 1]].tolist() for i in cell)
        return [cover.text(part) for part in members]

    def penalty(self, column: Column) -> np.ndarray:
        """How much of the column a cell covers: of intervals the width over that of all, of sets the values
        (m − 1) / (all − 1); 1 for a cell that says nothing, or mixes missing values with others."""
        assert isinstance(column, Categories)
        if not len(self):
            return np.zeros(0)
        cover = Covering(column.labels)
        unsaid = np.bitwise_or.reduceat(cover.unsaid[self.codes], self.starts[:-1])
        missing = np.add.reduceat(cover.missing[self.codes].astype(np.int64), self.starts[:-1])
        mixed = unsaid | ((missing > 0) & (missing < self.sizes))
        return np.where(mixed, 1.0, self._covered(cover))

    def _covered(self, cover: Covering) -> np.ndarray:
        if cover.ends is None:
            every = frozenset().union(*cover.members)
            held = [
                frozenset().union(*(cover.members[code] for code in self.codes[a:b].tolist()))
                for a, b in zip(self.starts[:-1].tolist(), self.starts[1:].tolist(), strict=True)
            ]
            return np.array([len(values) - 1 for values in held], np.float64) / max(len(every) - 1, 1)
        low, high = cover.ends
        finite = np.concatenate([end[np.isfinite(end)] for end in cover.ends])
        least, greatest = finite.min(initial=np.inf), finite.max(initial=-np.inf)
        if not least < greatest:
            return np.zeros(len(self))
        first = np.fmin.reduceat(np.clip(low, least, greatest)[self.codes], self.starts[:-1])
        last = np.fmax.reduceat(np.clip(high, least, greatest)[self.codes], self.starts[:-1])
        return np.asarray(np.nan_to_num((last - first) / (greatest - least)))
