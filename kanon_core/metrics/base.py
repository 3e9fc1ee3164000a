"""Base of all metrics: a declared object that scores a release against its table.

A new metric is one file with a subclass and one line in `kanon_core.metrics.METRICS`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from kanon_core.base.errors import SchemaError
from kanon_core.base.kinds import Kind
from kanon_core.base.options import Declared
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import number_text, tr
from kanon_core.metrics.comparisons import Comparison
from kanon_core.release.release import Release
from kanon_core.table.table import Table


@dataclass(frozen=True)
class Measured:
    """The value of a metric for a release: the total, and the parts per attribute and per record where the
    metric has them.

    ``error``: the total is right to within this much, 95 times in 100, if it comes from a sample; 0 = exact.
    ``details``: the numbers from which it was computed, by name. ``notes``: sentences about this number: why
    it is negative, sampled, or not defined. ``attribute_errors``: as ``error``, of those attributes whose
    number comes from a sample.
    """

    total: float
    attributes: dict[str, float] = field(default_factory=dict)
    records: np.ndarray | None = None
    error: float = 0.0
    details: dict[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    attribute_errors: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class OneColumn(Kind):
    """The name of a column; "" means the declared default."""

    def check(self, value: Any) -> str:
        """Return the name itself."""
        if not isinstance(value, str):
            raise ValueError(tr("the name of a column"))
        return value

    def illegal(self) -> tuple[Any, ...]:
        """Return things that are no name."""
        return (7, None, ("age",))


@dataclass(frozen=True)
class Metric(Declared):
    """Base of all metrics. Class attributes describe it for people:

    ``title`` and ``short`` (the same in two words at most), ``symbol``, ``sentence`` (the meaning of a
    number), ``scale`` (how to read one in a few words; "" = which direction is better, see `scale_of`),
    ``formula``, ``example`` (a worked one), ``direction`` ("lower" or "higher" is better for the reader named
    in the sentence), ``low`` and ``high`` (its range), ``unit``, ``parts`` (of "total", "attribute",
    "record"), ``kinds`` (of the columns it measures; () = all), ``percent`` (shown as a percentage),
    ``monotone`` (joining groups never makes the number better), ``of_groups`` (it measures the grouping, not
    the published cells) and ``untouched`` (the number where every record is unlike all others and published
    as it is; NaN = depends on how many there are).
    """

    title: ClassVar[str]
    symbol: ClassVar[str]
    short: ClassVar[str]
    sentence: ClassVar[str]
    scale: ClassVar[str] = ""
    formula: ClassVar[str]
    example: ClassVar[str]
    direction: ClassVar[str] = "lower"
    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.0
    unit: ClassVar[str] = ""
    parts: ClassVar[tuple[str, ...]] = ("total",)
    kinds: ClassVar[tuple[str, ...]] = ()
    percent: ClassVar[bool] = False
    monotone: ClassVar[bool] = False
    of_groups: ClassVar[bool] = False
    untouched: ClassVar[float] = 0.0

    def unsuitable(self, table: Table) -> list[str]:
        """Return the reasons why the number has no meaning for this table, in sentences; empty when it has
        one. A number with such a reason need not be shown.

        Never raises, whatever columns the options name.
        """
        kinds = [attribute.kind for attribute in table.schema.quasi_identifiers]
        if not self.kinds or set(kinds) & set(self.kinds):
            return []
        return [
            tr("{title} needs a quasi-identifier of kind {kinds}, and the table has none.").format(
                title=self.title, kinds=" or ".join(self.kinds)
            )
        ]

    def measure(self, table: Table, release: Release) -> Measured:
        """Return the numbers of this metric."""
        raise NotImplementedError  # pragma: no cover - every metric overrides it

    def evaluate(self, table: Table, release: Release, tick: Tick = silent) -> Measured:
        """Return the numbers of this metric, with progress; whatever the tick raises stops the work."""
        tick(0.0, self.title)
        return self.measure(table, release)

    def score(self, table: Table, release: Release, tick: Tick = silent) -> Measured:
        """Return the same as `evaluate`, for every table. Where the metric does not fit the table
        (`unsuitable`), or judges groups and the release has none, the total is NaN and the notes say why."""
        reasons = self.unsuitable(table)
        if self.of_groups and not release.recipe.algorithm.promises:
            says = tr("{title} measures groups of records, and {algorithm} makes no groups.")
            reasons = [says.format(title=self.title, algorithm=release.recipe.algorithm.title), *reasons]
        if reasons:
            return undefined(reasons)
        return self.evaluate(table, release, tick)

    def compare(self, table: Table, release: Release, measured: Measured) -> Comparison:
        """Return what changed most, as numbers before and after; ``measured`` is the defined result of this
        metric for this release. Cost at most O(n · attributes)."""
        return Comparison(self.sentence, size=abs(measured.total))

    def text(self, value: float, error: float = 0.0) -> str:
        """Return the number as people read it, with its unit, and with its error when that is not 0."""
        if value != value:
            return tr("not defined")
        number = self._number(value) + (f" ± {self._number(error)}" if error else "")
        return f"{number} {'%' if self.percent else self.unit}".strip()

    def _number(self, value: float) -> str:
        if self.percent:
            return f"{100 * value:.2f}"
        return number_text(value)


def scale_of(metric: type[Metric] | Metric) -> str:
    """Return how to read a number of this metric: the meaning of its best value, or the direction that is
    better.

    >>> import kanon_core as kc
    >>> scale_of(kc.NCP), scale_of(kc.AchievedK)
    ('0 % = exact values', 'higher is better')
    """
    return metric.scale or (tr("lower is better") if metric.direction == "lower" else tr("higher is better"))


def compared(metric: Metric, table: Table, release: Release, measured: Measured) -> Comparison:
    """Return the comparison of a metric with its defined result (`Metric.compare`); where nothing changed, it
    says so."""
    found = metric.compare(table, release, measured)
    if measured.total or measured.error:
        return found
    return found._replace(sentence=tr("The release and the original table give the same result."))


def undefined(reasons: list[str]) -> Measured:
    """Return a result without a number, and the reason."""
    return Measured(math.nan, notes=tuple(reasons))


def no_column(table: Table, name: str) -> list[str]:
    """Return the error for this name of a column, in a sentence; empty when the table has the column."""
    try:
        table.schema[name]
    except SchemaError as problem:
        return [str(problem)]
    return []
