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
    "normal": later("normal: every value is a possible original of every published value"),
    "uniform": later("uniform: no value changes by more than √3 times this standard deviation"),
}
BELOW = {
    "zero": later("publish 0, as suits ages and amounts"),
    "kept": later("publish the negative number"),
}
CLIPPED = later("values that noise moved past a limit, published as the limit")
"""Key of the report that counts these values."""


@dataclass(frozen=True)
class Noise(Masking):
    """Add independent noise of mean 0 to every number; its standard deviation is a share of the column's.

    y = x + e, rounded to the step of the column (whole numbers, days). Squared distances grow on average by 2
    Var(e), so ILD by squared Euclidean distances is about −share²: ILD does not count noise as a loss. A cell
    of normal noise stands for any number, a cell of uniform noise for y ± √3 · share · deviation. Noise moves
    ordinal values along their order, up to its ends; hours, directions and longitudes are circular: 23 + 2
    hours are 1. Latitudes stop at the poles. Where a column has no number below 0, results stop at 0 unless
    ``below`` is "kept": an age of −2 is published as 0, and the report counts such values. Cost O(n) per
    column.

    Reference: ILD paper, §2.2.1 (ノイズの付加).
    """

    title: ClassVar[str] = "Noise"
    summary: ClassVar[str] = (
        "Adds a random number to every value: totals stay approximately right, single values do not."
    )
    randomized: ClassVar[bool] = True

    share: Annotated[
        float, Real(0.1, 1_000, unit="%", help="standard deviation of the noise, as a share of the column's")
    ] = 20.0
    form: Annotated[str, Choice(FORMS, help="distribution of the noise")] = "normal"
    below: Annotated[str, Choice(BELOW, help="results below 0 in a column without negative numbers")] = "zero"

    def of_numbers(self, column: Numbers, draw: Draw) -> AggregatedNumbers | None:
        """Return cells that publish y for the range of numbers that the noise may have moved to y."""
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
