"""Findings on means, medians and modes: differences from original values, and disclosure by means."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, ClassVar, NamedTuple

import numpy as np

from kanon_core.base.kinds import Real
from kanon_core.base.progress import Tick, silent
from kanon_core.base.sums import Sums
from kanon_core.base.words import counted, percent, tr
from kanon_core.findings.base import Facts, Finding, SummedSearch, price_of, records_of
from kanon_core.table.columns.columns import Column, Numbers

if TYPE_CHECKING:
    from kanon_core.covers.cells import PublishedColumn
    from kanon_core.metrics.summed import Anonymized
    from kanon_core.table.attribute import Attribute
    from kanon_core.table.table import Table


@dataclass(frozen=True)
class Aggregates(SummedSearch):
    """Columns that are published as one value for each group.

    The p % rule of statistical disclosure control, for means: a group is dominated when its total without its
    two largest values is less than p % of the largest, x₁: the person who has the second largest then knows
    x₁ to within p %. Values count from 0, or, in columns with negative values, dates and degrees, from the
    least of the column. A mean of two values is always dominated. Cost O(n log n) per column.

    A. Hundepool et al., Statistical disclosure control, Wiley 2012, chapter 4 (magnitude tables).
    """

    name: ClassVar[str] = "means, medians and modes"
    asks: ClassVar[str] = (
        "Does one record dominate the mean of its group, and how many records have another value?"
    )
    attacker: ClassVar[str] = "has a record in the group, and knows its members"
    decide: ClassVar[str] = (
        "all values of a published mean except the two largest sum to less than {p} % of the largest"
    )
    know: ClassVar[str] = (
        "a column is published as means, medians or modes, which need not be the values of the records"
    )

    p: Annotated[
        float,
        Real(
            0,
            100,
            help="the p of the p % rule: an estimate of the largest value must not be this close",
            unit="%",
        ),
    ] = 10.0

    def part(self, table: Table, made: Anonymized, tick: Tick = silent) -> Facts:
        """Return, for each column of means, medians or modes: how many records are published, have another
        value, and dominate their groups; and how many groups there are."""
        counts, records = dict[str, np.ndarray](), dict[str, np.ndarray]()
        for published in made.published:
            if published.cells.aggregated:
                name = published.attribute.name
                tick(None, tr("means, medians and modes: {column}").format(column=name))
                groups = self._groups(table[name], published)
                counts[f"of:{name}"] = groups.counts
                records |= {f"other:{name}": groups.other, f"dominating:{name}": groups.dominating}
        return Facts({**counts, "records": np.array(len(table))}, records=records)

    def conclude(self, table: Table, sums: Sums) -> Iterator[Finding]:
        """Yield a finding on each such column and, for means, on the groups that are dominated."""
        for attribute in table.schema.quasi_identifiers:
            name = attribute.name
            if (counts := sums.numbers.get(f"of:{name}")) is None:
                continue
            shown, other, dominating, groups = counts.tolist()
            if shown:
                meaning = self._meaning(attribute, other, shown, records_of(sums, f"other:{name}"))
                yield replace(meaning, count=other)
            if dominating:
                about, records = records_of(sums, f"dominating:{name}"), int(sums.numbers["records"])
                yield self._dominated(name, (dominating, groups), records, about)

    def _meaning(self, attribute: Attribute, other: int, shown: int, about: np.ndarray | None) -> Finding:
        means = {
            "mean": tr("the mean of its group, which may be no record’s value"),
            "median": tr("the median of its group, which is a record’s value if their number is odd"),
            "mode": tr("the most frequent value of its group, which at least one record has"),
        }
        what = means.get(attribute.recoding, tr("a value that replaces the original one"))
        return self.finding(
            "know",
            tr(
                "“{name}” is published as {what}. For {other:,} of {shown}, it differs from the original"
                " value."
            ).format(name=attribute.name, what=what, other=other, shown=counted(shown, "record")),
            tr("Inform the users of the release, or set the recoding to generalize."),
            about,
            (attribute.name,),
        )

    def _dominated(
        self, name: str, groups: tuple[int, int], records: int, about: np.ndarray | None
    ) -> Finding:
        found = self.finding(
            "decide",
            tr(
                "One record dominates the mean of “{name}” in {found:,} of {groups} ({share}). An attacker"
                " who has the second largest value of the group and knows its size can compute the largest"
                " to within {p:g} %."
            ).format(
                name=name,
                found=groups[0],
                groups=counted(groups[1], "group"),
                share=percent(*groups),
                p=self.p,
            ),
            tr("Set the recoding to median or generalize, choose a greater k, or suppress these records."),
            about,
            (name,),
            price_of(groups[0], records),
        )
        return replace(found, count=groups[0])

    def _groups(self, column: Column, published: PublishedColumn) -> _Groups:
        shown = np.flatnonzero(published.cell >= 0)
        values = published.cells.numbers()
        own = column.keys[shown].astype(np.float64)
        said = values if values is not None else published.cells.as_sets().codes.astype(np.float64)
        other = shown[~np.isclose(said[published.cell[shown]], own, rtol=0, atol=0, equal_nan=True)]
        if published.attribute.recoding != "mean" or not isinstance(column, Numbers):
            return _Groups(len(shown), other, shown[:0], 0)
        return _Groups(len(shown), other, *self._dominating(column, published))

    def _dominating(self, column: Numbers, published: PublishedColumn) -> tuple[np.ndarray, int]:
        """The records that dominate the means of their groups, and how many groups have a mean."""
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
        return np.sort(shown[last[found]]), int((sizes > 0).sum())


class _Groups(NamedTuple):
    """The groups of a column of means, medians or modes: how many records are ``shown``, which have an
    ``other`` value, which are ``dominating`` the mean of their group, and how many ``groups`` publish such a
    value."""

    shown: int
    other: np.ndarray
    dominating: np.ndarray
    groups: int

    @property
    def counts(self) -> np.ndarray:
        """int64 (4): how many of each."""
        return np.array([self.shown, len(self.other), len(self.dominating), self.groups])
