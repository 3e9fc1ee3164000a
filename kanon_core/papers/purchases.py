"""Tables 9, 13 and 14 of the paper on purchase histories: utility, safety and their sum by k."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Annotated, ClassVar, NamedTuple

from kanon_core.algorithms.histories.purchases import PurchaseHistories
from kanon_core.base.errors import InputError
from kanon_core.base.kinds import Choice, Integer
from kanon_core.base.progress import Tick
from kanon_core.base.words import counted, later, tr
from kanon_core.metrics import PurchaseUtility, WorstRisk
from kanon_core.papers.base import Check, Once, Part, Reproduction, Row, Source, Task
from kanon_core.papers.data import our_own
from kanon_core.papers.marketing import (
    BY_CATEGORY,
    BY_PRODUCT,
    MEASURED,
    Kept,
    can_be_marketed,
    marketing_checks,
    marketing_kept,
    marketing_part,
)
from kanon_core.papers.printed import printed
from kanon_core.papers.purchases_checks import checks
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
    """One release: U, its parts by attribute, 1/k, the rows left out, and what marketing keeps."""

    utility: float
    attributes: Mapping[str, float]
    safety: float
    deleted: int
    kept: Kept

    def of(self, name: str) -> float:
        """The part of an attribute."""
        return self.attributes[name]


@dataclass(frozen=True)
class PurchaseTables(Reproduction):
    """Utility U, safety 1/k and their sum for the k of table 9; the same with categories in place of products
    (tables 13 and 14); and beside U what marketing keeps of recency, frequency and monetary value by product
    and by category, which §5 asks for and prints no number of.

    The contest's file gives the paper's own numbers, which are rounded or cut to three digits. Without a file
    our own sample stands in. Categories are those that the table has (on the command line --categories), else
    they are proposed from its descriptions (`kanon_core.propose_categories`); the author's own map is not
    published, so tables 13 and 14 are compared in order and gain. A table that has neither is made without
    them.

    Departures from the paper: none; its misprint (table 14, k = 5) and its cut digits (table 9) are told
    beside the rows.

    Reference: purchase-history paper, §3 to §5, tables 9, 13 and 14.
    """

    name: ClassVar[str] = "purchases"
    title: ClassVar[str] = "Tables 9, 13 and 14: utility, safety and the best k"
    summary: ClassVar[str] = (
        "Utility, safety and their sum of purchase histories by k, with and without categories."
    )
    seconds: ClassVar[float] = 10.0

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
        tasks += maker.by_attribute() + maker.by_k(_LEFT_OUT) + maker.by_measure(BY_PRODUCT)
        mapped = self._mapped(given.table)
        if mapped is not None:
            labels = (c.labels for c in mapped.quasi if isinstance(c, Categories) and c.attribute.categories)
            names = len(next(labels))
            author = tr("{data} in the author's own 19 categories").format(data=part.papers_data)
            data = tr("{data}, {count} categories").format(data=part.data, count=names)
            other = replace(part, comparable=False, papers_data=author, data=data)
            maker = _Maker(other, mapped, method, ks)
            tasks += [task for series in _CATEGORIES for task in maker.by_k(series)]
            tasks += maker.by_measure(BY_CATEGORY)
        return tasks

    def checks(self, rows: Sequence[Row]) -> list[Check]:
        """The best k, growth with k, the paper's numbers, what categories gain, and marketing beside U."""
        return [*checks(rows), *marketing_checks(rows)]

    def notes(self, source: Source | None = None) -> list[str]:
        """Why tables 13 and 14 are not made, when they are not."""
        if source is None or self._mapped(source.table) is not None:
            return []
        return [
            tr(
                "Tables 13 and 14 are not made: they need the category of each product, and the table has"
                " neither categories nor a column of descriptions from which categories could be proposed;"
                " the author's own map is not published. Give a map with --categories {column}=FILE, or a"
                " table with a column “description”."
            ).format(column=_products(_without_categories(source.table)).attribute.name)
        ]

    def _part(self, given: Source, table: Table, people: int) -> Part:
        shape = (len(table), people, _products(table).distinct)
        same = shape == PAPERS and self.method == "paper"
        papers = tr("the same purchases") if shape == PAPERS else tr("81,776 purchases of the contest")
        data = tr("{records:,} purchases of {people} of {name}").format(
            records=len(table), people=counted(people, "person"), name=given.name
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


def _found(table: Table, algorithm: PurchaseHistories, k: int, tick: Tick) -> _Found:
    """The numbers of the release at this k."""
    release = anonymize(table.in_given_order(), algorithm, k, 0, tick)
    measured = PurchaseUtility().measure(table, release)
    safety = WorstRisk().measure(table, release).total
    kept = marketing_kept(table, release, measured.total) if can_be_marketed(table) else {}
    return _Found(measured.total, measured.attributes, safety, int(release.suppressed.sum()), kept)


class _Series(NamedTuple):
    """Rows by k: the table and title of their part, the number of a release, the paper's column, the work."""

    table: str
    title: str
    value: Callable[[_Found], float]
    column: str = ""
    weight: float = 0.01
    unit: str = ""
    remark: str = ""


_CUT = later(
    "Table 9 cuts some of its numbers after three digits and rounds the others: .641 and .807 at k = 7 and 17"
    " stand for .6417 and .8077, .166 and .066 at k = 6 and 15 for 1/6 and 1/15."
)
_MISPRINT = later(
    "Table 14 has a misprint: at k = 5 its utility is .583, which is table 9's; .558 of table 13 is meant,"
    " and gives its sum, .758."
)
_TABLE_9 = (
    _Series(
        "table 9", later("Table 9: utility by k"), lambda found: found.utility, "utility", 1.0, remark=_CUT
    ),
    _Series(
        "table 9",
        later("Table 9: utility + 1/k by k"),
        lambda found: found.utility + found.safety,
        "total",
        remark=_CUT,
    ),
    _Series("table 9", later("Table 9: safety 1/k by k"), lambda found: found.safety, "safety", remark=_CUT),
)


_LEFT_OUT = _Series("deleted", later("Rows left out by k"), lambda found: float(found.deleted), unit="rows")


_CATEGORIES = (
    _TABLE_9[0]._replace(
        table="table 13",
        title=later("Tables 13 and 14, categories: utility by k"),
        column="categories",
        remark=_MISPRINT,
    ),
    _TABLE_9[1]._replace(
        table="table 14", title=later("Tables 13 and 14, categories: utility + 1/k by k"), remark=""
    ),
)


class _Maker:
    """Makes rows of the releases of one table, each release once."""

    def __init__(self, part: Part, table: Table, algorithm: PurchaseHistories, ks: Sequence[int]) -> None:
        self.part, self.table, self.algorithm, self.ks = part, table, algorithm, ks
        self.kept: Once[int, _Found] = Once()

    def by_k(self, series: _Series) -> list[Task]:
        """One row for each k."""
        remark = tr(series.remark) if series.remark else ""
        part = replace(self.part, table=series.table, called=series.title, unit=series.unit, remark=remark)
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

    def by_measure(self, by: str) -> list[Task]:
        """What marketing keeps, for each k; none for a table without prices or dates."""
        if not can_be_marketed(self.table):
            return []
        part = marketing_part(self.part, by)

        def value(found: _Found, name: str) -> float:
            return found.kept[name]

        return [
            self._task(part, {"k": k, "measured": name}, partial(value, name=name), None, 0.01)
            for k, name in product(self.ks, MEASURED)
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
