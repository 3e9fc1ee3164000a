"""Figures 4.1 to 4.6 of the ILD paper: three groupings of records, two distances of categories."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any, ClassVar, NamedTuple, TypeVar

import numpy as np

from kanon_core.algorithms import Sorting
from kanon_core.base.errors import InputError
from kanon_core.base.kinds import Integer
from kanon_core.base.progress import Tick
from kanon_core.base.words import counted, later, tr
from kanon_core.distances import Absolute, Discrete, Distance, NormalizedLevenshtein
from kanon_core.distances.encodings import VALUES_AT_MOST
from kanon_core.metrics import ILD
from kanon_core.metrics.base import OneColumn
from kanon_core.papers.base import Check, Once, Part, Reproduction, Row, Source, Task
from kanon_core.papers.data import households
from kanon_core.papers.points import Point, curves, share_points, steps, tried
from kanon_core.runs.run import anonymize
from kanon_core.table.columns.columns import Categories, Numbers
from kanon_core.table.schema import Attribute, Schema
from kanon_core.table.table import Table

GROUPINGS = ("A", "B", "C")
"""Sorted by the number; by the category; by the category and then the number."""
LITTLE = 0.05
"""The share up to which a loss counts as small, where the paper prints no number."""
KS = (2, 5, 10, 20, 50, 100, 200, 500, 1_000)
MEASURED = ("number", "category", "both")
"""The lines of each figure: ILD of the one attribute, of the other, and in total."""
DISTANCES: dict[str, Distance] = {
    later("discrete distance"): Discrete(),
    later("normalized Levenshtein distance"): NormalizedLevenshtein(),
}
K = TypeVar("K", Numbers, Categories)
FEW = 10
"""The number of records whose share of all information is stated."""
PAPERS = (32_561, 0.0, 99_999.0, 7)
"""Records of the paper's data, least and greatest capital gain, different marital statuses."""
_SORTED = {
    "A": later("by the number"),
    "B": later("by the category"),
    "C": later("by the category, then the number"),
}


Curves = dict[str, dict[int, float]]
"""The loss, a share, by what is measured, and by k."""


class _Pair(NamedTuple):
    """The number and the category, their description, and whether they are the paper's."""

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
    pictures without numbers: its statements about them are tried. On its own data – capital gain and marital
    status of Adult – anybody gets the same values, as there is no chance in them.

    Any table with a column of numbers or dates and a column of categories or texts will do. Of the named
    columns, or of the first quasi-identifier of each kind (or the first column, where no quasi-identifier
    is); without a source, capital income and marital status of our invented households.

    Departures: none. Reference: ILD paper, §4.1, figures 4.1 to 4.6.
    """

    name: ClassVar[str] = "loss"
    title: ClassVar[str] = "Figures 4.1 to 4.6: information loss of three groupings"
    summary: ClassVar[str] = (
        "ILD of a number, a category and both by k, for three groupings and two distances."
    )
    seconds: ClassVar[float] = 5.0

    number: Annotated[
        str, OneColumn(help="the column of numbers or dates; none = the first quasi-identifier")
    ] = ""
    category: Annotated[
        str, OneColumn(help="the column of categories or texts; none = the first quasi-identifier")
    ] = ""
    largest_k: Annotated[int, Integer(2, 1_000, help="the largest k")] = 100

    def tasks(self, source: Source | None = None) -> list[Task]:
        """Return the rows, figure by figure: number, category and both at each k. InputError without two such
        columns."""
        number, category = self.number, self.category
        if source is None:
            source, number = households(), number or "capital_income"
            category = category or "marital_status"
        pair = self._pair(source, number, category)
        ks = [k for k in KS if k <= min(self.largest_k, len(pair.table))]
        if not ks:
            raise InputError(
                tr("These figures need at least 2 records, but the table has 1; choose a larger table.")
            )
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
        """Return the checks of §4.1.4 on every k of figures 4.1 to 4.3, then 4.4 to 4.6: D_A loses the
        category, D_B the number, and D_C less than either."""
        must, found, drawn = any(row.part.comparable for row in rows), list[Check](), curves(rows)
        for first in (1, 4):
            figures = [drawn.get(f"figure 4.{first + i}", {}) for i in range(len(GROUPINGS))]
            found += _one(f"4.{first}", "A", ("number", "category"), figures[0], must)
            found += _one(f"4.{first + 1}", "B", ("category", "number"), figures[1], must)
            found += _least(first, [curves.get("both", {}) for curves in figures], must)
        return found + _negative(rows)

    def _pair(self, source: Source, number: str, category: str) -> _Pair:
        table = source.table
        one = _column(table, number, Numbers, tr("numbers or dates"), "number")
        other = _column(table, category, Categories, tr("categories or texts"), "category")
        if other.distinct > VALUES_AT_MOST:
            raise InputError(
                tr(
                    "Column “{name}” has {values:,} different values, but these figures compare all pairs"
                    " of at most {limit:,}; name another column with the option “category”."
                ).format(name=other.attribute.name, values=other.distinct, limit=VALUES_AT_MOST)
            )
        first, second = one.attribute.name, other.attribute.name
        kind = one.attribute.kind if one.attribute.kind == "datetime" else "numeric"
        numbers = Attribute(first, kind=kind, recoding="mean", distance=Absolute("none"))
        words = Attribute(second, kind="categorical", recoding="mode", distance=Discrete())
        pair = Table.from_frame(table.frame[[first, second]], Schema((numbers, words)))
        shape = (len(table), *one.range, other.distinct)
        what = tr("{records} of {name}; number “{first}”, category “{second}”").format(
            records=counted(len(table), "record"), name=source.name, first=first, second=second
        )
        return _Pair(pair, first, second, what, shape == PAPERS)


_Found = dict[str, dict[str, float]]
"""ILD of the number, the category and both, by distance."""


def _measured(pair: _Pair, grouping: str, k: int, tick: Tick) -> _Found:
    """Return ILD by both distances of the release of a grouping."""
    table, number, category = pair.table, pair.number, pair.category
    by = {"A": (number,), "B": (category,), "C": (category, number)}[grouping]
    release, found = anonymize(table.in_given_order(), Sorting(by), k, 0, tick), {}
    for name, distance in DISTANCES.items():
        seen = table.with_schema(table.schema.with_distances({category: distance}))
        loss = ILD().measure(seen, release)  # means and modes: a cell is its own representative
        each = (loss.attributes[number], loss.attributes[category], loss.total)
        found[name] = dict(zip(MEASURED, each, strict=True))
    return found


def _parts(pair: _Pair) -> Iterator[tuple[Part, tuple[str, str], float]]:
    """Yield each figure with its grouping and its distance, and the share of the work of its rows."""
    figures = [(grouping, distance) for distance in DISTANCES for grouping in GROUPINGS]
    for number, (grouping, distance) in enumerate(figures, 1):
        title = tr("Figure 4.{number}: ILD of D_{grouping}, sorted {order}; {distance}").format(
            number=number, grouping=grouping, order=tr(_SORTED[grouping]), distance=tr(distance)
        )
        part = Part(f"figure 4.{number}", title, "share", pair.what, "", pair.same, len(pair.table), 6)
        if grouping == "A":
            part = replace(part, remark=_few_hold_most(pair))
        yield part, (grouping, distance), 1.0 if number <= len(GROUPINGS) else 0.1


def _few_hold_most(pair: _Pair) -> str:
    """Return a sentence on the share of the number's information in a few records, and on the loss of one
    group of these and as many others."""
    column = pair.table[pair.number]
    assert isinstance(column, Numbers)
    away = column.present - column.mean
    away = away[np.argsort(-np.abs(away), kind="stable")]
    group, total = away[: 2 * FEW], float((away**2).sum()) or 1.0
    says = tr(
        "The {few} numbers farthest from the mean make {share:.0f} % of all squared deviations; one group"
        " of the {more} farthest, published at their mean, loses {lost:.0f} % of all."
    )
    share = 100 * float((away[:FEW] ** 2).sum()) / total
    lost = 100 * float(group.var()) * len(group) / total if len(group) else 0.0
    return says.format(few=min(FEW, len(away)), share=share, more=len(group), lost=lost)


def _column(table: Table, name: str, kind: type[K], what: str, option: str) -> K:
    """Return the named column, or the first of this kind, quasi-identifiers before others; raises
    InputError."""
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


def _one(number: str, grouping: str, sides: tuple[str, str], lines: Curves, must: bool) -> Iterator[Check]:
    """Yield the checks of a grouping by one attribute: it keeps this attribute, loses the other, and loses
    more with k.

    The paper reads the growth off a picture, so that a step down is no defect.
    """
    spared, hit = sides
    names: dict[str, Any] = {"number": number, "grouping": grouping, "spared": tr(spared), "hit": tr(hit)}
    low, high = lines.get(spared, {}), lines.get(hit, {})
    if low:
        says = tr("Figure {number}: D_{grouping} loses little of the {spared}, up to {little} at any k.")
        points = [Point(f"k = {k} ({_percent(low[k])})", low[k] - LITTLE) for k in sorted(low)]
        yield tried(says, points, share_points, "k", little=_percent(LITTLE), **names)
    if ks := sorted(set(low) & set(high)):
        says = tr(
            "Figure {number}: D_{grouping} loses less of the {spared} than of the {hit}, {low} and {high} at"
            " k = {k}."
        )
        ends = {"low": _percent(low[ks[-1]]), "high": _percent(high[ks[-1]]), "k": ks[-1]}
        points = [Point(f"k = {k}", low[k] - high[k]) for k in ks]
        yield tried(says, points, share_points, "k", must, **ends, **names)
    for curve, says in (
        (high, tr("Figure {number}: D_{grouping} loses more of the {hit} the larger k is, {ends}.")),
        (
            lines.get("both", {}),
            tr("Figure {number}: D_{grouping} loses more in total the larger k is, {ends}."),
        ),
    ):
        if len(curve) > 1:
            (first, least), (last, most) = min(curve.items()), max(curve.items())
            between = tr("{low} at k = {first} and {high} at k = {last}")
            between = between.format(low=_percent(least), first=first, high=_percent(most), last=last)
            yield tried(says, steps(curve), share_points, tr("steps"), ends=between, **names)


def _least(first: int, totals: Sequence[dict[int, float]], must: bool) -> Iterator[Check]:
    """Yield the checks that the grouping by both attributes loses less than either of the others, at every
    k."""
    a, b, c = totals
    if ks := sorted(set(a) & set(b) & set(c)):
        says = tr(
            "Figures 4.{first} to 4.{last}: D_C loses less than D_A and D_B, {c}, {a} and {b} at k = {k}."
        )
        ends = {name: _percent(total[ks[-1]]) for name, total in zip("abc", totals, strict=True)}
        points = [Point(f"D_{n}, k = {k}", c[k] - t[k]) for n, t in (("A", a), ("B", b)) for k in ks]
        ends |= {"first": str(first), "last": str(first + 2), "k": str(ks[-1])}
        yield tried(says, points, share_points, tr("comparisons"), must, **ends)


def _negative(rows: Sequence[Row]) -> list[Check]:
    """Return the checks of §3.1.2, “I(A) > I(Â) in general”."""
    if not rows:
        return []
    says = tr("In general ILD is not below 0.")
    if any(row.mean < 0 for row in rows):
        says = tr(
            "In general ILD is not below 0; it is where a frequent category replaces rarer ones, so that"
            " the published values are farther apart than the originals."
        )
    points = [Point(f"{row.part.table}, k = {row.place['k']}", -row.mean) for row in rows]
    return [tried(says, points, share_points, tr("values"))]


def _percent(share: float) -> str:
    return f"{round(100 * share, 1) + 0.0:.1f} %"
