"""Statements of the MIL paper and the ILD paper about MIL and prefectures, checked on every row."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from kanon_core.base.words import counted, later, tr
from kanon_core.papers import printed
from kanon_core.papers.base import Check, Row
from kanon_core.papers.mil_runs import ROUNDING, mean, titled
from kanon_core.papers.points import Point, by_part, percent_points, step_text, times_text, tried
from kanon_core.table.distributions import DISTRIBUTIONS

IMPROVED = {"table A.5": "MDAV", "table A.6": "V-MDAV"}
"""The tables of improvements, and the methods that are improved."""
JUDGED = {
    "mean": later("Table A.9: mean number of judgements of MIL over all distributions and k = 2 … 50"),
    "at most": later("Table A.9: greatest number of judgements of MIL over all distributions and k = 2 … 50"),
}
"""The titles of the two parts of table A.9."""
OF_DS0, OF_ALL = "table A.7", "table A.9"
"""The tables of judgements in the mean: of one distribution, and of all."""
_SPREAD = ("table 2", "table 3", "table 4", *IMPROVED, "table A.7", "table A.8")
_RANGED = {**{f"table A.{n}": f"Table A.{n}" for n in (2, 3, 4)}, "text 4.3": "§4.3"}
"""The tables whose printed numbers are compared with the range of our samples, and their names."""
_NEAR = {"mean": 0.15, "at most": 0.4}
"""The share of the paper's number within which judgements of other samples agree."""
_CLOSE = {"share": 6.0, "mean": 2.0}
"""Points of percent within which thirteen distributions agree with the paper's one sample of each."""
_CUT = 1e-5
"""One unit of the last digit that tables 3.1 and 3.2 print, where two numbers are cut off."""
_KOLMOGOROV = 1.358
"""A sample of n stays within this / √n of its distribution 95 times in 100."""
_MOST = 0.8
"""The share of samples that must be so near: among a few samples, more than 5 in 100 may be farther."""
_WHOLE = 0.001
"""The amount by which a density over four deviations on both sides may miss 1."""
_HALF = 0.5
_GROWTH = {
    "MDAV": later(
        "After {start}, the number of judgements does not grow with the number of records N: from N ="
        " {low:,} to {high:,} it changes by a factor of {times:.1f}; at each step it less than doubles."
    ),
    "V-MDAV": later(
        "After {start}, the number of judgements grows with the number of records N: from N = {low:,} to"
        " {high:,} by a factor of {times:.1f}; at each step it grows at least half as much as N."
    ),
}
_MORE: dict[str, Callable[[int, int], bool]] = {
    later(
        "{figure}: MIL lowers the loss more where N mod k is large: by {more:.1f} % on average at {most} k"
        " with N mod k ≥ k / 2, and by {less:.1f} % at {least} others."
    ): lambda k, size: 2 * (size % k) >= k,
    later(
        "{figure}: MIL lowers the loss less where k is small: by {less:.1f} % on average at {least} k up to"
        " N / 4, and by {more:.1f} % at {most} above."
    ): lambda k, size: 4 * k > size,
}
"""Statements by the k, for N records, at which the paper claims that MIL lowers the loss more than at"
" others."""
Pairs = Sequence[tuple[Row, Row]]
"""Rows of a start, each with the row of MIL after it."""
Losses = list[tuple[Row, Sequence[float], Sequence[float]]]
"""Rows with losses before and after MIL."""


def checks(rows: Sequence[Row]) -> list[Check]:
    """Return the checks of the statements about these rows."""
    tables: dict[str, list[Row]] = {}
    for row in rows:
        tables.setdefault(row.part.table, []).append(row)
    losses = _pairs([row for row in rows if row.part.unit == "SSE / SST"])
    found = [*_prefectures([*tables.get("table 3.1", ()), *tables.get("table 3.2", ())])]
    found += [check for statement in _OF_PAIRS for check in _of_pairs(statement, losses)]
    for table in tables:
        if table.startswith("figure"):
            found += _where(table, [pair for pair in losses if pair[0].part.table == table])
    found += _densities(rows)
    for table, mine in tables.items():
        if table in _SPREAD:
            found += _spread(table, mine)
        if table in _RANGED:
            found += _ranges(_RANGED[table], mine)
    found += _judgements(tables)
    for table, start in IMPROVED.items():
        found += _overall(start, list(by_part(tables.get(table, ())).values()))
    for start, says in _GROWTH.items():
        found += _growth(start, says, tables.get(OF_DS0, ()))
    return found


def _prefectures(rows: Sequence[Row]) -> Iterator[Check]:
    """Yield the check that every number agrees; none of them is random."""
    if rows:
        says = tr(
            "Tables 3.1 and 3.2: our numbers agree with the printed ones to the last digit (the paper cuts"
            " the last digits of 0.142857 and 0.0123457)."
        )
        wheres = [", ".join((row.part.table, *map(str, row.place.values()))) for row in rows]
        misses = [abs(row.mean - (row.printed or 0.0)) - _CUT for row in rows]
        points = list(map(Point, wheres, misses))
        yield tried(says, points, "{:.1e}".format, tr("numbers"), must=True)


def _pairs(losses: Sequence[Row]) -> Pairs:
    known = {(row.part, row.place["k"], row.place["method"]): row for row in losses}
    beside = ((row, known.get((part, k, f"{method} + MIL"))) for (part, k, method), row in known.items())
    return [(before, after) for before, after in beside if after is not None]


class _OfPairs(NamedTuple):
    """A statement about losses before and after MIL: its words for our losses, where it must hold, and for
    those that the paper prints; the amount by which a pair misses it, how that is written, and the pairs it
    is about."""

    ours: str
    papers: str
    what: str
    misses: Callable[[Sequence[float], Sequence[float]], list[float]]
    text: Callable[[float], str]
    of: Callable[[Row], bool]


_OF_PAIRS = (
    _OfPairs(
        later("MIL never raises the loss."),
        later("In the printed numbers, MIL never raises the loss."),
        later("runs"),
        lambda before, after: [y / x - 1 - ROUNDING if x else y for x, y in zip(before, after, strict=True)],
        times_text,
        lambda row: True,
    ),
    _OfPairs(
        later("Where k divides N, MIL leaves MDAV's groups as they are."),
        later("In the printed numbers, MIL leaves MDAV's loss unchanged where k divides N."),
        later("such k"),
        lambda before, after: [max(abs(x - y) for x, y in zip(before, after, strict=True))],
        "{:.2g}".format,
        lambda row: row.place["method"] == "MDAV" and row.part.size % int(row.place["k"]) == 0,
    ),
)
"""The statements on pairs; for the second, every group of MDAV has k records."""


def _of_pairs(statement: _OfPairs, pairs: Pairs) -> Iterator[Check]:
    """Yield the checks of our losses, then those of the paper's."""
    mine = [(before, after) for before, after in pairs if statement.of(before)]
    ours: Losses = [(after, before.values, after.values) for before, after in mine]
    papers: Losses = [(x, [x.printed], [y.printed]) for x, y in mine if x.printed and y.printed]
    for says, what, must, found in (
        (statement.ours, tr(statement.what), True, ours),
        (statement.papers, tr("pairs of numbers"), False, papers),
    ):
        points = [
            Point(f"{row.part.table}, k = {row.place['k']}, {row.place['method']}", miss)
            for row, before, after in found
            for miss in statement.misses(before, after)
        ]
        if points:
            yield tried(tr(says), points, statement.text, what, must)


def _where(figure: str, pairs: Pairs) -> Iterator[Check]:
    """Yield the check of “Where the remainder of N by k is large, MIL improves much; where k is small,
    little”, at all k: the mean of the former must be above that of the latter, where there are both."""
    for says, more in _MORE.items():
        halves: dict[bool, list[float]] = {True: [], False: []}
        for before, after in pairs:
            lowered = 100 * (1 - after.mean / before.mean) if before.mean else 0.0
            halves[more(int(before.place["k"]), before.part.size)].append(lowered)
        if all(halves.values()):
            most, least = len(halves[True]), len(halves[False])
            much, little = mean(halves[True]), mean(halves[False])
            facts = {"figure": titled(figure), "more": much, "most": most, "less": little, "least": least}
            yield Check(tr(says).format(**facts), much > little)


def _densities(rows: Sequence[Row]) -> Iterator[Check]:
    """Yield the checks that the area below a density is 1, and that our samples are as near to the density as
    samples are, once both are made."""
    for part, curve in by_part(row for row in rows if row.part.unit == "f(x)").items():
        apart = next((row for row in rows if row.part.table == part.table and "of" in row.place), None)
        if apart is None:
            continue
        area = float(np.trapezoid([row.mean for row in curve], [float(row.place["x"]) for row in curve]))
        limit = _KOLMOGOROV / math.sqrt(apart.part.size)
        near = sum(value <= limit for value in apart.values)
        says = tr(
            "{figure}: the area below the {points} is {area:.4f}; {near} of {samples} samples are within"
            " {limit:.3f} of the formula, where 95 in 100 are expected; the farthest is {most:.3f} away."
        )
        facts: dict[str, Any] = {
            "figure": titled(part.table),
            "points": counted(len(curve), "point"),
            "area": area,
        }
        facts |= {"near": near, "samples": len(apart.values), "limit": limit, "most": max(apart.values)}
        whole = abs(area - 1) < _WHOLE
        yield Check(says.format(**facts), whole and near >= _MOST * len(apart.values))


def _ranged(rows: Sequence[Row]) -> list[tuple[Row, float]]:
    """Return the rows whose number is printed, with that number; with one sample there is no range."""
    return [(row, row.printed) for row in rows if row.printed is not None and len(row.values) > 1]


def _spread(table: str, rows: Sequence[Row]) -> Iterator[Check]:
    """Yield the check of the number of printed numbers in the range of our samples."""
    if mine := _ranged(rows):
        inside = sum(min(row.values) <= printed <= max(row.values) for row, printed in mine)
        away = sorted(abs(row.mean - printed) / printed for row, printed in mine if printed)
        says = tr(
            "{table}: most printed numbers are within the range of our {samples} samples, {inside} of"
            " {count}; half of our means are within {half:.0f} % of the printed number, all within"
            " {all:.0f} %."
        )
        facts = {"table": titled(table), "samples": len(mine[0][0].values), "inside": inside}
        apart = {"count": len(mine), "half": 100 * away[len(away) // 2], "all": 100 * away[-1]}
        yield Check(says.format(**facts, **apart), 2 * inside > len(mine))


def _ranges(where: str, rows: Sequence[Row]) -> Iterator[Check]:
    """Yield the same check, with the number expected if the paper's sample were one more of ours."""
    if not (mine := _ranged(rows)):
        return
    samples, count = len(mine[0][0].values), len(mine)
    beyond = [_beyond(row, printed) for row, printed in mine]
    inside, worst = beyond.count(0.0), max(range(count), key=beyond.__getitem__)
    says = tr(
        "{where}: {inside} of {count} printed numbers are within the range of our {samples} samples"
        " ({expected:.0f} are expected on average if the paper's sample is one more of these)."
    )
    if inside < count:
        says = tr(
            "{where}: {inside} of {count} printed numbers are within the range of our {samples} samples"
            " ({expected:.0f} are expected on average if the paper's sample is one more of these); the"
            " farthest, {place}, is {gap:.0f} % beyond its nearest end."
        )
    place = ", ".join(f"{name} = {value}" for name, value in mine[worst][0].place.items())
    facts = {"where": where, "inside": inside, "count": count, "samples": samples}
    facts |= {"expected": count * (samples - 1) / (samples + 1), "place": place, "gap": 100 * beyond[worst]}
    yield Check(says.format(**facts), inside >= _HALF * count)


def _beyond(row: Row, printed: float) -> float:
    """Return the distance of the printed number beyond our range, as a share of the nearer end; 0 inside."""
    low, high = min(row.values), max(row.values)
    if printed < low:
        return 1 - printed / low
    return printed / high - 1 if printed > high else 0.0


def _judgements(tables: dict[str, list[Row]]) -> Iterator[Check]:
    """Yield the checks that means and maxima of judgements are within a share of the paper's."""
    for which, near in _NEAR.items():
        mine = [row for row in tables.get(OF_ALL, ()) if row.part.called == tr(JUDGED[which])]
        if mine:
            says = tr("{title}: our number is within {near:.0f} % of the paper's.")
            yield _judged(says.format(title=mine[0].part.title, near=100 * near), mine, near)
    if "text 4.4" in tables:
        says = tr(
            "§4.4: the greatest number of judgements in three samples is within a half of the paper's"
            " (table A.8 of the ILD paper has other samples: 191 and 208 instead of 144 and 185)."
        )
        yield _judged(says, tables["text 4.4"], _HALF)


def _judged(says: str, rows: Sequence[Row], near: float) -> Check:
    """Return the check that every number of judgements is within a share of the paper's."""
    points = []
    for row in rows:
        records = counted(int(row.place["records"]), "record")
        place, ratio = ", ".join(filter(None, (str(row.place.get("start", "")), records))), row.ratio or 0.0
        where = tr("{place}, {ratio:.2f} times as many").format(place=place, ratio=ratio)
        points.append(Point(where, abs(ratio - 1) - near))
    return tried(says, points, times_text, tr("numbers"))


def _overall(start: str, parts: Sequence[Sequence[Row]]) -> Iterator[Check]:
    """Yield the check of all thirteen distributions together (ILD paper, §A.1.4)."""
    if len(parts) < 2 or any(len(part) < len(DISTRIBUTIONS) for part in parts[:2]):
        return
    share, reduced = parts[:2]
    counts = [DISTRIBUTIONS[str(row.place["data"])].size // 2 - 1 for row in share]
    ours = sum(row.mean * n for row, n in zip(share, counts, strict=True)) / sum(counts)
    lowered, (paper, papers_mean) = mean([row.mean for row in reduced]), printed.OVERALL[start]
    says = tr(
        "MIL lowers the loss of {start} at {share:.1f} % of all k (paper: {paper} %; tolerance {near:g}"
        " points), by {mean:.1f} % on average (paper: {papers_mean} %; tolerance {papers_near:g} points)."
    )
    facts: dict[str, Any] = {"start": start, "share": ours, "paper": paper, "near": _CLOSE["share"]}
    facts |= {"mean": lowered, "papers_mean": papers_mean, "papers_near": _CLOSE["mean"]}
    points = [
        Point(tr("the share of k"), abs(ours - paper) - _CLOSE["share"]),
        Point(tr("the mean"), abs(lowered - papers_mean) - _CLOSE["mean"]),
    ]
    yield tried(says, points, percent_points, tr("numbers"), **facts)


def _growth(start: str, says: str, rows: Sequence[Row]) -> Iterator[Check]:
    """Yield the checks that the judgements after MDAV do not grow with the records from 1,000 on, and that
    those after V-MDAV grow as N."""
    grows = start == "V-MDAV"
    found = {
        int(row.place["records"]): row.mean
        for row in rows
        if row.place["start"] == start and row.place["records"] != 100
    }
    if len(found) > 1:
        low, high = min(found), max(found)
        facts: dict[str, Any] = {"start": start, "low": low, "high": high, "times": found[high] / found[low]}
        points = []
        for a, b in pairwise(sorted(found)):
            times = found[b] / found[a]
            points.append(Point(step_text("N", a, b), b / a / 2 - times if grows else times - 2))
        yield tried(tr(says), points, tr("{:.2g} times").format, tr("steps"), **facts)
