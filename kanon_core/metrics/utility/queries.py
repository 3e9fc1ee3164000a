"""Errors of counts that are taken from the release."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Integer, Real
from kanon_core.base.progress import Tick, silent, stage
from kanon_core.base.randomness import generator
from kanon_core.base.words import counted, later, tr
from kanon_core.metrics.base import Measured, undefined
from kanon_core.metrics.comparisons import PAIRS_AT_MOST, Comparison, Pair, ranked
from kanon_core.metrics.utility.base import NOTHING_PUBLISHED, Utility
from kanon_core.metrics.utility.workload import Choices, Itemsets, Ranges, drawn, frequent
from kanon_core.release.release import Release
from kanon_core.table.table import Table

_CELLS = 2_000_000
_LEAST = 0.001


@dataclass(frozen=True)
class QueryError(Utility):
    """Mean of |answer − truth| / max(truth, 0.1 % of n) over random count queries; 0 or more.

    Each query asks how many records satisfy a condition on each of ``attributes`` random columns (all, where
    there are fewer): a range of numbers or dates, a set of categories – each satisfied by about ``share`` of
    the records –, or one to three items that some record has together. The release answers with the share of
    each cell that satisfies the condition, as if all values it allows were equally likely and columns
    independent; items that are not published are not counted, one published as its group by 1 / the group's
    values; a suppressed record is not there. The same seed gives the same queries, whatever the order of the
    records. ``error`` is two standard errors: the mean over all possible queries of this kind is within it
    about 95 times in 100. Cost O(queries · (n + cells + values) · attributes), memory a bit for each query
    and value.

    Departures: none. Reference: K. LeFevre, D. J. DeWitt and R. Ramakrishnan, Workload-aware anonymization,
    KDD 2006; error with a floor as in X. Xiao and Y. Tao, Anatomy, VLDB 2006; counts of itemsets as in
    the set-valued paper's use of receipts.
    """

    title: ClassVar[str] = "Error of counts"
    short: ClassVar[str] = "Count error"
    symbol: ClassVar[str] = "ARE"
    sentence: ClassVar[str] = (
        "Mean relative error of counts taken from the release, over random range and set queries."
    )
    formula: ClassVar[str] = r"\frac1Q\sum_q\frac{|\hat c_q-c_q|}{\max(c_q,\,n/1000)}"
    example: ClassVar[str] = (
        "Ages 20, 21, 29 published as [20, 29]: “20 to 21” counts 3 · 2/10 = 0.6 instead of 2, error 70 %."
    )
    high: ClassVar[float] = math.inf
    percent: ClassVar[bool] = True
    parts: ClassVar[tuple[str, ...]] = ("total", "attribute")

    queries: Annotated[int, Integer(1, 100_000, help="number of queries")] = 1_000
    attributes: Annotated[int, Integer(1, 10, help="number of columns with a condition in each query")] = 2
    share: Annotated[
        float, Real(0.001, 1, help="approximate share of the records that satisfy a condition on one column")
    ] = 0.3
    seed: Annotated[int, Integer(0, 2**32 - 1, help="another seed draws other queries")] = 0

    def unsuitable(self, table: Table) -> list[str]:
        """Return a reason if the table has no quasi-identifiers."""
        return (
            []
            if table.quasi
            else [tr("{title} needs a quasi-identifier to count by.").format(title=self.title)]
        )

    def evaluate(self, table: Table, release: Release, tick: Tick = silent) -> Measured:
        """Total, and per attribute the mean over the queries that ask for it. Details: queries, median error,
        mean count."""
        reasons = self.unsuitable(table)
        if reasons:
            return undefined(reasons)
        rng, columns = generator(self.seed, 6), release.by_row
        asked = np.zeros((self.queries, len(columns)), bool)
        asked[:, : min(self.attributes, len(columns))] = True
        asked = rng.permuted(asked, axis=1)
        shares = [0.2 * i / len(columns) for i in range(len(columns) + 1)]
        parts = [
            drawn(table[c.attribute.name], c.cells, self.share, self.queries, rng, stage(tick, *between))
            for c, between in zip(columns, pairwise(shares), strict=True)
        ]
        truth, found = self._counts(parts, asked, release.held, len(table), stage(tick, 0.2, 1))
        errors = np.abs(found - truth) / np.maximum(truth, _LEAST * len(table))
        of = dict(zip([c.attribute.name for c in columns], asked.T, strict=True))
        details = {
            later("queries"): float(self.queries),
            later("median error"): float(np.median(errors)),
            later("mean true count"): float(truth.mean()),
        }
        asks = tr(
            "From {queries:,} random queries on up to {attributes} each, drawn with seed {seed}."
        ).format(queries=self.queries, attributes=counted(self.attributes, "column"), seed=self.seed)
        notes = (asks, tr(NOTHING_PUBLISHED)) if release.suppressed.all() else (asks,)
        return Measured(
            float(errors.mean()),
            {name: float((errors[mine] if mine.any() else errors).mean()) for name, mine in of.items()},
            error=_error(errors),
            details=details,
            notes=notes,
            attribute_errors={name: e for name, mine in of.items() if (e := _error(errors[mine]))},
        )

    def compare(self, table: Table, release: Release, measured: Measured) -> Comparison:
        """Counts by ranges or frequent values of the column with the largest error."""
        (worst,) = ranked(measured.attributes, 1)
        published = next(one for one in release.by_row if one.attribute.name == worst)
        names, part = frequent(table[worst], published.cells, PAIRS_AT_MOST)
        asked = np.arange(len(names))
        truth, found = part.true(asked).sum(axis=1), part.answer(asked) @ release.held
        high = float(max(truth.max(initial=1), found.max(initial=1)))
        pairs = tuple(
            Pair(name, float(true), float(got), 0.0, high, f"{true:,.0f}", f"{got:,.0f}")
            for name, true, got in zip(names, truth.tolist(), found.tolist(), strict=True)
        )
        says = tr(
            "Counts of records differ from the true ones by {total} on average, half of them by at most"
            " {median}, and most with a condition on “{name}”."
        ).format(
            total=self.text(measured.total, measured.error),
            median=self.text(measured.details["median error"]),
            name=worst,
        )
        return Comparison(says, pairs, measured.total)

    def _counts(
        self,
        parts: list[Ranges | Choices | Itemsets],
        asked: np.ndarray,
        held: np.ndarray,
        n: int,
        tick: Tick,
    ) -> tuple[np.ndarray, np.ndarray]:
        """float64 (Q): the true counts, and those that the release gives; block by block of queries."""
        truth, found = np.zeros(self.queries), np.zeros(self.queries)
        step = max(1, _CELLS // max(n, len(held)))
        for start in range(0, self.queries, step):
            block = np.arange(start, min(start + step, self.queries))
            tick(start / self.queries, "counting")
            true, share = np.ones((len(block), n), bool), np.ones((len(block), len(held)))
            for part, mine in zip(parts, asked[block].T, strict=True):
                if mine.any():
                    true[mine] &= part.true(block[mine])
                    share[mine] *= part.answer(block[mine])
            truth[block], found[block] = true.sum(axis=1), (share * held).sum(axis=1)
        return truth, found


def _error(errors: np.ndarray) -> float:
    """Return two standard errors of the mean; 0 for a single query, of which nothing is known."""
    return 2 * float(errors.std(ddof=1)) / math.sqrt(len(errors)) if len(errors) > 1 else 0.0
