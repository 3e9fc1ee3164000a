"""What the ILD paper says of its figures 4.1 to 4.6 (§4.1.4), tried on every k of every figure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kanon_core.base.words import tr
from kanon_core.papers.base import Check, Row
from kanon_core.papers.points import Point, share_points, steps, tried

GROUPINGS = ("A", "B", "C")
"""Sorted by the number; by the category; by the category and then the number."""
LITTLE = 0.05
"""The share up to which a loss is called little, where the paper calls it small and prints no number."""

Curves = dict[str, dict[int, float]]
"""By what is measured, by k: the loss, a share."""


def checks(rows: Sequence[Row]) -> list[Check]:
    """The statements about those rows that are there: figures 4.1 to 4.3, then 4.4 to 4.6."""
    must, found = any(row.part.comparable for row in rows), list[Check]()
    for first in (1, 4):
        figures = {grouping: _of(rows, f"figure 4.{first + i}") for i, grouping in enumerate(GROUPINGS)}
        found += _one(f"4.{first}", "A", ("number", "category"), figures["A"], must)
        found += _one(f"4.{first + 1}", "B", ("category", "number"), figures["B"], must)
        found += _least(first, [figures[grouping].get("both", {}) for grouping in GROUPINGS], must)
    return found + _negative(rows)


def _of(rows: Sequence[Row], figure: str) -> Curves:
    found: Curves = {}
    for row in rows:
        if row.part.table == figure:
            found.setdefault(str(row.place["measured"]), {})[int(row.place["k"])] = row.mean
    return found


def _one(number: str, grouping: str, sides: tuple[str, str], curves: Curves, must: bool) -> Iterator[Check]:
    """Of a grouping by one attribute: that one is kept, the other is lost, the more the larger k is.

    The paper reads the growth off a picture, so that a step down is no defect.
    """
    spared, hit = sides
    names = {"number": number, "grouping": grouping, "spared": tr(spared), "hit": tr(hit)}
    low, high = curves.get(spared, {}), curves.get(hit, {})
    if low:
        said = tr("Figure {number}: D_{grouping} loses little of the {spared}, up to {little} at any k.")
        said = said.format(little=_percent(LITTLE), **names)
        points = [Point(_at(k, low[k]), low[k] - LITTLE) for k in sorted(low)]
        yield tried(said, points, share_points, "k")
    if ks := sorted(set(low) & set(high)):
        said = tr(
            "Figure {number}: D_{grouping} loses less of the {spared} than of the {hit}, {low} and {high} at"
            " k = {k}."
        ).format(low=_percent(low[ks[-1]]), high=_percent(high[ks[-1]]), k=ks[-1], **names)
        yield tried(said, [Point(f"k = {k}", low[k] - high[k]) for k in ks], share_points, "k", must)
    for curve, text in (
        (high, tr("Figure {number}: D_{grouping} loses the more of the {hit} the larger k is, {ends}.")),
        (curves.get("both", {}), tr("Figure {number}: D_{grouping} loses the more in total, {ends}.")),
    ):
        if len(curve) > 1:
            yield tried(text.format(ends=_ends(curve), **names), steps(curve), share_points, tr("steps"))


def _least(first: int, totals: Sequence[dict[int, float]], must: bool) -> Iterator[Check]:
    """The grouping by both attributes loses less than either of the others, at every k."""
    a, b, c = totals
    ks = sorted(set(a) & set(b) & set(c))
    if ks:
        said = tr(
            "Figures 4.{first} to 4.{last}: D_C loses less than D_A and D_B, {c}, {a} and {b} at k = {k}."
        )
        ends = {"a": _percent(a[ks[-1]]), "b": _percent(b[ks[-1]]), "c": _percent(c[ks[-1]])}
        said = said.format(first=first, last=first + 2, k=ks[-1], **ends)
        points = [Point(f"D_{n}, k = {k}", c[k] - t[k]) for n, t in (("A", a), ("B", b)) for k in ks]
        yield tried(said, points, share_points, tr("comparisons"), must)


def _negative(rows: Sequence[Row]) -> list[Check]:
    """Of §3.1.2, “I(A) > I(Â) in general”."""
    if not rows:
        return []
    said = tr("In general ILD is not below 0.")
    if any(row.mean < 0 for row in rows):
        said = tr(
            "In general ILD is not below 0; it is where a frequent category replaces rarer ones, and what is"
            " published lies farther apart than the originals."
        )
    points = [Point(f"{row.part.table}, k = {row.place['k']}", -row.mean) for row in rows]
    return [tried(said, points, share_points, tr("values"))]


def _ends(curve: dict[int, float]) -> str:
    low, high = min(curve), max(curve)
    return tr("{low} at k = {first} and {high} at k = {last}").format(
        low=_percent(curve[low]), first=low, high=_percent(curve[high]), last=high
    )


def _at(k: int, share: float) -> str:
    return f"k = {k} ({_percent(share)})"


def _percent(share: float) -> str:
    return f"{round(100 * share, 1) + 0.0:.1f} %"
