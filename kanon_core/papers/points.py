"""Statements of the papers, checked point by point: the number of points that agree, and the largest miss."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from kanon_core.base.words import tr
from kanon_core.papers.base import Check, Part, Row


class Point(NamedTuple):
    """One comparison: its place, and the amount by which the number misses the statement; 0 or less
    agrees."""

    where: str
    miss: float


def tried(
    says: str,
    points: Sequence[Point],
    text: Callable[[float], str],
    what: str,
    must: bool = False,
    **facts: object,
) -> Check:
    """Return the check of a statement with its facts and its tally; it holds when every point, of at least
    one, agrees.

    ``text`` writes a miss with its unit, ``what`` is the plural noun for the points.

    >>> points = [Point("k = 2 to 5", 0.25), Point("k = 5 to 10", -1.0)]
    >>> tried("It rises.", points, "{:.2f} %".format, "steps").sentence
    'It rises. 1 of 2 steps agree; the worst, k = 2 to 5, misses by 0.25 %.'
    """
    agree = sum(point.miss <= 0 for point in points)
    worst = max(points, key=lambda point: point.miss)
    if len(points) == 1:
        tally = "" if agree else tr("It misses by {miss}.")
    elif agree == len(points):
        tally = tr("{agree:,} of {all:,} {what} agree.")
    else:
        tally = tr("{agree:,} of {all:,} {what} agree; the worst, {where}, misses by {miss}.")
    tally = tally.format(agree=agree, all=len(points), what=what, where=worst.where, miss=text(worst.miss))
    said = says.format(**facts) if facts else says
    return Check(f"{said} {tally}".rstrip(), agree == len(points), must)


class Trend(NamedTuple):
    """A statement that values rise, or fall, with the number ``name``; ``text`` writes a miss.

    It may name the ends: {low}, {few} or {small} the least number, {first}, {least} or {more} the value
    there; {high}, {many} or {large} the greatest, {last}, {most} or {less} the value there.
    """

    says: str
    text: Callable[[float], str]
    name: str = "k"
    falls: bool = False

    def tried(self, values: Mapping[int, float], must: bool = False, **facts: object) -> Check:
        """Return the check of the statement on at least two values by number."""
        low, high = min(values), max(values)
        for names, fact in (
            (("low", "few", "small"), low),
            (("first", "least", "more"), values[low]),
            (("high", "many", "large"), high),
            (("last", "most", "less"), values[high]),
        ):
            facts |= dict.fromkeys(names, fact)
        points = steps(values, self.name, self.falls)
        return tried(tr(self.says), points, self.text, tr("steps"), must, **facts)


def curves(rows: Iterable[Row]) -> dict[str, dict[str, dict[int, float]]]:
    """Return the mean of each row, by table, by measure, by k."""
    found: dict[str, dict[str, dict[int, float]]] = {}
    for row in rows:
        measured = found.setdefault(row.part.table, {}).setdefault(str(row.place["measured"]), {})
        measured[int(row.place["k"])] = row.mean
    return found


def by_part(rows: Iterable[Row]) -> dict[Part, list[Row]]:
    """Return the rows of each part, in their order."""
    found: dict[Part, list[Row]] = {}
    for row in rows:
        found.setdefault(row.part, []).append(row)
    return found


def steps(values: Mapping[int, float], name: str = "k", falls: bool = False) -> list[Point]:
    """Return a point for each pair of neighbors among values that should rise, or fall.

    >>> steps({10: 3.0, 2: 1.0, 5: 4.0})
    [Point(where='k = 2 to 5', miss=-3.0), Point(where='k = 5 to 10', miss=1.0)]
    """
    turn = -1 if falls else 1
    return [Point(step_text(name, a, b), turn * (values[a] - values[b])) for a, b in pairwise(sorted(values))]


def step_text(name: str, a: int, b: int) -> str:
    """Return the place of a step: ``k = 2 to 5``."""
    return tr("{name} = {a:,} to {b:,}").format(name=name, a=a, b=b)


def percent_points(miss: float) -> str:
    """Return a miss in percentage points, with two significant digits."""
    return tr("{points:.2g} points").format(points=miss)


def share_points(miss: float) -> str:
    """Return a miss of a share, in percentage points."""
    return percent_points(100 * miss)


def times_text(miss: float) -> str:
    """Return a miss of a proportion, as a share of the expected one."""
    return f"{100 * miss:.2g} %"
