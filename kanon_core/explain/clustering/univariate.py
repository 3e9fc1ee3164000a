"""Optimal microaggregation of one number, told: the least loss of the first j records, and the way back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from kanon_core.algorithms.clustering.univariate import OptimalUnivariate
from kanon_core.base.words import tr, tr_n
from kanon_core.charts.steps.online import OnLine
from kanon_core.charts.steps.online import Run as Shown
from kanon_core.explain.clustering.number import OneNumber
from kanon_core.explain.narration import Narration
from kanon_core.explain.pictures import MOST, together
from kanon_core.explain.run import Logged
from kanon_core.explain.step import Step

_SHOWN = 5
"""Last groups that a step compares at most: the best, and the next best."""


class OptimalUnivariateSteps(Narration):
    """The order, the best last group for each number of records, then the groups, from the last back."""

    algorithm: ClassVar[type[OptimalUnivariate]] = OptimalUnivariate
    events: ClassVar[frozenset[str]] = frozenset({"path", "group"})

    def lines(self) -> tuple[str, ...]:
        """The algorithm in lines."""
        return (
            tr("Sort the records. Some best partition cuts them into runs of k to 2k − 1 records."),
            tr(
                "F(j), the least SSE of the first j records, is the least of F(j − s) + SSE of the last s of"
                " them, over all sizes s of the last group."
            ),
            tr(
                "From the end, take the best last group, then the best one of the records before it, and so"
                " on."
            ),
        )

    def steps(self, run: Logged) -> Iterator[Step]:
        """The steps of a run."""
        path = next(what for event, what in run.events if event == "path")
        line = _Path(run, OneNumber.of(run.table), path["order"], path["sizes"], path["losses"])
        nothing = np.full(len(line.order), -1)
        yield line.begun(nothing)
        ends = np.flatnonzero(line.sizes).tolist()
        for part in together(len(ends), MOST):
            yield line.found(nothing, ends[part.start : part.stop])
        yield from line.back()


class _Choice(NamedTuple):
    """A last group of ``size`` records after the first ``before``: their F, and its SSE."""

    size: int
    before: float
    own: float


@dataclass(frozen=True, eq=False)
class _Path:
    """The shortest path, as it was logged: the order, the best sizes and the losses to each end."""

    run: Logged
    number: OneNumber
    order: np.ndarray
    sizes: np.ndarray
    losses: np.ndarray

    def loss(self, end: int) -> float:
        """F(end) in squared units of the column."""
        return float(self.losses[end]) / self.number.square

    def choices(self, end: int) -> list[_Choice]:
        """The last groups there are for the first ``end`` records; the best first, then by their sums."""
        k = self.run.k
        found = [
            _Choice(size, self.loss(end - size), self.number.sse(self.order[end - size : end]))
            for size in range(k, min(2 * k - 1, end) + 1)
            if np.isfinite(self.losses[end - size])
        ]
        return sorted(found, key=lambda one: (one.size != self.sizes[end], one.before + one.own))

    def scene(self, groups: np.ndarray, runs: Sequence[Shown] = (), end: int = 0) -> OnLine:
        """The line with what could be groups below it, and a line after the first ``end`` records."""
        inside = 0 < end < len(self.order)
        boundary = (int(self.order[end - 1]), int(self.order[end])) if inside else None
        return OnLine(self.run.table, self.number.name, groups, boundary=boundary, runs=runs)

    def begun(self, groups: np.ndarray) -> Step:
        """The order."""
        sentence = tr(
            "The {count} records are sorted by “{name}”, from record {first} at {low} to record {last} at"
            " {high}. Groups are runs of {k} to {most} of them."
        ).format(
            count=len(self.order),
            name=self.number.name,
            first=self.run.number(self.order[0]),
            low=self.number.texts[self.order[0]],
            last=self.run.number(self.order[-1]),
            high=self.number.texts[self.order[-1]],
            k=self.run.k,
            most=2 * self.run.k - 1,
        )
        return Step(sentence, 0, groups, self.scene(groups))

    def found(self, groups: np.ndarray, ends: list[int]) -> Step:
        """The best last group for the last of these ends; the others are found likewise."""
        end = ends[-1]
        choices = self.choices(end)
        shown = choices[:_SHOWN]
        costs = "; ".join(self._cost(end, choice) for choice in shown)
        sentence = tr("F({end}), the first {end} records: {costs}.").format(end=end, costs=costs)
        if len(choices) > len(shown):
            sentence += " " + tr("The {count} other sizes cost no less.").format(
                count=len(choices) - len(shown)
            )
        sentence += " " + (
            tr("The least is {least}, by a last group of {size}.")
            if len(choices) > 1
            else tr("There is no other way: {least}.")
        ).format(least=self.number.squared(self.loss(end)), size=self.sizes[end])
        if len(ends) > 1:
            sentence += " " + tr("F({first}) to F({last}) were found likewise.").format(
                first=ends[0], last=ends[-2]
            )
        runs = [
            Shown(self._cost(end, one), self.order[end - one.size : end], place == 0)
            for place, one in enumerate(shown)
        ]
        return Step(sentence, 1, groups, self.scene(groups, runs, end))

    def _cost(self, end: int, choice: _Choice) -> str:
        before, own, whole = (
            self.number.squared(value) for value in (choice.before, choice.own, choice.before + choice.own)
        )
        return tr("last {size}: F({rest}) + SSE = {before} + {own} = {whole}").format(
            size=choice.size, rest=end - choice.size, before=before, own=own, whole=whole
        )

    def back(self) -> Iterator[Step]:
        """The groups, from the last one back."""
        ends = [len(self.order)]
        while ends[-1] > 0:
            ends.append(ends[-1] - int(self.sizes[ends[-1]]))
        count = len(ends) - 1
        groups = np.full(len(self.order), -1)
        for part in together(count, MOST - 10):
            for place in part:
                groups[self.order[ends[place + 1] : ends[place]]] = count - 1 - place
            members = self.order[ends[part.stop] : ends[part.start]]
            yield self._taken(groups.copy(), members, ends[part.start], len(part))
        sentence = tr_n(
            "The {count} group has SSE {loss}. No partition into groups of {k} records or more has less.",
            "The {count} groups have SSE {loss} together. No partition into groups of {k} records or more has"
            " less.",
            count,
        ).format(count=count, loss=self.number.squared(self.loss(len(self.order))), k=self.run.k)
        yield Step(sentence, 2, groups, self.scene(groups))

    def _taken(self, groups: np.ndarray, members: np.ndarray, end: int, count: int) -> Step:
        names: dict[str, object] = {"end": end, "size": len(members), "rest": end - len(members)}
        names |= {"count": count, "numbers": self.run.numbers(members)}
        names["own"] = self.number.squared(self.number.sse(members))
        if count > 1:
            sentence = tr(
                "The best last groups, {count} of them back from record {end} of the order, are taken:"
                " {rest} records are left."
            )
        elif end > len(members):
            sentence = tr(
                "Of the first {end} records the best last group has {size}: {numbers}, with SSE {own}."
                " {rest} records are left."
            )
        else:
            sentence = tr("The {end} records left are one group: {numbers}, with SSE {own}.")
        return Step(sentence.format(**names), 2, groups, self.scene(groups))
