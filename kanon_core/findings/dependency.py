"""Unchanged columns that narrow a published cell: education in years beside education."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Integer, Real
from kanon_core.base.progress import Tick
from kanon_core.base.randomness import generator
from kanon_core.base.words import counted, percent, tr
from kanon_core.findings.base import Finding, Remedy, Search
from kanon_core.findings.narrowing import Narrowing
from kanon_core.findings.unchanged import codes_of, unchanged
from kanon_core.table.columns.columns import Items

if TYPE_CHECKING:
    from kanon_core.release.release import Release
    from kanon_core.table.table import Table


@dataclass(frozen=True)
class DependentColumns(Search):
    """Pairs of an unchanged column u and a generalized quasi-identifier q whose cells u narrows.

    A record's cell is narrowed if fewer of the cell's values occur among the records with the same value of u
    than in the whole table; it is given back if only one value does. A value of u that few records have does
    so by chance: so the same is counted with the values of u in random orders (the same ones every time), and
    a count is reported only if it is above the worst of these, by a factor of at least ``beyond``. For a
    mean, median or mode, the values behind it are taken. Columns of item sets are not judged. Cost O(n log n)
    for each pair, or O(values in all cells) where cells are sets with holes.
    """

    name: ClassVar[str] = "dependent columns"
    asks: ClassVar[str] = "Does an unchanged column narrow the generalized values of another column?"
    attacker: ClassVar[str] = "knows which values of the two columns occur together"
    decide: ClassVar[str] = (
        "a column narrows the cells of at least {decide_at} % of the records more than in random order, and"
        " of at least {beyond} times as many"
    )
    cheap: ClassVar[bool] = False

    decide_at: Annotated[
        float, Real(0, 100, help="of the published records, whose cells are narrowed", unit="%")
    ] = 1.0
    beyond: Annotated[float, Real(1, 1_000, help="least ratio to the number by chance")] = 2.0
    orders: Annotated[int, Integer(1, 100, help="random orders from which chance is estimated")] = 5

    def find(self, table: Table, release: Release, tick: Tick) -> Iterator[Finding]:
        """One finding for each pair of columns."""
        columns = [p for p in release.published if not isinstance(table[p.attribute.name], Items)]
        unchanging, shown = unchanged(table), np.flatnonzero(~release.suppressed)
        for i, published in enumerate(columns if unchanging and len(shown) else []):
            name = published.attribute.name
            narrowing = Narrowing.of(table[name], published)
            for attribute in unchanging:
                tick(i / len(columns), tr("{one} beside {other}").format(one=attribute.name, other=name))
                yield from self._pair(attribute.name, name, codes_of(table, attribute.name), narrowing)

    def _pair(self, column: str, other: str, codes: np.ndarray, narrowing: Narrowing) -> Iterator[Finding]:
        narrowed, given = narrowing.by(codes)
        if 100 * narrowed.sum() < self.decide_at * len(narrowing.shown):
            return
        counts, more = (int(narrowed.sum()), int(given.sum())), (True, True)
        for order in range(self.orders):
            usual = narrowing.by(codes[generator(order).permutation(len(codes))])
            beyond = [
                self._beyond(count, int(by_chance.sum()), len(narrowing.shown))
                for count, by_chance in zip(counts, usual, strict=True)
            ]
            more = (more[0] and beyond[0], more[1] and beyond[1])
            if not any(more):
                return
        yield self._of_pair(column, other, narrowing, (narrowed, given), more[1])

    def _beyond(self, count: int, by_chance: int, published: int) -> bool:
        more = count - by_chance
        return more > 0 and count >= self.beyond * by_chance and 100 * more >= self.decide_at * published

    def _of_pair(
        self,
        column: str,
        other: str,
        narrowing: Narrowing,
        records: tuple[np.ndarray, np.ndarray],
        back: bool,
    ) -> Finding:
        narrowed, given = records
        published = len(narrowing.shown)
        if back:
            about = given
            sentence = tr(
                "“{one}” discloses “{other}”: for {count:,} of {published} ({share}), only one value of the"
                " published cell occurs with it in the table, so an attacker who knows which values occur"
                " together learns it. “{other}” is generalized in {general}, and narrower than published in"
                " {narrowed:,}."
            )
        else:
            about = narrowed
            sentence = tr(
                "“{one}” narrows “{other}”: for {count:,} of {published} ({share}), fewer values occur with"
                " it in the table than the published cell allows. “{other}” is generalized in {general}."
            )
        said = sentence.format(
            one=column,
            other=other,
            count=int(about.sum()),
            published=counted(published, "record"),
            share=percent(int(about.sum()), published),
            general=counted(int(narrowing.general.sum()), "record"),
            narrowed=int(narrowed.sum()),
        )
        action = tr(
            "Make “{one}” a quasi-identifier too, group its values, or leave it out (role identifier)."
        ).format(one=column)
        made = self.finding("decide", said, action, narrowing.shown[about], (column, other))
        return replace(made, remedy=Remedy("quasi_identifier", (column,)))
