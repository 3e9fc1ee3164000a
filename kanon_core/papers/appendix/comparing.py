"""Losses of MIL's starts beside those after it, and printed numbers beside the range of other samples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kanon_core.base.words import tr
from kanon_core.papers.base import Check, Row

_ROUNDING = 1e-12
_HALF = 0.5


def pairs(losses: Sequence[Row]) -> Iterator[tuple[Row, Row]]:
    """Each row of a start beside that of MIL after it."""
    known = {(row.part, row.place["k"], row.place["method"]): row for row in losses}
    for (part, k, method), before in known.items():
        after = known.get((part, k, f"{method} + MIL"))
        if after is not None:
            yield before, after


def unraised(losses: Sequence[Row]) -> Iterator[Check]:
    """MIL never raises the loss, neither ours nor as it is printed."""
    found = list(pairs(losses))
    if not found:
        return
    ours = [(b, a) for one, other in found for b, a in zip(one.values, other.values, strict=True)]
    least = sum(after <= before * (1 + _ROUNDING) for before, after in ours)
    theirs = [(one.printed, other.printed) for one, other in found if one.printed and other.printed]
    held = sum(after <= before for before, after in theirs)
    says = tr("MIL never raises the loss: in {least:,} of {runs:,} runs it does not.")
    if theirs:
        says = tr(
            "MIL never raises the loss: in {least:,} of {runs:,} runs it does not, and in {held} of {count}"
            " pairs of printed numbers."
        )
    says = says.format(least=least, runs=len(ours), held=held, count=len(theirs))
    yield Check(says, least == len(ours) and held == len(theirs), must=True)


def unchanged_multiples(losses: Sequence[Row]) -> Iterator[Check]:
    """Where k divides the number of records, every group of MDAV has k of them, and MIL can do nothing."""
    found = [
        (one, other)
        for one, other in pairs(losses)
        if one.place["method"] == "MDAV" and one.part.size % int(one.place["k"]) == 0
    ]
    if not found:
        return
    same = sum(one.values == other.values for one, other in found)
    printed = [one.printed == other.printed for one, other in found if one.printed]
    says = tr("Where k divides N, MIL leaves MDAV's groups as they are: at {same} of {count} such k.")
    if printed:
        says = tr(
            "Where k divides N, MIL leaves MDAV's groups as they are: at {same} of {count} such k, and at"
            " {held} of {of} as it is printed."
        )
    says = says.format(same=same, count=len(found), held=sum(printed), of=len(printed))
    yield Check(says, same == len(found) and all(printed), must=True)


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
