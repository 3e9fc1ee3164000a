"""Differences between statistics of the release and those of the originals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import counted, tr
from kanon_core.covers.cells import PublishedColumn
from kanon_core.metrics.base import Measured, undefined
from kanon_core.metrics.comparisons import (
    PAIRS_AT_MOST,
    Comparison,
    Pair,
    ranked,
    share_pair,
    spread_text,
    unseen,
    value_text,
)
from kanon_core.metrics.utility.base import (
    NOTHING_PUBLISHED,
    Utility,
    read_counts,
    read_numbers,
    scaled,
)
from kanon_core.release.release import Release
from kanon_core.table.columns.columns import Categories, Numbers
from kanon_core.table.columns.texts import label_texts
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
    compared: ClassVar[int] = PAIRS_AT_MOST
    """The number of columns that are compared, those with the largest changes."""

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
            true, shown = _scaled_pair(column, release)
            varies = len(true) > 0 and float(true.std()) > 0
            found = 0.0 if not varies else self.moved(true, shown) if len(shown) else 1.0
            changes[column.attribute.name] = found
        return Measured(float(np.mean(list(changes.values()))), changes)

    def compare(self, table: Table, release: Release, measured: Measured) -> Comparison:
        """The columns with the largest changes."""
        columns = [table[name] for name in ranked(measured.attributes, self.compared)]
        found = [(c, self.pairs(c, *_scaled_pair(c, release))) for c in columns if isinstance(c, Numbers)]
        worst, pairs = found[0][0].attribute.name, found[0][1]
        says = tr("Nothing is published of “{name}”.").format(name=worst)
        if all(pair.after == pair.after for pair in pairs):
            change = self.text(measured.attributes[worst])
            all_shown = len(pairs) == 1  # of several statistics, others may have changed
            says = (unseen(worst, pairs) if all_shown else "") or self.reading(worst, pairs, change)
        says += _average(self.text(measured.total), len(measured.attributes))
        return Comparison(says, tuple(pair for _, each in found for pair in each), measured.total)

    def pairs(self, column: Numbers, x: np.ndarray, y: np.ndarray) -> tuple[Pair, ...]:
        """The statistics of a column, from original values x and published values y, scaled to 0..1; y may
        be empty."""
        raise NotImplementedError  # pragma: no cover - each overrides it

    def reading(self, name: str, pairs: Sequence[Pair], change: str) -> str:
        """Return a sentence on the column that changes most."""
        raise NotImplementedError  # pragma: no cover - each overrides it


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
    unit: ClassVar[str] = "σ"
    example: ClassVar[str] = "Ages 20, 30, 40 published as [20, 40] have mean 30: no change, 0."

    def moved(self, x: np.ndarray, y: np.ndarray) -> float:
        """|mean of y − mean of x| / σ."""
        return abs(float(y.mean() - x.mean())) / float(x.std())

    def pairs(self, column: Numbers, x: np.ndarray, y: np.ndarray) -> tuple[Pair, ...]:
        """The mean, on a scale of one standard deviation to each side."""
        mean, spread = (float(value) for value in (x.mean(), x.std())) if len(x) else (0.0, 0.0)
        return (_pair(column, column.attribute.name, mean, _mean(y), (mean - spread, mean + spread)),)

    def reading(self, name: str, pairs: Sequence[Pair], change: str) -> str:
        """Return a sentence on the way the mean moves."""
        says = tr("The mean of “{name}” changes most: it rises from {was} to {now}, by {change}.")
        if pairs[0].after < pairs[0].before:
            says = tr("The mean of “{name}” changes most: it falls from {was} to {now}, by {change}.")
        return says.format(name=name, was=pairs[0].was, now=pairs[0].now, change=change)


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

    def pairs(self, column: Numbers, x: np.ndarray, y: np.ndarray) -> tuple[Pair, ...]:
        """The standard deviation, on a scale from 0."""
        before, after = (_spread(values) * _unit(column) for values in (x, y))
        texts = spread_text(before, column), spread_text(after, column)
        return (Pair(column.attribute.name, before, after, 0.0, float(np.fmax(before, after)), *texts),)

    def reading(self, name: str, pairs: Sequence[Pair], change: str) -> str:
        """Return a sentence on the way the standard deviation moves."""
        says = tr(
            "The standard deviation of “{name}” changes most: it rises from {was} to {now}, the variance by"
            " {change}."
        )
        if pairs[0].after < pairs[0].before:
            says = tr(
                "The standard deviation of “{name}” changes most: it falls from {was} to {now}, the"
                " variance by {change}."
            )
        return says.format(name=name, was=pairs[0].was, now=pairs[0].now, change=change)


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
    unit: ClassVar[str] = "σ"
    example: ClassVar[str] = "Values 0 and 10 published as 5 and 5: the deciles move by 2.2 of σ = 5, 0.44."
    compared: ClassVar[int] = 1

    def moved(self, x: np.ndarray, y: np.ndarray) -> float:
        """Mean distance of the deciles / σ."""
        apart = np.abs(np.quantile(y, _DECILES) - np.quantile(x, _DECILES))
        return float(apart.mean()) / float(x.std())

    def pairs(self, column: Numbers, x: np.ndarray, y: np.ndarray) -> tuple[Pair, ...]:
        """The lowest, middle and highest decile, on a scale of the whole column."""
        names = (tr("10 % are lower"), tr("50 % are lower"), tr("90 % are lower"))
        places = ((_quantile(x, share), _quantile(y, share)) for share in (0.1, 0.5, 0.9))
        return tuple(_pair(column, name, *both, (0.0, 1.0)) for name, both in zip(names, places, strict=True))

    def reading(self, name: str, pairs: Sequence[Pair], change: str) -> str:
        """Return a sentence on the deciles."""
        return tr("The deciles of “{name}” move most: by {change} on average.").format(
            name=name, change=change
        )


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

    def compare(self, table: Table, release: Release, measured: Measured) -> Comparison:
        """The correlations of the column with the largest change, on a scale from −1 to 1."""
        columns = {c.attribute.name: c for c in table.quasi if isinstance(c, Numbers)}
        (worst,) = ranked(measured.attributes, 1)
        own, shown = columns[worst].values, read_numbers(columns[worst], release)
        pairs = []
        for name, other in columns.items():
            if name != worst:
                before = correlation(own, other.values)
                after = correlation(shown, read_numbers(other, release))
                texts = (f"{round(r, 2) + 0.0:.2f}" for r in (before, after))
                pairs.append(Pair(tr("with {name}").format(name=name), before, after, -1.0, 1.0, *texts))
        pairs.sort(key=lambda pair: -abs(pair.after - pair.before))
        says = unseen(worst, pairs[:1]) or tr(
            "The correlations of “{name}” change most: {pair} from {was} to {now}."
        ).format(name=worst, pair=pairs[0].name, was=pairs[0].was, now=pairs[0].now)
        says += _average(self.text(measured.total), len(columns))
        return Comparison(says, tuple(pairs[:PAIRS_AT_MOST]), measured.total)


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
                true, shown = _shares(column, published, held)
                apart = float(np.abs(shown - true).sum()) / 2
                changes[column.attribute.name] = apart if held.sum() else 1.0
        return Measured(float(np.mean(list(changes.values()))), changes)

    def compare(self, table: Table, release: Release, measured: Measured) -> Comparison:
        """The values of the column with the largest change whose shares change most."""
        (worst,) = ranked(measured.attributes, 1)
        column = table[worst]
        assert isinstance(column, Categories)
        published = next(one for one in release.by_row if one.attribute.name == worst)
        true, shown = _shares(column, published, release.held)
        first = np.argsort(-np.abs(shown - true), kind="stable")[:PAIRS_AT_MOST].tolist()
        texts, high = label_texts(column), float(max(true[first].max(), shown[first].max()))
        pairs = tuple(share_pair(texts[i], float(true[i]), float(shown[i]), high) for i in first)
        change = self.text(measured.attributes[worst])
        hidden = unseen(worst, pairs[:1])
        says = tr("The shares of “{name}” change most: {change} of the records count for another value.")
        says = says.format(name=worst, change=change)
        if not hidden:
            moves = tr(" The share of “{value}” goes from {was} to {now}.")
            says += moves.format(value=pairs[0].name, was=pairs[0].was, now=pairs[0].now)
        elif change == self.text(0.0):
            says = hidden
        says += _average(self.text(measured.total), len(measured.attributes))
        return Comparison(says, pairs, measured.total)


def _shares(
    column: Categories, published: PublishedColumn, held: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """float64 (V) twice: the true share of each label, and that which a reader counts."""
    true = np.bincount(column.codes, minlength=len(column.labels)) / max(len(column.codes), 1)
    return true, read_counts(column, published.cells, held) / max(held.sum(), 1)


def _scaled_pair(column: Numbers, release: Release) -> tuple[np.ndarray, np.ndarray]:
    """float64: the original and the published values that are not missing, scaled to 0..1."""
    shown = read_numbers(column, release)
    return scaled(column.present, column), scaled(shown[~np.isnan(shown)], column)


def _pair(column: Numbers, name: str, before: float, after: float, ends: tuple[float, float]) -> Pair:
    """The pair of two places of a column that are scaled to 0..1."""
    first, unit = column.range[0], _unit(column)
    was, now = (value_text(first + unit * place, column) for place in (before, after))
    return Pair(name, before, after, *ends, was, now)


def _unit(column: Numbers) -> float:
    low, high = column.range
    return high - low


def _mean(values: np.ndarray) -> float:
    return float(values.mean()) if len(values) else math.nan


def _spread(values: np.ndarray) -> float:
    return float(values.std()) if len(values) else math.nan


def _quantile(values: np.ndarray, share: float) -> float:
    return float(np.quantile(values, share)) if len(values) else math.nan


def _average(total: str, columns: int) -> str:
    """A further sentence on the mean over all columns, if there are several."""
    if columns < 2:
        return ""
    says = tr("On average over {columns}: {total}.")
    return " " + says.format(columns=counted(columns, "column"), total=total)


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
