"""What can be said of the ILD paper's tables 3.1, 3.2, A.2 to A.4 and A.9, tried on every row that is
there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kanon_core.base.words import counted, later, tr
from kanon_core.papers.base import Check, Row
from kanon_core.papers.comparing import ranges, unchanged_multiples, unraised
from kanon_core.papers.points import Point, times_text, tried

JUDGED = {
    "mean": later("Table A.9: judgements of MIL over all distributions and k = 2 … 50, in the mean"),
    "at most": later("Table A.9: judgements of MIL over all distributions and k = 2 … 50, at most"),
}
"""The titles of the two parts of table A.9."""

_CUT = 1e-5
"""One of the last digit that tables 3.1 and 3.2 print, where two numbers are cut off."""
_CLOSE = {"mean": 0.15, "at most": 0.4}
"""The share of the paper's number within which judgements of other samples agree."""


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
    if rows:
        says = tr(
            "Tables 3.1 and 3.2: our numbers are those printed, to the last digit (of 0.142857 and 0.0123457"
            " the paper cuts it off)."
        )
        points = [
            Point(", ".join((row.part.table, *map(str, row.place.values()))), _gap(row) - _CUT)
            for row in rows
        ]
        yield tried(says, points, "{:.1e}".format, tr("numbers"), must=True)


def _gap(row: Row) -> float:
    return abs(row.mean - (row.printed or 0.0))


def _judgements(rows: Sequence[Row]) -> Iterator[Check]:
    """Means and maxima over all distributions, within a share of the paper's."""
    for which, near in _CLOSE.items():
        mine = [row for row in rows if row.part.called == tr(JUDGED[which])]
        if mine:
            says = tr("{title}: within {near:.0f} % of the paper's.")
            yield judged(says.format(title=mine[0].part.title, near=100 * near), mine, near)


def judged(says: str, rows: Sequence[Row], near: float) -> Check:
    """Whether every number of judgements is the paper's, a share of it more or less."""
    points = [
        Point(
            tr("{place}, {ratio:.2f} times as many").format(place=_place(row), ratio=row.ratio or 0.0),
            abs((row.ratio or 0.0) - 1) - near,
        )
        for row in rows
    ]
    return tried(says, points, times_text, tr("numbers"))


def _place(row: Row) -> str:
    records = counted(int(row.place["records"]), "record")
    return ", ".join(filter(None, (str(row.place.get("start", "")), records)))
