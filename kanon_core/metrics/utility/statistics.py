"""Differences between statistics of the release and those of the originals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr
from kanon_core.metrics.base import Measured, undefined
from kanon_core.metrics.utility.base import (
    NOTHING_PUBLISHED,
    Utility,
    read_counts,
    read_numbers,
    scaled,
)
from kanon_core.release.release import Release
from kanon_core.table.columns.columns import Categories, Numbers
from kanon_core.table.schema import NUMERIC_KINDS
from kanon_core.table.table import Table

_DECILES = np.arange(1, 10) / 10


@dataclass(frozen=True)
class NumbersChange(Utility):
    """The difference of one statistic of each column of numbers or dates from the true one, and the average.

    The published values are taken as a reader takes them (`kanon_core.metrics.utility.base`). Missing values
    do not count; a constant column has 0. A column of which nothing is published, or nothing but missing
    values, counts as changed by 1.
    """

    high: ClassVar[float] = math.inf
    parts: ClassVar[tuple[str, ...]] = ("total", "attribute")
    kinds: ClassVar[tuple[str, ...]] = NUMERIC_KINDS

    def moved(self, x: np.ndarray, y: np.ndarray) -> float:
        """The change from original values x, which vary, to published values y, both scaled to 0..1."""
        raise NotImplementedError  # pragma: no cover - each overrides it

    def evaluate(self, table: Table, release: Release, tick: Tick = silent) -> Measured:
        """Total (the average) and per attribute."""
        reasons = self.unsuitable(table)
        if reasons:
            return undefined(reasons)
        changes: dict[str, float] = {}
        columns = [column for column in table.quasi if isinstance(column, Numbers)]
        for column in columns:
            tick(len(changes) / len(columns), self.title)
            true, shown = column.values[~column.missing], read_numbers(column, release)
            shown = shown[~np.isnan(shown)]
            true, shown = (scaled(values, column) for values in (true, shown))
            varies = len(true) > 0 and float(true.std()) > 0
            found = 0.0 if not varies else self.moved(true, shown) if len(shown) else 1.0
            changes[column.attribute.name] = found
        return Measured(float(np.mean(list(changes.values()))), changes)


@dataclass(frozen=True)
class MeanChange(NumbersChange):
    """|mean′ − mean| / standard deviation of each column of numbers or dates, and their average; 0 or more.

    See `NumbersChange`. Cost O(n).

    Reference: ILD paper, §2.4.1; J. Domingo-Ferrer and V. Torra, 2001, on moments.
    """

    title: ClassVar[str] = "Change of means"
    short: ClassVar[str] = "Means"
    symbol: ClassVar[str] = "Δμ"
    sentence: ClassVar[str] = (
        "Difference between the published and the true means of columns, in standard deviations."
    )
    formula: ClassVar[str] = r"|\bar x'-\bar x|/\sigma"
    example: ClassVar[str] = "Ages 20, 30, 40 published as [20, 40] have mean 30: no change, 0."

    def moved(self, x: np.ndarray, y: np.ndarray) -> float:
        """|mean of y − mean of x| / σ."""
        return abs(float(y.mean() - x.mean())) / float(x.std())


@dataclass(frozen=True)
class VarianceChange(NumbersChange):
    """|variance′ / variance − 1| of each column of numbers or dates, and their average; 0 or more. Cost O(n).

    Reference: ILD paper, §2.4.1; J. Domingo-Ferrer and V. Torra, 2001, on moments.
    """

    title: ClassVar[str] = "Change of variances"
    short: ClassVar[str] = "Variances"
    symbol: ClassVar[str] = "Δσ²"
    sentence: ClassVar[str] = (
        "Relative difference between the published and the true variances; groups of similar records keep"
        " it small."
    )
    formula: ClassVar[str] = r"|\sigma'^2/\sigma^2-1|"
    example: ClassVar[str] = "Values 1, 3, 5, 7 published as 2, 2, 6, 6: variance 5 becomes 4, change 0.2."
    percent: ClassVar[bool] = True

    def moved(self, x: np.ndarray, y: np.ndarray) -> float:
        """|variance of y / variance of x − 1|."""
        return abs(float(y.var() / x.var()) - 1)


@dataclass(frozen=True)
class QuantileChange(NumbersChange):
    """Mean of |q′ − q| over the nine deciles, in standard deviations, of each column of numbers or dates, and
    their average.

    Deciles by linear interpolation. 0 or more. Cost O(n log n).

    Reference: ILD paper, §2.4.1; quantiles by R. J. Hyndman and Y. Fan, 1996, definition 7.
    """

    title: ClassVar[str] = "Change of quantiles"
    short: ClassVar[str] = "Quantiles"
    symbol: ClassVar[str] = "Δq"
    sentence: ClassVar[str] = (
        "Mean difference between the published and the true deciles, in standard deviations."
    )
    formula: ClassVar[str] = r"\frac19\sum_{j=1}^{9}|q'_{j/10}-q_{j/10}|/\sigma"
    example: ClassVar[str] = "Values 0 and 10 published as 5 and 5: the deciles move by 2.2 of σ = 5, 0.44."

    def moved(self, x: np.ndarray, y: np.ndarray) -> float:
        """Mean distance of the deciles / σ."""
        apart = np.abs(np.quantile(y, _DECILES) - np.quantile(x, _DECILES))
        return float(apart.mean()) / float(x.std())


@dataclass(frozen=True)
class CorrelationChange(Utility):
    """Mean of |r′ − r| over all pairs of columns of numbers or dates, r Pearson's correlation; in 0..2.

    As `MeanChange`. A record counts in a pair where it has both values. Where one of the two does not vary, r
    is 0. Cost O(n · attributes²).

    Reference: ILD paper, §2.4.1; J. Domingo-Ferrer and V. Torra, 2001, on correlations.
    """

    title: ClassVar[str] = "Change of correlations"
    short: ClassVar[str] = "Correlations"
    symbol: ClassVar[str] = "Δr"
    sentence: ClassVar[str] = (
        "Mean difference between the correlations of published columns and the true ones."
    )
    formula: ClassVar[str] = r"\binom p2^{-1}\sum_{a<b}|r'_{ab}-r_{ab}|"
    example: ClassVar[str] = "Height and weight have the correlation 0.7, and 0.6 in the release: 0.1."
    high: ClassVar[float] = 2.0
    parts: ClassVar[tuple[str, ...]] = ("total", "attribute")
    kinds: ClassVar[tuple[str, ...]] = NUMERIC_KINDS

    def unsuitable(self, table: Table) -> list[str]:
        """Return a reason if there are fewer than two columns of numbers."""
        if sum(isinstance(column, Numbers) for column in table.quasi) >= 2:
            return []
        return [
            tr("{title} needs at least two quasi-identifiers that are numbers or dates.").format(
                title=self.title
            )
        ]

    def evaluate(self, table: Table, release: Release, tick: Tick = silent) -> Measured:
        """Total, and per attribute the mean over the pairs that it is in."""
        reasons = self.unsuitable(table) or ([tr(NOTHING_PUBLISHED)] if release.suppressed.all() else [])
        if reasons:
            return undefined(reasons)
        columns = [column for column in table.quasi if isinstance(column, Numbers)]
        shown = [read_numbers(column, release) for column in columns]
        moved = np.zeros((len(columns), len(columns)))
        for a in range(len(columns)):
            tick(a / len(columns), self.title)
            for b in range(a):
                true = correlation(columns[a].values, columns[b].values)
                moved[a, b] = moved[b, a] = abs(correlation(shown[a], shown[b]) - true)
        each = moved.sum(axis=1) / (len(columns) - 1)
        names = [column.attribute.name for column in columns]
        return Measured(float(each.mean()), dict(zip(names, each.tolist(), strict=True)))


@dataclass(frozen=True)
class ShareChange(Utility):
    """½ Σ over values of |share′ − share| of each column of categories, and their average; in 0..1 (total
    variation).

    A set {a, b} counts half for a and half for b. Suppressed records do not count; where nothing is published
    the change is 1. Missing is a value. Cost O(n · attributes).

    Reference: ILD paper, §2.4.1; total variation as in C. C. Aggarwal and P. S. Yu, Privacy-Preserving Data
    Mining, 2008.
    """

    title: ClassVar[str] = "Change of shares"
    short: ClassVar[str] = "Shares"
    symbol: ClassVar[str] = "TV"
    sentence: ClassVar[str] = (
        "Share of the records that would have to change their category for the published frequencies to be"
        " the true ones."
    )
    formula: ClassVar[str] = r"\tfrac12\sum_v|p'_v-p_v|"
    example: ClassVar[str] = (
        "Categories a, a, a, b all published as {a, b}: shares 75 and 25 become 50 and 50, 25 %."
    )
    percent: ClassVar[bool] = True
    parts: ClassVar[tuple[str, ...]] = ("total", "attribute")
    kinds: ClassVar[tuple[str, ...]] = ("categorical", "text")

    def evaluate(self, table: Table, release: Release, tick: Tick = silent) -> Measured:
        """Total (the average) and per attribute."""
        reasons = self.unsuitable(table)
        if reasons:
            return undefined(reasons)
        held = release.held
        changes: dict[str, float] = {}
        for published in release.by_row:
            tick(len(changes) / len(release.published), self.title)
            column = table[published.attribute.name]
            if isinstance(column, Categories):
                true = np.bincount(column.codes, minlength=len(column.labels)) / len(table)
                shown = read_counts(column, published.cells, held) / max(held.sum(), 1)
                apart = float(np.abs(shown - true).sum()) / 2
                changes[column.attribute.name] = apart if held.sum() else 1.0
        return Measured(float(np.mean(list(changes.values()))), changes)


def correlation(x: np.ndarray, y: np.ndarray) -> float:
    """Pearson's r of the pairs that have both values; 0 where one of the two does not vary."""
    both = ~(np.isnan(x) | np.isnan(y))
    if not both.any():
        return 0.0
    x, y = x[both], y[both]
    x, y = (np.zeros(len(v)) if np.ptp(v) == 0 else (v - v.min()) / np.ptp(v) for v in (x, y))
    x, y = x - x.mean(), y - y.mean()
    spread = math.sqrt(float((x**2).sum()) * float((y**2).sum()))
    return float(np.clip((x * y).sum() / spread, -1, 1)) if spread > 0 else 0.0
