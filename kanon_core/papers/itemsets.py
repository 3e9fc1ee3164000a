"""Figures 7 to 11 and tables 2 and 3 of the paper on item sets without a hierarchy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar

import pandas as pd

from kanon_core.base.errors import InputError
from kanon_core.base.kinds import Choice, Integer
from kanon_core.base.words import counted, later, tr, tr_n
from kanon_core.papers.base import Check, Part, Reproduction, Row, Source, Task
from kanon_core.papers.itemsets_runs import APART, FEW, MANY, STEEP, STEEPER, Runs, apart, beside, drawn
from kanon_core.papers.points import Point, Trend, by_part, percent_points, steps, tried
from kanon_core.papers.printed import printed
from kanon_core.table.columns.columns import Items
from kanon_core.table.reading import starting_schema
from kanon_core.table.samples import baskets, receipts
from kanon_core.table.table import Table

HALF = 50.0
SIZES = ("10,000", "100,000")
_LOST = Trend(
    later(
        "{here}: more items are suppressed the larger k is, {least:.1f} % at k = {low} and {most:.1f} % at"
        " k = {high}."
    ),
    percent_points,
)
_TOOK = Trend(
    later(
        "{here}: the time is shorter the larger k is, {first:.3f} s at k = {low} and {last:.3f} s at k ="
        " {high}."
    ),
    "{:.3f} s".format,
    falls=True,
)
TRENDS = {
    "figure 7": _LOST,
    "figure 9": _LOST,
    "figure 8": Trend(
        later(
            "Figure 8: more items are suppressed the more quasi-identifiers there are, {least:.1f} % with"
            " {few} and {most:.1f} % with {many}."
        ),
        percent_points,
        "m",
    ),
    "figure 10": _TOOK,
    "figure 11": _TOOK,
    "table 2": Trend(
        later(
            "Table 2: the larger table loses a smaller share of its items: {more:.1f} % for N = {small:,},"
            " {less:.1f} % for N = {large:,} (paper: {paper} % and {papers} %)."
        ),
        percent_points,
        "N",
        falls=True,
    ),
}
"""The statements on values that rise or fall in each figure and table."""
KS = (2, 5, 10, 20, 50)
"""The k of figures 7, 9, 10 and 11."""
K = 10
"""The k of figure 8 and of tables 2 and 3."""
ELSEWHERE = later("other receipts on another machine")
PAPERS = {"receipts": 10_000, "large": 100_000, "baskets": (77_512, 3_340, 358_278)}
"""Records of the paper's receipts; records, different items and items of BMS-WebView-2 (set-valued paper,
table 1)."""


@dataclass(frozen=True)
class SetFigures(Reproduction):
    """Suppressed items and time of the top-down pass: by k (figures 7, 9 to 11), by the number of
    quasi-identifiers (8), by size (tables 2 and 3).

    The figures are pictures without numbers; tables 2 and 3 print the points of figures 7, 8 and 10 at k = 10
    of receipts. A time is that of the release with its audit, from a table that is read, and the least of
    three runs; it differs between machines, and from the paper's (2.4 GHz, Java, a database) in kind. Beside
    figures 9 and 11 stand other methods on the same baskets, one run each (`itemsets_runs`).

    A source with item sets and single values stands in for the receipts, one of item sets alone for the
    baskets, unless the option says which; the other figures are made from our own samples. Of a source that
    has fewer records than asked for, all are taken; the large table of tables 2 and 3 is then left out.

    Departures from the paper: its receipts cannot be had, ours are invented; numbers are only compared in
    order and proportion. Its larger table loses less than its smaller one and ours more, because ours has
    many more diseases that are rare; rows that follow table 2 take size, variety and frequencies apart. It
    says that ten times the records took about 70 times as long; its table 3 says 80.

    Reference: set-valued paper, §5, figures 7 to 11, tables 2 and 3.
    """

    name: ClassVar[str] = "sets"
    title: ClassVar[str] = "Figures 7 to 11: suppressed items and time for item sets"
    summary: ClassVar[str] = (
        "Suppressed items and time of the top-down pass, and of other methods on baskets."
    )
    seconds: ClassVar[float] = 20.0

    figures: Annotated[
        str,
        Choice(
            {"all": "all", "receipts": "7, 8, 10 and tables 2 and 3", "baskets": "9 and 11"},
            help="the figures to compute",
        ),
    ] = "all"
    records: Annotated[int, Integer(10, 100_000, help="receipts of figures 7, 8 and 10")] = 10_000
    large: Annotated[int, Integer(10, 1_000_000, help="receipts of the larger table")] = 100_000
    baskets: Annotated[int, Integer(10, 1_000_000, help="baskets of figures 9 and 11")] = 77_512
    seeds: Annotated[
        int, Integer(1, 20, help="number of samples; with more than one, means and ranges are shown")
    ] = 1

    def tasks(self, source: Source | None = None) -> list[Task]:
        """Return the rows of receipts by k, by quasi-identifiers and by size, and of baskets by k. InputError
        without item sets."""
        of_receipts, of_baskets = self._sources(source)
        tasks: list[Task] = []
        if self.figures != "baskets":
            tasks += self._receipts(of_receipts)
        if self.figures != "receipts":
            tasks += self._baskets(of_baskets)
        return tasks

    def checks(self, rows: Sequence[Row]) -> list[Check]:
        """Return the checks of the paper's statements, with its own numbers where it prints them."""
        found: list[Check] = []
        paper, papers = (printed("set-valued", "table 2", size, "percent") for size in SIZES)
        for part, mine in by_part(rows).items():
            means = {int(next(iter(row.place.values()))): row.mean for row in mine}
            if len(mine) < 2 or part.unit == "items":
                continue
            if part.table in TRENDS:
                trend, facts = TRENDS[part.table], {"here": part.place, "paper": paper, "papers": papers}
                found.append(trend.tried(means, part.comparable and trend is _LOST, **facts))
            if part.table == "figure 9":
                says = tr("{here}: at least half of the items are suppressed at every k.")
                points = [Point(f"k = {k}", HALF - share) for k, share in means.items()]
                found.append(tried(says, points, percent_points, tr("k"), part.comparable, here=part.place))
            if part.table == "table 3":
                found.append(_slower(means))
            if part.table == APART:
                found += _why(mine)
        return found

    def _sources(self, source: Source | None) -> tuple[Source | None, Source | None]:
        """Return the source for the receipts, and the source for the baskets."""
        if source is None:
            return None, None
        sets = _item_sets(source.table)
        if not sets:
            raise InputError(
                tr(
                    "No quasi-identifier of the table holds item sets; give a column of sets the kind items"
                    " and the role quasi-identifier."
                )
            )
        if len(source.table) < K:
            raise InputError(
                tr(
                    "These figures need at least {k} records, but the table has {records}; choose a larger"
                    " table."
                ).format(k=K, records=len(source.table))
            )
        alone = len(sets) == len(source.table.quasi)
        wanted = self.figures if self.figures != "all" else "baskets" if alone else "receipts"
        return (source, None) if wanted == "receipts" else (None, source)

    def _receipts(self, source: Source | None) -> list[Task]:
        runs = self._data("receipts", self.records, source)
        share = self._part("figure 7", tr("Figure 7: suppressed items by k, receipts"), "%", runs, True)
        seconds = timed(share, "figure 10", tr("Figure 10: time by k, receipts"))
        alike = source is None or runs.size == PAPERS["receipts"]
        lost = printed("set-valued", "table 2", "10,000", "percent") if alike else None
        took = printed("set-valued", "table 3", "10,000", "seconds") if alike else None
        return [
            *_by_k(share, runs, "percent", lost),
            *self._columns(share, runs, lost),
            *_by_k(seconds, runs, "seconds", took),
            *self._sizes(source, runs),
        ]

    def _columns(self, share: Part, runs: Runs, papers: float | None) -> list[Task]:
        """Return the rows of figure 8: the item sets alone, then one more single value at a time; the paper's
        number has four."""
        title = tr("Figure 8: suppressed items by the number of quasi-identifiers, receipts, k = {k}")
        part, tasks = replace(share, table="figure 8", called=title.format(k=K)), list[Task]()
        for m, added in enumerate(runs.quasi, 1):
            paper = papers if m == len(runs.quasi) == 4 else None
            tasks.append(runs.task(part, {"quasi-identifiers": m, "added": added}, K, "percent", paper, m))
        return tasks

    def _sizes(self, source: Source | None, small: Runs) -> list[Task]:
        """Return the rows of tables 2 and 3: the same at k = 10 on two sizes."""
        if source is None:
            large = self._data("large", self.large)
        elif len(source.table) > small.size:
            large = self._table_samples(source, len(source.table))
        else:
            return []
        title, both = tr("Table 2: suppressed items by size, k = {k}"), (small, large)
        base = self._part("table 2", title.format(k=K), "items", small, True)
        base = replace(base, data="; ".join(map(self._counted, both)), digits=0)
        share = replace(
            base, called=tr("Table 2: share of suppressed items, k = {k}").format(k=K), unit="%", digits=1
        )
        seconds = timed(base, "table 3", tr("Table 3: time by size, k = {k}").format(k=K))
        tasks = []
        for part, value in ((base, "items"), (share, "percent"), (seconds, "seconds")):
            for runs in both:
                paper = printed("set-valued", part.table, f"{runs.size:,}", value)
                tasks.append(runs.task(part, {"records": runs.size}, K, value, paper))
        if source is None:
            tasks += apart(share, small, large, K)
        return tasks

    def _baskets(self, source: Source | None) -> list[Task]:
        runs = self._data("baskets", self.baskets, source)
        share = self._part("figure 9", tr("Figure 9: suppressed items by k, baskets"), "%", runs, False)
        seconds = timed(share, "figure 11", tr("Figure 11: time by k, baskets"))
        found = [*_by_k(share, runs, "percent"), *_by_k(seconds, runs, "seconds")]
        if len(runs.quasi) == 1:
            lost = tr("Comparison for figure 9: suppressed items by k, {methods}")
            took = tr("Comparison for figure 11: time by k, {methods}")
            shown = ((share, lost, "percent"), (seconds, took, "seconds"))
            found += beside(runs.samples, runs.quasi, _ks(runs), shown)
        return found

    def _part(self, table: str, title: str, unit: str, runs: Runs, prints: bool) -> Part:
        theirs, same = tr("other receipts") if prints else "", runs.same and not prints
        return Part(table, title, unit, self._counted(runs), theirs, same, runs.size, 1)

    def _counted(self, runs: Runs) -> str:
        said = tr_n("{count} sample of {size:,} {what}", "{count} samples of {size:,} {what}", self.seeds)
        return said.format(count=self.seeds, size=runs.size, what=runs.what)

    def _data(self, kind: str, size: int, source: Source | None = None) -> Runs:
        """Return samples of the source, or our own, with the seeds 0, 1, …"""
        if source is not None:
            return self._table_samples(source, size)
        name, make = _GENERATORS[kind]
        frames = [make(size, seed) for seed in range(self.seeds)]
        schema = starting_schema(frames[0], {"sample": name})
        samples = tuple(Table.from_frame(frame, schema) for frame in frames)
        what = tr("invented baskets") if kind == "baskets" else tr("invented receipts")
        return Runs(samples, _item_sets_first(samples[0]), what)

    def _table_samples(self, source: Source, size: int) -> Runs:
        """Return random samples of a given table, in its own order; the whole table when it has no more
        records."""
        table, n = source.table, len(source.table)
        samples = (table,) * self.seeds
        if n > size:
            samples = tuple(drawn(size, seed, table) for seed in range(self.seeds))
        items, what = _item_sets(table)[0], tr("records of {name}").format(name=source.name)
        same = (n, items.distinct, len(items.items)) == PAPERS["baskets"] and n <= size
        return Runs(samples, _item_sets_first(table), what, same)


_GENERATORS: dict[str, tuple[str, Callable[[int, int], pd.DataFrame]]] = {
    "receipts": ("receipts-10000", lambda size, seed: receipts(size, *FEW, seed)),
    "large": ("receipts-100000", lambda size, seed: receipts(size, *MANY, seed)),
    "baskets": ("baskets-77512", lambda size, seed: baskets(size, 3_340, 4.6222, seed)),
}


def timed(part: Part, table: str, title: str) -> Part:
    """Return the part for the seconds of the same runs."""
    where = tr(ELSEWHERE) if part.papers_data else ""
    return replace(
        part, table=table, called=title, unit="seconds", papers_data=where, digits=3, printed_digits=1
    )


def _by_k(part: Part, runs: Runs, value: str, papers: float | None = None) -> list[Task]:
    """Return one row for each k up to the number of records; the paper's number is for k = 10."""
    return [runs.task(part, {"k": k}, k, value, papers if k == K else None) for k in _ks(runs)]


def _ks(runs: Runs) -> list[int]:
    return [k for k in KS if k <= runs.size]


def _item_sets(table: Table) -> list[Items]:
    return [column for column in table.quasi if isinstance(column, Items)]


def _item_sets_first(table: Table) -> tuple[str, ...]:
    """Return the names of the quasi-identifiers: item sets, then single values, each in column order."""
    sets = [column.attribute.name for column in _item_sets(table)]
    return (*sets, *(c.attribute.name for c in table.quasi if c.attribute.name not in sets))


def _slower(means: Mapping[int, float]) -> Check:
    """Return the check that ten times the records take more than ten times as long."""
    small, large = min(means), max(means)
    first, second = (printed("set-valued", "table 3", size, "seconds") or 0.0 for size in SIZES)
    says = tr(
        "Table 3: time grows faster than the records: {more:.3g} times the records take {times:.3g} times as"
        " long (paper: 10 and {paper:.0f}; its text says about 70)."
    )
    points = [Point("", means[small] * large / small - means[large])]
    times = means[large] / means[small] if means[small] else 0.0
    facts: dict[str, Any] = {"more": large / small, "times": times, "paper": second / first}
    return tried(says, points, "{:.3f} s".format, tr("steps"), **facts)


def _why(rows: Sequence[Row]) -> Iterator[Check]:
    """Yield the checks of the loss of the larger table with as many diseases as the smaller one, and with
    more frequent ones."""
    by: dict[str, dict[tuple[int, int], float]] = {STEEP: {}, STEEPER: {}}
    for row in rows:
        place = int(row.place["diseases"]), int(row.place["records"])
        by[str(row.place["frequency"])][place] = row.mean
    if len(by[STEEP]) == 4:
        yield _apart(by[STEEP])
    if len(by[STEEPER]) == 2:
        steep = {size: share for (_, size), share in by[STEEPER].items()}
        says = tr(
            "Table 2, where the share falls: with diseases of frequency {steeper} in place of {steep} (r is"
            " the rank), the larger table loses a smaller share although it has more diseases: {more:.1f} %"
            " → {less:.1f} %."
        )
        facts: dict[str, Any] = {"more": steep[min(steep)], "less": steep[max(steep)]}
        points = steps(steep, "N", falls=True)
        yield tried(says, points, percent_points, tr("pairs"), steeper=STEEPER, steep=STEEP, **facts)


def _apart(lost: Mapping[tuple[int, int], float]) -> Check:
    """Return the check of two sizes and two varieties: more records lower the share, and more diseases raise
    it by a larger amount."""
    (few, low), (many, high) = min(lost), max(lost)
    says = tr(
        "Table 2, why our share rises: {times:g} times the records lower the share ({few} diseases: {a:.1f}"
        " % → {b:.1f} %; {many:,} diseases: {c:.1f} % → {d:.1f} %), more diseases raise it ({low}: {a:.1f}"
        " % → {c:.1f} %; {high}: {b:.1f} % → {d:.1f} %), and the larger table has both."
    )
    a, b, c, d = lost[few, low], lost[few, high], lost[many, low], lost[many, high]
    size = [Point(tr("{n:,} diseases").format(n=n), y - x) for n, x, y in ((few, a, b), (many, c, d))]
    variety = [Point(counted(n, "record"), x - y) for n, x, y in ((low, a, c), (high, b, d))]
    facts: dict[str, Any] = {"low": counted(low, "record"), "high": counted(high, "record")}
    facts |= {"times": high / low, "few": few, "many": many, "a": a, "b": b, "c": c, "d": d}
    return tried(says, [*size, *variety], percent_points, tr("pairs"), **facts)
