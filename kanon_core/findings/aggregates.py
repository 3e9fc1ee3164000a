"""Means, medians and modes: what they say, and groups whose mean gives one record away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Real
from kanon_core.base.percent import percent
from kanon_core.base.progress import Tick
from kanon_core.base.words import tr
from kanon_core.findings.base import Finding, Search
from kanon_core.table.columns.columns import Column, Numbers

if TYPE_CHECKING:
    from kanon_core.release.cells import PublishedColumn
    from kanon_core.release.release import Release
    from kanon_core.table.table import Table


@dataclass(frozen=True)
class Aggregates(Search):
    """Columns that are published as one value for each group.

    The p % rule of statistical disclosure control, for means: a group is dominated when its total without its
    two largest values is less than p % of the largest, x₁: who has the second largest then knows x₁ to within
    p %. Values count from 0, or, in columns with negative values, dates and degrees, from the least of the
    column. A mean of two values is always dominated. Cost O(n log n) per column.

    A. Hundepool et al., Statistical disclosure control, Wiley 2012, chapter 4 (magnitude tables).
    """

    name: ClassVar[str] = "means, medians and modes"
    asks: ClassVar[str] = "Does one record dominate the mean of its group, and what do such values say?"
    attacker: ClassVar[str] = "has a record of the group, and knows who is in it"
    decide: ClassVar[str] = (
        "of a published mean, all but the two largest values are under {p} % of the largest"
    )
    know: ClassVar[str] = "a column is published as mean, median or mode: it is not true of each record"

    p: Annotated[float, Real(0, 100, help="how near the largest value may be estimated", unit="%")] = 10.0

    def find(self, table: Table, release: Release, tick: Tick) -> Iterator[Finding]:
        """For each such column what it says, and of means the groups that are dominated."""
        for published in release.published:
            if not published.cells.aggregated or (published.cell < 0).all():
                continue
            name = published.attribute.name
            tick(None, tr("means, medians and modes: {column}").format(column=name))
            yield self._meaning(table[name], published)
            if published.attribute.recoding == "mean":
                yield from self._dominated(table.numbers(name), published)

    def _meaning(self, column: Column, published: PublishedColumn) -> Finding:
        shown = np.flatnonzero(published.cell >= 0)
        values = published.cells.numbers()
        own = column.keys[shown].astype(np.float64)
        said = values if values is not None else published.cells.as_sets().codes.astype(np.float64)
        other = shown[~np.isclose(said[published.cell[shown]], own, rtol=0, atol=0, equal_nan=True)]
        means = {
            "mean": tr("the mean of its group, which may be nobody’s value"),
            "median": tr("the median of its group, which is a record’s own value where their number is odd"),
            "mode": tr("the most frequent value of its group, which some record has"),
        }
        what = means.get(published.attribute.recoding, tr("a value that was put in place of its own"))
        return self.finding(
            "know",
            tr(
                "“{name}” is published as {what}: for {other:,} of {shown:,} records it is not the value that"
                " they have."
            ).format(name=published.attribute.name, what=what, other=len(other), shown=len(shown)),
            tr("Say so to those who use the release, or set the recoding to generalize."),
            other,
            (published.attribute.name,),
        )

    def _dominated(self, column: Numbers, published: PublishedColumn) -> Iterator[Finding]:
        low, _ = column.range
        measured = column.attribute.kind == "numeric" and low >= 0
        values = column.values if measured else column.values - low
        shown = np.flatnonzero((published.cell >= 0) & ~column.missing)
        shown = shown[np.lexsort((values[shown], published.cell[shown]))]
        cell, count = published.cell[shown], len(published.cells)
        sizes = np.bincount(cell, minlength=count)
        last = np.cumsum(sizes)[sizes > 1] - 1
        largest, second = values[shown[last]], values[shown[last - 1]]
        rest = np.bincount(cell, values[shown], count)[sizes > 1] - largest - second
        found = (largest > 0) & (rest < self.p / 100 * largest)
        records = np.sort(shown[last[found]])
        if not len(records):
            return
        yield self.finding(
            "decide",
            tr(
                "One record dominates the mean of “{name}” in {found:,} of {groups:,} groups ({share}): who"
                " has the second largest value of the group and knows its size finds the largest to within"
                " {p:g} %."
            ).format(
                name=column.attribute.name,
                found=len(records),
                groups=int((sizes > 0).sum()),
                share=percent(len(records), int((sizes > 0).sum())),
                p=self.p,
            ),
            tr("Set the recoding to median or generalize, choose a greater k, or suppress these records."),
            records,
            (column.attribute.name,),
            tr("Suppressing them costs {count:,} of {all:,} records.").format(
                count=len(records), all=len(column.values)
            ),
        )
