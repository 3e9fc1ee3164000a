"""What every metric is: a declared object that scores a release against its table.

A new metric is one file with a subclass and one line in `kanon_core.metrics.METRICS`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from kanon_core.data.table import Table
from kanon_core.options import Declared
from kanon_core.release import Release


@dataclass(frozen=True)
class Measured:
    """One metric of one release: the total, and where the metric offers them the parts per attribute and per record."""

    total: float
    attributes: dict[str, float] = field(default_factory=dict)
    records: np.ndarray | None = None


@dataclass(frozen=True)
class Metric(Declared):
    """Base of all metrics. Class attributes describe it for people:

    ``title`` and ``short`` (the same in two words at most), ``symbol``, ``sentence`` (what a number means), ``formula``, ``example`` (a worked one), ``direction``
    ("lower" or "higher" is better for the reader named in the sentence), ``low`` and ``high`` (its range), ``unit``,
    ``parts`` (of "total", "attribute", "record") and ``percent`` (shown as a percentage).
    """

    title: ClassVar[str]
    symbol: ClassVar[str]
    short: ClassVar[str]
    sentence: ClassVar[str]
    formula: ClassVar[str]
    example: ClassVar[str]
    direction: ClassVar[str] = "lower"
    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.0
    unit: ClassVar[str] = ""
    parts: ClassVar[tuple[str, ...]] = ("total",)
    percent: ClassVar[bool] = False

    def measure(self, table: Table, release: Release) -> Measured:
        """The numbers of this metric."""
        raise NotImplementedError  # pragma: no cover - every metric overrides it

    def text(self, value: float) -> str:
        """The number as people read it, with its unit."""
        if value != value:
            return "not defined"
        if self.percent:
            return f"{100 * value:.2f} %"
        number = f"{value:,.0f}" if float(value).is_integer() else f"{value:,.4g}"
        return f"{number} {self.unit}".strip()
