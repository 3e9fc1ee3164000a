"""Noise: a random number is added to every value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Choice, Real
from kanon_core.base.words import later
from kanon_core.covers.cells import AggregatedNumbers
from kanon_core.masking.base import Draw, Masking
from kanon_core.masking.standing_cells import standing_for, within, written_step
from kanon_core.table.columns.columns import Numbers

FORMS = {
    "normal": later("normal: any value may have been any other"),
    "uniform": later("uniform: no value moves by more than √3 of these deviations"),
}
BELOW = {
    "zero": later("are published as 0, as are ages and amounts"),
    "kept": later("are published as they come"),
}
CLIPPED = later("values that noise took beyond their limit, published as the limit")
"""The name under which the report counts these values."""


@dataclass(frozen=True)
class Noise(Masking):
    """Independent noise of mean 0 is added to every number; its standard deviation is a share of the
    column's.

    y = x + e, then rounded as the column is written (whole numbers, days). Squared distances grow on average
    by 2 Var(e), so that ILD by squared Euclidean distances is about −share²: ILD does not see noise as a
    loss. A cell of normal noise stands for any number, one of uniform noise for y ± √3 · share · deviation.
    Of ordinal values places in their order are moved, none beyond its ends; hours, directions and longitudes
    go round: 23 + 2 hours are 1. No latitude goes beyond a pole, and no number below 0 where the column has
    none there, unless ``below`` is "kept": an age of −2 is published as 0, and the report counts such values.
    Cost O(n) per column.

    Reference: ILD paper, §2.2.1 (ノイズの付加).
    """

    title: ClassVar[str] = "Noise"
    summary: ClassVar[str] = "Adds a random number to every value: sums stay nearly right, records do not."
    randomized: ClassVar[bool] = True

    share: Annotated[
        float, Real(0.1, 1_000, unit="%", help="of the column's standard deviation, which the noise has")
    ] = 20.0
    form: Annotated[str, Choice(FORMS, help="how the noise is distributed")] = "normal"
    below: Annotated[str, Choice(BELOW, help="numbers below 0 where the column has none")] = "zero"

    def of_numbers(self, column: Numbers, draw: Draw) -> AggregatedNumbers | None:
        """Cells y for all numbers, or for those that the noise reaches."""
        deviation, step = self.share / 100 * column.deviation, written_step(column)
        if not deviation:
            return None
        reach, n, rng = 3**0.5 * deviation, len(column.values), draw.rng
        normal = self.form == "normal"
        noisy = column.values + (
            deviation * rng.standard_normal(n) if normal else rng.uniform(-reach, reach, n)
        )
        least, most = within(column, self.below == "zero")
        noisy = np.rint(noisy / step) * step if step else noisy
        values = np.clip(noisy, least, most)
        if beyond := int((values != noisy)[~column.missing].sum()):
            draw.report[CLIPPED] = draw.report.get(CLIPPED, 0.0) + beyond
        width = np.inf if normal else (reach + step / 2) * (1 + 1e-9)
        ends = np.maximum(values - width, least), np.minimum(values + width, most)
        return standing_for(column, values, *ends)
