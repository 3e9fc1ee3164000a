"""What the MIL paper says of its figures, tried on every row that is there."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from kanon_core.base.words import counted, tr
from kanon_core.papers.base import Check, Row
from kanon_core.papers.comparing import pairs, ranges, unchanged_multiples, unraised
from kanon_core.papers.thesis_checks import judged

_KOLMOGOROV = 1.358
"""A sample of n stays within this / √n of its distribution 95 times in 100."""
_MOST = 0.8
"""The share of samples that must be so near, of a few of which more than 5 in 100 may be farther."""
_WHOLE = 0.001
"""By how much a density over four deviations on both sides may miss 1."""
_HALF = 0.5


def checks(rows: Sequence[Row]) -> list[Check]:
    """The statements about those rows that are there."""
    losses = [row for row in rows if row.part.unit == "SSE / SST"]
    found = [*unraised(losses), *unchanged_multiples(losses)]
    for figure in dict.fromkeys(row.part.table for row in losses):
        mine = [(one, other) for one, other in pairs(losses) if one.part.table == figure]
        found += [*_remainders(figure, mine), *_small(figure, mine)]
    found += [*_densities(rows), *ranges("§4.3", [row for row in rows if row.part.table == "text 4.3"])]
    return found + [*_most_judged([row for row in rows if row.part.table == "text 4.4"])]


def _remainders(figure: str, found: Sequence[tuple[Row, Row]]) -> Iterator[Check]:
    """“Where the remainder of N by k is large, MIL improves much”, at all k."""
    large, small = _halved(found, lambda k, size: 2 * (size % k) >= k)
    says = tr(
        "{figure}: MIL lowers the loss more where N mod k is large: by {more:.1f} % in the mean at {most} k"
        " with N mod k ≥ k / 2, by {less:.1f} % at {least} others."
    )
    yield from _more(says, figure, large, small)


def _small(figure: str, found: Sequence[tuple[Row, Row]]) -> Iterator[Check]:
    """“Where k is small, MIL improves little”, at all k."""
    small, large = _halved(found, lambda k, size: 4 * k <= size)
    says = tr(
        "{figure}: MIL lowers the loss less where k is small: by {less:.1f} % in the mean at {least} k up to"
        " N / 4, by {more:.1f} % at {most} above."
    )
    yield from _more(says, figure, large, small)


def _more(says: str, figure: str, larger: Sequence[float], smaller: Sequence[float]) -> Iterator[Check]:
    """That the mean of the first is above that of the second, where there are both."""
    if larger and smaller:
        more, less = sum(larger) / len(larger), sum(smaller) / len(smaller)
        said = says.format(
            figure=f"F{figure[1:]}", more=more, most=len(larger), less=less, least=len(smaller)
        )
        yield Check(said, more > less)


def _halved(
    found: Sequence[tuple[Row, Row]], first: Callable[[int, int], bool]
) -> tuple[list[float], list[float]]:
    """By how many percent MIL lowers the mean loss at each k, for those k that are meant and the others."""
    yes, no = list[float](), list[float]()
    for one, other in found:
        lowered = 100 * (1 - other.mean / one.mean) if one.mean else 0.0
        (yes if first(int(one.place["k"]), one.part.size) else no).append(lowered)
    return yes, no


def _densities(rows: Sequence[Row]) -> Iterator[Check]:
    """The area below a density is 1, and our samples are as near to it as samples are; once both are made."""
    for part in dict.fromkeys(row.part for row in rows if row.part.unit == "f(x)"):
        apart = [row for row in rows if row.part.table == part.table and "of" in row.place]
        if apart:
            yield _density([row for row in rows if row.part == part], apart[0])


def _density(curve: Sequence[Row], apart: Row) -> Check:
    at, heights = [float(row.place["x"]) for row in curve], [row.mean for row in curve]
    area = float(np.trapezoid(heights, at))
    limit = _KOLMOGOROV / math.sqrt(apart.part.size)
    near = sum(value <= limit for value in apart.values)
    says = tr(
        "{figure}: the area below the {points} is {area:.4f}; {near} of {samples} samples are within"
        " {limit:.3f} of the formula, as 95 in 100 are, the farthest {most:.3f} away."
    ).format(
        figure=f"F{apart.part.table[1:]}",
        points=counted(len(curve), "point"),
        area=area,
        near=near,
        samples=len(apart.values),
        limit=limit,
        most=max(apart.values),
    )
    return Check(says, abs(area - 1) < _WHOLE and near >= _MOST * len(apart.values))


def _most_judged(rows: Sequence[Row]) -> Iterator[Check]:
    """The most judgements in three samples, beside the paper's."""
    if rows:
        says = tr(
            "§4.4: at most judgements in three samples, within a half of the paper's (the ILD paper's table"
            " A.8 has other samples: 191 and 208 where this has 144 and 185)."
        )
        yield judged(says, rows, _HALF)
