"""What the k-concealment paper says of the kinds of matchings and of distances, tried on every row that is
there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import factorial, prod

import numpy as np

from kanon_core.base.words import tr
from kanon_core.papers.base import Check, Row

_KINDS = ("all", "identity", "no true edge", "symmetric", "cyclic", "symmetric and cyclic")
_EXACT = 3_628_800
"""10!, of which the paper misprints a digit."""


def checks(rows: Sequence[Row]) -> list[Check]:
    """The statements about those rows that are there."""
    counts = {
        (int(row.place["n"]), str(row.place["kind"])): row for row in rows if row.part.table == "figure 3"
    }
    return [*_proposition(counts), *_example(counts), *_sets(counts), *_nearer(rows)]


def _proposition(counts: dict[tuple[int, str], Row]) -> Iterator[Check]:
    """n! in all, Π (n − 2 i + 1) symmetric ones of even n and none of odd, (n − 1)! cyclic ones."""
    formulas: dict[str, Callable[[int], int]] = {
        "all": factorial,
        "symmetric": lambda n: 0 if n % 2 else prod(n - 2 * i + 1 for i in range(1, n // 2 + 1)),
        "cyclic": lambda n: factorial(n - 1),
    }
    found = [(row.mean, formulas[kind](n)) for (n, kind), row in counts.items() if kind in formulas]
    if found:
        same = sum(mine == said for mine, said in found)
        says = tr(
            "Proposition 2.1: {same} of {count} counts by cycles are n!, ∏ (n − 2 i + 1), 0 for odd n, and (n"
            " − 1)!."
        ).format(same=same, count=len(found))
        yield Check(says, same == len(found), must=True)


def _example(counts: dict[tuple[int, str], Row]) -> Iterator[Check]:
    """Example 2.8, with one digit misprinted."""
    printed = [row for row in counts.values() if row.printed is not None]
    if printed:
        same = sum(row.mean == row.printed for row in printed)
        wrong = [row for row in printed if row.mean != row.printed]
        slip = [row.mean for row in wrong] == [_EXACT]
        says = tr("Example 2.8: {same} of {count} printed counts agree.")
        if slip:
            says = tr(
                "Example 2.8: {same} of {count} printed counts agree; the other is a misprint of the paper,"
                " which has 10! = 3,628,880 for 3,628,800."
            )
        yield Check(says.format(same=same, count=len(printed)), slip or not wrong, must=True)


def _sets(counts: dict[tuple[int, str], Row]) -> Iterator[Check]:
    """Figure 3: symmetric and cyclic matchings have no true edge, and only that of two people is both."""
    value = {key: row.mean for key, row in counts.items()}
    ns = sorted({n for n, _ in value if all((n, kind) in value for kind in _KINDS)})
    if ns:
        inside = sum(
            value[n, "symmetric"] + value[n, "cyclic"] - value[n, "symmetric and cyclic"]
            <= value[n, "no true edge"]
            <= value[n, "all"] - value[n, "identity"]
            for n in ns
        )
        both = [n for n in ns if value[n, "symmetric and cyclic"]]
        says = tr(
            "Figure 3: symmetric and cyclic matchings are among those without a true edge at {inside} of"
            " {count} n; one is both at n = {both} alone."
        ).format(inside=inside, count=len(ns), both=", ".join(map(str, both)))
        yield Check(says, inside == len(ns) and both == [n for n in ns if n == 2], must=True)


def _nearer(rows: Sequence[Row]) -> Iterator[Check]:
    """“Many people are near one another” among the visits, compared at every end of a twentieth."""
    visits, homes = (
        np.cumsum([row.mean for row in rows if row.part.table == figure])
        for figure in ("figure 11", "figure 12")
    )
    if len(visits) and len(visits) == len(homes):
        more = visits[:-1] - homes[:-1]
        half, worst = more[: len(visits) // 2], int(more.argmin())
        nearer, in_all = int((half > 0).sum()), int((more > 0).sum())
        says = tr(
            "Figures 11 and 12: more pairs of visits than of households are within a share of their greatest"
            " distance at {nearer} of {count} shares up to a half, at {in_all} of {all} in all; the least"
            " difference is within {share:.2f}, {one:.1f} % and {other:.1f} %. Within a quarter are"
            " {near:.1f} % and {far:.1f} %."
        ).format(
            nearer=nearer,
            count=len(half),
            in_all=in_all,
            all=len(more),
            share=(worst + 1) / len(visits),
            one=100 * visits[worst],
            other=100 * homes[worst],
            near=100 * visits[len(visits) // 4 - 1],
            far=100 * homes[len(homes) // 4 - 1],
        )
        yield Check(says, nearer == len(half))
