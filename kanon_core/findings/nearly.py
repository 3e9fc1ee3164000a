"""Finding on words that are published nearly as they are: many different values, each of few records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Integer, Real
from kanon_core.base.progress import Tick
from kanon_core.base.words import counted, percent, tr
from kanon_core.findings.base import Finding, Search
from kanon_core.table.columns.columns import Categories

if TYPE_CHECKING:
    from kanon_core.covers.cells import PublishedColumn
    from kanon_core.release.release import Release
    from kanon_core.table.table import Table


@dataclass(frozen=True)
class NearlyOriginal(Search):
    """Columns of words whose published values are nearly the originals.

    A column with many different words, each of few records, is mostly one of numbers, dates or texts that was
    not recognized: a set of two or three of them names the original almost exactly, where an interval or a
    group of a hierarchy would not. k-anonymity holds all the same. The records are counted whose value few
    published records have, and whose published set has few values; missing is not a value. Cost O(n) per
    column.
    """

    name: ClassVar[str] = "nearly the originals"
    asks: ClassVar[str] = "Are words published that are nearly the original values?"
    attacker: ClassVar[str] = "knows a person’s value, or knows the person’s row and wants to learn the value"
    decide: ClassVar[str] = (
        "at least {values} different words of a column, each of at most {few} published records, are"
        " published in sets of at most {most}, for at least {decide_at} % of the records"
    )
    know: ClassVar[str] = "the same for at least {know_at} % of the records"

    few: Annotated[int, Integer(1, 1000, help="greatest number of published records with a value")] = 10
    most: Annotated[int, Integer(1, 100, help="greatest number of values in a published set")] = 3
    values: Annotated[int, Integer(2, 100_000, help="least number of different values in a column")] = 20
    decide_at: Annotated[float, Real(0, 100, help="of the published records of a column", unit="%")] = 50.0
    know_at: Annotated[float, Real(0, 100, help="of the published records of a column", unit="%")] = 5.0

    def find(self, table: Table, release: Release, tick: Tick) -> Iterator[Finding]:
        """One finding for each such column."""
        for published in release.published:
            column = table[published.attribute.name]
            if not isinstance(column, Categories) or published.cells.aggregated:
                continue
            tick(None, tr("nearly the originals: {column}").format(column=column.attribute.name))
            yield from self._of(column, published)

    def _of(self, column: Categories, published: PublishedColumn) -> Iterator[Finding]:
        shown = published.cell >= 0
        codes = np.asarray(column.codes)
        borne = np.bincount(codes[shown], minlength=len(column.labels))
        sizes = np.append(published.cells.sizes, 0)[published.cell]
        near = shown & ~column.missing & (sizes <= self.most) & (borne[codes] <= self.few)
        values, count, total = len(np.unique(codes[near])), int(near.sum()), int(shown.sum())
        if values < self.values or 100 * count < self.know_at * total:
            return
        said = tr(
            "Published values of “{name}” are nearly the originals: for {count:,} of {total} ({share}),"
            " they are published unchanged or in sets of at most {most:,}. These are {values:,} different"
            " values, each of at most {few}."
        ).format(
            values=values,
            name=column.attribute.name,
            few=counted(self.few, "record"),
            most=self.most,
            count=count,
            total=counted(total, "record"),
            share=percent(count, total),
        )
        action = tr(
            "If they are numbers or dates, give the column that kind to publish intervals. Otherwise group"
            " its values by a hierarchy or by categories, or leave it out (role identifier)."
        )
        severity = "decide" if 100 * count >= self.decide_at * total else "know"
        yield self.finding(severity, said, action, near, (column.attribute.name,))
