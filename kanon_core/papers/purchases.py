"""Tables 9, 13 and 14 of the paper on purchase histories: utility, safety and their sum by k."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Annotated, ClassVar, NamedTuple

from kanon_core.algorithms.histories.purchases import PurchaseHistories
from kanon_core.base.errors import InputError
from kanon_core.base.kinds import Choice, Integer
from kanon_core.base.progress import Tick
from kanon_core.base.words import later, tr
from kanon_core.metrics import PurchaseUtility, WorstRisk
from kanon_core.papers.base import Check, Once, Part, Reproduction, Row, Source, Task
from kanon_core.papers.data import our_own
from kanon_core.papers.printed import printed
from kanon_core.run import anonymize
from kanon_core.table.columns.columns import Categories
from kanon_core.table.hierarchy.proposals import CATEGORIES, propose_categories
from kanon_core.table.people import no_persons, persons_of
from kanon_core.table.table import Table

KS = (2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 17, 20)
"""The k that the paper prints."""
PAPERS = (81_776, 1_000, 3_254)
"""Purchases, people and products of the contest's file."""


class _Found(NamedTuple):
    """One release: U, its parts by attribute, 1/k, and the rows left out."""

    utility: float
    attributes: Mapping[str, float]
    safety: float
    deleted: int

    def of(self, name: str) -> float:
        """The part of an attribute."""
        return self.attributes[name]


@dataclass(frozen=True)
class PurchaseTables(Reproduction):
    """Utility U, safety 1/k and their sum for the k of table 9; the same with categories in place of products
    (tables 13 and 14).

    The contest's file gives the paper's own numbers, which are rounded or cut to three digits. Without a file
    our own sample stands in. Categories are those that the table has (on the command line --categories), else
    they are proposed from its descriptions (`kanon_core.propose_categories`); the author's own map is not
    published, so tables 13 and 14 are compared in order and gain. A table that has neither is made without
    them.

    Departures from the paper: table 14 prints the utility .583 at k = 5, which is table 9's; table 13 has
    .558.

    Reference: purchase-history paper, §3 and §4, tables 9, 13 and 14.
    """

    name: ClassVar[str] = "purchases"
    title: ClassVar[str] = "Tables 9, 13 and 14: utility, safety and the best k"
    summary: ClassVar[str] = (
        "Utility, safety and their sum of purchase histories by k, with and without categories."
    )

    method: Annotated[
        str,
        Choice(
            {"paper": "the paper's method", "ours": "similar people, records matched at least cost"},
            help="by which method",
        ),
    ] = "paper"
    proposed: Annotated[int, Integer(2, 200, help="how many categories to propose")] = CATEGORIES
    largest_k: Annotated[int, Integer(2, 20, help="the largest k")] = 20

    def tasks(self, source: Source | None = None) -> list[Task]:
        """Tables by k; raises InputError for a table that is not one of purchases."""
        given = our_own("purchases-80000", tr("our invented purchases")) if source is None else source
        plain = _without_categories(given.table)
        _refuse(plain)
        people = len(persons_of(plain))
        ks = [k for k in KS if k <= min(self.largest_k, people)]
        part, ours = self._part(given, plain, people), self.method != "paper"
        method = PurchaseHistories("similar", "assignment") if ours else PurchaseHistories()
        maker = _Maker(part, plain, method, ks)
        tasks = [task for series in _TABLE_9 for task in maker.by_k(series)]
        tasks += maker.by_attribute() + maker.by_k(_LEFT_OUT)
        mapped = self._mapped(given.table)
        if mapped is not None:
            labels = (c.labels for c in mapped.quasi if isinstance(c, Categories) and c.attribute.categories)
            names = len(next(labels))
            author = tr("{data} in the author's own 19 categories").format(data=part.papers_data)
            data = tr("{data}, {count} categories").format(data=part.data, count=names)
            other = replace(part, comparable=False, papers_data=author, data=data)
            maker = _Maker(other, mapped, method, ks)
            tasks += [task for series in _CATEGORIES for task in maker.by_k(series)]
        return tasks

    def checks(self, rows: Sequence[Row]) -> list[Check]:
        """The best k, growth with k, the paper's numbers, and what categories gain."""
        return list(_checks(rows))

    def _part(self, given: Source, table: Table, people: int) -> Part:
        shape = (len(table), people, _products(table).distinct)
        same = shape == PAPERS and self.method == "paper"
        papers = tr("the same purchases") if shape == PAPERS else tr("81,776 purchases of the contest")
        data = tr("{records:,} purchases of {people:,} people of {name}").format(
            records=len(table), people=people, name=given.name
        )
        return Part("", "", "", data, papers, same, len(table), 4, 3)

    def _mapped(self, table: Table) -> Table | None:
        """The table with categories for products; None when it has neither categories nor descriptions."""
        if any(attribute.categories is not None for attribute in table.schema.quasi_identifiers):
            return table
        described = next((a.name for a in table.schema if "descri" in a.name.lower()), None)
        if described is None:
            return None
        product = _products(table).attribute.name
        found = propose_categories(table.frame[product], table.frame[described], self.proposed)
        return table.with_schema(table.schema.with_categories({product: found}))


def _products(table: Table) -> Categories:
    """The quasi-identifier of categories with most values."""
    return max((c for c in table.quasi if isinstance(c, Categories)), key=lambda c: c.distinct)


def _without_categories(table: Table) -> Table:
    return table.with_schema(table.schema.with_categories(dict.fromkeys(table.schema.names)))


def _refuse(table: Table) -> None:
    """Raises InputError unless the table says whose its records are and has products."""
    reasons = no_persons(table)
    if not any(isinstance(column, Categories) for column in table.quasi):
        reasons.append(tr("The table has no quasi-identifier of categories, which products would be."))
    if not reasons:
        reasons = PurchaseHistories().unsuitable(table, 2)
    if reasons:
        raise InputError(" ".join(reasons))


def _table(title: str) -> str:
    """Which table a title begins with, in the reader's language."""
    return tr("Table 9") if title.startswith("Table 9") else tr("Tables 13 and 14, categories")


def _checks(rows: Sequence[Row]) -> Iterator[Check]:
    by_title: dict[str, dict[int, Row]] = {}
    for row in rows:
        if "attribute" not in row.place:
            by_title.setdefault(row.part.called, {})[int(row.place["k"])] = row
    for title, mine in by_title.items():
        ks, must = sorted(mine), next(iter(mine.values())).part.comparable
        if len(ks) == 1:
            continue
        what = title.partition(": ")[2]
        if what == "utility by k":
            rises = all(mine[a].mean < mine[b].mean for a, b in pairwise(ks))
            said = tr("{title}: the utility is the worse the larger k is.")
            yield Check(said.format(title=_table(title)), rises, must)
        if what == "utility + 1/k by k":
            best = min(ks, key=lambda k: mine[k].mean)
            said = tr("{title}: the sum is least at k = 6 (here at k = {best}).")
            yield Check(said.format(title=_table(title), best=best), best == 6, must)
        near = [row for row in mine.values() if row.printed is not None]
        if near and must:
            gap = max(abs(row.mean - (row.printed or 0)) for row in near)
            said = tr("{title}: the paper's numbers to three digits (off by {gap:.4f} at most).")
            yield Check(said.format(title=tr(title), gap=gap), gap < 0.00105, must)
    plain, mapped = (by_title.get(series.title, {}) for series in (_TABLE_9[0], _CATEGORIES[0]))
    common = sorted(plain.keys() & mapped.keys())
    if common:
        gains = [plain[k].mean - mapped[k].mean for k in common]
        said = tr(
            "Categories improve the utility at every k, from {low:.3f} to {high:.3f} here, 0.021 to 0.025 in"
            " the paper."
        )
        yield Check(said.format(low=min(gains), high=max(gains)), min(gains) > 0)


def _found(table: Table, algorithm: PurchaseHistories, k: int, tick: Tick) -> _Found:
    """The numbers of the release at this k."""
    release = anonymize(table.in_given_order(), algorithm, k, 0, tick)
    measured = PurchaseUtility().measure(table, release)
    safety = WorstRisk().measure(table, release).total
    return _Found(measured.total, measured.attributes, safety, int(release.suppressed.sum()))


class _Series(NamedTuple):
    """Rows by k: the table and title of their part, the number of a release, the paper's column, the work."""

    table: str
    title: str
    value: Callable[[_Found], float]
    column: str = ""
    weight: float = 0.01
    unit: str = ""


_TABLE_9 = (
    _Series("table 9", later("Table 9: utility by k"), lambda found: found.utility, "utility", 1.0),
    _Series(
        "table 9", later("Table 9: utility + 1/k by k"), lambda found: found.utility + found.safety, "total"
    ),
    _Series("table 9", later("Table 9: safety 1/k by k"), lambda found: found.safety, "safety"),
)


_LEFT_OUT = _Series("deleted", later("Rows left out by k"), lambda found: float(found.deleted), unit="rows")


_CATEGORIES = (
    _TABLE_9[0]._replace(
        table="table 13", title=later("Tables 13 and 14, categories: utility by k"), column="categories"
    ),
    _TABLE_9[1]._replace(table="table 14", title=later("Tables 13 and 14, categories: utility + 1/k by k")),
)


class _Maker:
    """Makes rows of the releases of one table, each release once."""

    def __init__(self, part: Part, table: Table, algorithm: PurchaseHistories, ks: Sequence[int]) -> None:
        self.part, self.table, self.algorithm, self.ks = part, table, algorithm, ks
        self.kept: Once[int, _Found] = Once()

    def by_k(self, series: _Series) -> list[Task]:
        """One row for each k."""
        part = replace(self.part, table=series.table, called=series.title, unit=series.unit)
        part = part if series.column else replace(part, papers_data="", digits=0)
        papers = [printed("purchase-history", series.table, f"k = {k}", series.column) for k in self.ks]
        return [
            self._task(part, {"k": k}, series.value, paper, series.weight)
            for k, paper in zip(self.ks, papers, strict=True)
        ]

    def by_attribute(self) -> list[Task]:
        """The parts of the utility, for each k and attribute."""
        part = replace(self.part, table="parts", called=later("Utility by k and attribute"), papers_data="")
        names = [column.attribute.name for column in self.table.quasi]
        return [
            self._task(part, {"k": k, "attribute": name}, partial(_Found.of, name=name), None, 0.01)
            for k in self.ks
            for name in names
        ]

    def _task(
        self,
        part: Part,
        place: dict[str, str | int],
        value: Callable[[_Found], float],
        paper: float | None,
        weight: float,
    ) -> Task:
        k = int(place["k"])

        def make(tick: Tick) -> list[float]:
            return [value(self.kept.made(k, lambda: _found(self.table, self.algorithm, k, tick)))]

        return Task(part, place, make, paper, weight)
