"""Losses of generalized purchase histories: the utility of the contest PWSCUP 2018, a second view that is
bounded, and the total."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Real
from kanon_core.base.sums import Sums
from kanon_core.base.words import tr
from kanon_core.covers.cells import PublishedColumn
from kanon_core.metrics.base import Measured, Metric
from kanon_core.metrics.privacy.classes import WorstRisk
from kanon_core.metrics.summed import Anonymized, Summed
from kanon_core.release.release import Release
from kanon_core.table.columns.columns import Categories, Column, Numbers
from kanon_core.table.people import no_persons
from kanon_core.table.purchase_columns import step_of
from kanon_core.table.table import Table

_KINDS = ("numeric", "categorical", "datetime", "text", "latitude", "longitude", "ordinal", "cyclic")
_RECORDS = "records"


@dataclass(frozen=True)
class PurchaseCells(Summed):
    """Base: the mean over attributes of the mean over all records of what a cell costs; 1 when suppressed."""

    kinds: ClassVar[tuple[str, ...]] = _KINDS
    parts: ClassVar[tuple[str, ...]] = ("total", "attribute", "record")

    def unsuitable(self, table: Table) -> list[str]:
        """Return the reasons, also for a table without a column of the person."""
        return super().unsuitable(table) + no_persons(table)

    def costs(self, column: Column, published: PublishedColumn) -> np.ndarray:
        """float64 (n): the cost of each record; anything where it is suppressed."""
        raise NotImplementedError  # pragma: no cover - both override it

    def part(self, table: Table, made: Anonymized) -> Sums:
        """Return, for each column, the sum of the records' costs, and how many records there are."""
        return _added(self._costs(table, made), len(table))

    def total(self, table: Table, sums: Sums) -> Measured:
        """Total, and per attribute."""
        records = int(sums.numbers[_RECORDS])
        attributes = {
            a.name: float(sums.numbers[f"of:{a.name}"]) / records
            for a in table.schema.quasi_identifiers
            if a.kind in _KINDS
        }
        return Measured(math.fsum(attributes.values()) / max(len(attributes), 1), attributes)

    def measure(self, table: Table, release: Release) -> Measured:
        """Return also, per record, the mean over attributes."""
        costs = self._costs(table, release)
        records = sum(costs.values(), np.zeros(len(table))) / max(len(costs), 1)
        return replace(self.total(table, _added(costs, len(table))), records=records)

    def _costs(self, table: Table, made: Anonymized) -> dict[str, np.ndarray]:
        """Return, by attribute, the cost of each record, float64 (n)."""
        found = {}
        for published in made.published:
            if published.attribute.kind in _KINDS:
                costs, shown = np.ones(len(table)), np.flatnonzero(published.cell >= 0)
                if len(shown):
                    costs[shown] = self.costs(table[published.attribute.name], published)[shown]
                found[published.attribute.name] = costs
        return found


@dataclass(frozen=True)
class PurchaseUtility(PurchaseCells):
    """U = mean over attributes of the mean over all records of a cell's error e, as the contest PWSCUP 2018
    computes it.

    A reader who draws a value Y from what is published of the true value t: e = E|Y − t| / σ for numbers and
    dates, Y uniform on the steps of [a; b], and e = P(Y ≠ t) for categories:

        [a; b]  e = ((a − t)² + (b − t)² + (b − a) w) / (2 σ (b − a + w)), σ = population SD of the original
        column set S   e = 1 − 1 / |S| (of a group of a hierarchy, all its values);   one value: e = 0 if it
        is t;   suppressed: e = 1.

    The step w is a day for dates (a second where times are given), and for numbers the last decimal place in
    which the column is written (w = 1 for counts), at least the second where the name of the column says that
    it is a price; 0 beyond six. Nothing is capped: an interval of a whole year costs more than 1. A mean,
    median or mode y counts as the single value that it is: |y − t| / σ, or 1 if it is not t. A cell that
    mixes missing and present numbers costs 1. A constant column costs 0. Not defined for item sets, which are
    left out. Cost O(n · attributes).

    Reference: purchase-history paper, §3; the contest's program ut-il.py (PWSCUP 2018).
    """

    title: ClassVar[str] = "Purchase utility"
    short: ClassVar[str] = "Utility"
    symbol: ClassVar[str] = "U"
    sentence: ClassVar[str] = (
        "Mean error of a value drawn at random from each published cell, in standard deviations of the"
        " column; a suppressed record counts 1."
    )
    scale: ClassVar[str] = "information loss: lower is better"
    formula: ClassVar[str] = (
        r"\frac1{|A|}\sum_a\frac1n\sum_i e_a(i),\ e=\frac{(a-t)^2+(b-t)^2+(b-a)w}{2\sigma(b-a+w)}\text{ or"
        r" }1-\frac1{|S|}"
    )
    example: ClassVar[str] = (
        "5 pieces published as [1; 10], σ = 1: (16 + 25 + 9) / 20 = 2.5. A set of three products costs 2/3."
    )
    high: ClassVar[float] = float("inf")

    def unsummed(self, table: Table) -> list[str]:
        """Return a reason where there are numbers or dates, as σ and w are those of the whole table."""
        said = tr(
            "The errors of “{name}” depend on its standard deviation and its last decimal place in all"
            " records, which are not known in parts of a table."
        )
        numbers = [column for column in table.quasi if isinstance(column, Numbers)]
        return [said.format(name=column.attribute.name) for column in numbers[:1]]

    def costs(self, column: Column, published: PublishedColumn) -> np.ndarray:
        """e of each record; anything where it is suppressed."""
        cells, cell = published.cells, published.cell
        if isinstance(column, Numbers):
            between = cells.as_intervals()
            errors = interval_errors(column, between.low[cell], between.high[cell])
            return np.where(between.partly_missing[cell], 1.0, errors)
        assert isinstance(column, Categories)
        if cells.aggregated:
            return np.asarray((cells.as_sets().codes[cell] != column.codes).astype(np.float64))
        return set_errors(cells.sizes[cell])


@dataclass(frozen=True)
class PurchaseWidth(PurchaseCells):
    """A bounded second view of the same cells, a substitute for `PurchaseUtility` that the contest does not
    know.

    Mean over attributes and all records of (b − a) / range for an interval, 1 − 1 / |S| for a set, 1 when
    suppressed: in 0..1. It reads the interval or set that a mean, median or mode hides. It orders methods
    otherwise than the contest does: a wide interval around the true value is cheap there. Cost O(n ·
    attributes).

    Reference: purchase-history paper, §3 for the cells; the width as in Xu et al. 2006.
    """

    title: ClassVar[str] = "Purchase cell width"
    short: ClassVar[str] = "Cell width"
    symbol: ClassVar[str] = "U′"
    sentence: ClassVar[str] = (
        "Mean width of the published cells as a share of the column's range; a set of s values counts 1 −"
        " 1/s."
    )
    formula: ClassVar[str] = (
        r"\frac1{|A|}\sum_a\frac1n\sum_i w_a(i),\ w=\frac{b-a}{\text{range}}\text{ or }1-\frac1{|S|}"
    )
    example: ClassVar[str] = (
        "Price [180; 300] in a column of 0–1,000 costs 0.12; a set of three products costs 2/3."
    )
    percent: ClassVar[bool] = True

    def costs(self, column: Column, published: PublishedColumn) -> np.ndarray:
        """Share of the range that each record's cell takes, in 0..1; anything where it is suppressed."""
        if isinstance(column, Numbers):
            return published.penalties(column)
        return set_errors(published.cells.underlying.sizes[published.cell])


@dataclass(frozen=True)
class PurchaseTotal(Metric):
    """U + weight · 1 / k̂: the utility of `PurchaseUtility` plus the safety, 1 over the fewest who share a
    published history.

    The best k is where it is least. With the paper's method k̂ = k; it is the risk of `WorstRisk`. Cost O(n ·
    attributes).

    Reference: purchase-history paper, §3, tables 9 and 14, with weight 1.
    """

    title: ClassVar[str] = "Utility and safety"
    short: ClassVar[str] = "Total"
    symbol: ClassVar[str] = "U + 1/k"
    sentence: ClassVar[str] = (
        "Sum of the purchase utility and the weighted probability of linking a history to its person;"
        " lowest at the best balance."
    )
    scale: ClassVar[str] = "sum of loss and risk: lower is better"
    formula: ClassVar[str] = r"U + \lambda / \hat k"
    example: ClassVar[str] = "Utility 0.615 at k = 6: 0.615 + 1/6 = 0.782."
    untouched: ClassVar[float] = 1.0
    high: ClassVar[float] = float("inf")
    kinds: ClassVar[tuple[str, ...]] = _KINDS

    weight: Annotated[float, Real(0, 100, help="weight of the safety 1/k relative to the utility")] = 1.0

    def unsuitable(self, table: Table) -> list[str]:
        """Return why the table does not suit; see `PurchaseUtility.unsuitable`."""
        return super().unsuitable(table) + no_persons(table)

    def measure(self, table: Table, release: Release) -> Measured:
        """Total; its two parts as details."""
        utility = PurchaseUtility().measure(table, release).total
        safety = WorstRisk().measure(table, release).total
        parts = {"utility": utility, "safety": safety}
        return Measured(utility + self.weight * safety, details=parts)


def _added(costs: dict[str, np.ndarray], records: int) -> Sums:
    found = {f"of:{name}": np.array(own.sum()) for name, own in costs.items()}
    return Sums({**found, _RECORDS: np.array(records)})


def interval_errors(column: Numbers, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """float64 (n): e of publishing [low, high] for each value of the column; NaN ends = suppressed, which
    costs 1.

    Where the value itself is missing, NaN ends are the truth and cost 0, and anything else costs 1. Cost
    O(n).
    """
    first, last = column.range
    if not first < last:
        return np.where(np.isnan(low) == column.missing, 0.0, 1.0)
    scale = last - first
    own = column.values if column.circle is None else column.circle.onward(column.values, low)
    value, low, high = ((ends - first) / scale for ends in (own, low, high))
    step, spread = step_of(column) / scale, np.nanstd(value)
    width = high - low
    with np.errstate(invalid="ignore", divide="ignore"):
        error = ((low - value) ** 2 + (high - value) ** 2 + width * step) / (2 * spread * (width + step))
    error = np.where(width > 0, error, np.abs(low - value) / spread)
    return np.where(np.isnan(value) | np.isnan(low), (np.isnan(value) != np.isnan(low)) * 1.0, error)


def set_errors(sizes: np.ndarray) -> np.ndarray:
    """float64 (n): e = 1 − 1 / |S| for sets of these sizes; size 0 = suppressed, which costs 1."""
    return 1.0 - np.where(sizes > 0, 1.0 / np.maximum(sizes, 1), 0.0)
