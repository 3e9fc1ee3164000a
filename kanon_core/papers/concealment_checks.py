"""What the paper on complete k-concealment says about its tables 8 and 9, tried on rows made again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from kanon_core.base.words import tr
from kanon_core.papers.base import Check, Part, Row
from kanon_core.papers.points import Point, times_text, tried
from kanon_core.papers.printed import printed

ROUNDING = 1e-6
"""Share by which equal costs may differ: sums in another order, bounds of linear programs."""
NEAR = 0.1
"""Share by which a proportion may differ from the paper's on another sample of the same data."""
PAPERS_9 = ("lottery", "lottery + clusters", "tours", "tours + clusters")
"""The paper's methods in table 9."""
PAPERS = (*PAPERS_9, "greedy", "greedy 2-anonymity")
"""Those in table 8; whatever else there is, is ours."""

Costs = dict[tuple[int, str], np.ndarray]
"""By k and method: the cost of each sample."""


def checks(rows: Sequence[Row]) -> list[Check]:
    """The statements about those rows that are there, part by part."""
    found: list[Check] = []
    for part in dict.fromkeys(row.part for row in rows):
        mine = [row for row in rows if row.part == part]
        costs = {(int(row.place["k"]), str(row.place["method"])): np.array(row.values) for row in mine}
        found += _table_8(costs, part) if part.table == "table 8" else _table_9(costs, part)
        found += _certified(mine)
    return found


def _certified(rows: Sequence[Row]) -> Iterator[Check]:
    """The optimum is at its bound, and nothing is below it, in every sample."""
    kinds = {row.is_floor for row in rows}
    if len(kinds) == 2:
        said, saved = (
            tr("{here}: no method costs less than the optimum, and its lower bound proves it."),
            _saved(rows),
        )
        if saved:
            said = tr(
                "{here}: no method costs less than the optimum, and its lower bound proves it; the best of"
                " the paper's methods could save {saved}."
            )
        points = []
        for row in rows:
            shares = _shares(row) if row.is_floor else -_shares(row)
            points += _each(f"k = {row.place['k']}, {row.place['method']}", shares - ROUNDING)
        said = said.format(here=_here(rows[0].part), saved=saved)
        yield tried(said, points, times_text, tr("costs"), must=True)


def _each(where: str, misses: np.ndarray) -> list[Point]:
    """A point for each sample."""
    if len(misses) == 1:
        return [Point(where, float(misses[0]))]
    return [
        Point(tr("{where}, sample {number}").format(where=where, number=number), float(miss))
        for number, miss in enumerate(misses)
    ]


def _shares(row: Row) -> np.ndarray:
    """How far each sample is above its floor, as a share."""
    floor = np.array(row.floor)
    return np.asarray((np.array(row.values) - floor) / np.maximum(floor, np.finfo(float).tiny))


def _saved(rows: Sequence[Row]) -> str:
    """How far the optimum is below the best of the paper's methods, at the smallest and at the largest k."""
    below = {}
    count = len(PAPERS) if rows[0].part.table == "table 8" else len(PAPERS_9)
    for k in sorted({int(row.place["k"]) for row in rows}):
        papers = [row for row in rows if row.place["k"] == k and row.place["method"] in PAPERS]
        best = min(papers, key=lambda row: row.mean, default=None)
        if best is not None and best.above is not None and len(papers) == count:
            below[k] = 100 * best.above / (1 + best.above)
    ends = list(dict.fromkeys([*list(below)[:1], *list(below)[-1:]]))
    between = tr(" and ")
    return between.join(tr("{below:.1f} % at k = {k}").format(below=below[k], k=k) for k in ends)


def _here(part: Part) -> str:
    """The table, with its unit where it is made in several."""
    return tr("Table 8 in {unit}").format(unit=tr(part.unit)) if part.table == "table 8" else tr("Table 9")


def _table_8(costs: Costs, part: Part) -> Iterator[Check]:
    """Theorem 2.1 in every sample; the paper's findings, which are in degrees, in the mean of the samples."""
    here = _here(part)
    if {(2, "best pairs"), (2, "optimum")} <= set(costs):
        optimum, pairs = costs[2, "optimum"], costs[2, "best pairs"]
        said = tr(
            "{here}: the best concealment ({optimum:.4g}) costs no more than the best pairs ({pairs:.4g}), as"
            " theorem 2.1 says."
        )
        said = said.format(here=here, optimum=optimum.mean(), pairs=pairs.mean())
        points = _each("k = 2", optimum - pairs * (1 + ROUNDING))
        yield tried(said, points, "{:.4g}".format, tr("samples"), must=True)
    c = {method: float(values.mean()) for (_, method), values in costs.items()}
    if part.unit == "degrees" and set(PAPERS) <= set(c) and min(c.values()) > 0:
        yield from _in_degrees(here, c)


def _in_degrees(here: str, c: dict[str, float]) -> Iterator[Check]:
    """The order of the six methods, and what clusters leave of two of them; ``c``: their mean costs."""
    best = "lottery + clusters"
    said = tr("{here}: of the paper's methods, lottery + clusters costs least.").format(here=here)
    points = [Point(method, c[best] / c[method] - 1) for method in PAPERS if method != best]
    yield tried(said, points, times_text, tr("comparisons"))
    papers = {m: printed("k-concealment", "table 8", m, "cost") or np.nan for m in PAPERS}
    ours, theirs = _after_clustering(c), _after_clustering(papers)
    said = tr(
        "{here}: clusters make both cheaper, the lottery to {lottery:.2f} of its cost and tours to"
        " {tours:.2f} (paper: {paper_lottery:.2f} and {paper_tours:.2f})."
    ).format(here=here, lottery=ours[0], tours=ours[1], paper_lottery=theirs[0], paper_tours=theirs[1])
    points = [Point(name, left - 1) for name, left in zip(("lottery", "tours"), ours, strict=True)]
    yield tried(said, points, times_text, tr("methods"))
    said = tr(
        "{here}: without clusters every method costs more than greedy 2-anonymity, with clusters less."
    ).format(here=here)
    points = [
        Point(m, (1 if "clusters" in m else -1) * (c[m] / c["greedy 2-anonymity"] - 1)) for m in PAPERS[:5]
    ]
    yield tried(said, points, times_text, tr("methods"))


def _after_clustering(cost: dict[str, float]) -> tuple[float, float]:
    """What clustering leaves of the cost of the lottery, and of tours."""
    return cost["lottery + clusters"] / cost["lottery"], cost["tours + clusters"] / cost["tours"]


def _table_9(costs: Costs, part: Part) -> Iterator[Check]:
    """Every sample must show what is said; on samples like the paper's a failure is a defect."""
    must = part.comparable
    ks = [k for k in range(2, 8) if all((k, method) in costs for method in PAPERS_9)]
    if ks and all((values > 0).all() for values in costs.values()):
        yield _order(costs, ks, must)
        yield _lottery_and_tours(costs, ks, must)
        yield _clusters(costs, ks, must)


def _order(costs: Costs, ks: Sequence[int], must: bool) -> Check:
    order = ("tours", "tours + clusters", "lottery + clusters", "lottery")
    at = (
        f"k = {ks[0]}"
        if len(ks) == 1
        else tr("every k from {first} to {last}").format(first=ks[0], last=ks[-1])
    )
    said = tr("Table 9: the order at {at} is {order}.").format(at=at, order=" < ".join(order))
    points = []
    for k in ks:
        for a, b in pairwise(order):
            points += _each(f"k = {k}, {a} < {b}", costs[k, a] / costs[k, b] - 1)
    return tried(said, points, times_text, tr("comparisons"), must)


def _lottery_and_tours(costs: Costs, ks: Sequence[int], must: bool) -> Check:
    """The proportion of the two costs at every k, beside that of the paper's."""
    ratios = {k: costs[k, "lottery"] / costs[k, "tours"] for k in ks}
    papers = {k: _papers(k, "lottery") / _papers(k, "tours") for k in ks}
    said = tr(
        "Table 9: at k = {k} the lottery costs {times:.2f} times as much as tours (paper: {papers:.2f}), and"
        " so at every k, {near:.0f} % more or less."
    ).format(k=ks[0], times=ratios[ks[0]].mean(), papers=papers[ks[0]], near=100 * NEAR)
    points = []
    for k in ks:
        points += _each(f"k = {k}", abs(ratios[k] / papers[k] - 1) - NEAR)
    return tried(said, points, times_text, tr("proportions"), must)


def _clusters(costs: Costs, ks: Sequence[int], must: bool) -> Check:
    """Clustering lowers the cost of the lottery by a larger share than that of tours, at every k."""

    def left(k: int, method: str) -> np.ndarray:
        return costs[k, f"{method} + clusters"] / costs[k, method]

    each = tr("{share:.2f} of the cost of {method} (paper: {paper:.2f})")
    says = tr(" and ").join(
        each.format(
            share=left(ks[0], m).mean(),
            method=m,
            paper=_papers(ks[0], f"{m} + clusters") / _papers(ks[0], m),
        )
        for m in ("lottery", "tours")
    )
    said = tr("Table 9: clusters help the lottery most; at k = {k} they leave {says}.")
    points = []
    for k in ks:
        points += _each(f"k = {k}", left(k, "lottery") - np.minimum(left(k, "tours"), 1))
    return tried(said.format(k=ks[0], says=says), points, times_text, tr("comparisons"), must)


def _papers(k: int, method: str) -> float:
    return printed("k-concealment", "table 9", f"k = {k}", method) or np.nan
