"""Swapping: records of similar rank exchange values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Real
from kanon_core.base.words import tr
from kanon_core.covers.cells import AggregatedNumbers, AggregatedValues, Cells, ValueSets
from kanon_core.masking.base import Draw, Masking
from kanon_core.masking.standing_cells import standing_for
from kanon_core.release.altered import FEW
from kanon_core.table.columns.columns import Categories, Column, Numbers

_TRIES = 64


@dataclass(frozen=True)
class Swapping(Masking):
    """In each column independently, give each record the value of a record of similar rank.

    Records are ranked by value, equal ones in random order, categories by their text. A random number up to r
    = ⌊range · n⌋ is added to each rank, and values are reassigned in the order of the sums: no value moves by
    more than r ranks. The published column is a permutation of the original: its mean, its frequencies and
    its ILD (0) do not change; the combinations of values in a record do. A cell stands for the values up to r
    ranks away. Missing numbers stay in place. A range that changes too few values is doubled until it changes
    enough, and the report gives the range used. Too few means less than 5 % of the values, or less than half
    of those that an exchange can change (at most twice the number of values that differ from the most
    frequent one). Cost O(n log n) per column and range.

    Departures: rank swapping as R. A. Moore, Controlled data-swapping techniques for masking public use
    microdata sets, US Census Bureau 1996, exchanges pairs. Reference: ILD paper, §2.2.1 (データ交換).
    """

    title: ClassVar[str] = "Swapping"
    summary: ClassVar[str] = (
        "Exchanges the values of each column among records of similar rank; each column keeps its values."
    )
    randomized: ClassVar[bool] = True
    numbers_only: ClassVar[bool] = False
    takes_items: ClassVar[bool] = False

    range: Annotated[
        float, Real(0.1, 100, unit="%", help="largest change of rank, as a share of the records")
    ] = 5.0

    def cells(self, column: Column, draw: Draw) -> tuple[Cells, np.ndarray] | None:
        """Return cells that publish v for the values up to r ranks from v."""
        if not isinstance(column, Categories):
            return super().cells(column, draw)
        got, low, high = self._moved(column, column.codes, draw)
        codes, first, cell = np.unique(got, return_index=True, return_inverse=True)
        return AggregatedValues.of(codes, _runs(low[first], high[first])), cell.astype(np.int64)

    def of_numbers(self, column: Numbers, draw: Draw) -> AggregatedNumbers | None:
        """Return the same cells for numbers."""
        shown = np.full((3, len(column.values)), np.nan)
        shown[:, ~column.missing] = self._moved(column, column.present, draw)
        return standing_for(column, *shown)

    def _moved(self, column: Column, values: np.ndarray, draw: Draw) -> np.ndarray:
        """Return the new value of each record, and the least and greatest value of similar rank: (3, n)."""
        n = len(values)
        asked = reach = int(self.range / 100 * n)
        found = _exchanged(values, reach, draw.rng)
        enough = min(FEW / 100 * n, _can_change(values) / 2)
        for _ in range(_TRIES):
            if (found[0] != values).sum() >= enough:
                break
            reach = min(max(2 * reach, 2), n)
            found = _exchanged(values, reach, draw.rng)
        if reach > asked:
            says = tr("largest change of rank in “{name}” (requested: {asked:,})")
            draw.report[says.format(name=column.attribute.name, asked=asked)] = float(reach)
        return found


def _exchanged(values: np.ndarray, reach: int, rng: np.random.Generator) -> np.ndarray:
    """Return, for each record, a value from up to ``reach`` ranks away, and the least and greatest value
    within ``reach`` ranks of that value: (3, n)."""
    n = len(values)
    order = np.lexsort((rng.random(n), values))
    ranked, ranks = values[order], np.arange(n)
    got = np.argsort(ranks + rng.uniform(0, reach, n), kind="stable")  # the rank that goes to each
    first, last = (np.searchsorted(ranked, ranked[got], side) for side in ("left", "right"))
    low, high = np.maximum(first - reach, 0), np.minimum(last - 1 + reach, n - 1)
    found = np.empty((3, n), values.dtype)
    found[:, order] = ranked[got], ranked[low], ranked[high]
    return found


def _can_change(values: np.ndarray) -> int:
    """Return how many records an exchange can give a value other than their own."""
    if not len(values):
        return 0
    most = int(np.unique(values, return_counts=True)[1].max())
    return min(len(values), 2 * (len(values) - most))


def _runs(low: np.ndarray, high: np.ndarray) -> ValueSets:
    """Return the sets of codes from ``low`` to ``high``."""
    sizes = (high - low + 1).astype(np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    codes = np.arange(starts[-1]) - np.repeat(starts[:-1] - low, sizes)
    return ValueSets(starts, codes.astype(np.int32))
