"""Information loss by any distance: the decrease of the distances between records."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Choice, Integer
from kanon_core.base.progress import Tick, silent, stage
from kanon_core.base.randomness import generator
from kanon_core.base.words import counted, later, tr
from kanon_core.distances import Encoding, Part, reasons
from kanon_core.distances.chosen import parts_of
from kanon_core.distances.encodings import VALUES_AT_MOST
from kanon_core.distances.product import Exponent
from kanon_core.metrics.base import Measured, Metric, undefined
from kanon_core.metrics.loss.amounts import SAMPLE, ItemSets, amount, is_long, row_sums
from kanon_core.metrics.loss.norms import EXACT_AT_MOST, Amounts, Side, joined_amounts
from kanon_core.metrics.loss.representatives import REPRESENTATIVES, original, represented
from kanon_core.release.release import Release
from kanon_core.table.table import Table

_Found = tuple[float, float, float, float]
_STANDARD_ERRORS = 2.5  # 2 would do for normal errors; those of a ratio are wider in small samples


@dataclass(frozen=True)
class ILD(Metric):
    """ILD = (I(A) − I(Â)) / I(A), I(A) = Σ_i Σ_j d(x_i, x_j)² (ILD paper, §3.1).

    A are the records, Â what is published of them, one value for each cell
    (`kanon_core.metrics.loss.representatives`). d² = Σ_a w_a d_a² is the product of the distances chosen for
    the attributes, with the scale of the original column on both sides; latitude and longitude under the
    great circle are one attribute. ``weights``: "1/I" gives every attribute the inverse of its own amount
    I_a(A), so that all count alike and the total is the mean of the attributes' ILD [§4.1.3]; "schema" takes
    the schema's weights. An attribute in which nothing varies, I_a(A) = 0, has ILD 0 and does not count under
    "1/I".

    ``representative`` decides what a generalized cell counts as. "cell", the default, measures what is
    published: a node of a tree as itself, [20, 35] as its middle, {F, M} as its medoid (in a tree, the lowest
    node above both). "group" takes the mean or the most frequent value of the records of the cell: it
    measures the grouping alone, and is the same whether a column is aggregated or generalized. §3.2.1's
    prefectures, published as their regions, show the difference: 0.6 by "cell", as the paper has it; 0.0222
    by "group", which counts a prefecture where a region is published. Aggregated columns count as what they
    publish by both. By "cell" one outlier moves a middle far, and a label that is first in the alphabet
    stands for the frequent ones beside it: differences then appear that no record has.

    With means and Euclidean distances ILD = ILSSDM [§3.3.1], in 0..1, where no record is suppressed. "I(A) >
    I(Â) in general" fails for other representatives: where the most frequent value replaces rarer ones, or a
    middle the values near one end, what is published can lie farther apart than the originals. ILD is then
    negative, is shown so, and the notes say in which columns; at most it is 1. ``power`` = 1 sums d instead
    of d² (table 3.2). ``p`` is that of the product distance (`kanon_core.distances.Product`, §3.2.3): d =
    (Σ_a w_a d_a^p)^(1/p), for p = ∞ the largest d_a, whatever the weights; under "1/I" each d_a is first
    divided by the power-th root of I_a. Where p is not the power and more than one attribute counts, the
    amounts of the attributes do not add up, and the total is taken from pairs of records
    (`kanon_core.metrics.loss.norms`): all pairs of up to 2,000 records, above that a million drawn with a
    fixed seed, with their ``error``.

    Exact, without the N² pairs, by closed forms and distances of different values
    (`kanon_core.metrics.loss.amounts`): O(n) per attribute, O(V²) for V ≤ 5,000 different values under a
    distance without closed form. With more, 400 records drawn with a fixed seed are compared with all,
    on both sides the same ones; ``error`` is then 2.5 standard errors, by the ratio's linearization, within
    which the exact number lies some 95 times in 100.

    Departures: none. Reference: ILD paper, §3.1–3.3, §4.1.
    """

    title: ClassVar[str] = "Information loss by distance"
    short: ClassVar[str] = "ILD"
    symbol: ClassVar[str] = "ILD"
    sentence: ClassVar[str] = (
        "Relative decrease of the distances between records, from the originals to the published values; 0"
        " % keeps all differences, 100 % keeps none."
    )
    scale: ClassVar[str] = "0 % = nothing lost"
    formula: ClassVar[str] = r"\frac{I(A)-I(\hat A)}{I(A)},\ I(A)=\sum_i\sum_j d(x_i,x_j)^2"
    example: ClassVar[str] = "Values 1, 2 | 3, 4 published as 1.5 and 3.5: I = 40 becomes 32, loss = 0.2."
    low: ClassVar[float] = -math.inf
    percent: ClassVar[bool] = True
    parts: ClassVar[tuple[str, ...]] = ("total", "attribute")

    weights: Annotated[
        str,
        Choice(
            {
                "1/I": "the inverse of its information amount: all attributes count alike",
                "schema": "the weight it has in the schema",
            },
            help="weight of the squared distances of an attribute",
        ),
    ] = "1/I"
    representative: Annotated[
        str, Choice(REPRESENTATIVES, help="value that a generalized cell counts as")
    ] = "cell"
    power: Annotated[int, Integer(1, 2, help="2 sums squared distances, 1 the distances themselves")] = 2
    p: Annotated[
        float,
        Exponent(
            1.0,
            math.inf,
            help=(
                "how the attributes add up to the distance of two records: 1 adds them, 2 is Euclidean,"
                " infinity takes the largest"
            ),
        ),
    ] = 2.0

    def unsuitable(self, table: Table) -> list[str]:
        """Return a reason for each column that its distance cannot measure."""
        if not table.quasi:
            return [tr("The table has no quasi-identifier to measure.")]
        return reasons(table.quasi)

    def measure(self, table: Table, release: Release) -> Measured:
        """Return the numbers of this metric; see `evaluate`, without progress."""
        return self.evaluate(table, release)

    def evaluate(self, table: Table, release: Release, tick: Tick = silent) -> Measured:
        """Total and per attribute; a place has one number for both of its columns. Details: I(A) and I(Â),
        weighted."""
        tick(0.0, self.title)
        if unfit := self.unsuitable(table):
            return undefined(unfit)
        parts = parts_of(table, stage(tick, 0, 0.5))
        shares = [0.5 + 0.5 * i / len(parts) for i in range(len(parts) + 1)]
        found = [
            self._amounts(part, release, stage(tick, *share))
            for part, share in zip(parts, pairwise(shares), strict=True)
        ]
        losses = [_share(before - after, before) for before, after, *_ in found]
        whole = self._joined(parts, found, release) or self._added(parts, found, losses)
        attributes = {name: loss for part, loss in zip(parts, losses, strict=True) for name in part.names}
        errors = {name: f[2] for part, f in zip(parts, found, strict=True) for name in part.names if f[2]}
        order = [attribute.name for attribute in table.schema.quasi_identifiers]
        notes = _notes(parts, losses, [f[2] for f in found])
        if whole.pairs:
            notes.append(
                tr(
                    "The total is estimated from {pairs} of records, drawn with seed 0, because the table"
                    " has more than {limit:,} records (± {error:.2g}, about 95 times in 100)."
                ).format(pairs=counted(whole.pairs, "pair"), limit=EXACT_AT_MOST, error=whole.error)
            )
        return Measured(
            _share(whole.before - whole.after, whole.before),
            {name: attributes[name] for name in order},
            error=whole.error,
            details={later("I(A)"): whole.before, later("I(Â)"): whole.after},
            notes=tuple(notes),
            attribute_errors=errors,
        )

    def _added(self, parts: tuple[Part, ...], amounts: list[_Found], losses: list[float]) -> Amounts:
        """Σ_a w_a of the attributes' amounts."""
        weights = [
            part.weight if self.weights == "schema" else _share(1.0, before)
            for part, (before, *_) in zip(parts, amounts, strict=True)
        ]
        before, after = (sum(w * f[side] for w, f in zip(weights, amounts, strict=True)) for side in (0, 1))
        total = _share(before - after, before)
        spread = sum(
            w * (f[0] * f[2] + abs(loss - total) * (f[3] if self.weights == "schema" else 0.0))
            for w, f, loss in zip(weights, amounts, losses, strict=True)
        )
        return Amounts(before, after, _share(spread, before), 0)

    def _joined(self, parts: tuple[Part, ...], amounts: list[_Found], release: Release) -> Amounts | None:
        """Return the total from pairs of records; None where the amounts of the attributes add up."""
        factors = [self._factor(part, before) for part, (before, *_) in zip(parts, amounts, strict=True)]
        counting = [(part, factor) for part, factor in zip(parts, factors, strict=True) if factor > 0]
        if self.p == self.power or len(counting) < 2:
            return None
        each = np.arange(len(release))
        cell = np.where(release.suppressed, len(release.held), release.row)
        own = [Side(part.encoding, each, factor) for part, factor in counting]
        shown = []
        for part, factor in counting:
            seen = represented(part, release, self.representative, self.power)
            if isinstance(seen, ItemSets):
                seen = part.distance.encoded(seen.column, part.scale)
            shown.append(Side(seen, cell, factor))
        return joined_amounts(own, shown, self.p, self.power)

    def _factor(self, part: Part, amount: float) -> float:
        """Return what the attribute's distance is multiplied by."""
        if self.weights == "1/I":
            return _share(1.0, amount ** (1 / self.power))
        return float(part.weight > 0) if self.p == math.inf else part.weight ** (1 / self.p)

    def _amounts(self, part: Part, release: Release, tick: Tick) -> _Found:
        """I(A), I(Â), the error of their ILD, and that of I(A)."""
        tick(0.0, f"{self.title}: {', '.join(part.names)}")
        own, shown = original(part), represented(part, release, self.representative, self.power)
        cell = np.where(release.suppressed, len(shown) - 1, release.row)
        held = np.bincount(cell, minlength=len(shown)).astype(np.float64)
        once = np.ones(len(cell))
        if isinstance(own, ItemSets) or isinstance(shown, ItemSets) or is_long(own) or is_long(shown):
            return self._sampled(own, shown, cell, held, tick)
        return amount(own, once, self.power), amount(shown, held, self.power), 0.0, 0.0

    def _sampled(
        self,
        own: Encoding | ItemSets,
        shown: Encoding | ItemSets,
        cell: np.ndarray,
        held: np.ndarray,
        tick: Tick,
    ) -> _Found:
        """Estimate the same from the distances of some records to all; both sides take the same records."""
        n, size = len(cell), min(SAMPLE, len(cell))
        drawn = np.sort(generator(0).choice(n, size, replace=False))
        before = row_sums(own, np.ones(n), drawn, self.power, stage(tick, 0, 0.5))
        after = row_sums(shown, held, cell[drawn], self.power, stage(tick, 0.5, 1))
        left = _STANDARD_ERRORS * math.sqrt((1 - size / n) / size)
        ratio = _share(after.mean(), before.mean())
        error = _share(left * float((after - ratio * before).std(ddof=1)), before.mean())
        return float(n * before.mean()), float(n * after.mean()), error, float(n * left * before.std(ddof=1))


def _share(part: float, whole: float) -> float:
    """0 where there is nothing to share."""
    return float(part / whole) if whole > 0 else 0.0


def _notes(parts: tuple[Part, ...], losses: list[float], errors: list[float]) -> list[str]:
    notes = []
    grown = ["/".join(part.names) for part, loss in zip(parts, losses, strict=True) if loss < -1e-12]
    if grown:
        notes.append(
            tr(
                "Negative in {columns}: the published values are farther apart than the originals, as can"
                " happen when a frequent value replaces rarer ones."
            ).format(columns=", ".join(grown))
        )
    sampled = [
        f"{'/'.join(part.names)} (± {error:.2g})" for part, error in zip(parts, errors, strict=True) if error
    ]
    if sampled:
        notes.append(
            tr(
                "Estimated from a sample of {sample}, compared with all records, because there are more"
                " than {limit:,} different values: {columns}, about 95 times in 100."
            ).format(sample=counted(SAMPLE, "record"), limit=VALUES_AT_MOST, columns=", ".join(sampled))
        )
    return notes
