"""Narration of Refine: the starting groups, then the changes that the search kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from kanon_core.algorithms.clustering.refine.refine import Refine
from kanon_core.base.words import counted, later, tr, tr_n
from kanon_core.charts.steps.onplane import Mark
from kanon_core.teaching.explain.clustering.mil import MILSteps
from kanon_core.teaching.explain.distances import Distances, loss_of
from kanon_core.teaching.explain.narration import Logged, Narration, Step, labels_of, start_steps
from kanon_core.teaching.explain.partitioning.mondrian import MondrianSteps
from kanon_core.teaching.explain.pictures import picture, together
from kanon_core.teaching.explain.wording import apart

_AT_ONCE = 3
"""The most groups of a change that is shown in one step."""
_MOST = 40


class RefineSteps(Narration):
    """The start, the search as a whole, then the groups that changed."""

    algorithm: ClassVar[type[Refine]] = Refine
    events: ClassVar[frozenset[str]] = MILSteps.events | MondrianSteps.events | {"search"}
    said: ClassVar[tuple[str, ...]] = (
        later("Begin with the groups of another algorithm."),
        later(
            "Repeatedly take a few neighboring groups, and try other groups of their records: move, swap,"
            " merge and split."
        ),
        later("Return the best groups found. Rejected changes are not shown."),
    )

    def steps(self, run: Logged) -> Iterator[Step]:
        """Yield the steps of a run."""
        assert isinstance(run.algorithm, Refine)
        at = next(place for place, (event, _) in enumerate(run.events) if event == "search")
        groups = np.full(len(run.table), -1)
        for step in start_steps(run.part(run.algorithm.start, run.events[:at])):
            groups = step.cover
            yield step
        reached = labels_of(run, (what["members"] for _, what in run.events[at + 1 :]))
        search, changes = run.events[at][1], _told_together(list(_changes(groups, reached)))
        told = _Wording(run, run.algorithm.loss, loss_of(run.table, run.algorithm.loss))
        yield told.searched(groups, search, len(changes), len(np.unique(reached)), reached)
        for change in changes:
            for step in told.changed(groups, change):
                groups = step.cover
                yield step


class _Change(NamedTuple):
    """Groups that changed together: the records of each before and after; whether one step shows them."""

    before: list[np.ndarray]
    after: list[np.ndarray]
    at_once: bool = False


def _changes(before: np.ndarray, after: np.ndarray) -> Iterator[_Change]:
    """Yield the smallest sets of groups that hold the same records before and after, without unchanged
    groups."""
    seen = np.zeros(len(before), bool)
    for record in range(len(before)):
        if seen[record]:
            continue
        mine, size = before == before[record], 0
        while mine.sum() > size:  # grows until it holds every group that it touches
            size = int(mine.sum())
            mine |= np.isin(after, after[mine])
            mine |= np.isin(before, before[mine])
        seen |= mine
        old, new = ([np.flatnonzero(g == n) for n in np.unique(g[mine])] for g in (before, after))
        if len(old) > 1 or len(new) > 1:
            yield _Change(old, new)


def _told_together(changes: list[_Change]) -> list[_Change]:
    """Return the changes; very many small ones are joined, changes of many groups are not."""
    small = [change for change in changes if len(change.after) <= _AT_ONCE]
    parts = [small[part.start : part.stop] for part in together(len(small), _MOST)]
    joined = [
        _Change([old for one in part for old in one.before], [new for one in part for new in one.after], True)
        for part in parts
    ]
    return joined + [change for change in changes if len(change.after) > _AT_ONCE]


@dataclass(frozen=True)
class _Wording:
    """The wording of a run; ``loss``: the loss of a group."""

    run: Logged
    word: str
    loss: Callable[[np.ndarray], float]

    @property
    def _name(self) -> str:
        return tr("SSE") if self.word == "sse" else tr("NCP")

    def _texts(self, first: float, second: float) -> tuple[str, str]:
        """Return the texts of two losses, with digits that distinguish them; SSE of one number in squared
        units."""
        if self.word != "sse":
            return apart(first, second)
        distances = Distances.of(self.run.table)
        mine, theirs = apart(first / distances.unit**2, second / distances.unit**2)
        return distances.squared(mine), distances.squared(theirs)

    def searched(
        self, groups: np.ndarray, search: dict[str, float], changes: int, count: int, reached: np.ndarray
    ) -> Step:
        """Return the step for the search as a whole."""
        before, after = self._texts(search["before"], search["after"])
        names = {"steps": search["steps"], "loss": self._name, "before": before, "after": after}
        if not changes:
            sentence = tr(
                "The search took {steps:,} steps and found nothing better: the groups stay, with {loss}"
                " {before}."
            ).format(**names)
            return Step(sentence, 2, groups, picture(self.run.table, groups))
        same = count - sum(len(change.after) for change in _changes(groups, reached))
        sentence = tr_n(
            "The search took {steps:,} steps, and {loss} fell from {before} to {after}. The changes kept"
            " are shown group by group; {same} of {count} is unchanged.",
            "The search took {steps:,} steps, and {loss} fell from {before} to {after}. The changes kept"
            " are shown group by group; {same} of {count} are unchanged.",
            same,
        ).format(**names, same=same, count=counted(count, "group"))
        return Step(sentence, 1, groups, picture(self.run.table, groups))

    def changed(self, groups: np.ndarray, change: _Change) -> Iterator[Step]:
        """Yield the steps for groups that changed together, in one step or one by one."""
        before, after = (sum(map(self.loss, side)) for side in (change.before, change.after))
        texts = self._texts(before, after)
        names = {"loss": self._name, "before": texts[0], "after": texts[1]}
        names |= {"old": str(len(change.before)), "new": str(len(change.after))}
        numbers = _numbers(groups, change)
        if change.at_once:
            now = groups.copy()
            for number, members in zip(numbers, change.after, strict=True):
                now[members] = number
            moved = np.flatnonzero(now != groups)
            sentence = tr_n(
                "{old} group with {loss} {before} together becomes {new} with {after}: records that"
                " changed groups are {numbers}.",
                "{old} groups with {loss} {before} together become {new} with {after}: records that"
                " changed groups are {numbers}.",
                len(change.before),
            ).format(**names, numbers=self.run.numbers(moved))
            yield Step(sentence, 2, now, picture(self.run.table, now, [Mark(tr("changed groups"), moved)]))
            return
        now = groups.copy()
        now[np.concatenate(change.before)] = -1
        sentence = tr_n(
            "{old} group with {loss} {before} together becomes {new} with {after}. This step dissolves it;"
            " the next steps form the new groups:",
            "{old} groups with {loss} {before} together become {new} with {after}. This step dissolves"
            " them; the next steps form the new groups:",
            len(change.before),
        ).format(**names)
        yield Step(sentence, 2, now, picture(self.run.table, now))
        for part in together(len(numbers), _MOST):
            chosen = [change.after[place] for place in part]
            for place in part:
                now[change.after[place]] = numbers[place]
            yield self._formed(groups, now.copy(), chosen)

    def _formed(self, groups: np.ndarray, now: np.ndarray, formed: list[np.ndarray]) -> Step:
        members = np.concatenate(formed)
        moved = members[now[members] != groups[members]]
        loss, _ = self._texts(sum(self.loss(one) for one in formed), 0.0)
        names = {"loss": self._name, "value": loss, "numbers": self.run.numbers(members)}
        sentence = tr_n(
            "Records {numbers} now form {count:,} group; it adds {value} to {loss}.",
            "Records {numbers} now form {count:,} groups; they add {value} to {loss}.",
            len(formed),
        ).format(**names, count=len(formed))
        if len(moved):
            sentence += " " + tr("Records from other groups: {numbers}.").format(
                numbers=self.run.numbers(moved)
            )
        marks = [Mark(tr("changed groups"), moved)] if len(moved) else []
        return Step(sentence, 2, now, picture(self.run.table, now, marks, focus=members))


def _numbers(groups: np.ndarray, change: _Change) -> list[int]:
    """Return the number of each new group: that of the old group with which it shares most records, or a new
    one."""
    free = {int(groups[members[0]]) for members in change.before}
    fresh, found = int(groups.max()) + 1, [-1] * len(change.after)
    shared = [
        (-int(count), place, int(number))
        for place, members in enumerate(change.after)
        for number, count in zip(*np.unique(groups[members], return_counts=True), strict=True)
    ]
    for _, place, number in sorted(shared):
        if found[place] < 0 and number in free:
            found[place] = number
            free.remove(number)
    for place, number in enumerate(found):
        if number < 0:
            found[place] = min(free) if free else fresh
            fresh += not free
            free.discard(found[place])
    return found
