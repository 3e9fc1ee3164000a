"""What the purchase-history paper says of its tables 9, 13 and 14, tried on every k."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import floor

from kanon_core.base.words import tr
from kanon_core.papers.base import Check, Row
from kanon_core.papers.points import Point, steps, tried
from kanon_core.papers.printed import printed

NEAR = 0.001
"""How near our number must be to a printed one of three digits: a cut number is less than that away."""
GAIN = 0.005
"""By how much the gain of other categories may differ from the paper's."""
_UTILITY = "utility by k"
BEST = 6
"""The k at which the paper's sum is least."""

Rows = Mapping[int, Row]
"""The rows of a part by k."""


def checks(rows: Sequence[Row]) -> Iterator[Check]:
    """The statements about those rows that are there, part by part."""
    by_title: dict[str, dict[int, Row]] = {}
    for row in rows:
        if "attribute" not in row.place and row.part.table.startswith("table"):
            by_title.setdefault(row.part.called, {})[int(row.place["k"])] = row
    for title, mine in by_title.items():
        if len(mine) > 1:
            yield from _of(title, mine)
    plain, mapped = (
        {int(row.place["k"]): row for row in rows if row.part.table == table and _UTILITY in row.part.called}
        for table in ("table 9", "table 13")
    )
    common = sorted(plain.keys() & mapped.keys())
    if common:
        yield _gain({k: plain[k].mean - mapped[k].mean for k in common})


def _of(title: str, mine: Rows) -> Iterator[Check]:
    what, must = title.partition(": ")[2], next(iter(mine.values())).part.comparable
    where = tr("Table 9") if title.startswith("Table 9") else tr("Tables 13 and 14, categories")
    if what == _UTILITY:
        said = tr("{title}: the utility is the worse the larger k is.").format(title=where)
        yield tried(said, steps({k: row.mean for k, row in mine.items()}), _digits, tr("steps"), must)
    if what == "utility + 1/k by k" and BEST in mine:
        yield _best(where, mine, must)
    theirs = {k: row for k, row in mine.items() if row.printed is not None}
    if theirs and must:
        yield _as_printed(tr(title), theirs)


def _best(where: str, mine: Rows, must: bool) -> Check:
    """Every other k has a larger sum than the paper's best."""
    said = tr("{title}: the sum is least at k = {best} (here {least:.4f} at k = {k}).")
    k = min(mine, key=lambda k: mine[k].mean)
    points = [
        Point(f"k = {other}", mine[BEST].mean - row.mean) for other, row in mine.items() if other != BEST
    ]
    said = said.format(title=where, best=BEST, least=mine[k].mean, k=k)
    return tried(said, points, _digits, tr("comparisons"), must)


def _as_printed(title: str, mine: Rows) -> Check:
    """Each printed number beside ours: rounded to three digits, cut after them, or neither."""
    gaps = {k: abs(row.mean - (row.printed or 0.0)) for k, row in mine.items()}
    rounded = [k for k, row in mine.items() if round(row.mean, 3) == row.printed]
    cut = [k for k, row in mine.items() if k not in rounded and floor(1000 * row.mean) / 1000 == row.printed]
    neither = [k for k in mine if k not in rounded and k not in cut]
    worst = max(gaps, key=gaps.__getitem__)
    said = tr(
        "{title}: the paper's numbers are less than {near} from ours: {rounded} are ours rounded, {cut} ours"
        " cut{at}, {neither} neither{where}; the largest gap is {gap:.4f}, at k = {k}."
    ).format(
        title=title,
        near=f"{NEAR:g}",
        rounded=len(rounded),
        cut=len(cut),
        at=_ks(cut),
        neither=len(neither),
        where=_ks(neither),
        gap=gaps[worst],
        k=worst,
    )
    points = [Point(f"k = {k}", gap - NEAR) for k, gap in gaps.items()]
    return tried(said, points, _digits, "k", must=True)


def _ks(ks: Sequence[int]) -> str:
    return f" (k = {', '.join(map(str, ks))})" if ks else ""


def _gain(gains: Mapping[int, float]) -> Check:
    """Categories never worsen the utility, so that what is tried is by how much they improve it."""
    column = partial(printed, "purchase-history", "table 13")
    papers = {
        k: (column(f"k = {k}", "utility") or 0) - (column(f"k = {k}", "categories") or 0) for k in gains
    }
    said = tr(
        "Categories improve the utility by as much as the author's own, {near:g} more or less: by"
        " {low:.3f} to {high:.3f} here, by {least:.3f} to {most:.3f} in the paper; its map is not published."
    ).format(
        near=GAIN,
        low=min(gains.values()),
        high=max(gains.values()),
        least=min(papers.values()),
        most=max(papers.values()),
    )
    points = [Point(f"k = {k}", abs(gain - papers[k]) - GAIN) for k, gain in gains.items()]
    return tried(said, points, _digits, "k")


def _digits(miss: float) -> str:
    return f"{miss:.4f}"
