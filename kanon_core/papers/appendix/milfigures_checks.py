"""What the MIL paper says of its figures, tried on every row that is there."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from kanon_core.base.words import tr
from kanon_core.papers.appendix.comparing import pairs, ranges, unchanged_multiples, unraised
from kanon_core.papers.base import Check, Row

_KOLMOGOROV = 1.358
"""A sample of n stays within this / √n of its distribution 95 times in 100."""
_WHOLE = 0.001
"""By how much a density over four deviations on both sides may miss 1."""


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
    if large and small:
        says = tr(
            "{figure}: MIL lowers the loss more where N mod k is large: by {large:.1f} % in the mean at"
            " {many} k with N mod k ≥ k / 2, by {small:.1f} % at {few} others."
        )
        high, low = _mean(large), _mean(small)
        said = says.format(figure=f"F{figure[1:]}", large=high, small=low, many=len(large), few=len(small))
        yield Check(said, high > low)


def _small(figure: str, found: Sequence[tuple[Row, Row]]) -> Iterator[Check]:
    """“Where k is small, MIL improves little”, at all k."""
    small, large = _halved(found, lambda k, size: 4 * k <= size)
    if large and small:
        says = tr(
            "{figure}: MIL lowers the loss less where k is small: by {small:.1f} % in the mean at {few} k up"
            " to N / 4, by {large:.1f} % at {many} above."
        )
        low, high = _mean(small), _mean(large)
        said = says.format(figure=f"F{figure[1:]}", large=high, small=low, many=len(large), few=len(small))
        yield Check(said, low < high)


def _halved(
    found: Sequence[tuple[Row, Row]], first: Callable[[int, int], bool]
) -> tuple[list[float], list[float]]:
    """By how many percent MIL lowers the mean loss at each k, for those k that are meant and the others."""
    yes, no = list[float](), list[float]()
    for one, other in found:
        lowered = 100 * (1 - other.mean / one.mean) if one.mean else 0.0
        (yes if first(int(one.place["k"]), one.part.size) else no).append(lowered)
    return yes, no


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _densities(rows: Sequence[Row]) -> Iterator[Check]:
    """The area below a density is 1, and our samples are as near to it as samples are."""
    for part in dict.fromkeys(row.part for row in rows if row.part.unit == "f(x)"):
        mine = [row for row in rows if row.part == part]
        at = [float(row.place["x"]) for row in mine]
        if len(mine) > 1:
            area = (
                (at[-1] - at[0])
                / (len(at) - 1)
                * (sum(row.mean for row in mine) - (mine[0].mean + mine[-1].mean) / 2)
            )
            apart = [
                v for row in rows if row.part.table == part.table and row.place.get("of") for v in row.values
            ]
            size = next((row.part.size for row in rows if row.part.table == part.table and row.part.size), 1)
            limit = _KOLMOGOROV / math.sqrt(size)
            near = sum(value <= limit for value in apart)
            says = tr(
                "{figure}: the area below the {points} points is {area:.4f}; {near} of {samples} samples are"
                " within {limit:.3f} of the formula, as 95 in 100 are, the farthest {most:.3f} away."
            )
            said = says.format(
                figure=f"F{part.table[1:]}",
                points=len(mine),
                area=area,
                near=near,
                samples=len(apart),
                limit=limit,
                most=max(apart, default=0.0),
            )
            yield Check(said, abs(area - 1) < _WHOLE and near >= 0.8 * len(apart))


def _most_judged(rows: Sequence[Row]) -> Iterator[Check]:
    """The most judgements in three samples, beside the paper's."""
    if rows:
        away = [100 * abs((row.ratio or 0.0) - 1) for row in rows]
        worst = max(range(len(rows)), key=away.__getitem__)
        close = sum(gap <= 50 for gap in away)
        says = tr(
            "§4.4: at most judgements in three samples, {close} of {count} within a half of the paper's; the"
            " farthest is {gap:.0f} % away, {records:,} records (the ILD paper's table A.8 has other samples:"
            " 191 and 208 where this has 144 and 185)."
        )
        yield Check(
            says.format(close=close, count=len(rows), gap=away[worst], **rows[worst].place),
            close == len(rows),
        )
