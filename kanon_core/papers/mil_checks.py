"""What the MIL paper says of its tables, tried on every row that is there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from kanon_core.base.words import later, tr
from kanon_core.papers import printed_mil
from kanon_core.papers.base import Check, Row
from kanon_core.papers.comparing import unchanged_multiples, unraised
from kanon_core.papers.points import Point, percent_points, step_text, tried
from kanon_core.table.distributions import DISTRIBUTIONS

SHOWN = {"table 2": "DS0", "table 3": "DS1", "table 4": "DS9"}
"""The tables of losses, and what each is of."""
IMPROVED = {"table A.5": "MDAV", "table A.6": "V-MDAV"}
"""The tables of improvements, and what is improved."""
_CLOSE = {"share": 6.0, "mean": 2.0}
"""Points of percent within which thirteen distributions agree with the paper's one sample of each."""

_GROWS = later(
    "After {start} the judgements grow with the number of records, from {low:,} to {high:,} {times:.1f}"
    " times; at each step by half as much as the records or more."
)
_STAYS = later(
    "After {start} the judgements do not depend on the number of records, from {low:,} to {high:,}"
    " {times:.1f} times; at each step they less than double."
)


def checks(rows: Sequence[Row]) -> list[Check]:
    """The statements about those rows that are there."""
    losses = [row for row in rows if row.part.table in SHOWN]
    return [*unraised(losses), *unchanged_multiples(losses), *_within(rows), *_overall(rows), *_growth(rows)]


def _within(rows: Sequence[Row]) -> Iterator[Check]:
    """How many printed numbers lie among those of our samples; with one sample there is no range."""
    for table in dict.fromkeys(row.part.table for row in rows):
        mine = [row for row in rows if row.part.table == table and row.printed is not None]
        mine = [row for row in mine if len(row.values) > 1]
        if not mine:
            continue
        inside = sum(min(row.values) <= (row.printed or 0.0) <= max(row.values) for row in mine)
        away = sorted(abs(row.mean - row.printed) / row.printed for row in mine if row.printed)
        says = tr(
            "{table}: most printed numbers lie within the range of our {samples} samples, {inside} of"
            " {count}; half of our means are within {half:.0f} % of the printed number, all within {all:.0f}"
            " %."
        ).format(
            table=f"T{table[1:]}",
            samples=len(mine[0].values),
            inside=inside,
            count=len(mine),
            half=100 * away[len(away) // 2],
            all=100 * away[-1],
        )
        yield Check(says, 2 * inside > len(mine))


def _overall(rows: Sequence[Row]) -> Iterator[Check]:
    """All thirteen distributions together (ILD paper, §A.1.4)."""
    for table, start in IMPROVED.items():
        parts = list(dict.fromkeys(row.part for row in rows if row.part.table == table))
        if len(parts) < 2:
            continue
        share, mean = ([row for row in rows if row.part == part] for part in parts[:2])
        if len(share) < len(DISTRIBUTIONS) or len(mean) < len(DISTRIBUTIONS):
            continue
        counts = [DISTRIBUTIONS[str(row.place["data"])].size // 2 - 1 for row in share]
        ours = sum(row.mean * n for row, n in zip(share, counts, strict=True)) / sum(counts)
        lowered = sum(row.mean for row in mean) / len(mean)
        theirs = printed_mil.OVERALL[start]
        says = tr(
            "Of all k, MIL lowers the loss of {start} at {share:.1f} % (paper: {paper} %; {near:g} points"
            " more or less pass), by {mean:.1f} % in the mean (paper: {papers_mean} %; {papers_near:g}"
            " points)."
        ).format(
            start=start,
            share=ours,
            paper=theirs[0],
            near=_CLOSE["share"],
            mean=lowered,
            papers_mean=theirs[1],
            papers_near=_CLOSE["mean"],
        )
        points = [
            Point(tr("the share of k"), abs(ours - theirs[0]) - _CLOSE["share"]),
            Point(tr("the mean"), abs(lowered - theirs[1]) - _CLOSE["mean"]),
        ]
        yield tried(says, points, percent_points, tr("numbers"))


def _growth(rows: Sequence[Row]) -> Iterator[Check]:
    """Judgements after MDAV do not grow with the records from 1,000 on; after V-MDAV they grow as N."""
    for start, grows in (("MDAV", False), ("V-MDAV", True)):
        found = {
            int(row.place["records"]): row.mean
            for row in rows
            if row.part.table == "table A.7" and row.place["start"] == start and row.place["records"] != 100
        }
        if len(found) > 1:
            low, high = min(found), max(found)
            says = tr(_GROWS if grows else _STAYS).format(
                start=start, low=low, high=high, times=found[high] / found[low]
            )
            points = []
            for a, b in pairwise(sorted(found)):
                times = found[b] / found[a]
                points.append(Point(step_text("N", a, b), b / a / 2 - times if grows else times - 2))
            yield tried(says, points, tr("{:.2g} times").format, tr("steps"))
