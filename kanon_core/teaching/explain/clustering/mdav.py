"""Narrations of MDAV and V-MDAV: the farthest record, its nearest neighbors, and the test of one more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from kanon_core.algorithms.clustering.mdav import MDAV
from kanon_core.algorithms.clustering.vmdav import VMDAV
from kanon_core.base.words import later, tr
from kanon_core.charts.steps.onplane import Mark
from kanon_core.teaching.explain.distances import Distances
from kanon_core.teaching.explain.narration import Event, Logged, Narration, Step
from kanon_core.teaching.explain.pictures import MOST, picture, star
from kanon_core.teaching.explain.wording import amount, apart, nearest_text


class MDAVSteps(Narration):
    """Two steps for each group: the record it is built around, then its members; one step if there are very
    many groups."""

    algorithm: ClassVar[type[MDAV]] = MDAV
    events: ClassVar[frozenset[str]] = frozenset({"group"})
    said: ClassVar[tuple[str, ...]] = (
        later("Find the centroid of the records left, and the record farthest from it."),
        later("Among the records then left, find the one farthest from that record."),
        later(
            "The record found and its k − 1 nearest neighbors become a group. Repeat while at least 2k"
            " records are left."
        ),
        later("The records left at the end become the last group."),
    )

    def steps(self, run: Logged) -> Iterator[Step]:
        """Yield the steps of a run."""
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
    """Return the step that finds a record: the farthest from record ``other``, or from the centroid when that
    is −1."""
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
    """Return the step that forms a group."""
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


class VMDAVSteps(Narration):
    """A step for each group, then one for each test; a single step if there are very many groups."""

    algorithm: ClassVar[type[VMDAV]] = VMDAV
    events: ClassVar[frozenset[str]] = frozenset({"group", "extend", "closed", "leftover"})
    said: ClassVar[tuple[str, ...]] = (
        later(
            "Among the records left, take the one farthest from the centroid of all records; it and its k −"
            " 1 nearest neighbors become a group."
        ),
        later(
            "While the group has fewer than 2k − 1 records and d_in < γ · d_out, the nearest record left"
            " joins it: d_in is the distance of this record to the group, d_out its distance to the nearest"
            " other record left."
        ),
        later("Otherwise the group is closed. Repeat while at least k records are left."),
        later("Each record left over joins the group of the nearest record that has one."),
    )

    def steps(self, run: Logged) -> Iterator[Step]:
        """Yield the steps of a run."""
        groups = np.full(len(run.table), -1)
        starts = [place for place, (event, _) in enumerate(run.events) if event == "group"]
        ends = [
            *starts[1:],
            next((i for i, e in enumerate(run.events) if e[0] == "leftover"), len(run.events)),
        ]
        for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
            each = [step for event in run.events[start:end] for step in _each(run, groups, event, number)]
            if len(starts) <= MOST // 2:
                yield from each
            else:
                yield Step(" ".join(step.sentence for step in each), 0, groups.copy(), each[-1].scene)
        for what in run.of("leftover"):
            groups[what["record"]] = groups[what["joins"]]
            yield _leftover(run, groups.copy(), what)


def _each(run: Logged, groups: np.ndarray, event: Event, number: int) -> Iterator[Step]:
    """Yield the steps of an event, and update the groups."""
    name, what = event
    if name == "group":
        left = np.flatnonzero(groups < 0)
        groups[what["members"]] = number
        yield _begun(run, groups.copy(), left, what["pivot"], what["members"])
    elif name == "extend":
        before = groups == number
        groups[what["record"]] = number
        yield _tested(run, groups.copy(), before, what, True)
    else:
        yield _tested(run, groups.copy(), groups == number, what, False)


def _begun(run: Logged, groups: np.ndarray, left: np.ndarray, pivot: int, members: np.ndarray) -> Step:
    """Return the step that forms a group of k records."""
    distances = Distances.of(run.table)
    far = distances.from_centroid(pivot, np.arange(len(groups)))
    near = members[members != pivot]
    names = {"left": len(left), "number": run.number(pivot), "far": distances.text(far)}
    if len(near):
        most = max(distances.between(pivot, other) for other in near.tolist())
        sentence = tr(
            "Of the {left} records left, record {number} is farthest from the centroid of all: {far} away. It"
            " and {near}, at most {most} away, become a group: {numbers}."
        ).format(
            **names, near=nearest_text(len(near)), most=distances.text(most), numbers=run.numbers(members)
        )
    else:
        sentence = tr(
            "Of the {left} records left, record {number} is farthest from the centroid of all: {far} away. It"
            " begins a group of its own."
        ).format(**names)
    if len(left) == len(groups):
        sentence += " " + distances.note()
    marks = [Mark(tr("farthest"), np.array([pivot]))]
    means = [Mark(tr("centroid of all"), np.arange(len(groups)))]
    return Step(sentence, 0, groups, picture(run.table, groups, marks, means, star(pivot, near)))


def _tested(run: Logged, groups: np.ndarray, before: np.ndarray, what: dict[str, Any], joins: bool) -> Step:
    """Return the step of the test whether the nearest record joins, with both sides of the test."""
    assert isinstance(run.algorithm, VMDAV)
    record, distances = what["record"], Distances.of(run.table)
    sentence = _test(run, what["record"], (what["d_in"], what["d_out"], run.algorithm.gamma), joins)
    if joins and before.sum() + 1 == 2 * run.k - 1:
        sentence += " " + tr("With 2k − 1 = {most} records the group is full.").format(most=2 * run.k - 1)
    ends = [distances.nearest(record, np.flatnonzero(before))]
    marks = [Mark(tr("tested"), np.array([record]))]
    free = (groups < 0) & (np.arange(len(groups)) != record)
    if free.any():
        ends.append(distances.nearest(record, np.flatnonzero(free)))
        marks.append(Mark(tr("nearest other"), np.array(ends[1:])))
    scene = picture(run.table, groups, marks, links=star(record, np.array(ends)))
    return Step(sentence, 1 if joins else 2, groups, scene)


def _test(run: Logged, record: int, sides: tuple[float, float, float], joins: bool) -> str:
    """Return the test with its numbers: d_in, d_out and γ."""
    distances, (d_in, d_out, gamma) = Distances.of(run.table), sides
    inside, bound = apart(d_in / distances.unit, gamma * d_out / distances.unit)
    names = {"record": run.number(record), "d_in": distances.named(inside), "gamma": amount(gamma)}
    if d_out == np.inf and joins:
        return tr(
            "Record {record}, the last one left, is {d_in} from the group; d_out is infinite, so it joins."
        ).format(**names)
    if d_out == np.inf:
        return tr(
            "Record {record}, the last one left, is {d_in} from the group; γ is 0, so it does not join, and"
            " the group is closed."
        ).format(**names)
    names |= {"d_out": distances.text(d_out), "inside": inside, "out": amount(d_out / distances.unit)}
    names["bound"] = bound
    said = tr(
        "Record {record} is {d_in} from the group, and {d_out} from the nearest other record left:"
    ).format(**names)
    if joins and inside == bound:
        end = tr("{inside} and {gamma} · {out} differ only by rounding, so it joins.")
    elif joins:
        end = tr("{inside} < {gamma} · {out} = {bound}, so it joins.")
    else:
        end = tr("{inside} is not below {gamma} · {out} = {bound}, so the group is closed.")
    return f"{said} {end.format(**names)}"


def _leftover(run: Logged, groups: np.ndarray, what: dict[str, Any]) -> Step:
    record, nearest, distances = what["record"], what["joins"], Distances.of(run.table)
    sentence = tr(
        "Fewer than k = {k} records are left. Record {record} joins the group of record {nearest}, the"
        " nearest record that has a group, {far} away."
    ).format(
        k=run.k,
        record=run.number(record),
        nearest=run.number(nearest),
        far=distances.text(distances.between(record, nearest)),
    )
    marks = [Mark(tr("left over"), np.array([record])), Mark(tr("nearest"), np.array([nearest]))]
    return Step(sentence, 3, groups, picture(run.table, groups, marks, links=np.array([[record, nearest]])))
