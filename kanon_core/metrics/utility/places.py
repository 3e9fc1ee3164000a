"""Size of the area on the earth that a published place covers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import later, number_text, tr
from kanon_core.distances.values.geo import rectangle_area_km2, rectangle_diagonal_km
from kanon_core.metrics.base import Measured
from kanon_core.metrics.comparisons import Comparison, Pair
from kanon_core.metrics.utility.base import Utility
from kanon_core.release.release import Release
from kanon_core.table.columns.columns import Numbers
from kanon_core.table.table import Table

_KINDS = ("latitude", "longitude")


@dataclass(frozen=True)
class MapArea(Utility):
    """Mean area of the rectangles of latitude and longitude that records are published with, in km²; 0 or
    more.

    A place published as a mean, median or mode is charged for the rectangle that it hides. Suppressed records
    and those without a place do not count; when none is left, the measure is not defined. Details: median and
    total area, and the mean diagonal, which distinguishes a street from a point where both areas are 0. Cost
    O(n).

    Reference: k-concealment paper, §4 (a smaller area is better); area and diagonal on the sphere, R. W.
    Sinnott 1984.
    """

    title: ClassVar[str] = "Area on the map"
    short: ClassVar[str] = "Area"
    symbol: ClassVar[str] = "km²"
    sentence: ClassVar[str] = "Mean area of the rectangle that is published for a record's place."
    formula: ClassVar[str] = r"\frac1n\sum_i R^2\,|\sin\varphi_2-\sin\varphi_1|\,|\lambda_2-\lambda_1|"
    example: ClassVar[str] = "Latitude [35.68, 35.69], longitude [139.76, 139.77]: 1.004 km²."
    high: ClassVar[float] = math.inf
    unit: ClassVar[str] = "km²"
    parts: ClassVar[tuple[str, ...]] = ("total", "record")
    kinds: ClassVar[tuple[str, ...]] = _KINDS

    def unsuitable(self, table: Table) -> list[str]:
        """Return a reason if the table has no places."""
        if {"latitude", "longitude"} <= {a.kind for a in table.schema.quasi_identifiers}:
            return []
        return [
            tr("{title} needs quasi-identifiers of kind latitude and longitude.").format(title=self.title)
        ]

    def evaluate(self, table: Table, release: Release, tick: Tick = silent) -> Measured:
        """Total, and per record its area (NaN when suppressed or without a place)."""
        nothing = np.full(len(table), np.nan)
        reasons = self.unsuitable(table)
        if reasons:
            return Measured(math.nan, records=nothing, notes=tuple(reasons))
        tick(0.0, self.title)
        cells = {published.attribute.kind: published.cells.underlying for published in release.by_row}
        latitude, longitude = cells["latitude"].as_intervals(), cells["longitude"].as_intervals()
        edges = (latitude.low, longitude.low, latitude.high, longitude.high)
        areas = np.append(rectangle_area_km2(*edges), np.nan)[release.row]
        diagonals = np.append(rectangle_diagonal_km(*edges), np.nan)[release.row]
        known = areas[~np.isnan(areas)]
        if not len(known):
            return Measured(math.nan, records=nothing, notes=(tr("No place is published."),))
        details = {
            later("median area (km²)"): float(np.median(known)),
            later("total area (km²)"): float(known.sum()),
            later("mean diagonal (km)"): float(np.nanmean(diagonals)),
        }
        return Measured(float(known.mean()), records=areas, details=details)

    def compare(self, table: Table, release: Release, measured: Measured) -> Comparison:
        """The mean diagonal and area, on scales that end with the rectangle around all places."""
        low, high = (np.array([end]) for end in zip(*(_range(table, k) for k in _KINDS), strict=True))
        edges = (low[:, 0], low[:, 1], high[:, 0], high[:, 1])
        longest, largest = (float(of(*edges)[0]) for of in (rectangle_diagonal_km, rectangle_area_km2))
        diagonal, area = measured.details["mean diagonal (km)"], measured.total
        km = (tr("{number} km").format(number=number_text(length)) for length in (0.0, diagonal))
        pairs = (
            Pair(tr("diagonal"), 0.0, diagonal, 0.0, longest, *km),
            Pair(tr("area"), 0.0, area, 0.0, largest, self.text(0.0), self.text(area)),
        )
        says = tr(
            "A place is published as a rectangle of {area} on average, {diagonal} km from corner to corner;"
            " all places together take {longest} km."
        ).format(area=self.text(area), diagonal=number_text(diagonal), longest=number_text(longest))
        return Comparison(says, pairs, diagonal / longest if longest else 0.0)


def _range(table: Table, kind: str) -> tuple[float, float]:
    """The smallest and the largest place of the quasi-identifier of this kind."""
    return next(c.range for c in table.quasi if isinstance(c, Numbers) and c.attribute.kind == kind)
