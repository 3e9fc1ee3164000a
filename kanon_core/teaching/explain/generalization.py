"""The algorithms of generalization, told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np

from kanon_core.algorithms.generalization.apriori import Apriori
from kanon_core.algorithms.generalization.cuts import Cut
from kanon_core.algorithms.generalization.full_domain import FullDomain
from kanon_core.algorithms.generalization.itemnodes import ItemNodes
from kanon_core.algorithms.generalization.lattice import Node
from kanon_core.algorithms.generalization.level_classes import Rows
from kanon_core.algorithms.generalization.levels import levels_of
from kanon_core.algorithms.generalization.local_partition import LocalPartition
from kanon_core.algorithms.generalization.rare_items import RareItems, shown_nodes
from kanon_core.base.words import counted, later, tr, tr_n
from kanon_core.charts.canvas.theme import listed
from kanon_core.charts.sets.itemsteps import short_text
from kanon_core.table.columns.columns import Items
from kanon_core.table.columns.keys import paired
from kanon_core.table.table import item_sets
from kanon_core.teaching.explain.narration import Logged, Narration, Step
from kanon_core.teaching.explain.pictures import table_step
from kanon_core.teaching.explain.wording import amount, apart, left_out, named, thinned

_COLUMNS, _PARTS = 8, 6
_SHORT, _LABEL = 40, 60


class FullDomainSteps(Narration):
    """The lattice, a step for each look, and the choice."""

    algorithm: ClassVar[type[FullDomain]] = FullDomain
    events: ClassVar[frozenset[str]] = frozenset({"lattice", "look", "chosen", "group"})
    said: ClassVar[tuple[str, ...]] = (
        later("Give every column its levels: from each value by itself up to any value."),
        later("From the cheapest choice of levels that is still open, go up, and look half way."),
        later("Are too many records in classes of fewer than k? Then all finer choices are ruled out."),
        later("Else this choice can be made; all that lose no less than the best so far are ruled out."),
        later("When nothing is open any more, the best so far is the best of all."),
    )

    def steps(self, run: Logged) -> Iterator[Step]:
        """The steps of a run."""
        return iter(thinned(_looks(run)))


def _looks(run: Logged) -> Iterator[Step]:
    assert isinstance(run.algorithm, FullDomain)
    halvings = run.algorithm.halvings
    columns = [column for column in run.table.quasi if not isinstance(column, Items)]
    levels = [levels_of(column, halvings) for column in columns]
    rows, best = Rows.of(levels), np.inf
    for event, what in run.events:
        if event == "group":
            continue
        node = tuple(0 for _ in levels) if event == "lattice" else what["node"]
        groups = rows.groups(node, run.k)
        if event == "lattice":
            line, sentence = 0, _lattice(what)
        elif event == "look":
            line, sentence = _look(run, what, best)
            best = best if line == 2 else min(best, what["loss"])
        else:
            line, sentence = 4, _chosen(run, what, groups)
        yield table_step(run, sentence, line, groups, (), rows.published(node, groups >= 0))


def _lattice(what: dict[str, Any]) -> str:
    sizes = listed(
        [
            counted(size, "level") + " " + tr("of “{name}”").format(name=name)
            for name, size in list(zip(what["columns"], what["sizes"], strict=True))[:_COLUMNS]
        ]
    )
    return tr(
        "There are {sizes}: {choices} choices of one level for each column. At first every value stands by"
        " itself; rows that fewer than k records share are struck out."
    ).format(sizes=sizes, choices=f"{int(np.prod(what['sizes'])):,}")


def _look(run: Logged, what: dict[str, Any], best: float) -> tuple[int, str]:
    """Return which line a look belongs to, and its sentence."""
    assert isinstance(run.algorithm, FullDomain)
    most = int(run.algorithm.max_suppressed * len(run.table))
    few = tr_n("{count:,} record is", "{count:,} records are", what["few"]).format(count=what["few"])
    sentence = tr("A look at {levels}: {few} in classes of fewer than k = {k}, and {most} may be left out.")
    sentence = sentence.format(levels=_levels(run, what["node"]), few=few, k=run.k, most=most)
    if what["few"] > most or what["few"] == len(run.table):
        return 2, sentence + " " + tr("So every choice that is nowhere coarser is ruled out.")
    now, before = apart(what["loss"], best)
    if what["loss"] < best:
        said = tr("It loses {now}, the least so far.")
    else:
        said = tr("It loses {now}, no less than the best so far, {best}.")
    return 3, sentence + " " + said.format(now=now, best=before)


def _chosen(run: Logged, what: dict[str, Any], groups: np.ndarray) -> str:
    sentence = tr("Nothing is open any more. The best choice is {levels}; it loses {loss}.").format(
        levels=_levels(run, what["node"]), loss=amount(what["loss"])
    )
    if gone := int((groups < 0).sum()):
        sentence = f"{sentence} {left_out(gone)}"
    return sentence


def _levels(run: Logged, node: Node) -> str:
    """``level 2 of “age” and level 0 of “sex”``."""
    names = [column.attribute.name for column in run.table.quasi]
    said = tr("level {step} of “{name}”")
    pairs = list(zip(names, node, strict=True))[:_COLUMNS]
    return listed([said.format(step=step, name=name) for name, step in pairs])


class LocalPartitionSteps(Narration):
    """One group, a step for each expansion, and the groups at the end."""

    algorithm: ClassVar[type[LocalPartition]] = LocalPartition
    events: ClassVar[frozenset[str]] = frozenset({"expand", "group"})
    said: ClassVar[tuple[str, ...]] = (
        later("Begin with one group, whose items are all generalized to the top of the hierarchy."),
        later(
            "In a group, replace the node that can win most by its children; k or more records that have"
            " items below the same children are a group of their own."
        ),
        later("Records of smaller parts stay at the node together, with others until they are k."),
        later("It ends when no node of any group can be replaced."),
    )

    def steps(self, run: Logged) -> Iterator[Step]:
        """The steps of a run."""
        return iter(thinned(_expansions(run)))


def _expansions(run: Logged) -> Iterator[Step]:
    groups, free = np.zeros(len(run.table), np.int64), 1
    sentence = tr("At the beginning all {n} records are one group, which says “any item”.")
    yield table_step(run, sentence.format(n=len(groups)), 0, groups)
    labels = ItemNodes.of(item_sets(run.table)).labels
    for event, what in run.events:
        if event == "expand":
            members, part = what["members"], what["part"]
            before = groups.copy()
            groups[members] = np.where(part < 0, groups[members], free + part)
            focus = tuple(np.unique(groups[members]).tolist())
            free += int(part.max()) + 1
            line = 2 if part.max() < 0 else 1
            yield table_step(run, _expanded(run, what, labels, before), line, groups, focus)
    sizes = np.unique(groups, return_counts=True)[1]
    sentence = tr_n(
        "No node can be replaced any more: there is one group, of {most} records.",
        "No node can be replaced any more: there are {count:,} groups of {least} to {most}.",
        len(sizes),
    ).format(count=len(sizes), least=sizes.min(), most=sizes.max())
    sentence += " " + tr("Each publishes what all its records have in common.")
    yield table_step(run, sentence, 3, groups)


def _expanded(run: Logged, what: dict[str, Any], labels: list[str], before: np.ndarray) -> str:
    """Return a sentence on the group and the node that are looked at, and on where its records go."""
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


class AprioriSteps(Narration):
    """All items, a step for each rare combination, and what is left."""

    algorithm: ClassVar[type[Apriori]] = Apriori
    events: ClassVar[frozenset[str]] = frozenset({"rare", "group"})
    said: ClassVar[tuple[str, ...]] = (
        later("Begin with every item as it is. Look at single items, then pairs, then three, up to m."),
        later(
            "Where fewer than k records have such items together, generalize them in the cheapest way"
            " after which k have them – in all records, with all items below the same group."
        ),
        later("It ends when every m items that a record publishes are published by k records or more."),
    )

    def steps(self, run: Logged) -> Iterator[Step]:
        """The steps of a run."""
        return iter(thinned(_generalized(run)))


def _generalized(run: Logged) -> Iterator[Step]:
    assert isinstance(run.algorithm, Apriori)
    nodes = ItemNodes.of(item_sets(run.table))
    cut, labels = Cut.of(nodes, run.algorithm.top == "all"), nodes.labels
    yield _cut_step(run, cut, 0, tr("At the beginning every item is published as it is."))
    for event, what in run.events:
        if event == "rare":
            for group in set(what["chosen"]) - set(what["nodes"]):
                cut.generalize(group)
            yield _cut_step(run, cut, 1, _rare(run, what, labels))
    own = [column.closure.own[column.items] + nodes.first[i] for i, column in enumerate(nodes.columns)]
    items = np.concatenate(own)
    sentence = tr(
        "No combination of up to {m} is rare any more. Items that are published as they are: {own} of {all};"
        " the others are published as groups or not at all."
    ).format(m=run.algorithm.known_items, own=int((cut.published[items] == items).sum()), all=len(items))
    yield _cut_step(run, cut, 2, sentence)


def _rare(run: Logged, what: dict[str, Any], labels: Sequence[str]) -> str:
    """Return a sentence on the items that are rare together, and on what they become."""
    names = [_quoted(labels[node]) for node in what["nodes"]]
    said = tr("{often} {items}, fewer than k = {k}.").format(often=_often(what), items=listed(names), k=run.k)
    pairs = dict(zip(what["nodes"], what["chosen"], strict=True))
    for node, group in pairs.items():
        if group == node:
            continue
        after = tr("{item} becomes {group}.")
        if group < 0:
            after = tr("Of {group} nothing is published any more.")
        said += " " + after.format(item=_quoted(labels[node]), group=_quoted(labels[max(group, ~group)]))
    return said


def _often(what: dict[str, Any]) -> str:
    return tr_n("{count:,} record has", "{count:,} records have", what["often"]).format(count=what["often"])


def _quoted(label: str) -> str:
    return f"“{short_text(label, _SHORT)}”"


def _cut_step(run: Logged, cut: Cut, line: int, sentence: str) -> Step:
    one = np.zeros(len(run.table), np.int64)
    return table_step(run, sentence, line, one, (), cut.nodes.published(cut.shown))


class RareItemsSteps(Narration):
    """No item, a step for each, and how many are left out."""

    algorithm: ClassVar[type[RareItems]] = RareItems
    events: ClassVar[frozenset[str]] = frozenset({"item", "group"})
    said: ClassVar[tuple[str, ...]] = (
        later("Begin with no item. Take the items from the most frequent to the rarest."),
        later("Publish an item in all records that have it, if what is guaranteed still holds."),
        later("Else publish it in none."),
    )

    def steps(self, run: Logged) -> Iterator[Step]:
        """The steps of a run."""
        return iter(thinned(_kept(run)))


def _kept(run: Logged) -> Iterator[Step]:
    nodes = ItemNodes.of(item_sets(run.table))
    kept, labels = np.zeros(len(nodes.parent), bool), nodes.labels
    yield _kept_step(run, nodes, kept, 0, tr("At the beginning no item is published: all records are alike."))
    items = run.of("item")
    for place, what in enumerate(items):
        kept[what["node"]] = what["kept"]
        sentence = _item(run, what, short_text(labels[what["node"]], _LABEL))
        if place == len(items) - 1:
            sentence += " " + tr("Items that are published in all: {kept} of {all}.").format(
                kept=sum(one["kept"] for one in items), all=len(items)
            )
        yield _kept_step(run, nodes, kept, 1 if what["kept"] else 2, sentence)


def _item(run: Logged, what: dict[str, Any], label: str) -> str:
    assert isinstance(run.algorithm, RareItems)
    sentence = tr("{often} “{item}”.").format(often=_often(what), item=label)
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


def _kept_step(run: Logged, nodes: ItemNodes, kept: np.ndarray, line: int, sentence: str) -> Step:
    """Return the step with what records publish by these items; without known items, records that publish the
    same are a group."""
    assert isinstance(run.algorithm, RareItems)
    shown = nodes.published(shown_nodes(nodes, kept))
    groups = np.zeros(len(run.table), np.int64)
    if not run.algorithm.known_items:
        for column in shown.values():
            groups = paired(groups, column.cell)
    return table_step(run, sentence, line, groups, (), shown)
