"""Losses of item sets: the items that are not published, or only as a group."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from kanon_core.base.sums import Sums
from kanon_core.covers.cells import PublishedColumn
from kanon_core.metrics.base import Measured
from kanon_core.metrics.summed import Anonymized, Summed
from kanon_core.release.release import Release
from kanon_core.table.columns.columns import Items
from kanon_core.table.table import Table


@dataclass(frozen=True)
class SuppressedItems(Summed):
    """Share of the items of all records that are not published: (N − N_r) / N of N items, N_r of them
    published (set-valued paper, §5.2).

    Every item of every record counts, over all columns of item sets alike; those of a suppressed record are
    not published. With a hierarchy, an item published as a group counts in N_r by 1 − the group's penalty,
    values below it / all values (eq. 7). In 0..1; 0 where there are no items. It is the fast NCP*_sv =
    |T| − N_r / τ of eq. 15, divided by |T|: with τ = N / |T| items a record, NCP*_sv / |T| = 1 − N_r /
    N. `NCP` measures the exact NCP_sv (8–10), in which a record of few items counts as much as one of many:
    the two agree when all records have the same number of items, and nowhere else in general. Cost O(n).
    """

    title: ClassVar[str] = "Suppressed items"
    short: ClassVar[str] = "Items lost"
    symbol: ClassVar[str] = "NCP*/n"
    sentence: ClassVar[str] = (
        "Share of the items in all item sets that are not published; an item published as a group counts in"
        " part."
    )
    scale: ClassVar[str] = "0 % = all published"
    formula: ClassVar[str] = r"1 - N_r / N,\ N=\sum_i|t_i|,\ N_r=\sum_i|r_i|"
    example: ClassVar[str] = (
        "Records {a, b, d} and {a, d} publish the items {a, d}: 1 of 5 items is lost, 20 %; the penalty"
        " NCP_sv of the two is (1/3 + 0)/2 = 17 %."
    )
    percent: ClassVar[bool] = True
    monotone: ClassVar[bool] = True
    kinds: ClassVar[tuple[str, ...]] = ("items",)
    parts: ClassVar[tuple[str, ...]] = ("total", "attribute", "record")

    def part(self, table: Table, made: Anonymized) -> Sums:
        """Return, for each column, how many items there are, and how many are published."""
        return _added(_item_counts(table, made))

    def total(self, table: Table, sums: Sums) -> Measured:
        """Total, and per column of item sets."""
        attributes = {name: float(_lost(*found)) for name, found in sums.numbers.items()}
        own, kept = sum(sums.numbers.values(), np.zeros(2))
        return Measured(float(_lost(np.array(own), np.array(kept))), attributes)

    def measure(self, table: Table, release: Release) -> Measured:
        """Return also, per record, the share of its own items; 0 when it has none."""
        told = _item_counts(table, release)
        own = sum((sizes for sizes, _ in told.values()), np.zeros(len(table), np.int64))
        kept = sum((shown for _, shown in told.values()), np.zeros(len(table)))
        return replace(self.total(table, _added(told)), records=_lost(own, kept))


def _item_counts(table: Table, made: Anonymized) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return, by column of item sets, how many items each record has, int64 (n), and how many of them are
    published, float64 (n)."""
    columns = ((table[published.attribute.name], published) for published in made.published)
    return {
        column.attribute.name: (
            column.sizes,
            published.cells.as_items().published_counts(column, published.cell),
        )
        for column, published in columns
        if isinstance(column, Items)
    }


def _added(counts: dict[str, tuple[np.ndarray, np.ndarray]]) -> Sums:
    return Sums({name: np.array([sizes.sum(), shown.sum()]) for name, (sizes, shown) in counts.items()})


def _lost(own: np.ndarray, kept: np.ndarray) -> np.ndarray:
    return np.where(own > 0, (own - kept) / np.maximum(own, 1), 0.0)


def item_counts(column: Items, published: PublishedColumn) -> tuple[np.ndarray, np.ndarray]:
    """Return how many records have each item, and how many of them are published with it, not as a group:
    int64 (labels) each. Cost O(items)."""
    kept = label_counts(column, published)[column.closure.own]
    return np.bincount(column.items, minlength=len(column.labels)), kept


def grouped_counts(column: Items, published: PublishedColumn) -> np.ndarray:
    """int64 (labels): how many records are published with a group for each item, not with it: the text names
    one above it. Cost O(items · log)."""
    if column.closure.is_flat:
        return np.zeros(len(column.labels), np.int64)
    found = published.cells.as_items().shown_as(column, published.cell)
    grouped = (found >= 0) & (found != column.closure.own[column.items])
    return np.bincount(column.items[grouped], minlength=len(column.labels))


def label_counts(column: Items, published: PublishedColumn) -> np.ndarray:
    """int64 (labels of the closure): how many records are published with each label, that is with an item or
    group below it."""
    cells, cell = published.cells.as_items(), published.cell
    times = np.repeat(np.bincount(cell[cell >= 0], minlength=len(cells)), cells.sizes)
    return np.bincount(cells.items, times, len(column.closure.parent)).astype(np.int64)
