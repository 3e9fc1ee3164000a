"""Places on both sides of the 180th meridian."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Real
from kanon_core.base.progress import Tick
from kanon_core.base.words import tr
from kanon_core.findings.base import Finding, Search
from kanon_core.table.columns.columns import Numbers
from kanon_core.table.inference import LONGITUDE
from kanon_core.table.naming import spaced

if TYPE_CHECKING:
    from kanon_core.release.cells import PublishedColumn
    from kanon_core.release.release import Release
    from kanon_core.table.table import Table


@dataclass(frozen=True)
class Longitude(Search):
    """Longitudes recoded as plain numbers across 180°: 179° and −179° are 2° apart on earth and 358° on the
    number line, so that their interval goes around the earth and their mean is on its other side. Columns of
    kind longitude go the short way round. Cost O(n) per column."""

    name: ClassVar[str] = "across 180°"
    asks: ClassVar[str] = "Are neighbors across the 180th meridian published as if they were far apart?"
    attacker: ClassVar[str] = "is not the question: it is said to those who use the release"
    decide: ClassVar[str] = "a mean or median is taken of longitudes near both ends, which is nobody’s place"
    know: ClassVar[str] = "an interval spans more than 180°, where values lie within {near}° of both ends"

    near: Annotated[float, Real(0, 90, help="how near ±180° values must lie", unit="degrees")] = 30.0

    def find(self, table: Table, release: Release, tick: Tick) -> Iterator[Finding]:
        """One finding for each column of longitudes of which it is true."""
        for published in release.published:
            column = table[published.attribute.name]
            if isinstance(column, Numbers) and self._both_ends(column):
                yield from self._across(published)

    def _both_ends(self, column: Numbers) -> bool:
        low, high = column.range
        named = bool(LONGITUDE.search(spaced(column.attribute.name)))
        fits = -180 <= low <= self.near - 180 and 180 - self.near <= high <= 180
        return fits and column.attribute.kind == "numeric" and named

    def _across(self, published: PublishedColumn) -> Iterator[Finding]:
        cells, aggregated = published.cells.behind.as_intervals(), published.cells.aggregated
        records = np.append(cells.high - cells.low > 180, False)[published.cell]
        if not records.any():
            return
        what = (
            tr("a mean or median of places on both sides of 180°, which lies elsewhere on the earth")
            if aggregated
            else tr("an interval of more than 180°, as places on both sides of 180° count as far apart")
        )
        yield self.finding(
            "decide" if aggregated else "know",
            tr("“{name}” is published of {count:,} records as {what}.").format(
                name=published.attribute.name, count=int(records.sum()), what=what
            ),
            tr("Give the column the kind longitude or cyclic, by which neighbors are published as such."),
            records,
            (published.attribute.name,),
        )
