"""Rounding to multiples of a base."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Real
from kanon_core.covers.cells import AggregatedNumbers
from kanon_core.masking.base import Draw, Masking
from kanon_core.masking.standing_cells import DAY, MINUTE, is_clock, standing_for, within
from kanon_core.table.columns.columns import Column, Numbers

_PARTS, _FEWEST_PARTS = 20, 4


@dataclass(frozen=True)
class Rounding(Masking):
    """Publish every number as the nearest multiple of a base, halves upward.

    With base 10, the numbers 34, 35 and 44 become 30, 40 and 40; a 40 stands for 35 to 45. Dates count in
    days from 1970, times of day in minutes from midnight. Circular values stop at the end of the circle: 23
    of 24 hours becomes 20 with base 10, and 24, which is 0, with base 5. Ordinal values have no multiples and
    stay unchanged. Base 0 chooses for each column the least of 1, 2 or 5 times a power of ten that is at
    least a twentieth of the range and changes some value; if none up to a quarter of the range does, as with
    values 0 and 1, the column stays unchanged. Cost O(n) per column.

    Reference: ILD paper, §2.2.1 (generalization: 25 years become the twenties).
    """

    title: ClassVar[str] = "Rounding"
    summary: ClassVar[str] = "Publishes numbers as multiples of a base: the larger the base, the less detail."

    base: Annotated[
        float,
        Real(
            0,
            1e150,
            help=(
                "numbers become multiples of it; in days for dates, in minutes for times of day; 0 = chosen"
                " for each column"
            ),
        ),
    ] = 0.0

    def changes(self, column: Column) -> bool:
        """Return whether the column holds numbers, dates or times of day."""
        return isinstance(column, Numbers) and not column.levels

    def of_numbers(self, column: Numbers, draw: Draw) -> AggregatedNumbers | None:
        """Return cells that publish m for [m − base / 2, m + base / 2]."""
        if not self.changes(column):
            return None
        base = self._base(column)
        if not base:
            return None
        values = _multiples(column, base)
        ends = np.minimum(values - base / 2, column.values), np.maximum(values + base / 2, column.values)
        return standing_for(column, values, *ends)

    def _base(self, column: Numbers) -> float:
        """Return the base, given or chosen, in the column's unit."""
        unit = DAY if column.attribute.kind == "datetime" else MINUTE if is_clock(column) else 1.0
        if self.base:
            return self.base * unit
        span = (column.range[1] - column.range[0]) / unit
        first = base = _round_number(span / _PARTS)
        while base and base <= span / _FEWEST_PARTS:
            if np.any((_multiples(column, base * unit) != column.values)[~column.missing]):
                return base * unit
            base = _round_number(1.5 * base)
        return first * unit


def _multiples(column: Numbers, base: float) -> np.ndarray:
    """Return the nearest multiples within the limits of the kind, float64 (n)."""
    circle, written = column.circle, column.values
    if circle is not None:
        written = circle.written(written)
    values = np.clip(np.floor(written / base + 0.5) * base, *within(column))
    if circle is not None:
        values = np.clip(values, circle.first, circle.first + circle.period)
        values = column.values + (values - written)
    return np.asarray(values)


def _round_number(least: float) -> float:
    """Return the least of 1, 2 or 5 · 10ⁱ that is not below this; 0 for 0."""
    if least <= 0:
        return 0.0
    power = 10.0 ** math.floor(math.log10(least))
    return next(step * power for step in (1.0, 2.0, 5.0, 10.0) if step * power >= least * (1 - 1e-12))
