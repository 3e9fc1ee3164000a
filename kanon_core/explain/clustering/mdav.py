"""MDAV, told: the centroid, the record farthest from it, and the k − 1 nearest of that one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

import numpy as np

from kanon_core.algorithms.clustering.mdav import MDAV
from kanon_core.base.words import tr
from kanon_core.charts.steps.onplane import Mark
from kanon_core.explain.amounts import nearest_text
from kanon_core.explain.distances import Distances
from kanon_core.explain.narration import Narration
from kanon_core.explain.pictures import MOST, picture, star
from kanon_core.explain.run import Logged
from kanon_core.explain.step import Step


class MDAVSteps(Narration):
    """Two steps for each group: the record it is built around, then its members; of very many groups one."""

    algorithm: ClassVar[type[MDAV]] = MDAV
    events: ClassVar[frozenset[str]] = frozenset({"group"})

    def lines(self) -> tuple[str, ...]:
        """The algorithm in lines."""
        return (
            tr("Find the centroid of the records left, and the record farthest from it."),
            tr("Of the records then left, find the one farthest from that record."),
            tr("The record found and its k − 1 nearest become a group. Repeat while 2k records are left."),
            tr("The records left at the end become the last group."),
        )

    def steps(self, run: Logged) -> Iterator[Step]:
        """The steps of a run."""
        groups, other = np.full(len(run.table), -1), -1
        for number, (_, what) in enumerate(run.events):
            pivot, members, left = what["pivot"], what["members"], np.flatnonzero(groups < 0)
            if pivot >= 0:
                second = number % 2 == 1 and len(left) + run.k >= 3 * run.k
                found = _found(run, groups.copy(), left, pivot, other if second else -1)
            groups[members] = number
            grouped = _grouped(run, groups.copy(), pivot, members)
            if pivot >= 0 and len(run.events) > MOST:
                grouped = replace(grouped, sentence=f"{found.sentence} {grouped.sentence}")
            elif pivot >= 0:
                yield found
            yield grouped
            other = pivot


def _found(run: Logged, groups: np.ndarray, left: np.ndarray, pivot: int, other: int) -> Step:
    """A record is found: the farthest from record ``other``, or from the centroid when that is −1."""
    distances = Distances.of(run.table)
    marks = [Mark(tr("farthest"), np.array([pivot]))]
    if other >= 0:
        marks.append(Mark(tr("from this record"), np.array([other])))
        sentence = tr(
            "Of the {left} records left, record {number} is farthest from record {other}: {far} away."
        ).format(
            left=len(left),
            number=run.number(pivot),
            other=run.number(other),
            far=distances.text(distances.between(pivot, other)),
        )
        return Step(sentence, 1, groups, picture(run.table, groups, marks))
    means = [Mark(tr("centroid of the records left"), left)]
    sentence = tr(
        "Of the {left} records left, record {number} is farthest from their centroid: {far} away."
    ).format(
        left=len(left), number=run.number(pivot), far=distances.text(distances.from_centroid(pivot, left))
    )
    if len(left) == len(groups):
        sentence += " " + distances.note()
    return Step(sentence, 0, groups, picture(run.table, groups, marks, means))


def _grouped(run: Logged, groups: np.ndarray, pivot: int, members: np.ndarray) -> Step:
    """The records of a group are put together."""
    if pivot < 0:
        sentence = tr("The {count} records left become the last group: {numbers}.").format(
            count=len(members), numbers=run.numbers(members)
        )
        return Step(sentence, 3, groups, picture(run.table, groups))
    near = members[members != pivot]
    if not len(near):
        sentence = tr("Record {number} is a group of its own.").format(number=run.number(pivot))
        return Step(sentence, 2, groups, picture(run.table, groups))
    distances = Distances.of(run.table)
    far = max(distances.between(pivot, other) for other in near.tolist())
    sentence = tr("Record {number} and {near}, at most {far} away, become a group: {numbers}.").format(
        number=run.number(pivot),
        near=nearest_text(len(near)),
        far=distances.text(far),
        numbers=run.numbers(members),
    )
    marks = [Mark(tr("built around"), np.array([pivot]))]
    return Step(sentence, 2, groups, picture(run.table, groups, marks, links=star(pivot, near)))
