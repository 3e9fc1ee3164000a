"""Figures 7 to 11 and tables 2 and 3 of the paper on item sets without a hierarchy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, NamedTuple

import numpy as np
import pandas as pd

from kanon_core.base.errors import InputError
from kanon_core.base.kinds import Choice, Integer
from kanon_core.base.randomness import generator
from kanon_core.base.words import later, tr
from kanon_core.papers.base import Check, Part, Reproduction, Row, Source, Task
from kanon_core.papers.itemsets_checks import checks
from kanon_core.papers.itemsets_rivals import beside
from kanon_core.papers.itemsets_runs import Result, Runs
from kanon_core.papers.itemsets_sizes import FEW, MANY, Apart
from kanon_core.papers.printed import printed
from kanon_core.table.columns.columns import Items
from kanon_core.table.reading import starting_schema
from kanon_core.table.samples import baskets, receipts
from kanon_core.table.table import Table

KS = (2, 5, 10, 20, 50)
"""The k of figures 7, 9, 10 and 11."""
K = 10
"""The k of figure 8 and of tables 2 and 3."""
ELSEWHERE = later("other receipts on another machine")
PAPERS = {"receipts": 10_000, "large": 100_000, "baskets": (77_512, 3_340, 358_278)}
"""Records of the paper's receipts; records, different items and items of BMS-WebView-2 (set-valued paper,
table 1)."""


class _Data(NamedTuple):
    """Samples of one kind of table, the quasi-identifiers used (item sets first), and their name."""

    samples: tuple[Table, ...]
    quasi: tuple[str, ...]
    what: str
    same: bool = False

    @property
    def size(self) -> int:
        return len(self.samples[0])


@dataclass(frozen=True)
class SetFigures(Reproduction):
    """Suppressed items and time of the top-down pass: by k (figures 7, 9 to 11), by the number of
    quasi-identifiers (8), by size (tables 2 and 3).

    The figures are pictures without numbers; tables 2 and 3 print the points of figures 7, 8 and 10 at k = 10
    of receipts. A time is that of the release with its audit, from a table that is read, and the least of
    three runs; it differs between machines, and from the paper's (2.4 GHz, Java, a database) in kind. Beside
    figures 9 and 11 stand other methods on the same baskets, one run each (`itemsets_rivals`).

    A source with item sets and single values stands in for the receipts, one of item sets alone for the
    baskets, unless the option says which; what the source is not for is made from our own samples. Of a
    source that has fewer records than asked for, all are taken; the large table of tables 2 and 3 is then
    left out.

    Departures from the paper: its receipts cannot be had, ours are invented; numbers are only compared in
    order and proportion. Its larger table loses less than its smaller one and ours more, because ours has
    many more diseases that are rare; rows that follow table 2 take size, variety and frequencies apart. It
    says that ten times the records took about 70 times as long; its table 3 says 80.

    Reference: set-valued paper, §5, figures 7 to 11, tables 2 and 3.
    """

    name: ClassVar[str] = "sets"
    title: ClassVar[str] = "Figures 7 to 11: what item sets lose, and how long it takes"
    summary: ClassVar[str] = (
        "Suppressed items and time of the top-down pass, and of other methods on baskets."
    )
    seconds: ClassVar[float] = 20.0

    figures: Annotated[
        str,
        Choice(
            {"all": "all", "receipts": "7, 8, 10 and tables 2 and 3", "baskets": "9 and 11"},
            help="which figures",
        ),
    ] = "all"
    records: Annotated[int, Integer(10, 100_000, help="receipts of figures 7, 8 and 10")] = 10_000
    large: Annotated[int, Integer(10, 1_000_000, help="receipts of the larger table")] = 100_000
    baskets: Annotated[int, Integer(10, 1_000_000, help="baskets of figures 9 and 11")] = 77_512
    seeds: Annotated[int, Integer(1, 20, help="samples, of which means and ranges are shown")] = 1

    def tasks(self, source: Source | None = None) -> list[Task]:
        """Receipts by k, by quasi-identifiers, by size; baskets by k. InputError without item sets."""
        of_receipts, of_baskets = self._sources(source)
        tasks: list[Task] = []
        if self.figures != "baskets":
            tasks += self._receipts(of_receipts)
        if self.figures != "receipts":
            tasks += self._baskets(of_baskets)
        return tasks

    def checks(self, rows: Sequence[Row]) -> list[Check]:
        """What the paper says of these figures, with its own numbers where it prints them."""
        return checks(rows)

    def _sources(self, source: Source | None) -> tuple[Source | None, Source | None]:
        """The source as that of the receipts, and as that of the baskets."""
        if source is None:
            return None, None
        sets = _item_sets(source.table)
        if not sets:
            raise InputError(
                tr(
                    "No quasi-identifier of the table holds item sets; give a column of sets the kind items"
                    " and that role."
                )
            )
        if len(source.table) < K:
            raise InputError(
                tr("These figures need at least {k} records; the table has {records}.").format(
                    k=K, records=len(source.table)
                )
            )
        alone = len(sets) == len(source.table.quasi)
        wanted = self.figures if self.figures != "all" else "baskets" if alone else "receipts"
        return (source, None) if wanted == "receipts" else (None, source)

    def _receipts(self, source: Source | None) -> list[Task]:
        data = self._data("receipts", self.records, source)
        runs = Runs(data.samples)
        share = self._part("figure 7", tr("Figure 7: suppressed items by k, receipts"), "%", data, True)
        seconds = timed(share, "figure 10", tr("Figure 10: time by k, receipts"))
        alike = source is None or data.size == PAPERS["receipts"]
        lost, took = (
            printed("set-valued", table, "10,000", column) if alike else None
            for table, column in (("table 2", "share"), ("table 3", "seconds"))
        )
        return [
            *_by_k(share, runs, data, Result.percent, lost),
            *self._columns(share, runs, data, lost),
            *_by_k(seconds, runs, data, Result.time, took),
            *self._sizes(source, data, runs),
        ]

    def _columns(self, share: Part, runs: Runs, data: _Data, papers: float | None) -> list[Task]:
        """Figure 8: the item sets alone, then one single value more; the paper's number has four."""
        title = tr("Figure 8: suppressed items by the number of quasi-identifiers, receipts, k = {k}").format(
            k=K
        )
        part, names, tasks = replace(share, table="figure 8", called=title), data.quasi, list[Task]()
        for m, added in enumerate(names, 1):
            paper = papers if m == len(names) == 4 else None
            place: dict[str, str | int] = {"quasi-identifiers": m, "added": added}
            tasks.append(runs.task(part, place, names[:m], K, Result.percent, paper))
        return tasks

    def _sizes(self, source: Source | None, small: _Data, runs: Runs) -> list[Task]:
        """Tables 2 and 3: the same at k = 10 on two sizes."""
        if source is None:
            large = self._data("large", self.large)
        elif len(source.table) > small.size:
            large = self._given(source, len(source.table))
        else:
            return []
        more, both = Runs(large.samples), f"{self._counted(small)}; {self._counted(large)}"
        base = self._part(
            "table 2", tr("Table 2: suppressed items by size, k = {k}").format(k=K), "items", small, True
        )
        base = replace(base, data=both, digits=0)
        share = replace(base, called=tr("Table 2: their share, k = {k}").format(k=K), unit="%", digits=1)
        seconds = timed(base, "table 3", tr("Table 3: time by size, k = {k}").format(k=K))
        parts, columns = (base, share, seconds), ("items", "share", "seconds")
        tasks = []
        for part, column, value in zip(
            parts, columns, (Result.items, Result.percent, Result.time), strict=True
        ):
            for data, found in ((small, runs), (large, more)):
                paper = printed("set-valued", part.table, f"{data.size:,}", column)
                tasks.append(found.task(part, {"records": data.size}, data.quasi, K, value, paper))
        if source is None:
            tasks += Apart(small.samples, large.samples).tasks(share, small.quasi, K)
        return tasks

    def _baskets(self, source: Source | None) -> list[Task]:
        data = self._data("baskets", self.baskets, source)
        runs = Runs(data.samples)
        share = self._part("figure 9", tr("Figure 9: suppressed items by k, baskets"), "%", data, False)
        seconds = timed(share, "figure 11", tr("Figure 11: time by k, baskets"))
        found = [*_by_k(share, runs, data, Result.percent), *_by_k(seconds, runs, data, Result.time)]
        if len(data.quasi) == 1:
            lost = tr("Beside figure 9: suppressed items by k, {methods}")
            took = tr("Beside figure 11: time by k, {methods}")
            shown = ((share, lost, Result.percent), (seconds, took, Result.time))
            found += beside(data.samples, data.quasi, _ks(data), shown)
        return found

    def _part(self, table: str, title: str, unit: str, data: _Data, prints: bool) -> Part:
        theirs, same = tr("other receipts") if prints else "", data.same and not prints
        return Part(table, title, unit, self._counted(data), theirs, same, data.size, 1)

    def _counted(self, data: _Data) -> str:
        said = tr("{count} samples of {size:,} {what}")
        if self.seeds == 1:
            said = tr("1 sample of {size:,} {what}")
        return said.format(count=self.seeds, size=data.size, what=data.what)

    def _data(self, kind: str, size: int, source: Source | None = None) -> _Data:
        """Samples of the source, or our own, those of the seeds 0, 1, …"""
        if source is not None:
            return self._given(source, size)
        name, make = _GENERATORS[kind]
        frames = [make(size, seed) for seed in range(self.seeds)]
        schema = starting_schema(frames[0], {"sample": name})
        samples = tuple(Table.from_frame(frame, schema) for frame in frames)
        return _Data(
            samples,
            _item_sets_first(samples[0]),
            tr("invented baskets") if kind == "baskets" else tr("invented receipts"),
        )

    def _given(self, source: Source, size: int) -> _Data:
        """Random samples of a given table, in its own order; all of it when there are no more."""
        table, n = source.table, len(source.table)
        quasi = _item_sets_first(table)
        if n <= size:
            samples = (table,) * self.seeds
        else:
            chosen = [np.sort(generator(seed).choice(n, size, replace=False)) for seed in range(self.seeds)]
            samples = tuple(map(table.some, chosen))
        items = _item_sets(table)[0]
        shape = (n, items.distinct, len(items.items))
        return _Data(
            samples,
            quasi,
            tr("records of {name}").format(name=source.name),
            shape == PAPERS["baskets"] and n <= size,
        )


_GENERATORS: dict[str, tuple[str, Callable[[int, int], pd.DataFrame]]] = {
    "receipts": ("receipts-10000", lambda size, seed: receipts(size, *FEW, seed)),
    "large": ("receipts-100000", lambda size, seed: receipts(size, *MANY, seed)),
    "baskets": ("baskets-77512", lambda size, seed: baskets(size, 3_340, 4.6222, seed)),
}


def timed(part: Part, table: str, title: str) -> Part:
    """The same runs, asked for their seconds."""
    where = tr(ELSEWHERE) if part.papers_data else ""
    return replace(
        part, table=table, called=title, unit="seconds", papers_data=where, digits=3, printed_digits=1
    )


def _by_k(
    part: Part, runs: Runs, data: _Data, value: Callable[[Result], float], papers: float | None = None
) -> list[Task]:
    """One row for each k that the table has records for; the paper's number is of k = 10."""
    return [runs.task(part, {"k": k}, data.quasi, k, value, papers if k == K else None) for k in _ks(data)]


def _ks(data: _Data) -> list[int]:
    return [k for k in KS if k <= data.size]


def _item_sets(table: Table) -> list[Items]:
    return [column for column in table.quasi if isinstance(column, Items)]


def _item_sets_first(table: Table) -> tuple[str, ...]:
    """Names of the quasi-identifiers: item sets, then single values, each in column order."""
    sets = [column.attribute.name for column in _item_sets(table)]
    return (*sets, *(c.attribute.name for c in table.quasi if c.attribute.name not in sets))
