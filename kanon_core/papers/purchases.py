"""Tables 9, 13 and 14 of the paper on purchase histories: utility, safety and their sum by k."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import floor
from typing import Annotated, Any, ClassVar

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
    can_be_marketed,
    marketing_checks,
    marketing_kept,
    marketing_part,
)
from kanon_core.papers.points import Point, by_part, steps, tried
from kanon_core.papers.printed import printed
from kanon_core.runs.run import anonymize
from kanon_core.table.columns.columns import Categories
from kanon_core.table.hierarchy.proposals import CATEGORIES, propose_categories
from kanon_core.table.people import no_persons, persons_of
from kanon_core.table.table import Table

NEAR = 0.001
"""The largest difference from a printed number of three digits; a cut number is less than that away."""
GAIN = 0.005
"""The amount by which the gain of other categories may differ from the paper's."""
_UTILITY = "utility by k"
BEST = 6
"""The k at which the paper's sum is least."""

Rows = Mapping[int, Row]
"""The rows of a part by k."""
_digits = "{:.4f}".format
KS = (2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 17, 20)
"""The k that the paper prints."""
PAPERS = (81_776, 1_000, 3_254)
"""Purchases, people and products of the contest's file."""


Key = str | tuple[str, str]
"""A number of a release: "utility" is U, "safety" 1/k, "total" their sum, "deleted" the rows left out;
("attribute", name) the part of an attribute in U, ("measured", name) what marketing keeps."""


@dataclass(frozen=True)
class PurchaseTables(Reproduction):
    """Utility U, safety 1/k and their sum for the k of table 9; the same with categories in place of products
    (tables 13 and 14); and besides U the errors of recency, frequency and monetary value by product
    and by category, for which §5 prints no number.

    The contest's file gives the paper's own numbers, which are rounded or cut to three digits. Without a file
    our own sample is used. Categories are those that the table has (on the command line --categories), else
    they are proposed from its descriptions (`kanon_core.propose_categories`); the author's own map is not
    published, so tables 13 and 14 are compared in order and gain. A table that has neither is made without
    them.

    Departures from the paper: none; its misprint (table 14, k = 5) and its cut digits (table 9) are stated
    with the rows.

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
            help="the method of anonymization",
        ),
    ] = "paper"
    proposed: Annotated[int, Integer(2, 200, help="the number of categories to propose")] = CATEGORIES
    largest_k: Annotated[int, Integer(2, 20, help="the largest k")] = 20

    def tasks(self, source: Source | None = None) -> list[Task]:
        """Return the rows by k; raises InputError for a table that is not one of purchases."""
        given = our_own("purchases-80000", tr("our invented purchases")) if source is None else source
        plain = _without_categories(given.table)
        _refuse(plain)
        people = len(persons_of(plain))
        ks = [k for k in KS if k <= min(self.largest_k, people)]
        part, ours = self._part(given, plain, people), self.method != "paper"
        method = PurchaseHistories("similar", "assignment") if ours else PurchaseHistories()
        tasks = list(_tasks(part, plain, method, ks))
        mapped = self._mapped(given.table)
        if mapped is not None:
            labels = (c.labels for c in mapped.quasi if isinstance(c, Categories) and c.attribute.categories)
            names = len(next(labels))
            author = tr("{data} in the author's own 19 categories").format(data=part.papers_data)
            data = tr("{data}, {count} categories").format(data=part.data, count=names)
            other = replace(part, comparable=False, papers_data=author, data=data)
            tasks += _tasks(other, mapped, method, ks, mapped=True)
        return tasks

    def checks(self, rows: Sequence[Row]) -> list[Check]:
        """Return the checks of the best k, of growth with k, of the paper's numbers, of the gain of
        categories, and of marketing."""
        return [*_checks(rows), *marketing_checks(rows)]

    def notes(self, source: Source | None = None) -> list[str]:
        """Return the reason if tables 13 and 14 cannot be made."""
        if source is None or self._mapped(source.table) is not None:
            return []
        return [
            tr(
                "Tables 13 and 14 are not made: they need the category of each product, but the table has"
                " neither categories nor a column of descriptions to propose them from, and the author's"
                " own map is not published. Give a map with --categories {column}=FILE, or use a table with"
                " a column “description”."
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
        """Return the table with categories for products; None when it has neither categories nor
        descriptions."""
        if any(attribute.categories is not None for attribute in table.schema.quasi_identifiers):
            return table
        described = next((a.name for a in table.schema if "descri" in a.name.lower()), None)
        if described is None:
            return None
        product = _products(table).attribute.name
        found = propose_categories(table.frame[product], table.frame[described], self.proposed)
        return table.with_schema(table.schema.with_categories({product: found}))


def _products(table: Table) -> Categories:
    """Return the quasi-identifier of categories with most values."""
    return max((c for c in table.quasi if isinstance(c, Categories)), key=lambda c: c.distinct)


def _without_categories(table: Table) -> Table:
    return table.with_schema(table.schema.with_categories(dict.fromkeys(table.schema.names)))


def _refuse(table: Table) -> None:
    """Raise InputError unless the table has people and products."""
    reasons = no_persons(table)
    if not any(isinstance(column, Categories) for column in table.quasi):
        reasons.append(
            tr(
                "The table has no quasi-identifier of categories for the products; give the"
                " column of products this role."
            )
        )
    if not reasons:
        reasons = PurchaseHistories().unsuitable(table, 2)
    if reasons:
        raise InputError(" ".join(reasons))


def _found(table: Table, algorithm: PurchaseHistories, k: int, tick: Tick) -> Mapping[Key, float]:
    """Return the numbers of the release at this k."""
    release = anonymize(table.in_given_order(), algorithm, k, 0, tick)
    measured = PurchaseUtility().measure(table, release)
    safety = WorstRisk().measure(table, release).total
    kept = marketing_kept(table, release, measured.total) if can_be_marketed(table) else {}
    return {
        "utility": measured.total,
        "safety": safety,
        "total": measured.total + safety,
        "deleted": float(release.suppressed.sum()),
        **{("attribute", name): value for name, value in measured.attributes.items()},
        **{("measured", name): value for name, value in kept.items()},
    }


_CUT = later(
    "Table 9 cuts some of its numbers after three digits and rounds the others: .641 and .807 at k = 7 and"
    " 17 are cut from .6417 and .8077, .166 and .066 at k = 6 and 15 from 1/6 and 1/15."
)
_MISPRINT = later(
    "Table 14 has a misprint: at k = 5 it prints the utility .583 of table 9 instead of .558 of table 13,"
    " which gives its sum, .758."
)


_SERIES = {
    False: (
        ("table 9", later("Table 9: utility by k"), "utility", "utility", _CUT),
        ("table 9", later("Table 9: utility + 1/k by k"), "total", "total", _CUT),
        ("table 9", later("Table 9: safety 1/k by k"), "safety", "safety", _CUT),
    ),
    True: (
        ("table 13", later("Tables 13 and 14, categories: utility by k"), "utility", "categories", _MISPRINT),
        ("table 14", later("Tables 13 and 14, categories: utility + 1/k by k"), "total", "total", ""),
    ),
}
"""Rows by k without and with categories: the table and title of their part, the number of a release, the
paper's column, and what must be known."""


def _tasks(
    part: Part, table: Table, algorithm: PurchaseHistories, ks: Sequence[int], mapped: bool = False
) -> Iterator[Task]:
    """Yield the series by k; without categories also the parts of the utility and the rows left out; then the
    measures for marketing of a table with prices and dates."""
    kept: Once[int, Mapping[Key, float]] = Once()

    def task(part: Part, k: int, key: Key, paper: float | None = None) -> Task:
        def make(tick: Tick) -> list[float]:
            return [kept.made(k, lambda: _found(table, algorithm, k, tick))[key]]

        first = part.called == _SERIES[mapped][0][1]  # its rows make the releases that the other rows use
        where = {} if isinstance(key, str) else dict([key])
        return Task(part, {"k": k, **where}, make, paper, 1.0 if first else 0.01)

    for name, title, number, column, remark in _SERIES[mapped]:
        mine = replace(part, table=name, called=title, remark=tr(remark) if remark else "")
        for k in ks:
            yield task(mine, k, number, printed("purchase-history", name, f"k = {k}", column))
    if not mapped:
        mine = replace(part, table="parts", called=later("Utility by k and attribute"), papers_data="")
        for k, one in product(ks, table.quasi):
            yield task(mine, k, ("attribute", one.attribute.name))
        mine = replace(mine, table="deleted", called=later("Rows left out by k"), unit="rows", digits=0)
        for k in ks:
            yield task(mine, k, "deleted")
    if can_be_marketed(table):
        mine = marketing_part(part, BY_CATEGORY if mapped else BY_PRODUCT)
        for k, name in product(ks, MEASURED):
            yield task(mine, k, ("measured", name))


def _checks(rows: Sequence[Row]) -> Iterator[Check]:
    """Yield the checks of the statements about these rows, part by part."""
    utility: dict[str, Rows] = {}
    for part, found in by_part(row for row in rows if row.part.table.startswith("table")).items():
        mine = {int(row.place["k"]): row for row in found}
        if _UTILITY in part.called:
            utility[part.table] = mine
        if len(mine) > 1:
            yield from _of(part, mine)
    plain, mapped = utility.get("table 9", {}), utility.get("table 13", {})
    if common := sorted(plain.keys() & mapped.keys()):
        yield _gain({k: plain[k].mean - mapped[k].mean for k in common})


def _of(part: Part, mine: Rows) -> Iterator[Check]:
    must, means = part.comparable, {k: row.mean for k, row in mine.items()}
    what = part.called.partition(": ")[2]
    where = tr("Table 9") if part.table == "table 9" else tr("Tables 13 and 14, categories")
    if what == _UTILITY:
        says = tr("{title}: the utility is worse the larger k is.")
        yield tried(says, steps(means), _digits, tr("steps"), must, title=where)
    if what == "utility + 1/k by k" and BEST in mine:  # every other k has a larger sum
        k = min(means, key=means.__getitem__)
        says = tr("{title}: the sum is least at k = {best} (here {least:.4f} at k = {k}).")
        points = [Point(f"k = {k}", means[BEST] - mean) for k, mean in means.items() if k != BEST]
        facts: dict[str, Any] = {"title": where, "best": BEST, "least": means[k], "k": k}
        yield tried(says, points, _digits, tr("comparisons"), must, **facts)
    papers = {k: row for k, row in mine.items() if row.printed is not None}
    if papers and must:
        yield _as_printed(part.title, papers)


def _as_printed(title: str, mine: Rows) -> Check:
    """Return the check of each printed number: ours rounded to three digits, cut after them, or neither."""
    gaps = {k: abs(row.mean - (row.printed or 0.0)) for k, row in mine.items()}
    rounded = [k for k, row in mine.items() if round(row.mean, 3) == row.printed]
    cut = [k for k, row in mine.items() if k not in rounded and floor(1000 * row.mean) / 1000 == row.printed]
    neither = [k for k in mine if k not in rounded and k not in cut]
    worst = max(gaps, key=gaps.__getitem__)
    says = tr(
        "{title}: the paper's numbers differ from ours by less than {near}: {rounded} are ours rounded,"
        " {cut} ours cut{at}, {neither} neither{where}; the largest difference is {gap:.4f}, at k = {k}."
    )
    facts: dict[str, Any] = {"title": title, "near": f"{NEAR:g}", "gap": gaps[worst], "k": worst}
    facts |= {"rounded": len(rounded), "cut": len(cut), "at": _ks(cut)}
    facts |= {"neither": len(neither), "where": _ks(neither)}
    points = [Point(f"k = {k}", gap - NEAR) for k, gap in gaps.items()]
    return tried(says, points, _digits, "k", must=True, **facts)


def _ks(ks: Sequence[int]) -> str:
    return f" (k = {', '.join(map(str, ks))})" if ks else ""


def _gain(gains: Mapping[int, float]) -> Check:
    """Return the check of the improvement of the utility by categories, which never worsen it."""
    plain, mapped = (
        {k: printed("purchase-history", "table 13", f"k = {k}", column) or 0 for k in gains}
        for column in ("utility", "categories")
    )
    papers = {k: plain[k] - mapped[k] for k in gains}
    says = tr(
        "Categories improve the utility as much as the author's own, within {near:g}: by {low:.3f} to"
        " {high:.3f} here, by {least:.3f} to {most:.3f} in the paper; its map is not published."
    )
    ends: dict[str, Any] = {"low": min(gains.values()), "high": max(gains.values())}
    theirs: dict[str, Any] = {"least": min(papers.values()), "most": max(papers.values())}
    points = [Point(f"k = {k}", abs(gain - papers[k]) - GAIN) for k, gain in gains.items()]
    return tried(says, points, _digits, "k", near=GAIN, **ends, **theirs)
