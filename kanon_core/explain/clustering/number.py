"""One number or date, in its own units, for those algorithms that work on a number line."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kanon_core.base.words import tr
from kanon_core.distances.mixed import points_of, scales_of
from kanon_core.explain.amounts import amount
from kanon_core.explain.values import short_texts
from kanon_core.table.table import Table

_DAY = 86_400


@dataclass(frozen=True, eq=False)
class OneNumber:
    """The only quasi-identifier of a table.

    ``values`` float64 (n) in its own unit, of dates in days; all 0 where they count nothing. ``square``: what
    one squared unit is in the squares of the algorithm, whose numbers are scaled.
    """

    name: str
    values: np.ndarray
    texts: tuple[str, ...]
    square: float
    date: bool

    @classmethod
    def of(cls, table: Table) -> OneNumber:
        """The number of a table that has no other quasi-identifier."""
        column = table.numbers(table.quasi[0].attribute.name)
        date = column.attribute.kind == "datetime"
        factor = float(np.sqrt(column.attribute.weight)) * scales_of(table.quasi)[0]
        unit = _DAY if date else 1
        values = column.values / unit if factor else np.zeros(len(points_of(table)))
        texts = tuple(short_texts(column, column.values))
        return cls(column.attribute.name, values, texts, (factor * unit) ** 2 or 1.0, date)

    def sse(self, records: np.ndarray) -> float:
        """The sum of the squared distances of these records from their mean, in squared units."""
        return float(((self.values[records] - self.values[records].mean()) ** 2).sum())

    def less(self, record: int, mean: float) -> str:
        """``(10 − 3.25)²``: how far a record is from a mean, squared; of dates ``(6.75 days)²``."""
        if self.date:
            return tr("({days} days)²").format(days=amount(abs(float(self.values[record]) - mean)))
        mean_text = amount(mean)
        return f"({self._short(record)} − {f'({mean_text})' if mean < 0 else mean_text})²"

    def _short(self, record: int) -> str:
        return amount(float(self.values[record]), 6)

    def squared(self, value: float) -> str:
        """A sum of squares with its unit, which only dates have."""
        return tr("{number} days²").format(number=amount(value)) if self.date else amount(value)
