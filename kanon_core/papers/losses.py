"""Figures 4.1 to 4.6 of the ILD paper: three ways to group records, two distances of categories."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, ClassVar, NamedTuple, TypeVar

from kanon_core.algorithms import Sorting
from kanon_core.base.errors import InputError
from kanon_core.base.kinds import Integer
from kanon_core.base.progress import Tick
from kanon_core.base.words import later, tr
from kanon_core.distances import Absolute, Discrete, Distance, NormalizedLevenshtein
from kanon_core.distances.encodings import VALUES_AT_MOST
from kanon_core.metrics import ILD
from kanon_core.metrics.base import OneColumn
from kanon_core.papers.base import Check, Once, Part, Reproduction, Row, Source, Task
from kanon_core.papers.data import our_own
from kanon_core.run import anonymize
from kanon_core.table.columns.columns import Categories, Numbers
from kanon_core.table.schema import Attribute, Schema
from kanon_core.table.table import Table

KS = (2, 5, 10, 20, 50, 100, 200, 500, 1_000)
MEASURED = ("number", "category", "both")
"""The lines of each figure: ILD of the one attribute, of the other, and in total."""
DISTANCES: dict[str, Distance] = {
    later("discrete distance"): Discrete(),
    later("normalized Levenshtein distance"): NormalizedLevenshtein(),
}
K = TypeVar("K", Numbers, Categories)
GROUPINGS = ("A", "B", "C")
"""Sorted by the number; by the category; by the category and then the number."""
PAPERS = (32_561, 0.0, 99_999.0, 7)
"""Records of the paper's data, least and greatest capital gain, different marital statuses."""
_SORTED = {
    "A": later("by the number"),
    "B": later("by the category"),
    "C": later("by the category, then the number"),
}


class _Pair(NamedTuple):
    """The one number and the one category, what they are in words, and whether they are the paper's."""

    table: Table
    number: str
    category: str
    what: str
    same: bool


@dataclass(frozen=True)
class LossFigures(Reproduction):
    """ILD of a number, of a category and of both, against k, for three groupings of the same records.

    D_A has groups of k records after a sort by the number, D_B by the category, D_C by the category and then
    the number (`Sorting`). A group publishes the mean of its numbers and its most frequent category. Numbers
    are apart by their difference, categories by the discrete distance (figures 4.1–4.3) or the normalized
    Levenshtein distance (4.4–4.6); both attributes count alike, with weights 1/I. The paper's figures are
    pictures without numbers: what it says of them is tried. On its own data – capital gain and marital status
    of Adult – the values are those that anybody gets: there is no chance in them.

    Any table with a column of numbers or dates and a column of categories or texts will do. Of the named
    columns, or of the first quasi-identifier of each kind (or the first column, where no quasi-identifier
    is); without a source, capital income and marital status of our invented households.

    Departures: none. Reference: ILD paper, §4.1, figures 4.1 to 4.6.
    """

    name: ClassVar[str] = "loss"
    title: ClassVar[str] = "Figures 4.1 to 4.6: what three groupings lose"
    summary: ClassVar[str] = (
        "ILD of a number, a category and both against k, sorted in three ways, by two distances."
    )

    number: Annotated[
        str, OneColumn(help="the column of numbers or dates; none = the first quasi-identifier")
    ] = ""
    category: Annotated[
        str, OneColumn(help="the column of categories or texts; none = the first quasi-identifier")
    ] = ""
    largest_k: Annotated[int, Integer(2, 1_000, help="the largest k")] = 100

    def tasks(self, source: Source | None = None) -> list[Task]:
        """Figure by figure: number, category and both at each k. InputError without two such columns."""
        if source is None:
            own = our_own("households-5000", tr("our sample of invented households"))
            pair = self._pair(own, self.number or "capital_income", self.category or "marital_status")
        else:
            pair = self._pair(source, self.number, self.category)
        ks = [k for k in KS if k <= min(self.largest_k, len(pair.table))]
        if not ks:
            raise InputError(tr("These figures need at least 2 records; the table has 1."))
        kept: Once[tuple[str, int], _Found] = Once()

        def values(grouping: str, distance: str, k: int, which: str, tick: Tick) -> list[float]:
            found = kept.made((grouping, k), lambda: _measured(pair, grouping, k, tick))
            return [found[distance][which]]

        return [
            Task(part, {"k": k, "measured": which}, partial(values, *of, k, which), None, weight)
            for part, of, weight in _parts(pair)
            for k in ks
            for which in MEASURED
        ]

    def checks(self, rows: Sequence[Row]) -> list[Check]:
        """What the paper says: D_A costs the category, D_B the number, D_C less than either."""
        found: list[Check] = []
        for first in (1, 4):
            figures = {g: _of(rows, f"figure 4.{first + i}") for i, g in enumerate(GROUPINGS)}
            found += _checks(first, figures, any(row.part.comparable for row in rows))
        return found + _negative([row.mean for row in rows])

    def _pair(self, source: Source, number: str, category: str) -> _Pair:
        table = source.table
        one = _column(table, number, Numbers, tr("numbers or dates"), "number")
        other = _column(table, category, Categories, tr("categories or texts"), "category")
        if other.distinct > VALUES_AT_MOST:
            raise InputError(
                tr(
                    "Column “{name}” has {values:,} different values; these figures compare all pairs of at"
                    " most {limit:,}. Name another with the option “category”."
                ).format(name=other.attribute.name, values=other.distinct, limit=VALUES_AT_MOST)
            )
        first, second = one.attribute.name, other.attribute.name
        kind = one.attribute.kind if one.attribute.kind == "datetime" else "numeric"
        numbers = Attribute(first, kind=kind, recoding="mean", distance=Absolute("none"))
        words = Attribute(second, kind="categorical", recoding="mode", distance=Discrete())
        pair = Table.from_frame(table.frame[[first, second]], Schema((numbers, words)))
        shape = (len(table), *one.range, other.distinct)
        what = tr("{records:,} records of {name}: the number is “{first}”, the category “{second}”").format(
            records=len(table), name=source.name, first=first, second=second
        )
        return _Pair(pair, first, second, what, shape == PAPERS)


_Found = dict[str, dict[str, float]]
"""By distance: ILD of the number, the category and both."""


def _measured(pair: _Pair, grouping: str, k: int, tick: Tick) -> _Found:
    """ILD by both distances of the release of a grouping."""
    table, number, category = pair.table, pair.number, pair.category
    by = {"A": (number,), "B": (category,), "C": (category, number)}[grouping]
    release, found = anonymize(table.in_given_order(), Sorting(by), k, 0, tick), {}
    for name, distance in DISTANCES.items():
        seen = table.with_schema(table.schema.with_distances({category: distance}))
        loss = ILD().measure(seen, release)
        each = (loss.attributes[number], loss.attributes[category], loss.total)
        found[name] = dict(zip(MEASURED, each, strict=True))
    return found


def _parts(pair: _Pair) -> Iterator[tuple[Part, tuple[str, str], float]]:
    """Each figure with its grouping and its distance, and how much of the work is in its rows."""
    figures = [(grouping, distance) for distance in DISTANCES for grouping in GROUPINGS]
    for number, (grouping, distance) in enumerate(figures, 1):
        title = tr("Figure 4.{number}: ILD of D_{grouping}, sorted {order}; {distance}").format(
            number=number, grouping=grouping, order=tr(_SORTED[grouping]), distance=tr(distance)
        )
        part = Part(f"figure 4.{number}", title, "share", pair.what, "", pair.same, len(pair.table), 6)
        yield part, (grouping, distance), 1.0 if number <= len(GROUPINGS) else 0.1


def _column(table: Table, name: str, kind: type[K], what: str, option: str) -> K:
    """The named column, or the first of this kind, quasi-identifiers before others; raises InputError."""
    columns = (
        [table[name]] if name else sorted(table.columns, key=lambda c: c.attribute.role != "quasi_identifier")
    )
    fitting = [c for c in columns if isinstance(c, kind) and (name or not c.attribute.is_private)]
    if not fitting:
        said = tr("The table has no column of {what}; name one with the option “{option}”.")
        if name:
            said = tr("Column “{name}” does not hold {what}; name one with the option “{option}”.")
        raise InputError(said.format(name=name, what=what, option=option))
    return fitting[0]


def _of(rows: Sequence[Row], figure: str) -> dict[str, dict[int, float]]:
    """The values of a figure: by what is measured, by k."""
    found: dict[str, dict[int, float]] = {}
    for row in rows:
        if row.part.table == figure:
            found.setdefault(str(row.place["measured"]), {})[int(row.place["k"])] = row.mean
    return found


def _checks(first: int, figures: dict[str, dict[str, dict[int, float]]], must: bool) -> Iterator[Check]:
    """``first``: the number of the first of these three figures."""
    for i, (grouping, spared, hit) in enumerate((("A", "number", "category"), ("B", "category", "number"))):
        where, mine = {"number": first + i, "grouping": grouping}, figures[grouping]
        low, high = mine.get(spared, {}), mine.get(hit, {})
        if ks := sorted(set(low) & set(high)):
            said = tr(
                "Figure 4.{number}: D_{grouping} keeps the number and loses the category, {low} and {high} at"
                " k = {k}."
            )
            if hit == "number":
                said = tr(
                    "Figure 4.{number}: D_{grouping} keeps the category and loses the number, {low} and"
                    " {high} at k = {k}."
                )
            said = said.format(low=_percent(low[ks[-1]]), high=_percent(high[ks[-1]]), k=ks[-1], **where)
            yield Check(said, all(low[k] < high[k] for k in ks), must)
        totals = mine.get("both", {})
        if len(totals) > 1:
            k, most = min(totals), max(totals)
            said = tr(
                "Figure 4.{number}: D_{grouping} loses the more the larger k is, {low} at k = {k}, {high} at"
                " k = {most}."
            )
            said = said.format(low=_percent(totals[k]), k=k, high=_percent(totals[most]), most=most, **where)
            yield Check(said, totals[k] < totals[most], must)
    yield from _both_sorted(first, figures, must)


def _both_sorted(first: int, figures: dict[str, dict[str, dict[int, float]]], must: bool) -> Iterator[Check]:
    a, b, c = (figures[grouping].get("both", {}) for grouping in GROUPINGS)
    if ks := sorted(set(a) & set(b) & set(c)):
        k = ks[-1]
        said = tr(
            "Figures 4.{first} to 4.{last}: at every k D_C loses less than D_A and D_B, {c}, {a} and {b} at k"
            " = {k}."
        )
        shares = {"a": _percent(a[k]), "b": _percent(b[k]), "c": _percent(c[k])}
        less = all(c[k] < min(a[k], b[k]) for k in ks)
        yield Check(said.format(first=first, last=first + 2, k=k, **shares), less, must)


def _negative(values: Sequence[float]) -> list[Check]:
    """Of §3.1.2, “I(A) > I(Â) in general”."""
    if not values:
        return []
    below = sum(value < 0 for value in values)
    said = tr("In general ILD is not below 0; all are here.")
    if below:
        said = tr(
            "In general ILD is not below 0; {below} of {all} are below here, down to {least:.2g} %: where a"
            " frequent category replaces rarer ones, what is published can lie farther apart than the"
            " originals."
        )
    said = said.format(below=below, all=len(values), least=100 * min(values))
    return [Check(said, not below)]


def _percent(share: float) -> str:
    return f"{round(100 * share, 1) + 0.0:.1f} %"
