"""Apriori, told: each rare combination, and what its members become in all records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np

from kanon_core.algorithms.generalization.apriori import Apriori
from kanon_core.algorithms.generalization.cuts import Cut
from kanon_core.algorithms.generalization.itemnodes import ItemNodes
from kanon_core.base.words import tr, tr_n
from kanon_core.charts.canvas.theme import listed
from kanon_core.charts.sets.itemsteps import short_text
from kanon_core.charts.steps.itemtable import ItemTable
from kanon_core.explain.narration import Narration
from kanon_core.explain.run import Logged
from kanon_core.explain.step import Step
from kanon_core.explain.wording import thinned
from kanon_core.table.table import item_sets

_SHORT = 40


class AprioriSteps(Narration):
    """All items, a step for each rare combination, and what is left."""

    algorithm: ClassVar[type[Apriori]] = Apriori
    events: ClassVar[frozenset[str]] = frozenset({"rare", "group"})

    def lines(self) -> tuple[str, ...]:
        """The algorithm in lines."""
        return (
            tr("Begin with every item as it is. Look at single items, then pairs, then three, up to m."),
            tr(
                "Where fewer than k records have such items together, generalize them in the cheapest way"
                " after which k have them – in all records, with all items below the same group."
            ),
            tr("It ends when every m items that a record publishes are published by k records or more."),
        )

    def steps(self, run: Logged) -> Iterator[Step]:
        """The steps of a run."""
        return iter(thinned(_told(run)))


def _told(run: Logged) -> Iterator[Step]:
    assert isinstance(run.algorithm, Apriori)
    nodes = ItemNodes.of(item_sets(run.table))
    cut, labels = Cut.of(nodes, run.algorithm.top == "all"), nodes.labels
    yield _step(run, cut, 0, tr("At the beginning every item is published as it is."))
    for event, what in run.events:
        if event == "rare":
            for group in set(what["chosen"]) - set(what["nodes"]):
                cut.generalize(group)
            yield _step(run, cut, 1, _rare(run, what, labels))
    own = [column.closure.own[column.items] + nodes.first[i] for i, column in enumerate(nodes.columns)]
    items = np.concatenate(own)
    sentence = tr(
        "No combination of up to {m} is rare any more. Items that are published as they are: {own} of {all};"
        " the others are published as groups or not at all."
    ).format(m=run.algorithm.known_items, own=int((cut.published[items] == items).sum()), all=len(items))
    yield _step(run, cut, 2, sentence)


def _rare(run: Logged, what: dict[str, Any], labels: Sequence[str]) -> str:
    """Which items are rare together, and what they become."""
    names = [_quoted(labels[node]) for node in what["nodes"]]
    often = tr_n("{count:,} record has", "{count:,} records have", what["often"]).format(count=what["often"])
    said = tr("{often} {items}, fewer than k = {k}.").format(often=often, items=listed(names), k=run.k)
    pairs = dict(zip(what["nodes"], what["chosen"], strict=True))
    for node, group in pairs.items():
        if group == node:
            continue
        after = tr("{item} becomes {group}.")
        if group < 0:
            after = tr("Of {group} nothing is published any more.")
        said += " " + after.format(item=_quoted(labels[node]), group=_quoted(labels[max(group, ~group)]))
    return said


def _quoted(label: str) -> str:
    return f"“{short_text(label, _SHORT)}”"


def _step(run: Logged, cut: Cut, line: int, sentence: str) -> Step:
    groups = np.zeros(len(run.table), np.int64)
    scene = ItemTable(run.table, run.records, groups, (), cut.nodes.published(cut.shown))
    return Step(sentence, line, groups, scene)
