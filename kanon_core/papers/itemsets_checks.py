"""What the set-valued paper says about its figures 7 to 11 and tables 2 and 3, tried on rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from kanon_core.base.words import tr
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
    low, high = min(means), max(means)
    rises = all(a <= b for a, b in pairwise(means[k] for k in sorted(means)))
    said = tr(
        "{here}: the larger k, the more items are suppressed, {least:.1f} % at k = {low} to {most:.1f} % at k"
        " = {high}."
    )
    facts = {"least": means[low], "low": low, "most": means[high], "high": high}
    yield Check(said.format(here=part.place, **facts), rises, must=part.comparable)
    if part.table == "figure 9":
        least = min(means.values())
        yield Check(
            tr(
                "{here}: more than half of the items are suppressed at every k (here at least {least:.1f} %)."
            ).format(here=part.place, least=least),
            least > HALF,
            must=part.comparable,
        )


def _by_columns(rows: Sequence[Row]) -> Iterator[Check]:
    means = _means(rows)
    rises = all(a <= b for a, b in pairwise(means[m] for m in sorted(means)))
    few, many = min(means), max(means)
    said = tr(
        "Figure 8: the more quasi-identifiers, the more items are suppressed, from {least:.1f} % with {few}"
        " to {most:.1f} % with {many}."
    )
    yield Check(said.format(least=means[few], few=few, most=means[many], many=many), rises)


def _time_by_k(rows: Sequence[Row]) -> Iterator[Check]:
    means = _means(rows)
    low, high = min(means), max(means)
    share = means[high] / means[low] if means[low] else 1.0
    said = tr(
        "{here}: the larger k, the shorter the time; k = {high} takes {times:.2f} times as long as k = {low}."
    )
    yield Check(said.format(here=rows[0].part.place, high=high, times=share, low=low), share < 1)


def _by_size(rows: Sequence[Row]) -> Iterator[Check]:
    """Table 2: the larger table loses a smaller share. Table 3: it takes longer."""
    means = _means(rows)
    small, large = min(means), max(means)
    if rows[0].part.table == "table 2":
        theirs = [printed("set-valued", "table 2", size, "share") for size in ("10,000", "100,000")]
        said = tr(
            "Table 2: the larger table loses a smaller share of its items: {more:.1f} % of {small:,} records,"
            " {less:.1f} % of {large:,} (paper: {paper} % and {papers} %)."
        )
        facts = {"more": means[small], "less": means[large], "paper": theirs[0], "papers": theirs[1]}
        yield Check(said.format(small=small, large=large, **facts), means[large] < means[small])
        return
    first, second = (
        printed("set-valued", "table 3", size, "seconds") or 0.0 for size in ("10,000", "100,000")
    )
    times = means[large] / means[small] if means[small] else 0.0
    said = tr(
        "Table 3: time grows faster than the records: {more:.3g} times the records take {times:.3g} times as"
        " long (paper: 10 and {paper:.0f})."
    )
    said = said.format(more=large / small, times=times, paper=second / first)
    yield Check(said, times > large / small)
