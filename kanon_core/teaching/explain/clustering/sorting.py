"""Narrations of sorting and of optimal microaggregation of one number: the order, and its cuts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from kanon_core.algorithms.clustering.sorting import Sorting
from kanon_core.algorithms.clustering.univariate import OptimalUnivariate
from kanon_core.base.words import later, tr, tr_n
from kanon_core.charts.canvas.theme import listed
from kanon_core.charts.steps.online import OnLine
from kanon_core.charts.steps.online import Run as Shown
from kanon_core.charts.steps.onplane import Mark
from kanon_core.teaching.explain.distances import OneNumber
from kanon_core.teaching.explain.narration import Logged, Narration, Step
from kanon_core.teaching.explain.pictures import MOST, picture, together
from kanon_core.teaching.explain.wording import value_of

_SHOWN = 5
"""The most last groups that a step compares, from the best."""


class SortingSteps(Narration):
    """The order, then a step for each group."""

    algorithm: ClassVar[type[Sorting]] = Sorting
    events: ClassVar[frozenset[str]] = frozenset({"order", "group"})
    said: ClassVar[tuple[str, ...]] = (
        later("Sort the records by the columns, the most important first."),
        later("The next k records in this order become a group. Repeat while at least 2k records are left."),
        later("The records left at the end become the last group."),
    )

    def steps(self, run: Logged) -> Iterator[Step]:
        """Yield the steps of a run."""
        by = [name for what in run.of("order") for name in what["by"]]
        order = run.of("order")[0]["order"]
        place = np.argsort(order)
        made = sorted((place[what["members"]] for what in run.of("group")), key=min)
        groups = np.full(len(order), -1)
        yield _sorted(run, groups.copy(), by, order)
        for part in together(len(made)):
            for number in part:
                groups[order[made[number]]] = number
            ranks = np.sort(np.concatenate(made[part.start : part.stop]))
            last = part.stop == len(made)
            yield _cut(run, groups.copy(), by[0], order[ranks], len(part), int(ranks[0]), last)


def _sorted(run: Logged, groups: np.ndarray, by: list[str], order: np.ndarray) -> Step:
    columns = listed([tr("“{name}”").format(name=name) for name in by])
    sentence = tr("The {count} records are sorted by {columns}.").format(count=len(order), columns=columns)
    if len(by) > 1:
        sentence = tr(
            "The {count} records are sorted by {columns}; records with equal values in one column are"
            " sorted by the next."
        ).format(count=len(order), columns=columns)
    first, last = int(order[0]), int(order[-1])
    sentence += " " + tr("The first is record {first}, the last is record {last}.").format(
        first=run.number(first), last=run.number(last)
    )
    marks = [Mark(tr("first"), np.array([first])), Mark(tr("last"), np.array([last]))]
    links = np.column_stack([order[:-1], order[1:]]) if len(order) <= 50 else None
    return Step(sentence, 0, groups, picture(run.table, groups, marks, links=links))


def _cut(
    run: Logged, groups: np.ndarray, name: str, members: np.ndarray, count: int, begin: int, last: bool
) -> Step:
    """Return the step of groups of consecutive records, ``members`` in their order; the last takes the
    rest."""
    names: dict[str, object] = {"begin": begin + 1, "end": begin + len(members), "count": count, "k": run.k}
    low, high = (value_of(run.table, name, int(record)) for record in (members[0], members[-1]))
    spread = tr("“{name}” from {low} to {high}") if low != high else tr("“{name}” {low} throughout")
    names["spread"] = spread.format(name=name, low=low, high=high)
    names["numbers"] = run.numbers(members)
    if count > 1:
        sentence = tr("Places {begin} to {end} of the order, {spread}, become {count} groups of {k} records.")
        if last:
            sentence = tr(
                "Places {begin} to {end} of the order, {spread}, become the last {count} groups, each of"
                " {k} records; the last one also takes the rest."
            )
    elif last:
        sentence = tr("Places {begin} to {end}, {spread}, are left and become the last group: {numbers}.")
    else:
        sentence = tr("Places {begin} to {end} of the order, {spread}, become a group: {numbers}.")
    marks = [Mark(tr("first of the group"), members[:1]), Mark(tr("last of the group"), members[-1:])]
    links = np.column_stack([members[:-1], members[1:]])
    scene = picture(run.table, groups, marks if count == 1 else (), links=links)
    return Step(sentence.format(**names), 2 if last and count == 1 else 1, groups, scene)


class OptimalUnivariateSteps(Narration):
    """The order, the best last group for each number of records, then the groups, from the last back."""

    algorithm: ClassVar[type[OptimalUnivariate]] = OptimalUnivariate
    events: ClassVar[frozenset[str]] = frozenset({"path", "group"})
    said: ClassVar[tuple[str, ...]] = (
        later(
            "Sort the records. There is an optimal partition into runs of k to 2k − 1 consecutive records."
        ),
        later(
            "F(j), the smallest SSE of the first j records, is the minimum of F(j − s) + SSE of the last s"
            " of them, over all sizes s of the last group."
        ),
        later(
            "From the end, take the best last group, then the best last group of the records before it, and"
            " so on."
        ),
    )

    def steps(self, run: Logged) -> Iterator[Step]:
        """Yield the steps of a run."""
        path = run.of("path")[0]
        line = _Path(run, OneNumber.of(run.table), path["order"], path["sizes"], path["losses"])
        nothing = np.full(len(line.order), -1)
        yield line.begun(nothing)
        ends = np.flatnonzero(line.sizes).tolist()
        for part in together(len(ends), MOST):
            yield line.found(nothing, ends[part.start : part.stop])
        yield from line.back()


class _Choice(NamedTuple):
    """A last group of ``size`` records: F of the records ``before`` it, and its own SSE."""

    size: int
    before: float
    own: float


@dataclass(frozen=True, eq=False)
class _Path:
    """The shortest path as logged: the order, the best sizes, and the losses up to each end."""

    run: Logged
    number: OneNumber
    order: np.ndarray
    sizes: np.ndarray
    losses: np.ndarray

    def loss(self, end: int) -> float:
        """Return F(end) in squared units of the column."""
        return float(self.losses[end]) / self.number.square

    def choices(self, end: int) -> list[_Choice]:
        """Return the possible last groups of the first ``end`` records; the best first, then by their
        sums."""
        k = self.run.k
        found = [
            _Choice(size, self.loss(end - size), self.number.sse(self.order[end - size : end]))
            for size in range(k, min(2 * k - 1, end) + 1)
            if np.isfinite(self.losses[end - size])
        ]
        return sorted(
            found, key=lambda candidate: (candidate.size != self.sizes[end], candidate.before + candidate.own)
        )

    def scene(self, groups: np.ndarray, runs: Sequence[Shown] = (), end: int = 0) -> OnLine:
        """Return the number line with the possible groups below it, and a line after the first ``end``
        records."""
        inside = 0 < end < len(self.order)
        boundary = (int(self.order[end - 1]), int(self.order[end])) if inside else None
        return OnLine(self.run.table, self.number.name, groups, boundary=boundary, runs=runs)

    def begun(self, groups: np.ndarray) -> Step:
        """Return the step of the order."""
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
        """Return the step of the best last group for the last of these ends; the others are summarized."""
        end = ends[-1]
        choices = self.choices(end)
        shown = choices[:_SHOWN]
        costs = "; ".join(self._cost(end, choice) for choice in shown)
        sentence = tr("F({end}), the first {end} records: {costs}.").format(end=end, costs=costs)
        if len(choices) > len(shown):
            sentence += " " + tr("The {count} other sizes are not better.").format(
                count=len(choices) - len(shown)
            )
        sentence += " " + (
            tr("The smallest is {least}, with a last group of {size}.")
            if len(choices) > 1
            else tr("There is no other choice: {least}.")
        ).format(least=self.number.squared(self.loss(end)), size=self.sizes[end])
        if len(ends) > 1:
            sentence += " " + tr("F({first}) to F({last}) were found in the same way.").format(
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
        """Yield the steps of the groups, from the last one back."""
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
            "The {count} group has SSE {loss}. No partition into groups of {k} records or more has a"
            " smaller SSE.",
            "The {count} groups have SSE {loss} together. No partition into groups of {k} records or more"
            " has a smaller SSE.",
            count,
        ).format(count=count, loss=self.number.squared(self.loss(len(self.order))), k=self.run.k)
        yield Step(sentence, 2, groups, self.scene(groups))

    def _taken(self, groups: np.ndarray, members: np.ndarray, end: int, count: int) -> Step:
        names: dict[str, object] = {"end": end, "size": len(members), "rest": end - len(members)}
        names |= {"count": count, "numbers": self.run.numbers(members)}
        names["own"] = self.number.squared(self.number.sse(members))
        if count > 1:
            sentence = tr(
                "Going back from place {end} of the order, the {count} best last groups are taken; {rest}"
                " records are left."
            )
        elif end > len(members):
            sentence = tr(
                "The best last group of the first {end} records has {size}: {numbers}, with SSE {own}."
                " {rest} records are left."
            )
        else:
            sentence = tr("The {end} records left are one group: {numbers}, with SSE {own}.")
        return Step(sentence.format(**names), 2, groups, self.scene(groups))
