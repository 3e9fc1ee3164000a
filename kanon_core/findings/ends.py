"""Ends of intervals that are one record's exact value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kanon_core.base.progress import Tick
from kanon_core.base.words import tr
from kanon_core.findings.base import Finding, Remedy, Search, percent
from kanon_core.table.columns.columns import Numbers

if TYPE_CHECKING:
    from kanon_core.release.cells import PublishedColumn
    from kanon_core.release.release import Release
    from kanon_core.table.table import Table


@dataclass(frozen=True)
class ExactEnds(Search):
    """Intervals whose lowest or highest value exactly one record has of those that they are published for: by
    design an interval ends at values of its group. Cost O(n) per column."""

    name: ClassVar[str] = "exact ends"
    asks: ClassVar[str] = "Are the ends of intervals somebody’s exact values?"
    attacker: ClassVar[str] = "knows who is the lowest or highest of a group, such as its youngest member"
    know: ClassVar[str] = "an interval ends at a value that one record of its group has"

    def find(self, table: Table, release: Release, tick: Tick) -> Iterator[Finding]:
        """One finding for all columns of intervals."""
        ended = total = 0
        names, records = list[str](), np.zeros(len(table), bool)
        for published in release.published:
            column = table[published.attribute.name]
            if isinstance(column, Numbers) and not published.cells.aggregated:
                tick(None, tr("exact ends: {column}").format(column=column.attribute.name))
                own, cells, wide = _alone(column, published, release)
                ended, total = ended + cells, total + wide
                names += [column.attribute.name] if cells else []
                records[own] = True
        if not ended:
            return
        found = self.finding(
            "know",
            tr(
                "{ended:,} of {total:,} published intervals ({share}) of {names} have an end that is the"
                " exact value of just one of the records behind it, {records:,} records in all. Who knows"
                " somebody to be the lowest or highest there reads the value."
            ).format(
                ended=ended,
                total=total,
                share=percent(ended, total),
                names=", ".join(f"“{name}”" for name in names),
                records=int(records.sum()),
            ),
            tr("Round the column before, or widen its intervals to round numbers, if that says too much."),
            records,
            names,
        )
        exact = tuple(name for name in names if not table.schema[name].round_to)
        yield replace(found, remedy=Remedy("round_ends", exact)) if exact else found


def _alone(column: Numbers, published: PublishedColumn, release: Release) -> tuple[np.ndarray, int, int]:
    """The records that alone have an end of their interval; of how many intervals; of how many that have two
    different ends."""
    cells = published.cells.as_intervals()
    record, cell = _behind(published, release)
    kinds = np.unique(cell)
    wide = cells.low < cells.high
    ended, own = np.zeros(len(cells), bool), list[np.ndarray]()
    for ends in (cells.low, cells.high):
        there = np.flatnonzero((column.values[record] == ends[cell]) & wide[cell])
        alone = np.bincount(cell[there], minlength=len(cells)) == 1
        ended |= alone
        own.append(record[there[alone[cell[there]]]])
    return np.unique(np.concatenate(own)), int(ended.sum()), int(wide[kinds].sum())


def _behind(published: PublishedColumn, release: Release) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of a record and a cell that is made of it: all records of its cover set, by class where sets do
    not overlap."""
    cover = release.cover
    if cover.overlap:
        cell = np.zeros(len(cover.sizes), np.int64)
        cell[release.row] = published.cell
        return cover.order, cell[cover.sets]
    shown = np.flatnonzero(published.cell >= 0)
    first = np.unique(release.classes[shown], return_index=True)[1]
    return shown, published.cell[shown[first]][release.classes[shown]]
