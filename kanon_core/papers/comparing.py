"""Losses of MIL's starts beside those after it, and printed numbers beside the range of other samples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kanon_core.base.words import tr
from kanon_core.papers.base import Check, Row
from kanon_core.papers.mil_runs import ROUNDING
from kanon_core.papers.points import Point, times_text, tried

_HALF = 0.5


def pairs(losses: Sequence[Row]) -> Iterator[tuple[Row, Row]]:
    """Each row of a start beside that of MIL after it."""
    known = {(row.part, row.place["k"], row.place["method"]): row for row in losses}
    for (part, k, method), before in known.items():
        after = known.get((part, k, f"{method} + MIL"))
        if after is not None:
            yield before, after


def unraised(losses: Sequence[Row]) -> Iterator[Check]:
    """MIL never raises the loss, neither ours nor that of the paper."""
    found = list(pairs(losses))
    ours = [
        Point(row_text(after), y / x - 1 - ROUNDING if x else y)
        for before, after in found
        for x, y in zip(before.values, after.values, strict=True)
    ]
    theirs = [Point(row_text(after), y / x - 1) for _, after, x, y in _printed(found)]
    if ours:
        yield tried(tr("MIL never raises the loss."), ours, times_text, tr("runs"), must=True)
    if theirs:
        says = tr("As the paper prints it, MIL never raises the loss.")
        yield tried(says, theirs, times_text, tr("pairs of numbers"))


def unchanged_multiples(losses: Sequence[Row]) -> Iterator[Check]:
    """Where k divides the number of records, every group of MDAV has k of them, and MIL can do nothing."""
    found = [
        (before, after)
        for before, after in pairs(losses)
        if before.place["method"] == "MDAV" and before.part.size % int(before.place["k"]) == 0
    ]
    ours = [
        Point(row_text(after), max(abs(x - y) for x, y in zip(before.values, after.values, strict=True)))
        for before, after in found
    ]
    theirs = [Point(row_text(after), abs(x - y)) for _, after, x, y in _printed(found)]
    if ours:
        says = tr("Where k divides N, MIL leaves MDAV's groups as they are.")
        yield tried(says, ours, "{:.2g}".format, tr("such k"), must=True)
    if theirs:
        says = tr("As the paper prints it, MIL leaves MDAV's loss unchanged where k divides N.")
        yield tried(says, theirs, "{:.2g}".format, tr("pairs of numbers"))


def _printed(found: Sequence[tuple[Row, Row]]) -> Iterator[tuple[Row, Row, float, float]]:
    """Those pairs of rows that the paper prints both numbers of, with these."""
    for before, after in found:
        if before.printed and after.printed:
            yield before, after, before.printed, after.printed


def row_text(row: Row) -> str:
    """Where a loss stands: its table, k and method."""
    return f"{row.part.table}, k = {row.place['k']}, {row.place['method']}"


def ranges(where: str, rows: Sequence[Row]) -> Iterator[Check]:
    """How many printed numbers lie in the range of our samples, beside how many would if the paper's were one
    more of them; with one sample there is no range."""
    mine = [row for row in rows if row.printed is not None and len(row.values) > 1]
    if not mine:
        return
    samples = len(mine[0].values)
    expected = len(mine) * (samples - 1) / (samples + 1)
    beyond = [_beyond(row) for row in mine]
    inside, worst = beyond.count(0.0), max(range(len(mine)), key=beyond.__getitem__)
    says = tr(
        "{where}: {inside} of {count} printed numbers lie in the range of our {samples} samples"
        " ({expected:.0f} would, on average, if the paper's were one more of them)."
    )
    if inside < len(mine):
        says = tr(
            "{where}: {inside} of {count} printed numbers lie in the range of our {samples} samples"
            " ({expected:.0f} would, on average, if the paper's were one more of them); the farthest,"
            " {place}, is {gap:.0f} % beyond its nearest end."
        )
    place = ", ".join(f"{name} = {value}" for name, value in mine[worst].place.items())
    yield Check(
        says.format(
            where=where,
            inside=inside,
            count=len(mine),
            samples=samples,
            expected=expected,
            place=place,
            gap=100 * beyond[worst],
        ),
        inside >= _HALF * len(mine),
    )


def _beyond(row: Row) -> float:
    """By which share of the nearer end of our range the printed number is beyond it; 0 inside."""
    low, high, printed = min(row.values), max(row.values), row.printed or 0.0
    if printed < low:
        return 1 - printed / low
    return printed / high - 1 if printed > high else 0.0
