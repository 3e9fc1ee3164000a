"""Losses in bits: the uncertainty about the value of each cell, and the loss of identification."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd

from kanon_core.base.words import later, tr
from kanon_core.covers.cells import Cells, PublishedColumn
from kanon_core.distances.values.sets import sets_of
from kanon_core.metrics.base import Measured, Metric
from kanon_core.metrics.comparisons import Comparison, share_pair
from kanon_core.metrics.loss.items import label_counts
from kanon_core.release.release import Release
from kanon_core.table.columns.columns import Categories, Column, Items, Numbers
from kanon_core.table.table import Table


@dataclass(frozen=True)
class EntropyLoss(Metric):
    """Non-uniform entropy: Σ_i Σ_a w_a · −log₂ Pr(x_ia | cell_ia), as a share of the same with every cell
    suppressed; in 0..1.

    Pr(x | S) = N(x) / Σ_{y in S} N(y), N the counts in the column: the bits that a reader lacks who knows how
    often values are, and sees the interval, set or group of values S. A cell that is suppressed may be any
    value. Missing is a value. A column published as mean, median or mode is charged for the interval or set
    it hides. Of item sets every item is a bit – in the set or not –, known where the item is published, and
    otherwise as likely as it is among the records that are not published with it; with a hierarchy among
    those that publish the same of the groups above it, as themselves or below them. Where nothing varies, 0.
    Unlike `NCP` it charges little for a wide cell of which nearly all records have one value. Cost O(n log n
    · attributes), O(items).

    Reference: A. Gionis and T. Tassa, k-Anonymization with minimal loss of information, IEEE TKDE 21(2),
    2009; the share of the ILD paper, §3.3.3.
    """

    title: ClassVar[str] = "Entropy loss"
    short: ClassVar[str] = "Bits lost"
    symbol: ClassVar[str] = "ΔH"
    sentence: ClassVar[str] = (
        "Share of the bits in the table that a reader lacks to know every value from its cell; 0 % = all"
        " values known, 100 % = none."
    )
    formula: ClassVar[str] = (
        r"\frac{\sum_i\sum_a w_a\log_2 (N_a(S_{ia})/N_a(x_{ia}))}{\sum_i\sum_a w_a\log_2(n/N_a(x_{ia}))}"
    )
    example: ClassVar[str] = (
        "Values a, b, c, d with cells {a, b}, {a, b}, c, d: 1 + 1 + 0 + 0 of 4 · 2 bits are lost, 25 %."
    )
    percent: ClassVar[bool] = True
    monotone: ClassVar[bool] = True
    parts: ClassVar[tuple[str, ...]] = ("total", "attribute")

    def measure(self, table: Table, release: Release) -> Measured:
        """Total and per attribute. Details: the bits lost and those there are, weighted."""
        held = np.append(release.suppressed.sum(), release.held).astype(np.float64)
        lost = all_of_it = 0.0
        attributes = {}
        for published in release.by_row:
            column = table[published.attribute.name]
            gone, there = _bits(column, published, held)
            attributes[published.attribute.name] = _share(gone, there)
            lost += published.attribute.weight * gone
            all_of_it += published.attribute.weight * there
        return Measured(
            _share(lost, all_of_it),
            attributes,
            details={later("bits lost"): lost, later("bits there are"): all_of_it},
        )


@dataclass(frozen=True)
class EntropyDifference(Metric):
    """(H(X) − H(X̂)) / H(X), H = −Σ p log p over the different records, X̂ what is published of them (the
    ILD paper, §3.3.3).

    A set, an interval and “suppressed” are values like others: two records differ when their published cells
    do. n groups of k different records each lose log k / log nk, which comes near 1 as k grows, where `ILD`
    by discrete distances stays at 1/n: this measures how well a record can be singled out, `ILD` how many
    pairs can be distinguished. Per attribute the same for its values alone. Negative where equal records are
    published differently; 0 where all records are equal. Cost O(n · attributes).
    """

    title: ClassVar[str] = "Loss of identification"
    short: ClassVar[str] = "Singled out"
    symbol: ClassVar[str] = "ΔH/H"
    sentence: ClassVar[str] = (
        "Share of the bits that single out a record of the table and that the published cells no longer"
        " contain."
    )
    formula: ClassVar[str] = r"\frac{H(X)-H(\hat X)}{H(X)},\ H(X)=-\sum_x p_x\log p_x"
    example: ClassVar[str] = "100 different records in 4 groups of 25: log 25 / log 100 = 70 %."
    low: ClassVar[float] = -math.inf
    percent: ClassVar[bool] = True
    parts: ClassVar[tuple[str, ...]] = ("total", "attribute")

    def measure(self, table: Table, release: Release) -> Measured:
        """Total, of whole records, and per attribute."""
        originals, together = {}, np.zeros(len(table), np.int64)
        for column in table.quasi:
            codes = _codes(column)
            originals[column.attribute.name] = _entropy(codes)
            together = pd.factorize(together * (int(codes.max(initial=0)) + 1) + codes)[0]
        attributes = {}
        for published in release.published:
            own = originals[published.attribute.name]
            shown = np.append(published.cells.keys() + 1, 0)[published.cell]
            attributes[published.attribute.name] = _share(own - _entropy(shown), own)
        whole = _entropy(together)
        return Measured(_share(whole - _entropy(release.classes + 1), whole), attributes)

    def compare(self, table: Table, release: Release, measured: Measured) -> Comparison:
        """The share of the bits of whole records that is left."""
        pair = share_pair(tr("bits"), 1.0, 1 - measured.total)
        says = tr("The published rows keep {share} of the bits that single out a record of the table.")
        return Comparison(says.format(share=pair.now), (pair,), measured.total)


def _bits(column: Column, published: PublishedColumn, held: np.ndarray) -> tuple[float, float]:
    """Return the bits lost and the bits in all; ``held``: the number of suppressed records, and of the
    records of each cell."""
    if isinstance(column, Items):
        own = np.bincount(column.items, minlength=len(column.labels))
        there = _binary(own, np.full(len(own), len(column.sizes)))
        return _item_bits(column, published), float(there.sum())
    counts, likely = _counts(column, published.cells.underlying)
    values = float((counts * np.log2(counts)).sum())
    n = float(counts.sum())
    return float((held * np.log2(np.append(n, likely))).sum()) - values, n * math.log2(n) - values


def _item_bits(column: Items, published: PublishedColumn) -> float:
    """Return the bits lost of all items, level by level: for each item, the records for which its group on
    this level is the lowest that is published."""
    closure, cells, lost, width = column.closure, published.cells.as_items(), 0.0, len(column.labels)
    shown = label_counts(column, published)
    left = np.bincount(column.items, minlength=width) - shown[closure.own]
    items, node, found = np.arange(width), closure.own.astype(np.int64), np.zeros(0, np.int64)
    if not closure.is_flat:
        found = closure.shown_as((column.starts, column.items), (cells.starts, cells.items), published.cell)
    while len(items):
        above = closure.parent[node]
        inner, have = above >= 0, left[items]
        if inner.any():
            level = np.full(width, -2)
            level[items[inner]] = above[inner]
            counts = np.bincount(column.items[found == level[column.items]], minlength=width)
            have = np.where(inner, counts[items], have)
            left -= counts
        among = np.where(inner, shown[above], len(column.sizes)) - shown[node]
        lost += float(_binary(have, among).sum())
        items, node = items[inner], above[inner]
    return lost


def _counts(column: Column, cells: Cells) -> tuple[np.ndarray, np.ndarray]:
    """float64: how many records have each value, and a value that each cell may stand for."""
    if isinstance(column, Categories):
        sets, which = cells.choices()
        counts = np.bincount(column.codes, minlength=len(column.labels)).astype(np.float64)
        sums = np.add.reduceat(counts[sets.codes], sets.starts[:-1]) if len(sets.codes) else np.zeros(0)
        return counts[counts > 0], sums[which]
    assert isinstance(column, Numbers)
    between, missing = cells.as_intervals(), int(column.missing.sum())
    ordered = np.sort(column.values)[: len(column.values) - missing]
    changes = np.flatnonzero(np.diff(ordered)) + 1
    counts = np.diff(np.concatenate([[0], changes, [len(ordered)]])).astype(np.float64)
    if column.circle is not None:  # an arc across the cut continues in the next round
        ordered = np.concatenate([ordered, ordered + column.circle.period])
    inside = np.searchsorted(ordered, between.high, "right") - np.searchsorted(ordered, between.low, "left")
    none = np.isnan(between.low)
    sums = np.where(none, missing, inside + missing * between.partly_missing).astype(np.float64)
    return np.append(counts, missing)[np.append(counts, missing) > 0], sums


def _binary(ones: np.ndarray, among: np.ndarray) -> np.ndarray:
    """float64: the bits of ``among`` records of which ``ones`` have an item: n log n − Σ counts · log
    counts."""
    parts = (_log(among), _log(ones), _log(among - ones))
    return np.asarray(np.maximum(parts[0] - parts[1] - parts[2], 0.0))


def _log(counts: np.ndarray) -> np.ndarray:
    return np.asarray(counts * np.log2(np.maximum(counts, 1)))


def _codes(column: Column) -> np.ndarray:
    """int64 (n): equal numbers for equal values."""
    if isinstance(column, Items):
        return sets_of(column)[0].astype(np.int64)
    values = column.values if isinstance(column, Numbers) else column.codes
    return pd.factorize(values, use_na_sentinel=False)[0]


def _entropy(codes: np.ndarray) -> float:
    counts = np.bincount(codes)
    shares = counts[counts > 0] / len(codes)
    return -float((shares * np.log2(shares)).sum())


def _share(part: float, whole: float) -> float:
    """0 where nothing varies; what rounding leaves of 0 is 0."""
    return 0.0 if whole <= 0 or abs(part) <= 1e-12 * whole else part / whole
