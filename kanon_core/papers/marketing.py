"""Utility of published purchases for marketing by k, a question that the paper leaves open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from kanon_core.base.words import counted, later, tr
from kanon_core.metrics import RFMChange
from kanon_core.metrics.utility.category_rfm import category_kept
from kanon_core.papers.base import Check, Part, Row
from kanon_core.papers.points import curves
from kanon_core.release.release import Release
from kanon_core.table.table import Table

UTILITY, RECENCY, FREQUENCY, MONETARY = later("U"), later("recency"), later("frequency"), later("monetary")
ALL, ORDER, PEOPLE = later("R, F and M"), later("order by spending"), later("people's ΔRFM")
MEASURED = (UTILITY, RECENCY, FREQUENCY, MONETARY, ALL, ORDER, PEOPLE)
"""The rows of each k. Errors of recency, frequency and monetary value by product or category
(`kanon_core.metrics.utility.category_rfm.category_kept`: 0 = exact, a share of the whole), their mean, the
rank correlation of spending by product before and after (1 = the order is kept), and `RFMChange` of people,
in standard deviations."""
BY_PRODUCT, BY_CATEGORY = "marketing, products", "marketing, categories"
_TITLES = {
    BY_PRODUCT: later(
        "Marketing by k and product: errors of recency, frequency and spending, compared with U"
    ),
    BY_CATEGORY: later("Marketing by k and category: errors of recency, frequency and spending"),
}


def can_be_marketed(table: Table) -> bool:
    """Return whether the table has the columns from which recency, frequency and monetary value are
    computed."""
    return not RFMChange().unsuitable(table)


def marketing_kept(table: Table, release: Release, utility: float) -> dict[str, float]:
    """Return the measures for marketing (`MEASURED`) of a release with utility U. Raises what `category_kept`
    raises."""
    by_category = category_kept(table, release)
    errors = {name: by_category[name].error for name in (RECENCY, FREQUENCY, MONETARY)}
    return {
        UTILITY: utility,
        **errors,
        ALL: sum(errors.values()) / len(errors),
        ORDER: by_category[MONETARY].order,
        PEOPLE: RFMChange().measure(table, release).total,
    }


def marketing_part(part: Part, by: str) -> Part:
    """Return the part of `BY_PRODUCT` or `BY_CATEGORY`, with the data of another part; the paper prints no
    such numbers."""
    return Part(by, _TITLES[by], "", part.data, "", False, part.size, 4)


def marketing_checks(rows: Sequence[Row]) -> Iterator[Check]:
    """Yield the checks of statements in §4 and §5 of the paper, which print no numbers; all k count."""
    found = curves(row for row in rows if row.part.table in _TITLES)
    products, mapped = (_whole(found.get(by, {})) for by in (BY_PRODUCT, BY_CATEGORY))
    if len(mapped or products) > 1:
        yield from _beside_utility(mapped or products)
    common = sorted(products.keys() & mapped.keys())
    if common:
        changes = [mapped[k][ALL] - products[k][ALL] for k in common]
        better = sum(change < 0 for change in changes)
        said = tr(
            "Categories in place of products keep R, F and M better at {better} of {count} k; the error"
            " changes by {low:+.3f} to {high:+.3f}. A set shows which categories were bought but not how"
            " often each, and large categories lose to small ones."
        )
        said = said.format(better=better, count=len(changes), low=min(changes), high=max(changes))
        yield Check(said, better == len(changes))


def _whole(lines: Mapping[str, Mapping[int, float]]) -> dict[int, dict[str, float]]:
    """Return the measures by k, for each k that has all of them."""
    ks = set.intersection(*(set(lines.get(name, ())) for name in MEASURED))
    return {k: {name: lines[name][k] for name in MEASURED} for k in sorted(ks)}


def _beside_utility(scores: Mapping[int, Mapping[str, float]]) -> Iterator[Check]:
    """Yield the checks that U, by which the paper judges, and usefulness for marketing put the k in the same
    order."""
    pairs = list(combinations(sorted(scores), 2))
    for name in (RECENCY, FREQUENCY, MONETARY, PEOPLE):
        agree = sum(
            (scores[a][UTILITY] < scores[b][UTILITY]) == (scores[a][name] < scores[b][name]) for a, b in pairs
        )
        said = tr("U and the error of {name} put the k in the same order: {agree} of {count} of k agree.")
        said = said.format(name=tr(name), agree=agree, count=counted(len(pairs), "pair"))
        yield Check(said, agree == len(pairs))
    best = min(scores, key=lambda k: scores[k][ALL] + 1 / k)
    by_utility = min(scores, key=lambda k: scores[k][UTILITY] + 1 / k)
    said = tr(
        "The best k stays the same when the error of R, F and M replaces U: the sum with 1/k is smallest at"
        " k = {best} instead of k = {by_utility}."
    )
    yield Check(said.format(best=best, by_utility=by_utility), best == by_utility)
