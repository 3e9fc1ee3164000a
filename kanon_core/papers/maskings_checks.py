"""What follows from the definition of ILD for the methods of the ILD paper's list, and what linkage finds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from kanon_core.base.words import tr
from kanon_core.papers.base import Check, Row

_ROUNDING = 1e-9
_GROWING = ("top and bottom coding", "sampling", "MDAV")
_NEAR = 0.1
"""ILD by which a few samples of hundreds of records may differ from what is expected of large ones."""


def checks(rows: Sequence[Row]) -> list[Check]:
    """The statements about those rows that are there."""
    losses = [row for row in rows if row.part.unit == "ILD"]
    linked = [row for row in rows if row.part.unit == "share"]
    return [*_swapped(losses), *_noisy(losses), *_sampled(losses), *_growing(losses), *_found(linked)]


def _of(rows: Sequence[Row], method: str) -> list[Row]:
    return [row for row in rows if str(row.place["method"]).startswith(method)]


def _swapped(losses: Sequence[Row]) -> Iterator[Check]:
    """A permutation has the same information amount."""
    values = [value for row in _of(losses, "swapping") for value in row.values]
    if values:
        zero = sum(abs(value) <= _ROUNDING for value in values)
        says = tr(
            "Swapping leaves every column its values, so ILD sees no loss: it is 0 in {zero} of {count}"
            " releases, the farthest {most:.1e} away."
        ).format(zero=zero, count=len(values), most=max(map(abs, values)))
        yield Check(says, zero == len(values), must=True)


def _noisy(losses: Sequence[Row]) -> Iterator[Check]:
    """Noise adds to the distances of numbers."""
    values = [value for row in _of(losses, "noise") for value in row.values]
    if steps := _steps(_of(losses, "noise")):
        says = tr(
            "Noise moves records apart, so ILD falls below 0: it does in {below} of {count} releases, from"
            " {least:.2g} % to {most:.2g} %, and is less the stronger the noise in {fewer} of {steps} steps."
        ).format(
            below=sum(value < 0 for value in values),
            count=len(values),
            least=100 * min(values),
            most=100 * max(values),
            fewer=sum(step < 0 for step in steps),
            steps=len(steps),
        )
        yield Check(says, max(steps) < 0)


def _sampled(losses: Sequence[Row]) -> Iterator[Check]:
    """What is left out counts as the mean, so what is lost is about the share that is left out."""
    found = [(row, 1 - int(str(row.place["method"]).split()[1]) / 100) for row in _of(losses, "sampling")]
    if found:
        near = sum(abs(row.mean - share) <= _NEAR for row, share in found)
        away = max(abs(value - share) for row, share in found for value in row.values)
        says = tr(
            "Sampling loses about the share that it leaves out: in the mean within {near:.2f} at {close} of"
            " {count} shares; the farthest release is {most:.3f} away (a category that is left out counts as"
            " the most frequent one)."
        ).format(near=_NEAR, close=near, count=len(found), most=away)
        yield Check(says, near == len(found))


def _growing(losses: Sequence[Row]) -> Iterator[Check]:
    """The more is coded or left out, and the larger the groups, the more is lost, in every sample."""
    for method in _GROWING:
        if steps := _steps(_of(losses, method)):
            says = tr(
                "ILD of {method} grows with its strength in {more} of {count} steps, of which the least"
                " changes it by {least:+.4f}."
            ).format(method=method, more=sum(step > 0 for step in steps), count=len(steps), least=min(steps))
            yield Check(says, min(steps) > 0)


def _steps(rows: Sequence[Row]) -> list[float]:
    """By how much ILD changes from each strength to the next, in each sample."""
    return [
        after - before
        for one, other in pairwise(rows)
        for before, after in zip(one.values, other.values, strict=True)
    ]


def _found(linked: Sequence[Row]) -> Iterator[Check]:
    """Microaggregation keeps its 1 / k in every sample; which of the others do by chance."""
    for part in dict.fromkeys(row.part for row in linked):
        mine = [row for row in linked if row.part == part]
        grouped = [
            (v, 1 / int(str(row.place["method"]).split()[-1]))
            for row in _of(mine, "MDAV")
            for v in row.values
        ]
        others = [row for row in mine if not str(row.place["method"]).startswith("MDAV")]
        if grouped and others:
            kept = sum(value <= share + _ROUNDING for value, share in grouped)
            more = [row for row in others if max(row.values) > 1 / 5]
            worst = max(others, key=lambda row: max(row.values))
            says = tr(
                "{what}: of MDAV at most 1 in k, in {kept} of {count} releases; of the methods without a"
                " promise more than 1 in 5 by {more} of {all}, up to {most:.0f} % by {worst}."
            ).format(
                what=part.title,
                kept=kept,
                count=len(grouped),
                more=len(more),
                all=len(others),
                most=100 * max(worst.values),
                worst=worst.place["method"],
            )
            yield Check(says, kept == len(grouped), must=True)
