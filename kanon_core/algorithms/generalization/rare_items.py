"""Global suppression of rare items: all records publish an item, or none does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.algorithms.base import Algorithm, Run
from kanon_core.algorithms.generalization.combos import all_often
from kanon_core.algorithms.generalization.itemnodes import ItemNodes, only_item_sets
from kanon_core.base.kinds import Integer
from kanon_core.base.words import later, tr
from kanon_core.covers.cover import Partition
from kanon_core.guarantees import Guarantees, KAnonymity, KKMAnonymity
from kanon_core.guarantees.identity.combinations import MOST_KNOWN
from kanon_core.table.columns.set_arrays import chosen_sets, incidence
from kanon_core.table.table import Table, item_sets

_ITEMS_PER_TICK = 50


@dataclass(frozen=True)
class RareItems(Algorithm):
    """Decide each item from the most frequent to the rarest: publish it in all records, or, if that breaks
    the guarantee, in none.

    ``known_items`` = 0: every class of records that publish the same items keeps k records. An item is
    published if in every class no record or at least k have it, and no record or at least k lack it.
    ``known_items`` = m > 0: k or more records have every combination of at most m published items that one
    record has. If either condition holds for a set of items, it holds for every subset; so no suppressed item
    could be published in addition to the others. Among equally frequent items the first in text order comes
    first. Groups of a hierarchy are published with their items.

    When to use: as the baseline that cuts, generalization and local suppression must beat; and if counts of
    published items must equal those of the table, because only whole items are missing. On BMS-WebView-2, k =
    10, 95 % of the items are suppressed, for two known items 80 %; Top-down suppresses 67 % and 51 %.

    Cost: O(items) for ``known_items`` = 0 and 1; for m the sum over records of |set|^m.

    Departure from the paper: it starts with all items and suppresses those that remove the most forbidden
    combinations for the fewest occurrences; here items are added, which needs no list of combinations.

    Reference: Y. Xu, K. Wang, A. W. Fu, P. S. Yu, Anonymizing transaction databases for publication, KDD
    2008; the set-valued paper, §2.3.
    """

    title: ClassVar[str] = "Rare items left out"
    family: ClassVar[str] = "generalization"
    summary: ClassVar[str] = (
        "Publishes each item in all records or in none, the most frequent first: a baseline for item sets."
    )
    takes_items: ClassVar[bool] = True

    known_items: Annotated[
        int,
        Integer(
            0,
            MOST_KNOWN,
            help=(
                "items of a person that the attacker may know: 0 = any number, even all (safest); 1 or more ="
                " at most that many, with less loss but no protection against an attacker who knows more"
            ),
        ),
    ] = 0

    def guarantees(self, k: int) -> Guarantees:
        """Return k-anonymity of rows, or kᵐ-anonymity."""
        return (KKMAnonymity(k, self.known_items) if self.known_items else KAnonymity(k),)

    def unsuitable(self, table: Table, k: int) -> list[str]:
        """Return reasons also for columns of other kinds."""
        return super().unsuitable(table, k) or only_item_sets(table)

    def cover(self, table: Table, k: int, run: Run) -> Partition:
        """Return the classes of records that publish the same items, or, with known items, one group of all;
        log each ``item`` (node, often: its number of records, kept), then ``group``."""
        run.tick(0.0, tr("reading the records"))
        nodes = ItemNodes.of(item_sets(table))
        own = np.concatenate([c.closure.own + nodes.first[i] for i, c in enumerate(nodes.columns)])
        search = _Classes(nodes, k) if not self.known_items else _Combinations(nodes, k, self.known_items)
        ends, owners = nodes.holders
        order, kept = own[np.lexsort((own, -np.diff(ends)[own]))], np.zeros(len(nodes.parent), bool)
        for done, node in enumerate(order.tolist()):
            if done % _ITEMS_PER_TICK == 0:
                run.tick(0.05 + 0.9 * done / len(order), tr("checking items"))
            records = owners[ends[node] : ends[node + 1]]
            kept[node] = search.add(node, records)
            if run.log is not None:
                run.log.write("item", node=node, often=len(records), kept=bool(kept[node]))
        run.shown.update(nodes.published(shown_nodes(nodes, kept)))
        run.report.update({later("items"): len(own), later("items left out"): len(own) - int(kept.sum())})
        result = Partition(search.groups)
        run.write_groups(result)
        return result


def shown_nodes(nodes: ItemNodes, kept: np.ndarray) -> np.ndarray:
    """Return the items of these nodes, and the groups above each record's, booleans as ``nodes.nodes``."""
    shown, width = kept[nodes.nodes], len(nodes.parent)
    above, owner = nodes.nodes[shown], nodes.owner[shown]
    keys = [owner * width + above]
    while len(above):
        above = nodes.parent[above]
        owner, above = owner[above >= 0], above[above >= 0]
        keys.append(owner * width + above)
    return np.isin(nodes.owner * width + nodes.nodes, np.concatenate(keys))


class _Classes:
    """Classes of records that publish the same items, each of k records or more."""

    def __init__(self, nodes: ItemNodes, k: int) -> None:
        self.groups, self.k = np.zeros(len(nodes.starts) - 1, np.int64), k
        self.sizes = np.array([len(self.groups)])

    def add(self, node: int, records: np.ndarray) -> bool:
        """Publish an item of these records unless a class becomes too small; return whether it did."""
        classes, have = np.unique(self.groups[records], return_counts=True)
        left = self.sizes[classes] - have
        if not len(records) or have.min() < self.k or ((left > 0) & (left < self.k)).any():
            return False
        cut = classes[left > 0]
        new = np.arange(len(self.sizes))
        new[cut] = len(self.sizes) + np.arange(len(cut))
        self.groups[records] = new[self.groups[records]]
        self.sizes = np.bincount(self.groups)
        return True


class _Combinations:
    """Published items of which k or more records have each combination of at most m that a record has."""

    def __init__(self, nodes: ItemNodes, k: int, m: int) -> None:
        self.groups, self.k, self.m = np.zeros(len(nodes.starts) - 1, np.int64), k, m
        self.nodes, self.kept = nodes, np.zeros(len(nodes.parent), bool)

    def add(self, node: int, records: np.ndarray) -> bool:
        """Publish an item of these records unless a combination is too rare; return whether it did."""
        if len(records) < self.k:
            return False
        starts, tokens = chosen_sets(self.nodes.starts, self.nodes.nodes, records)
        rows = np.repeat(np.arange(len(records)), np.diff(starts))[self.kept[tokens]]
        found, members = np.unique(tokens[self.kept[tokens]], return_inverse=True)
        ends = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(records)))])
        if self.m == 1 or all_often(incidence(ends, members, len(found)), self.k, self.m - 1):
            self.kept[node] = True
        return bool(self.kept[node])
