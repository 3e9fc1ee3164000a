"""What the set-valued paper says about its figures 7 to 11 and tables 2 and 3, tried on rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from kanon_core.papers.base import Check, Row
from kanon_core.papers.printed import printed

HALF = 50.0


def checks(rows: Sequence[Row]) -> list[Check]:
    """The statements about those rows that are there, part by part."""
    found: list[Check] = []
    for part in dict.fromkeys(row.part for row in rows):
        mine = [row for row in rows if row.part == part]
        if len(mine) < 2:
            continue
        if part.table in ("figure 7", "figure 9"):
            found += _by_k(mine)
        elif part.table == "figure 8":
            found += _by_columns(mine)
        elif part.table in ("figure 10", "figure 11"):
            found += _time_by_k(mine)
        elif part.unit != "items":
            found += _by_size(mine)
    return found


def _means(rows: Sequence[Row]) -> Mapping[int, float]:
    """The mean by the first number of the row's place, ascending."""
    return {int(next(iter(row.place.values()))): row.mean for row in rows}


def _by_k(rows: Sequence[Row]) -> Iterator[Check]:
    """More items are suppressed the larger k is; of the baskets more than half."""
    part, means = rows[0].part, _means(rows)
    here = part.table.capitalize()
    low, high = min(means), max(means)
    rises = all(a <= b for a, b in pairwise(means[k] for k in sorted(means)))
    says = (
        f"the larger k, the more items are suppressed, {means[low]:.1f} % at k = {low} to {means[high]:.1f} %"
        f" at k = {high}"
    )
    yield Check(f"{here}: {says}.", rises, must=part.comparable)
    if part.table == "figure 9":
        least = min(means.values())
        yield Check(
            f"{here}: more than half of the items are suppressed at every k (here at least {least:.1f} %).",
            least > HALF,
            must=part.comparable,
        )


def _by_columns(rows: Sequence[Row]) -> Iterator[Check]:
    means = _means(rows)
    rises = all(a <= b for a, b in pairwise(means[m] for m in sorted(means)))
    says = f"from {means[min(means)]:.1f} % with {min(means)} to {means[max(means)]:.1f} % with {max(means)}"
    yield Check(f"Figure 8: the more quasi-identifiers, the more items are suppressed, {says}.", rises)


def _time_by_k(rows: Sequence[Row]) -> Iterator[Check]:
    means = _means(rows)
    low, high = min(means), max(means)
    share = means[high] / means[low] if means[low] else 1.0
    says = f"k = {high} takes {share:.2f} times as long as k = {low}"
    yield Check(f"{rows[0].part.table.capitalize()}: the larger k, the shorter the time; {says}.", share < 1)


def _by_size(rows: Sequence[Row]) -> Iterator[Check]:
    """Table 2: the larger table loses a smaller share. Table 3: it takes longer."""
    means = _means(rows)
    small, large = min(means), max(means)
    if rows[0].part.table == "table 2":
        theirs = [printed("set-valued", "table 2", size, "share") for size in ("10,000", "100,000")]
        says = (
            f"{means[small]:.1f} % of {small:,} records, {means[large]:.1f} % of {large:,} (paper:"
            f" {theirs[0]} % and {theirs[1]} %)"
        )
        yield Check(
            f"Table 2: the larger table loses a smaller share of its items: {says}.",
            means[large] < means[small],
        )
        return
    first, second = (
        printed("set-valued", "table 3", size, "seconds") or 0.0 for size in ("10,000", "100,000")
    )
    times = means[large] / means[small] if means[small] else 0.0
    says = f"{large / small:.3g} times the records take {times:.3g} times as long"
    yield Check(
        f"Table 3: time grows faster than the records: {says} (paper: 10 and {second / first:.0f}).",
        times > large / small,
    )
