"""Count queries over a table, and the answers of a release: one object per attribute, which knows its part of
every query.

All parts have ``true(queries)``, booleans (q, n): the record's value satisfies the query, and
``answer(queries)``, float64 (q, m): the share of what a cell stands for that does, all values that it allows
alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr
from kanon_core.covers.cells import Cells
from kanon_core.distances.values.sets import sets_of
from kanon_core.metrics.comparisons import value_text
from kanon_core.metrics.utility.base import item_shares, read_shares
from kanon_core.table.columns.columns import Categories, Column, Items, Numbers
from kanon_core.table.columns.set_arrays import incidence
from kanon_core.table.columns.texts import interval_text, label_texts, number_texts

_CELLS = 1_000_000


@dataclass(frozen=True, eq=False)
class Ranges:
    """low ≤ value ≤ high; ``low`` and ``high`` float64 (Q)."""

    column: Numbers
    cells: Cells
    low: np.ndarray
    high: np.ndarray

    @classmethod
    def drawn(
        cls, column: Numbers, cells: Cells, share: float, count: int, rng: np.random.Generator
    ) -> Ranges:
        """Draw two present values such that about ``share`` of the records lie between them."""
        ordered = np.sort(column.values[~column.missing])
        if not len(ordered):
            ordered = np.zeros(1)
        width = min(max(1, round(share * len(ordered))), len(ordered))
        first = rng.integers(0, len(ordered) - width + 1, count)
        return cls(column, cells, ordered[first], ordered[first + width - 1])

    def true(self, queries: np.ndarray) -> np.ndarray:
        """Booleans (q, n)."""
        values = self.column.values
        return (values >= self.low[queries, None]) & (values <= self.high[queries, None])

    def answer(self, queries: np.ndarray) -> np.ndarray:
        """float64 (q, m): for whole numbers, the share of the whole numbers in the interval; otherwise the
        share of its length."""
        low, high = self.cells.as_intervals().low, self.cells.as_intervals().high
        a, b = self.low[queries, None], self.high[queries, None]
        whole = self.column.integral and self.column.attribute.kind in ("numeric", "cyclic")
        step = float(whole or bool(self.column.levels))
        width = high - low + step
        common = np.maximum(np.minimum(high, b) - np.maximum(low, a) + step, 0.0)
        if (circle := self.column.circle) is not None:  # an arc continues at the other end
            common += np.maximum(
                np.minimum(high - circle.period, b) - np.maximum(low - circle.period, a) + step, 0
            )
        inside = (low >= a) & (low <= b)
        found = np.divide(common, width, out=inside.astype(np.float64), where=(width > 0) & (low < high))
        return np.where(np.isnan(low), 0.0, found)


@dataclass(frozen=True, eq=False)
class Choices:
    """The value is one of a set; ``packed`` uint8: booleans (Q, labels), eight to a byte."""

    column: Categories
    cells: Cells
    packed: np.ndarray

    @classmethod
    def drawn(
        cls,
        column: Categories,
        cells: Cells,
        share: float,
        count: int,
        rng: np.random.Generator,
        tick: Tick = silent,
    ) -> Choices:
        """Draw values in random order, until at least ``share`` of the records have one of them."""
        counts = np.bincount(column.codes, minlength=len(column.labels))
        step, found = max(1, _CELLS // len(counts)), []
        for start in range(0, count, step):
            tick(start / count, tr("drawing queries"))
            orders = rng.permuted(np.tile(np.arange(len(counts)), (min(step, count - start), 1)), axis=1)
            before = np.cumsum(counts[orders], axis=1) - counts[orders]
            wanted = np.zeros(orders.shape, bool)
            np.put_along_axis(wanted, orders, before < share * counts.sum(), axis=1)
            found.append(np.packbits(wanted, axis=1))
        return cls(column, cells, np.concatenate(found))

    def true(self, queries: np.ndarray) -> np.ndarray:
        """Booleans (q, n)."""
        return np.stack([wanted.take(self._codes) for wanted in self._wanted(queries)])

    def answer(self, queries: np.ndarray) -> np.ndarray:
        """float64 (q, m)."""
        return np.asarray((self._shares @ self._wanted(queries).T.astype(np.float64)).T)

    def _wanted(self, queries: np.ndarray) -> np.ndarray:
        """Booleans (q, labels)."""
        return np.unpackbits(self.packed[queries], axis=1, count=len(self.column.labels)).view(bool)

    @cached_property
    def _codes(self) -> np.ndarray:
        return self.column.codes.astype(np.intp)

    @cached_property
    def _shares(self) -> Any:
        return read_shares(self.column, self.cells)


@dataclass(frozen=True, eq=False)
class Itemsets:
    """The record has all items of a set; ``wanted`` int64 arrays (Q)."""

    column: Items
    cells: Cells
    wanted: list[np.ndarray]

    @classmethod
    def drawn(
        cls, column: Items, cells: Cells, share: float, count: int, rng: np.random.Generator
    ) -> Itemsets:
        """Draw one to three items of one of the table's different sets; fewer records than ``share`` asks for
        have them all."""
        sets = sorted(held for held in sets_of(column)[1] if held) or [()]
        chosen = rng.integers(0, len(sets), count)
        sizes = rng.integers(1, 4, count)
        wanted = []
        for place, size in zip(chosen.tolist(), sizes.tolist(), strict=True):
            held = np.array(sets[place], np.int64)
            wanted.append(rng.permutation(held)[:size])
        return cls(column, cells, wanted)

    def true(self, queries: np.ndarray) -> np.ndarray:
        """Booleans (q, n)."""
        width = max(len(self.column.labels), 1)
        wanted = [self.wanted[query] for query in queries.tolist()]
        sizes = np.array([len(held) for held in wanted], np.int64)
        asked = incidence(
            np.concatenate([[0], np.cumsum(sizes)]), np.concatenate([np.zeros(0, np.int64), *wanted]), width
        )
        shared = (asked @ incidence(self.column.starts, self.column.items, width).T).toarray()
        return np.asarray(shared == sizes[:, None])

    def answer(self, queries: np.ndarray) -> np.ndarray:
        """float64 (q, m): the product of the wanted items' shares: 1 where all are published; what is not
        published, not even as a group, cannot be counted."""
        wanted = [self.wanted[query] for query in queries.tolist()]
        found = np.ones((len(wanted), self._shares.shape[1]))
        for place in range(max(map(len, wanted), default=0)):
            rows = [row for row, held in enumerate(wanted) if len(held) > place]
            found[rows] *= self._shares[[wanted[row][place] for row in rows]].toarray()
        return found

    @cached_property
    def _shares(self) -> Any:
        return item_shares(self.column, self.cells).T.tocsr()


def drawn(
    column: Column,
    cells: Cells,
    share: float,
    count: int,
    rng: np.random.Generator,
    tick: Tick = silent,
) -> Ranges | Choices | Itemsets:
    """``count`` random conditions on this column, each satisfied by about ``share`` of the records."""
    if isinstance(column, Numbers):
        return Ranges.drawn(column, cells, share, count, rng)
    if isinstance(column, Items):
        return Itemsets.drawn(column, cells, share, count, rng)
    return Choices.drawn(column, cells, share, count, rng, tick)


def frequent(column: Column, cells: Cells, most: int) -> tuple[list[str], Ranges | Choices | Itemsets]:
    """Texts and conditions: of numbers or dates, up to ``most`` ranges that together hold all present values,
    with about equally many in each; otherwise the ``most`` frequent values or items, one in each."""
    if isinstance(column, Numbers):
        return _ranges(column, cells, most)
    if isinstance(column, Items):
        counts = np.bincount(column.items, minlength=len(column.labels))
        chosen = np.argsort(-counts, kind="stable")[:most]
        return [column.labels[i] for i in chosen.tolist()], Itemsets(column, cells, [*chosen[:, None]])
    counts = np.bincount(column.codes, minlength=len(column.labels))
    chosen = np.argsort(-counts, kind="stable")[:most]
    packed = np.packbits(np.arange(len(counts)) == chosen[:, None], axis=1)
    texts = label_texts(column)
    return [texts[i] for i in chosen.tolist()], Choices(column, cells, packed)


def _ranges(column: Numbers, cells: Cells, most: int) -> tuple[list[str], Ranges]:
    """Texts and conditions of `frequent` for numbers or dates; the ends of ranges are rounded in texts."""
    ordered = np.sort(column.present)
    low: list[float] = []
    high: list[float] = []
    for i in range(1, most + 1):
        end = ordered[max(round(i * len(ordered) / most), 1) - 1 :][:1]
        rest = ordered if not high else ordered[ordered > high[-1]]
        if len(end) and len(rest) and end[0] >= rest[0]:
            low.append(float(rest[0]))
            high.append(float(end[0]))
    edges = np.array([low, high], np.float64)
    ends = [[value_text(edge, column) for edge in side.tolist()] for side in edges]
    if column.integral or column.levels:
        ends = [number_texts(side, column, True) for side in edges]
    return [interval_text(*both) for both in zip(*ends, strict=True)], Ranges(column, cells, *edges)
