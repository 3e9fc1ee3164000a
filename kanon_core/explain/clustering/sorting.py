"""Sorting, told: the order, then the cuts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from kanon_core.algorithms.clustering.sorting import Sorting
from kanon_core.base.words import tr
from kanon_core.charts.canvas.theme import listed
from kanon_core.charts.steps.onplane import Mark
from kanon_core.explain.narration import Narration
from kanon_core.explain.pictures import picture, together
from kanon_core.explain.run import Logged
from kanon_core.explain.step import Step
from kanon_core.explain.values import value_of


class SortingSteps(Narration):
    """The order, then a step for each group."""

    algorithm: ClassVar[type[Sorting]] = Sorting
    events: ClassVar[frozenset[str]] = frozenset({"order", "group"})

    def lines(self) -> tuple[str, ...]:
        """The algorithm in lines."""
        return (
            tr("Sort the records by the columns, the most important first."),
            tr("The next k records of this order become a group. Repeat while 2k records are left."),
            tr("The records left at the end become the last group."),
        )

    def steps(self, run: Logged) -> Iterator[Step]:
        """The steps of a run."""
        by = [name for event, what in run.events if event == "order" for name in what["by"]]
        order = next(what["order"] for event, what in run.events if event == "order")
        place = np.argsort(order)
        made = sorted((place[what["members"]] for event, what in run.events if event == "group"), key=min)
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
            "The {count} records are sorted by {columns}: by the first, those that are equal there by the"
            " next, and so on."
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
    """Groups of consecutive records, ``members`` in their order; the last takes the rest."""
    names: dict[str, object] = {"begin": begin + 1, "end": begin + len(members), "count": count, "k": run.k}
    low, high = (value_of(run.table, name, int(record)) for record in (members[0], members[-1]))
    spread = tr("“{name}” from {low} to {high}") if low != high else tr("“{name}” {low} throughout")
    names["spread"] = spread.format(name=name, low=low, high=high)
    names["numbers"] = run.numbers(members)
    if count > 1:
        sentence = tr("Places {begin} to {end} of the order, {spread}, become {count} groups of {k} records.")
        if last:
            sentence = tr(
                "Places {begin} to {end} of the order, {spread}, become the last {count}"
                " groups, of {k} records each but the last, which takes the rest."
            )
    elif last:
        sentence = tr("Places {begin} to {end}, {spread}, are left and become the last group: {numbers}.")
    else:
        sentence = tr("Places {begin} to {end} of the order, {spread}, become a group: {numbers}.")
    marks = [Mark(tr("first of the group"), members[:1]), Mark(tr("last of the group"), members[-1:])]
    links = np.column_stack([members[:-1], members[1:]])
    scene = picture(run.table, groups, marks if count == 1 else (), links=links)
    return Step(sentence.format(**names), 2 if last and count == 1 else 1, groups, scene)
