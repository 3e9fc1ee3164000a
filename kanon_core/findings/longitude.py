"""Places on both sides of the 180th meridian."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Real
from kanon_core.base.progress import Tick, silent
from kanon_core.base.sums import Sums
from kanon_core.base.words import counted, tr
from kanon_core.findings.base import Facts, Finding, SummedSearch, records_of
from kanon_core.table.columns.columns import Column, Numbers
from kanon_core.table.inference import LONGITUDE
from kanon_core.table.naming import spaced

if TYPE_CHECKING:
    from kanon_core.covers.cells import PublishedColumn
    from kanon_core.metrics.summed import Anonymized
    from kanon_core.table.table import Table


@dataclass(frozen=True)
class Longitude(SummedSearch):
    """Longitudes recoded as plain numbers across 180°: 179° and −179° are 2° apart on earth and 358° on the
    number line, so that their interval goes around the earth and their mean is on its other side. Columns of
    kind longitude go the short way round. Cost O(n) per column."""

    name: ClassVar[str] = "across 180°"
    asks: ClassVar[str] = "Are neighbors across the 180th meridian published as if they were far apart?"
    attacker: ClassVar[str] = "is not relevant: the finding informs users of the release"
    decide: ClassVar[str] = "a mean or median combines longitudes near both ends and is no record’s place"
    know: ClassVar[str] = (
        "an interval spans more than 180°, and the column has values within {near}° of both ends"
    )

    near: Annotated[
        float, Real(0, 90, help="distance from ±180° within which values count as near", unit="degrees")
    ] = 30.0

    def part(self, table: Table, made: Anonymized, tick: Tick = silent) -> Facts:
        """Return, for each column, for how many records the finding is true: published as intervals, and as
        one value."""
        counts, records = dict[str, np.ndarray](), dict[str, np.ndarray]()
        for published in made.published:
            name = published.attribute.name
            records[name] = self._across(table[name], published)
            counts[name] = np.zeros(2, np.int64)
            counts[name][int(published.cells.aggregated)] = records[name].sum()
        return Facts(counts, records=records)

    def conclude(self, table: Table, sums: Sums) -> Iterator[Finding]:
        """One finding for each column of longitudes of which it is true."""
        for attribute in table.schema.quasi_identifiers:
            intervals, aggregated = sums.numbers.get(attribute.name, np.zeros(2, np.int64)).tolist()
            if count := intervals + aggregated:
                about = records_of(sums, attribute.name)
                yield self._of_column(attribute.name, aggregated > 0, count, about)

    def _across(self, column: Column, published: PublishedColumn) -> np.ndarray:
        """Booleans: the records of which it is true; no record for other columns."""
        if not isinstance(column, Numbers) or not self._both_ends(column):
            return np.zeros(0, bool)
        cells = published.cells.underlying.as_intervals()
        return np.asarray(np.append(cells.high - cells.low > 180, False)[published.cell])

    def _both_ends(self, column: Numbers) -> bool:
        low, high = column.range
        named = bool(LONGITUDE.search(spaced(column.attribute.name)))
        fits = -180 <= low <= self.near - 180 and 180 - self.near <= high <= 180
        return fits and column.attribute.kind == "numeric" and named

    def _of_column(self, name: str, aggregated: bool, count: int, about: np.ndarray | None = None) -> Finding:
        what = (
            tr("a mean or median of places on both sides of 180°, which is a place elsewhere on the earth")
            if aggregated
            else tr("an interval of more than 180°, because places on both sides of 180° count as far apart")
        )
        found = self.finding(
            "decide" if aggregated else "know",
            tr("For {count}, “{name}” is published as {what}.").format(
                name=name, count=counted(count, "record"), what=what
            ),
            tr("Give the column the kind longitude or cyclic, which treats these places as neighbors."),
            about,
            (name,),
        )
        return replace(found, count=count)
