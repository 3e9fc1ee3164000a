"""Published categories without a hierarchy: sets of values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from kanon_core.covers.cells.base import Ranges, SingleValues
from kanon_core.table.columns.columns import Categories, Column
from kanon_core.table.columns.set_arrays import BITS, bit_flags, chosen_sets, set_keys
from kanon_core.table.columns.texts import label_texts, member_texts
from kanon_core.table.notation.covering import Covering

_FLAGS_AT_MOST = 50_000_000


@dataclass(frozen=True)
class ValueSets(SingleValues):
    """Cells {a, b, …}: cell i holds ``codes[starts[i]:starts[i + 1]]``, ascending codes of the column's
    labels."""

    starts: np.ndarray
    codes: np.ndarray

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def sizes(self) -> np.ndarray:
        """int64 (m): how many values each cell allows."""
        return np.diff(self.starts)

    def hold(self, column: Column, cell: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Return whether the sets allow these values; see `SingleValues.hold`."""
        assert isinstance(column, Categories)
        width = len(column.labels)
        if width <= BITS:
            return np.asarray(self._flags[cell] >> values.astype(self._flags.dtype) & 1, bool)
        count, wanted = len(self), cell * width + values
        known = np.repeat(np.arange(count), self.sizes) * width + self.codes  # ascending
        if count * width <= _FLAGS_AT_MOST:
            return np.isin(wanted, known, kind="table")
        return np.asarray(np.append(known, -1)[np.searchsorted(known, wanted)] == wanted)

    @cached_property
    def _flags(self) -> np.ndarray:
        """Unsigned (m): the values of each cell as bits, where all labels have one."""
        return bit_flags(self.starts, self.codes)

    def keys(self) -> np.ndarray:
        """Return the key of each cell, see `Cells.keys`; keys ascend in the order in which the sets first
        appear."""
        return set_keys(self.starts, self.codes)

    def penalty(self, column: Column) -> np.ndarray:
        """(distinct − 1) / (domain − 1)."""
        assert isinstance(column, Categories)
        domain = len(column.labels)
        return (self.sizes - 1) / (domain - 1) if domain > 1 else np.zeros(len(self))

    def texts(self, column: Column, cell: np.ndarray) -> list[str]:
        """``{a, b}``, or the value alone when there is one. Each different set is written once."""
        assert isinstance(column, Categories)
        labels, members = label_texts(column), member_texts(column)
        number = np.asarray(self.keys()[cell])
        first = np.unique(number, return_index=True)[1]
        written = np.empty(int(number.max(initial=-1)) + 1, object)
        for one, place in zip(cell[first].tolist(), number[first].tolist(), strict=True):
            codes = self.codes[self.starts[one] : self.starts[one + 1]].tolist()
            part = ", ".join(members[code] for code in codes)
            written[place] = labels[codes[0]] if len(codes) == 1 else f"{{{part}}}"
        return list(written[number].tolist())

    def taken(self, which: np.ndarray) -> Self:
        """Return the cells of these numbers; see `Cells.taken`."""
        return type(self)(*chosen_sets(self.starts, self.codes, which))

    def ranges(self, column: Column, cell: np.ndarray) -> Ranges:
        """Return the ranges: values are numbered by their codes, and an empty set holds none."""
        assert isinstance(column, Categories)
        return self.ranges_over(column.codes, cell)

    def ranges_over(self, values: np.ndarray, cell: np.ndarray) -> Ranges:
        """The same for sets of any numbers; ``values`` int32 (n): the number of each record's value."""
        starts, ends = self.starts[cell], self.starts[cell + 1]
        low, high, held = np.zeros_like(cell), np.full_like(cell, -1), ends > starts
        low[held], high[held] = self.codes[starts[held]], self.codes[ends[held] - 1]
        first = np.where(high - low + 1 == ends - starts, -1, starts)
        return Ranges(values, low, high, np.ones(len(cell), bool), first, ends - starts, self.codes)

    def as_sets(self) -> ValueSets:
        """Itself."""
        return self


@dataclass(frozen=True)
class MergedCells(ValueSets):
    """Sets of cells of a file: a set of one is written as in the file, a larger one as the cell that covers
    its members (`kanon_core.table.notation.covering`)."""

    def texts(self, column: Column, cell: np.ndarray) -> list[str]:
        """Return the written cells."""
        assert isinstance(column, Categories)
        cover = Covering(column.labels)
        members = (self.codes[self.starts[i] : self.starts[i + 1]].tolist() for i in cell)
        return [cover.text(part) for part in members]

    def penalty(self, column: Column) -> np.ndarray:
        """Return the share of the column that a cell covers: of intervals the width / the width of all, of
        sets of m values (m − 1) / (all − 1); 1 for an empty cell, or one that mixes missing values with
        others."""
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
