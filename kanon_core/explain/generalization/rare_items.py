"""Plain suppression, told: every item from the most frequent on, and whether it is published."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from kanon_core.algorithms.generalization.itemnodes import ItemNodes
from kanon_core.algorithms.generalization.rare_items import RareItems, shown_nodes
from kanon_core.base.words import tr, tr_n
from kanon_core.charts.sets.itemsteps import short_text
from kanon_core.charts.steps.itemtable import ItemTable
from kanon_core.explain.narration import Narration
from kanon_core.explain.run import Logged
from kanon_core.explain.step import Step
from kanon_core.explain.wording import thinned
from kanon_core.table.columns.keys import paired
from kanon_core.table.table import item_sets

_SHORT = 60


class RareItemsSteps(Narration):
    """No item, a step for each, and how many are left out."""

    algorithm: ClassVar[type[RareItems]] = RareItems
    events: ClassVar[frozenset[str]] = frozenset({"item", "group"})

    def lines(self) -> tuple[str, ...]:
        """The algorithm in lines."""
        return (
            tr("Begin with no item. Take the items from the most frequent to the rarest."),
            tr("Publish an item in all records that have it, if what is guaranteed still holds."),
            tr("Else publish it in none."),
        )

    def steps(self, run: Logged) -> Iterator[Step]:
        """The steps of a run."""
        return iter(thinned(_told(run)))


def _told(run: Logged) -> Iterator[Step]:
    nodes = ItemNodes.of(item_sets(run.table))
    kept, labels = np.zeros(len(nodes.parent), bool), nodes.labels
    yield _step(run, nodes, kept, 0, tr("At the beginning no item is published: all records are alike."))
    items = [what for event, what in run.events if event == "item"]
    for place, what in enumerate(items):
        kept[what["node"]] = what["kept"]
        sentence = _item(run, what, short_text(labels[what["node"]], _SHORT))
        if place == len(items) - 1:
            sentence += " " + tr("Items that are published in all: {kept} of {all}.").format(
                kept=sum(one["kept"] for one in items), all=len(items)
            )
        yield _step(run, nodes, kept, 1 if what["kept"] else 2, sentence)


def _item(run: Logged, what: dict[str, Any], label: str) -> str:
    assert isinstance(run.algorithm, RareItems)
    often = tr_n("{count:,} record has", "{count:,} records have", what["often"]).format(count=what["often"])
    sentence = tr("{often} “{item}”.").format(often=often, item=label)
    if what["kept"]:
        return sentence + " " + tr("It is published.")
    if what["often"] < run.k:
        return sentence + " " + tr("These are fewer than k = {k}, so it is left out.").format(k=run.k)
    if run.algorithm.known_items:
        said = tr(
            "Beside the items published so far, fewer than k = {k} records have it together with up to"
            " {others} of them, so it is left out."
        ).format(k=run.k, others=run.algorithm.known_items - 1)
    else:
        said = tr(
            "Of some records that are alike so far, fewer than k = {k} have it or have it not, so it is left"
            " out."
        ).format(k=run.k)
    return f"{sentence} {said}"


def _step(run: Logged, nodes: ItemNodes, kept: np.ndarray, line: int, sentence: str) -> Step:
    """What records publish with these items; without known items those that publish the same are a group."""
    assert isinstance(run.algorithm, RareItems)
    shown = nodes.published(shown_nodes(nodes, kept))
    groups = np.zeros(len(run.table), np.int64)
    if not run.algorithm.known_items:
        for column in shown.values():
            groups = paired(groups, column.cell)
    return Step(sentence, line, groups, ItemTable(run.table, run.records, groups, (), shown))
