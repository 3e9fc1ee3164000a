"""Local partition, told: one node of one group at a time becomes its children."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from kanon_core.algorithms.generalization.itemnodes import ItemNodes
from kanon_core.algorithms.generalization.local_partition import LocalPartition
from kanon_core.base.words import tr, tr_n
from kanon_core.charts.canvas.theme import listed
from kanon_core.charts.sets.itemsteps import short_text
from kanon_core.charts.steps.itemtable import ItemTable
from kanon_core.explain.narration import Narration
from kanon_core.explain.run import Logged
from kanon_core.explain.step import Step
from kanon_core.explain.wording import named, thinned
from kanon_core.table.table import item_sets

_SHORT, _PARTS = 40, 6


class LocalPartitionSteps(Narration):
    """One group, a step for each expansion, and the groups at the end."""

    algorithm: ClassVar[type[LocalPartition]] = LocalPartition
    events: ClassVar[frozenset[str]] = frozenset({"expand", "group"})

    def lines(self) -> tuple[str, ...]:
        """The algorithm in lines."""
        return (
            tr("Begin with one group, whose items are all generalized to the top of the hierarchy."),
            tr(
                "In a group, replace the node that can win most by its children; k or more records that have"
                " items below the same children are a group of their own."
            ),
            tr("Records of smaller parts stay at the node together, with others until they are k."),
            tr("It ends when no node of any group can be replaced."),
        )

    def steps(self, run: Logged) -> Iterator[Step]:
        """The steps of a run."""
        return iter(thinned(_told(run)))


def _told(run: Logged) -> Iterator[Step]:
    groups, free = np.zeros(len(run.table), np.int64), 1
    sentence = tr("At the beginning all {n} records are one group, which says “any item”.")
    yield _step(run, groups, (), 0, sentence.format(n=len(groups)))
    labels = ItemNodes.of(item_sets(run.table)).labels
    for event, what in run.events:
        if event == "expand":
            members, part = what["members"], what["part"]
            before = groups.copy()
            groups[members] = np.where(part < 0, groups[members], free + part)
            focus = tuple(np.unique(groups[members]).tolist())
            free += int(part.max()) + 1
            stays = part.max() < 0
            yield _step(run, groups, focus, 2 if stays else 1, _expanded(run, what, labels, before))
    sizes = np.bincount(groups)
    sizes = sizes[sizes > 0]
    sentence = tr_n(
        "No node can be replaced any more: there is one group, of {most} records.",
        "No node can be replaced any more: there are {count:,} groups of {least} to {most}.",
        len(sizes),
    ).format(count=len(sizes), least=sizes.min(), most=sizes.max())
    sentence += " " + tr("Each publishes what all its records have in common.")
    yield _step(run, groups, (), 3, sentence)


def _expanded(run: Logged, what: dict[str, Any], labels: list[str], before: np.ndarray) -> str:
    """Which group is looked at, which node, and where its records go."""
    members, part = what["members"], what["part"]
    group, node = (
        named(run, np.flatnonzero(before == before[members[0]])),
        short_text(labels[what["node"]], _SHORT),
    )
    if part.max() < 0:
        said = tr(
            "In the group of {group}, “{node}” cannot be replaced by what is below it: no {k} records have"
            " items below the same children."
        )
        return said.format(group=group, node=node, k=run.k)
    sentence = tr("In the group of {group}, “{node}” is replaced by what is below it.").format(
        group=group, node=node
    )
    parts = [members[part == number] for number in range(int(part.max()) + 1)]
    told = listed([named(run, one) for one in parts[:_PARTS]])
    if len(parts) > _PARTS:
        told += " " + tr("(and {count} more)").format(count=len(parts) - _PARTS)
    sentence += " " + tr_n(
        "{count:,} group goes on: {told}.", "{count:,} groups go on: {told}.", len(parts)
    ).format(count=len(parts), told=told)
    if stay := int((part < 0).sum()):
        stays = tr_n("{count:,} record stays", "{count:,} records stay", stay).format(count=stay)
        sentence += " " + tr("{stays} at “{node}”.").format(stays=stays, node=node)
    return sentence


def _step(run: Logged, groups: np.ndarray, focus: tuple[int, ...], line: int, sentence: str) -> Step:
    now = groups.copy()
    return Step(sentence, line, now, ItemTable(run.table, run.records, now, focus))
