"""Top and bottom coding: the largest and the smallest values are replaced by limits."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Choice, Real
from kanon_core.covers.cells import AggregatedNumbers
from kanon_core.masking.base import Draw, Masking
from kanon_core.masking.standing_cells import standing_for
from kanon_core.table.columns.columns import Numbers


@dataclass(frozen=True)
class TopBottomCoding(Masking):
    """The largest values of a column are published as the smallest of them, the smallest as the largest.

    Of n present values the m = ⌈share · n⌉ largest become the m-th largest t, which then means “t or more”;
    the m smallest become the m-th smallest, “b or less”. Values between are published as they are. Of 1, 2,
    …, 10 with 20 %: 2, 2, 3, 4, 5, 6, 7, 8, 9, 9. Cost O(n log n) per column.

    Reference: ILD paper, §2.2.1 (あいまい化: 105 years become “90 or more”).
    """

    title: ClassVar[str] = "Top and bottom coding"
    summary: ClassVar[str] = (
        "Replaces the largest and the smallest numbers by limits, so that extreme values identify less."
    )

    share: Annotated[float, Real(0.1, 50, unit="%", help="share of the values that is coded at each end")] = (
        5.0
    )
    ends: Annotated[
        str,
        Choice(
            {"both": "the largest and the smallest", "top": "the largest", "bottom": "the smallest"},
            help="the values that are coded",
        ),
    ] = "both"

    def of_numbers(self, column: Numbers, draw: Draw) -> AggregatedNumbers | None:
        """Return cells that publish t for [t, greatest], b for [least, b], and the values between."""
        present = np.sort(column.present)
        if not len(present):
            return None
        m = math.ceil(self.share / 100 * len(present))
        values = low = high = column.values
        least, greatest = column.range
        if self.ends != "top":
            bottom = values <= present[m - 1]
            low, high = np.where(bottom, least, low), np.where(bottom, present[m - 1], high)
            values = np.where(bottom, present[m - 1], values)
        if self.ends != "bottom":
            top = column.values >= present[-m]
            low, high = np.where(top, present[-m], low), np.where(top, greatest, high)
            values = np.where(top, present[-m], values)
        if self.ends == "both" and present[-m] <= present[m - 1]:  # there is nothing between them
            low, high = np.full_like(low, least), np.full_like(high, greatest)
        return standing_for(column, values, low, high)
