"""Ends of intervals that are one record's exact value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.base.sums import Sums
from kanon_core.base.words import counted, percent, tr, tr_n
from kanon_core.covers.rounding.choice import has_steps
from kanon_core.findings.base import Facts, Finding, Remedy, SummedSearch, records_of
from kanon_core.table.columns.columns import Numbers

if TYPE_CHECKING:
    from kanon_core.covers.cells import PublishedColumn
    from kanon_core.metrics.summed import Anonymized
    from kanon_core.table.table import Table


@dataclass(frozen=True)
class ExactEnds(SummedSearch):
    """Intervals with an end that is the exact value of just one of the records that they are published for.

    By design an interval ends at values of its group. Records with equal rows share the same intervals,
    whatever their groups (`Ends`). Cost O(n) per column.
    """

    name: ClassVar[str] = "exact ends"
    asks: ClassVar[str] = "Do intervals end at the exact value of a single record?"
    attacker: ClassVar[str] = (
        "knows who has the lowest or highest value of a group, such as its youngest member"
    )
    know: ClassVar[str] = "an interval ends at a value that exactly one record of its group has"

    def part(self, table: Table, made: Anonymized, tick: Tick = silent) -> Sums:
        """Return, for each column of intervals, how many intervals have an end that is the value of exactly
        one of their records, and how many have two different ends; and how many such records there are in
        all. Return nothing for a part whose sets do not overlap: its rows may equal rows of other parts, and
        those are found from the ends of all parts (`Ends.combined`)."""
        if made.cover.overlap:
            shown = IntervalRecords.of_sets(made)
        elif made.classes is not None:
            shown = IntervalRecords.of_rows(made.classes)
        else:
            return Sums()
        ends = list[Ends]()
        for column, published in intervals_of(table, made):
            tick(None, tr("exact ends: {column}").format(column=column.attribute.name))
            ends.append(Ends.of(column, published, shown))
        return sums_of_ends(ends)

    def conclude(self, table: Table, sums: Sums) -> Iterator[Finding]:
        """One finding for all columns of intervals."""
        quasi = (attribute.name for attribute in table.schema.quasi_identifiers)
        ended = {name: sums.numbers[f"of:{name}"] for name in quasi if f"of:{name}" in sums.numbers}
        records = int(sums.numbers.get("records", 0))
        alone, total = sum(ended.values(), np.zeros(2, np.int64)).tolist()
        if not alone:
            return
        names = [name for name, (count, _) in ended.items() if count]
        found = self.finding(
            "know",
            tr_n(
                "{ended:,} of {total:,} published intervals ({share}) of {names} ends at the exact value of"
                " only one of its records, {records} in all. An attacker who knows who has the lowest or"
                " highest value of the group can read that value.",
                "{ended:,} of {total:,} published intervals ({share}) of {names} end at the exact value of"
                " only one of their records, {records} in all. An attacker who knows who has the lowest or"
                " highest value of such a group can read that value.",
                alone,
            ).format(
                ended=alone,
                total=total,
                share=percent(alone, total),
                names=", ".join(f"“{name}”" for name in names),
                records=counted(records, "record"),
            ),
            tr(
                "If this discloses too much, set “round ends” of the column on the Data page (on the command"
                " line: --round-ends), so that its intervals end at round numbers, or round the column before"
                " anonymization."
            ),
            records_of(sums, "records"),
            names,
        )
        exact = tuple(name for name in names if not table.schema[name].round_to and _has_steps(table, name))
        remedy = Remedy("round_ends", exact) if exact else None
        yield replace(found, count=records, remedy=remedy)


def _has_steps(table: Table, name: str) -> bool:
    column = table[name]
    return isinstance(column, Numbers) and not column.levels and has_steps(column)


class IntervalRecords(NamedTuple):
    """The pairs of a record and the interval that is published for it.

    ``record`` int64, a slice where the records are all there and in order; ``group`` int64: the group of
    records that look alike. ``first`` int64 (groups): a record that is published with the intervals of each
    group.
    """

    record: np.ndarray | slice
    group: np.ndarray
    first: np.ndarray

    @classmethod
    def of_rows(cls, rows: np.ndarray) -> IntervalRecords:
        """Return the pairs of all records with equal ``rows``, int64 (n), numbered from 0, −1 =
        suppressed."""
        shown = np.flatnonzero(rows >= 0)
        first = np.zeros(int(rows.max(initial=-1)) + 1, np.int64)
        first[rows[shown[::-1]]] = shown[::-1]
        return cls(slice(None) if len(shown) == len(rows) else shown, rows[shown], first)

    @classmethod
    def of_sets(cls, made: Anonymized) -> IntervalRecords:
        """Return the pairs of each row with all records of the set that it is published for, where sets
        overlap."""
        first = np.zeros(len(made.cover.sizes), np.int64)
        first[made.set_of] = np.arange(len(made.set_of))
        return cls(made.cover.order, made.cover.sets, first)


class Ends(NamedTuple):
    """The ends of one column, by groups of records that look alike.

    ``held`` int64 (groups, 2): how many records of the group have the low and the high end of its interval as
    their value. ``who`` int64 (groups, 2): one of those records. ``wide`` booleans (groups): the two ends
    differ.
    """

    name: str
    held: np.ndarray
    who: np.ndarray
    wide: np.ndarray

    @classmethod
    def of(cls, column: Numbers, published: PublishedColumn, shown: IntervalRecords) -> Ends:
        """Return the ends of a column. Cost O(n)."""
        cells, cell = published.cells.as_intervals(), published.cell[shown.first]
        lows, highs, (record, group, first) = cells.low[cell], cells.high[cell], shown
        values = column.values[record]
        if column.circle is not None:
            values = column.circle.onward(values, lows[group])
        held, who = np.zeros((2, len(first), 2), np.int64)
        for end, ends in enumerate((lows, highs)):
            there = np.flatnonzero(values == ends[group])
            held[:, end] = np.bincount(group[there], minlength=len(first))
            who[group[there], end] = there if isinstance(record, slice) else record[there]
        return cls(column.attribute.name, held, who, lows < highs)

    def combined(self, group: np.ndarray, count: int) -> Ends:
        """Return the ends where groups that were found apart look alike; ``group`` int64: the number of the
        common group, out of ``count``, that each of these belongs to."""
        held, who = np.zeros((2, count, 2), np.int64)
        np.add.at(held, group, self.held)
        np.maximum.at(who, group, np.where(self.held > 0, self.who, -1))
        wide = np.zeros(count, bool)
        wide[group] = self.wide
        return Ends(self.name, held, who, wide)

    @property
    def alone(self) -> np.ndarray:
        """Booleans (groups, 2): just one record has the end."""
        return np.asarray((self.held == 1) & self.wide[:, None])

    @property
    def counts(self) -> np.ndarray:
        """int64 (2): how many intervals have such an end, and how many have two different ones."""
        return np.array([self.alone.any(axis=1).sum(), self.wide.sum()])


def sums_of_ends(ends: Sequence[Ends]) -> Facts:
    """Return what `ExactEnds` adds up, of the ends of all columns in the same groups."""
    records = np.unique(np.concatenate([np.zeros(0, np.int64), *(each.who[each.alone] for each in ends)]))
    counts = {f"of:{each.name}": each.counts for each in ends}
    return Facts({**counts, "records": np.array(len(records))}, records={"records": records})


def intervals_of(table: Table, made: Anonymized) -> Iterator[tuple[Numbers, PublishedColumn]]:
    """The columns that are published as intervals."""
    for published in made.published:
        column = table[published.attribute.name]
        if isinstance(column, Numbers) and not published.cells.aggregated:
            yield column, published
