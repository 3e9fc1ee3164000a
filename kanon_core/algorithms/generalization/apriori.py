"""Apriori: generalize items, the same in all records, until each combination of m has k records, or none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.algorithms.base import Algorithm, Run
from kanon_core.algorithms.generalization.cuts import Cut
from kanon_core.algorithms.generalization.itemnodes import (
    ItemNodes,
    only_item_sets,
    without_hierarchy,
)
from kanon_core.base.kinds import Choice, Integer
from kanon_core.base.words import counted, later, tr
from kanon_core.covers.cover import Partition
from kanon_core.guarantees import Guarantees, KKMAnonymity
from kanon_core.guarantees.identity.combinations import MOST_KNOWN
from kanon_core.table.table import Table, item_sets


@dataclass(frozen=True)
class Apriori(Algorithm):
    """kᵐ-anonymity by global generalization: all records publish an item, and all items of its group, as the
    same group of the hierarchy.

    For single items, then pairs, … up to ``known_items`` = m: if some, but fewer than k, records have a
    combination, its members are generalized in the cheapest way after which k records have it. The cost of a
    way is the NCP that it adds over all records (values below / all values, for each item). Smaller
    combinations come first, because generalizing them reduces the larger ones; within one size, those of the
    most frequent nodes. Combinations with a member that was just generalized are checked again in the next
    round.

    When to use: item sets with a hierarchy, if every item must have the same published form everywhere, as
    for counts, and no attacker knows more than m items of a person.

    Cost: per round the sum over different sets of |set|^m; the sets shrink from size to size.

    Departures from the paper: the top of a hierarchy is published as nothing, and a highest group that is too
    rare is suppressed alone, where in the paper all items would become the top (``top="all"``).

    Reference: M. Terrovitis, N. Mamoulis, P. Kalnis, Privacy-preserving anonymization of set-valued data,
    VLDB 2008 (the apriori-based anonymization); the same, Local and global recoding methods for anonymizing
    set-valued data, VLDB Journal 20, 2011.
    """

    title: ClassVar[str] = "Apriori"
    family: ClassVar[str] = "generalization"
    summary: ClassVar[str] = (
        "Generalizes each item in the same way in all records, against attackers who know a few items."
    )
    takes_items: ClassVar[bool] = True

    known_items: Annotated[
        int, Integer(1, MOST_KNOWN, help="most items of a person that the attacker knows")
    ] = 2
    top: Annotated[
        str,
        Choice(
            {"group": "suppress this group", "all": "suppress all items of the column"},
            help="what to do if the highest group of an item is still too rare",
        ),
    ] = "group"

    def guarantees(self, k: int) -> Guarantees:
        """Return kᵐ-anonymity."""
        return (KKMAnonymity(k, self.known_items),)

    def unsuitable(self, table: Table, k: int) -> list[str]:
        """Return reasons also for columns of other kinds, and for item sets without a hierarchy."""
        return super().unsuitable(table, k) or only_item_sets(table) or without_hierarchy(table)

    def cover(self, table: Table, k: int, run: Run) -> Partition:
        """Return one group of all records, each with its own cells; log each ``rare`` (nodes, often: their
        number of records, chosen: the published node of each, ~g = g is suppressed), then ``group``."""
        run.tick(0.0, tr("reading the records"))
        nodes = ItemNodes.of(item_sets(table))
        cut = Cut.of(nodes, self.top == "all")
        for size in range(1, self.known_items + 1):
            part = run.part(0.05 + 0.9 * (size - 1) / self.known_items, 0.05 + 0.9 * size / self.known_items)
            part.tick(0.0, _note(size))
            while _round(cut, k, size, part):
                pass
        run.shown.update(nodes.published(cut.shown))
        given = int((cut.published[: nodes.first[-1]] != np.arange(nodes.first[-1])).sum())
        run.report[later("items and groups generalized")] = given
        result = Partition(np.zeros(len(table), np.int64))
        run.write_groups(result)
        return result


def _note(size: int) -> str:
    return tr("checking combinations of {items}").format(items=counted(size, "item"))


def _round(cut: Cut, k: int, size: int, run: Run) -> bool:
    """Generalize the rare combinations of this size; return False if there is none."""
    changed, found = set[int](), False

    def tick() -> None:
        run.tick(None, _note(size))

    for block in cut.rare(k, size, tick):
        for combination in block.tolist():
            if not changed.isdisjoint(combination):
                continue
            tick()
            chosen = cut.cheapest(combination, k)
            if run.log is not None:
                often = cut.often(combination)
                run.log.write("rare", nodes=combination, often=often, chosen=chosen)
            for group in set(chosen) - set(combination):
                changed.update(np.flatnonzero(cut.generalize(group)).tolist())
            found = True
    return found
