"""What can be said of the ILD paper's tables 3.1, 3.2, A.2 to A.4 and A.9, tried on every row that is
there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kanon_core.base.words import tr
from kanon_core.papers.appendix.comparing import ranges, unchanged_multiples, unraised
from kanon_core.papers.base import Check, Row

_CUT = 1e-5
"""One of the last digit that tables 3.1 and 3.2 print, where two numbers are cut off."""
_CLOSE = {"mean": 15.0, "most": 40.0}
"""Percent within which judgements of other samples agree."""


def checks(rows: Sequence[Row]) -> list[Check]:
    """The statements about those rows that are there."""
    losses = [row for row in rows if row.part.unit == "SSE / SST"]
    found = [*_prefectures([row for row in rows if row.part.table in ("table 3.1", "table 3.2")])]
    found += [*unraised(losses), *unchanged_multiples(losses)]
    for table in dict.fromkeys(row.part.table for row in losses):
        found += ranges(f"T{table[1:]}", [row for row in losses if row.part.table == table])
    return found + [*_judgements([row for row in rows if row.part.table == "table A.9"])]


def _prefectures(rows: Sequence[Row]) -> Iterator[Check]:
    """No chance: every number must agree."""
    if not rows:
        return
    gaps = [abs(row.mean - (row.printed or 0.0)) for row in rows]
    same = sum(gap < _CUT for gap in gaps)
    yield Check(
        tr(
            "Tables 3.1 and 3.2: {same} of {count} numbers agree to the last digit printed, the farthest is"
            " {gap:.1e} away (of 0.142857 and 0.0123457 the paper cuts the last digit off)."
        ).format(same=same, count=len(rows), gap=max(gaps)),
        same == len(rows),
        must=True,
    )


def _judgements(rows: Sequence[Row]) -> Iterator[Check]:
    """Means and maxima over all distributions, within a share of the paper's."""
    for part in dict.fromkeys(row.part for row in rows):
        mine = [row for row in rows if row.part == part]
        which = "mean" if part.title.endswith(tr("in the mean")) else "most"
        away = [100 * abs((row.ratio or 0.0) - 1) for row in mine]
        worst = max(range(len(mine)), key=away.__getitem__)
        close = sum(gap <= _CLOSE[which] for gap in away)
        said = tr(
            "Table A.9: in the mean, {close} of {count} numbers are within {limit:.0f} % of the paper's; the"
            " farthest is {gap:.0f} % away, {start} of {records:,} records."
        )
        if which == "most":
            said = tr(
                "Table A.9: at most, {close} of {count} numbers are within {limit:.0f} % of the paper's; the"
                " farthest is {gap:.0f} % away, {start} of {records:,} records."
            )
        said = said.format(
            close=close, count=len(mine), limit=_CLOSE[which], gap=away[worst], **mine[worst].place
        )
        yield Check(said, close == len(mine))
