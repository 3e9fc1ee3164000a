"""Recency, frequency and monetary value of each person, before and after."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
import pandas as pd

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import later, tr, tr_each
from kanon_core.metrics.base import Measured, undefined
from kanon_core.metrics.comparisons import Comparison, Pair, ranked
from kanon_core.metrics.utility.base import Utility, read_numbers
from kanon_core.metrics.utility.statistics import correlation
from kanon_core.release.release import Release
from kanon_core.table.columns.columns import Numbers
from kanon_core.table.people import no_persons, persons_of
from kanon_core.table.purchase_columns import is_price, is_quantity
from kanon_core.table.table import Table

DAY = 86_400.0
PARTS = ("recency", "frequency", "monetary")
_NAMES = {
    "recency": later("last purchase"),
    "frequency": later("number of purchases"),
    "monetary": later("spending"),
}


@dataclass(frozen=True)
class RFMChange(Utility):
    """Mean over people of |R′ − R| / σ_R, the same of F and M, and the average of the three; 0 or more.

    R: days from a person's last purchase to the last of all; F: number of records; M: Σ price × quantity (Σ
    price without a column of quantities); σ their population SDs over people before. Columns: the first
    quasi-identifier of dates, and those that are named as a price and a quantity. After: of what is published
    under a person's pseudonym – of several, that with most records, as they cannot be put together – an
    interval counting as its middle. A person of whom nothing is published has bought nothing: F′ = M′ = 0,
    and R′ is the whole period. Of all people alike, σ = 0, any change is 1.

    Details: the three errors, Spearman's rank correlation of before and after (what customer segments rest
    on), and the shares of records and people that are left out. `rfm` has the values by person. Cost O(n log
    n).

    Reference: A. Hughes 1994, on RFM; its use for anonymized purchases: purchase-history paper,
    §1, reference 2.
    """

    title: ClassVar[str] = "Change of recency, frequency and monetary value"
    short: ClassVar[str] = "RFM"
    symbol: ClassVar[str] = "ΔRFM"
    sentence: ClassVar[str] = (
        "Mean error of each person's last purchase, number of purchases and spending, in standard deviations."
    )
    formula: ClassVar[str] = r"\frac13\sum_{V\in\{R,F,M\}}\frac1m\sum_p|V'_p-V_p|/\sigma_V"
    example: ClassVar[str] = (
        "A person bought 5 times and 3 records are published; with σ = 4 the error of F is 2 / 4 = 0.5."
    )
    high: ClassVar[float] = math.inf
    unit: ClassVar[str] = "σ"
    kinds: ClassVar[tuple[str, ...]] = ("datetime",)

    def unsuitable(self, table: Table) -> list[str]:
        """Return the reasons, also for a table without a person or without a quasi-identifier that holds
        prices."""
        reasons = super().unsuitable(table) + no_persons(table)
        if not any(is_price(column.attribute.name) for column in _numbers(table)):
            reasons.append(
                tr(
                    "No numeric quasi-identifier is named as a price; rename the column of prices"
                    " to price to measure spending."
                )
            )
        return reasons

    def evaluate(self, table: Table, release: Release, tick: Tick = silent) -> Measured:
        """Return the total, and in the details the numbers that it is made of."""
        reasons = self.unsuitable(table)
        if reasons:
            return undefined(reasons)
        tick(0.0, tr("summing purchases by person"))
        people = rfm(table, release)
        if not len(people):
            return undefined([tr("No record names a person.")])
        details: dict[str, float] = {}
        for part in PARTS:
            before, after = people[part].to_numpy(), people[f"{part} after"].to_numpy()
            gaps, spread = np.abs(after - before), float(before.std())
            details[f"{part} error"] = float((gaps / spread if spread > 0 else gaps > 0).mean())
            if before.std() > 0 and after.std() > 0:
                ranks = [pd.Series(values).rank().to_numpy() for values in (before, after)]
                details[f"{part} rank correlation"] = correlation(*ranks)
        details[later("records left out")] = float(release.suppressed.mean())
        details[later("people left out")] = float((people["frequency after"] == 0).mean())
        tick(1.0, "done")
        return Measured(float(np.mean([details[f"{part} error"] for part in PARTS])), details=details)

    def compare(self, table: Table, release: Release, measured: Measured) -> Comparison:
        """The errors of the three parts, from 0 to a standard deviation or the largest of them."""
        errors = {part: measured.details[f"{part} error"] for part in PARTS}
        high, names = max(1.0, *errors.values()), tr_each(_NAMES)
        pairs = tuple(
            Pair(names[part], 0.0, errors[part], 0.0, high, self.text(0.0), self.text(errors[part]))
            for part in ranked(errors)
        )
        says = tr(
            "“{name}” errs most: by {error} on average over people. The mean of the three errors is {total}."
        ).format(name=pairs[0].name, error=pairs[0].now, total=self.text(measured.total))
        return Comparison(says, pairs, measured.total)


def rfm(table: Table, release: Release) -> pd.DataFrame:
    """Return by person, in order of first appearance: recency (days), frequency and monetary, and the same
    ``… after``.

    For their definitions see `RFMChange`; its `unsuitable` must be empty for this table.
    """
    persons, bearers = persons_of(table), release.bearers
    true, read = read_purchases(table), read_purchases(table, release)
    first, last = true.first, true.last
    before = _summed(persons.numbers, len(persons), true.days, true.spent, first)
    each = _summed(bearers.numbers, len(bearers), read.days, read.spent, first)
    # Of several pseudonyms, take the one with most records; among equals, the first.
    order = np.lexsort((-np.arange(len(bearers)), each["frequency"]))
    main = np.full(len(persons), -1)
    main[bearers.owner[order]] = order
    after = {
        part: np.append(values, missing)[main]
        for (part, values), missing in zip(each.items(), (first, 0, 0), strict=True)
    }
    found = {}
    for suffix, parts in (("", before), (" after", after)):
        found["recency" + suffix] = (last - parts["last"]) / DAY
        found["frequency" + suffix] = parts["frequency"]
        found["monetary" + suffix] = parts["monetary"]
    return pd.DataFrame(found)


class Purchases(NamedTuple):
    """``days`` float64 (n): when each record was bought, in seconds; ``spent`` float64 (n): price × quantity;
    NaN = missing or suppressed. ``first`` and ``last``: the ends of the true days."""

    days: np.ndarray
    spent: np.ndarray
    first: float
    last: float


def read_purchases(table: Table, release: Release | None = None) -> Purchases:
    """Return the purchases as they are, or as a reader of the release must take them; see `RFMChange`."""

    def values(column: Numbers) -> np.ndarray:
        return column.values if release is None else read_numbers(column, release)

    day = next(c for c in table.quasi if isinstance(c, Numbers) and c.attribute.kind == "datetime")
    price = next(column for column in _numbers(table) if is_price(column.attribute.name))
    quantity = next((column for column in _numbers(table) if is_quantity(column.attribute.name)), None)
    pieces = 1.0 if quantity is None else values(quantity)
    return Purchases(values(day), values(price) * pieces, *day.range)


def _numbers(table: Table) -> list[Numbers]:
    return [c for c in table.quasi if isinstance(c, Numbers) and c.attribute.kind == "numeric"]


def _summed(
    of: np.ndarray, count: int, days: np.ndarray, spent: np.ndarray, first: float
) -> dict[str, np.ndarray]:
    """Return, by owner, the last day (``first`` without any), the number of records, and the money spent;
    missing values do not count."""
    known = of >= 0
    last = np.full(count, first)
    np.fmax.at(last, of[known], days[known])
    return {
        "last": last,
        "frequency": np.bincount(of[known], minlength=count).astype(np.float64),
        "monetary": np.bincount(of[known], np.nan_to_num(spent[known]), minlength=count),
    }
