"""Proposition 2.1 and figures 3, 11 and 12 of the k-concealment paper: the numbers of perfect matchings, and
the distances between people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import factorial, prod
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Integer
from kanon_core.base.progress import Tick
from kanon_core.base.words import later, tr
from kanon_core.distances.manhattan import distance_matrix, manhattan_points
from kanon_core.papers.base import Check, Once, Part, Reproduction, Row, Source, Task
from kanon_core.papers.concealment import ADULT
from kanon_core.papers.data import Data, all_attributes, city, coordinates_of, households, places
from kanon_core.table.table import Table

Cycles = tuple[int, ...]
"""The lengths of a permutation's cycles, descending."""
KINDS: dict[str, Callable[[Cycles], bool]] = {
    "all": lambda cycles: True,
    "identity": lambda cycles: cycles[0] == 1,
    "no true edge": lambda cycles: cycles[-1] > 1,
    "symmetric": lambda cycles: set(cycles) == {2},
    "cyclic": lambda cycles: len(cycles) == 1 and cycles[0] > 1,
    "symmetric and cyclic": lambda cycles: cycles == (2,),
}
"""The kinds of perfect matchings of figure 3: “no true edge” assigns nobody their own row; a symmetric
one consists of pairs, a cyclic one of a single circle."""
PRINTED = {(4, "all"): 24.0, (4, "symmetric"): 3.0, (10, "all"): 3_628_880.0, (10, "symmetric"): 945.0}
"""Example 2.8. 10! is 3,628,800."""
BINS = 20
_MOST = 10
_TITLES = {
    "figure 11": later("Figure 11: share of all pairs of visits by distance, in parts of the greatest"),
    "figure 12": later("Figure 12: share of all pairs of households by distance, in parts of the greatest"),
}


@dataclass(frozen=True)
class MatchingFigures(Reproduction):
    """The number of perfect matchings of n people of each kind, and the distribution of the distances between
    people.

    Proposition 2.1 and figure 3: a perfect matching is a permutation; those of n! that are symmetric or
    cyclic are counted by their cycles, n = 2 … 10. Figures 11 and 12: the distances of definition 2.2 between
    all pairs of 100 random visits (latitude and longitude) and of 1,000 random households (all attributes),
    in twentieths of the greatest; the paper's are pictures without numbers. A source with latitude and
    longitude is for figure 11, any other for figure 12; the other figure is of our own sample.

    Departures: none. Reference: k-concealment paper, §2.3, proposition 2.1, example 2.8, figure 3; §4.4,
    figures 11 and 12.
    """

    name: ClassVar[str] = "matchings"
    title: ClassVar[str] = (
        "Proposition 2.1 and figures 3, 11 and 12: kinds of matchings, distances between people"
    )
    summary: ClassVar[str] = "Counts of perfect matchings by kind, and distances between people by figure."

    records: Annotated[int, Integer(10, 5_000, help="households in a sample")] = 1_000
    visits: Annotated[int, Integer(4, 2_000, help="visits in a sample")] = 100
    seeds: Annotated[
        int, Integer(1, 100, help="number of samples; with more than one, means and ranges are shown")
    ] = 3

    def tasks(self, source: Source | None = None) -> list[Task]:
        """Return the rows of the counts, then of both figures. Raises KanonError for an unsuitable source."""
        names = coordinates_of(source.table) if source else []
        visits = places(source if source and names else city(), names or ("latitude", "longitude"))
        records = all_attributes(source if source and not names else households(), ADULT)
        return [
            *_counts(),
            *self._distances("figure 11", visits, self.visits, "visits"),
            *self._distances("figure 12", records, self.records, "records"),
        ]

    def checks(self, rows: Sequence[Row]) -> list[Check]:
        """Return the checks of the proposition, of the example with its misprint, and of the distances."""
        counts = {
            (int(row.place["n"]), str(row.place["kind"])): row for row in rows if row.part.table == "figure 3"
        }
        return [*_proposition(counts), *_example(counts), *_sets(counts), *_nearer(rows)]

    def _distances(self, figure: str, data: Data, size: int, option: str) -> Iterator[Task]:
        samples = data.samples(size, self.seeds, option)
        what = data.sampled(size, self.seeds)
        part = Part(figure, tr(_TITLES[figure]), tr("share"), what, "", data.same, size, 4)
        kept: Once[int, np.ndarray] = Once()
        for number in range(BINS):
            between = f"{number / BINS:.2f} – {(number + 1) / BINS:.2f}"
            yield Task(part, {"distance": between}, partial(_shares, kept, samples, number), None, 0.1)


def _counts() -> Iterator[Task]:
    says = tr("Proposition 2.1 and figure 3: number of perfect matchings of n people by kind")
    part = Part("figure 3", says, tr("matchings"), tr("all permutations"), tr("example 2.8"), True, 0, 0)
    for n, kind in product(range(2, _MOST + 1), KINDS):
        make = partial(_count, n, kind)
        yield Task(part, {"n": n, "kind": kind}, make, PRINTED.get((n, kind)), 0.001)


def _count(n: int, kind: str, tick: Tick) -> list[float]:
    return [float(counted(n, kind))]


def counted(n: int, kind: str) -> int:
    """Return the number of permutations of n of a kind: the sum over the cycle types of the kind, each with
    n! / Π_l (l^c c!) permutations, where c is the number of its cycles of length l.

    >>> [counted(4, kind) for kind in KINDS]
    [24, 1, 9, 3, 6, 0]
    """
    return sum(
        factorial(n)
        // prod(length ** cycles.count(length) * factorial(cycles.count(length)) for length in set(cycles))
        for cycles in _types(n, n)
        if KINDS[kind](cycles)
    )


def _types(n: int, most: int) -> Iterator[Cycles]:
    """Yield the ways to write n as a sum of lengths up to ``most``, each descending."""
    if n == 0:
        yield ()
    for length in range(min(n, most), 0, -1):
        yield from ((length, *rest) for rest in _types(n - length, length))


def _shares(kept: Once[int, np.ndarray], samples: Sequence[Table], number: int, tick: Tick) -> list[float]:
    return [
        float(kept.made(seed, partial(shares_by_distance, table))[number])
        for seed, table in enumerate(samples)
    ]


def shares_by_distance(table: Table) -> np.ndarray:
    """Return, for each twentieth of 0 to 1 with its lower end, the share of all pairs of different records
    with such a distance, divided by the greatest: float64 (20); all are in the first where nothing
    differs."""
    apart = distance_matrix(manhattan_points(table.quasi))[np.triu_indices(len(table), 1)]
    found = np.histogram(apart / (apart.max() or 1.0), BINS, (0.0, 1.0))[0]
    return np.asarray(found / len(apart))


def _proposition(counts: dict[tuple[int, str], Row]) -> Iterator[Check]:
    """Yield the check of the formulas: n! in all, Π (n − 2 i + 1) symmetric ones for even n and none for odd,
    (n − 1)! cyclic ones."""
    formulas: dict[str, Callable[[int], int]] = {
        "all": factorial,
        "symmetric": lambda n: 0 if n % 2 else prod(n - 2 * i + 1 for i in range(1, n // 2 + 1)),
        "cyclic": lambda n: factorial(n - 1),
    }
    found = [(row.mean, formulas[kind](n)) for (n, kind), row in counts.items() if kind in formulas]
    if found:
        same = sum(mine == said for mine, said in found)
        says = tr(
            "Proposition 2.1: {same} of {count} counts by cycles agree with the formulas n!, ∏ (n − 2 i +"
            " 1), 0 for odd n, and (n − 1)!."
        )
        yield Check(says.format(same=same, count=len(found)), same == len(found), must=True)


def _example(counts: dict[tuple[int, str], Row]) -> Iterator[Check]:
    """Yield the check of example 2.8, with its misprint."""
    if papers := [row for row in counts.values() if row.printed is not None]:
        wrong = [row.mean for row in papers if row.mean != row.printed]
        says = tr("Example 2.8: {same} of {count} printed counts agree.")
        if slip := wrong == [factorial(_MOST)]:
            says = tr(
                "Example 2.8: {same} of {count} printed counts agree; the other is a misprint of the paper,"
                " which prints 10! = 3,628,880 for 3,628,800."
            )
        says = says.format(same=len(papers) - len(wrong), count=len(papers))
        yield Check(says, slip or not wrong, must=True)


def _sets(counts: dict[tuple[int, str], Row]) -> Iterator[Check]:
    """Yield the check of figure 3: symmetric and cyclic matchings have no true edge, and only the one of two
    people is both."""
    value = {key: row.mean for key, row in counts.items()}
    ns = sorted({n for n, _ in value if all((n, kind) in value for kind in KINDS)})
    if ns:
        inside = sum(
            value[n, "symmetric"] + value[n, "cyclic"] - value[n, "symmetric and cyclic"]
            <= value[n, "no true edge"]
            <= value[n, "all"] - value[n, "identity"]
            for n in ns
        )
        both = [n for n in ns if value[n, "symmetric and cyclic"]]
        says = tr(
            "Figure 3: symmetric and cyclic matchings are among those without a true edge for {inside} of"
            " {count} n; one matching is both, for n = {both} alone."
        )
        says = says.format(inside=inside, count=len(ns), both=", ".join(map(str, both)))
        yield Check(says, inside == len(ns) and both == [n for n in ns if n == 2], must=True)


def _nearer(rows: Sequence[Row]) -> Iterator[Check]:
    """Yield the check of “many people are near one another” among the visits, at the end of every
    twentieth."""
    visits, homes = (
        np.cumsum([row.mean for row in rows if row.part.table == figure])
        for figure in ("figure 11", "figure 12")
    )
    if len(visits) and len(visits) == len(homes):
        more = visits[:-1] - homes[:-1]
        half, worst, quarter = more[: len(visits) // 2], int(more.argmin()), len(visits) // 4 - 1
        nearer, in_all = int((half > 0).sum()), int((more > 0).sum())
        says = tr(
            "Figures 11 and 12: more pairs of visits than of households are within a share of their"
            " greatest distance at {nearer} of {count} shares up to a half, and at {in_all} of {all} in"
            " total; the smallest difference is within {share:.2f}, {one:.1f} % and {other:.1f} %."
            " {near:.1f} % and {far:.1f} % are within a quarter."
        )
        facts: dict[str, float] = {"nearer": nearer, "count": len(half), "in_all": in_all, "all": len(more)}
        facts |= {"one": 100 * visits[worst], "other": 100 * homes[worst], "share": (worst + 1) / len(visits)}
        facts |= {"near": 100 * visits[quarter], "far": 100 * homes[quarter]}
        yield Check(says.format(**facts), nearer == len(half))
