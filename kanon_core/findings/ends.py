"""Ends of intervals that are one record's exact value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from kanon_core.base.percent import percent
from kanon_core.base.progress import Tick
from kanon_core.base.words import tr
from kanon_core.findings.base import Finding, Remedy, Search
from kanon_core.table.columns.columns import Numbers

if TYPE_CHECKING:
    from kanon_core.release.cells import PublishedColumn
    from kanon_core.release.release import Release
    from kanon_core.table.table import Table


class _Pairs(NamedTuple):
    """Pairs of a record and a cell that is made of it; a slice: all records in order."""

    record: np.ndarray | slice
    cell: np.ndarray


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
        names, records, pairs = list[str](), np.zeros(len(table), bool), dict[int, _Pairs]()
        for published in release.published:
            column = table[published.attribute.name]
            if isinstance(column, Numbers) and not published.cells.aggregated:
                tick(None, tr("exact ends: {column}").format(column=column.attribute.name))
                if id(published.cell) not in pairs:
                    pairs[id(published.cell)] = _behind(published, release)
                own, cells, wide = _alone(column, published, pairs[id(published.cell)])
                ended, total = ended + cells, total + wide
                names += [column.attribute.name] if cells else []
                records |= own
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


def _alone(column: Numbers, published: PublishedColumn, pairs: _Pairs) -> tuple[np.ndarray, int, int]:
    """n booleans, the record alone has an end of its interval; of how many intervals; of how many that have
    two different ends."""
    cells, (record, cell) = published.cells.as_intervals(), pairs
    values, wide = column.values[record], cells.low < cells.high
    ended, used = np.zeros((2, len(cells)), bool)
    used[cell] = True
    if column.circle is not None:
        values = column.circle.onward(values, cells.low[cell])
    own = np.zeros(len(values), bool)
    for ends in (cells.low, cells.high):
        there = np.flatnonzero(values == ends[cell])
        behind = cell[there]
        alone = (np.bincount(behind, minlength=len(cells)) == 1) & wide
        ended |= alone
        own[there[alone[behind]]] = True
    found = np.zeros(len(column.values), bool)
    found[record if isinstance(record, slice) else record[own]] = own if isinstance(record, slice) else True
    return found, int(ended.sum()), int((wide & used).sum())


def _behind(published: PublishedColumn, release: Release) -> _Pairs:
    """All records of its cover set are behind a cell, and of its class where sets do not overlap."""
    cover, classes = release.cover, release.classes
    if cover.overlap:
        cell = np.zeros(len(cover.sizes), np.int64)
        cell[release.row] = published.cell
        return _Pairs(cover.order, cell[cover.sets])
    shown = np.flatnonzero(published.cell >= 0)
    first = np.zeros(int(classes.max()) + 2, np.int64)
    first[classes[shown[::-1]]] = shown[::-1]
    cell = published.cell[first][classes]
    return _Pairs(slice(None), cell) if len(shown) == len(cell) else _Pairs(shown, cell[shown])
