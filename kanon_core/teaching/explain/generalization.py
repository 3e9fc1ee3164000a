"""Narrations of the algorithms of generalization."""

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
    """The lattice, a step for each test, and the choice."""

    algorithm: ClassVar[type[FullDomain]] = FullDomain
    events: ClassVar[frozenset[str]] = frozenset({"lattice", "look", "chosen", "group"})
    said: ClassVar[tuple[str, ...]] = (
        later("Define the levels of every column, from single values up to any value."),
        later("From the open choice of levels with the smallest loss, go up, and test the choice half way."),
        later("If too many records are in classes of fewer than k, all finer choices are ruled out."),
        later(
            "Otherwise the choice is allowed; all choices that lose no less than the best so far are"
            " ruled out."
        ),
        later("When no choice is open any more, the best so far is the optimum."),
    )

    def steps(self, run: Logged) -> Iterator[Step]:
        """Yield the steps of a run."""
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
        "There are {sizes}, so {choices} choices of one level for each column. At first all values are"
        " published unchanged; rows that fewer than k records share are crossed out."
    ).format(sizes=sizes, choices=f"{int(np.prod(what['sizes'])):,}")


def _look(run: Logged, what: dict[str, Any], best: float) -> tuple[int, str]:
    """Return the line of a test, and its sentence."""
    assert isinstance(run.algorithm, FullDomain)
    most = int(run.algorithm.max_suppressed * len(run.table))
    few = tr_n("{count:,} record is", "{count:,} records are", what["few"]).format(count=what["few"])
    sentence = tr(
        "Test of {levels}: {few} in classes of fewer than k = {k}, and at most {most} may be left out."
    )
    sentence = sentence.format(levels=_levels(run, what["node"]), few=few, k=run.k, most=most)
    if what["few"] > most or what["few"] == len(run.table):
        return 2, sentence + " " + tr(
            "Every choice that is not coarser in any column is therefore ruled out."
        )
    now, before = apart(what["loss"], best)
    if what["loss"] < best:
        said = tr("The loss is {now}, the smallest so far.")
    else:
        said = tr("The loss is {now}, not smaller than the best so far, {best}.")
    return 3, sentence + " " + said.format(now=now, best=before)


def _chosen(run: Logged, what: dict[str, Any], groups: np.ndarray) -> str:
    sentence = tr("No choice is open any more. The best choice is {levels}, with loss {loss}.").format(
        levels=_levels(run, what["node"]), loss=amount(what["loss"])
    )
    if gone := int((groups < 0).sum()):
        sentence = f"{sentence} {left_out(gone)}"
    return sentence


def _levels(run: Logged, node: Node) -> str:
    """Return a text such as ``level 2 of “age” and level 0 of “sex”``."""
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
            "In a group, replace the node with the largest possible gain by its children; k or more records"
            " with items below the same children form a group of their own."
        ),
        later("The records of smaller parts stay at the node together; others join them until they are k."),
        later("The algorithm ends when no node of any group can be replaced."),
    )

    def steps(self, run: Logged) -> Iterator[Step]:
        """Yield the steps of a run."""
        return iter(thinned(_expansions(run)))


def _expansions(run: Logged) -> Iterator[Step]:
    groups, free = np.zeros(len(run.table), np.int64), 1
    sentence = tr("At the beginning all {n} records are one group, which publishes “any item”.")
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
    sentence += " " + tr("Each group publishes what all its records have in common.")
    yield table_step(run, sentence, 3, groups)


def _expanded(run: Logged, what: dict[str, Any], labels: list[str], before: np.ndarray) -> str:
    """Return a sentence on the group and its node, and on the new groups of its records."""
    members, part = what["members"], what["part"]
    group, node = (
        named(run, np.flatnonzero(before == before[members[0]])),
        short_text(labels[what["node"]], _SHORT),
    )
    if part.max() < 0:
        said = tr(
            "In the group of {group}, “{node}” cannot be replaced by its children: no {k} records have"
            " items below the same children."
        )
        return said.format(group=group, node=node, k=run.k)
    sentence = tr("In the group of {group}, “{node}” is replaced by its children.").format(
        group=group, node=node
    )
    parts = [members[part == number] for number in range(int(part.max()) + 1)]
    told = listed([named(run, one) for one in parts[:_PARTS]])
    if len(parts) > _PARTS:
        told += " " + tr("(and {count} more)").format(count=len(parts) - _PARTS)
    sentence += " " + tr_n(
        "This makes {count:,} group: {told}.", "This makes {count:,} groups: {told}.", len(parts)
    ).format(count=len(parts), told=told)
    if stay := int((part < 0).sum()):
        stays = tr_n("{count:,} record stays", "{count:,} records stay", stay).format(count=stay)
        sentence += " " + tr("{stays} at “{node}”.").format(stays=stays, node=node)
    return sentence


class AprioriSteps(Narration):
    """All items, a step for each rare combination, and the result."""

    algorithm: ClassVar[type[Apriori]] = Apriori
    events: ClassVar[frozenset[str]] = frozenset({"rare", "group"})
    said: ClassVar[tuple[str, ...]] = (
        later("Begin with all items unchanged. Check single items, then pairs, then triples, up to m items."),
        later(
            "If fewer than k records have such items together, generalize these items with the smallest"
            " loss after which k records have them. This applies to all records and to all items below the"
            " same group."
        ),
        later(
            "The algorithm ends when any m items that a record publishes are published by k records or more."
        ),
    )

    def steps(self, run: Logged) -> Iterator[Step]:
        """Yield the steps of a run."""
        return iter(thinned(_generalized(run)))


def _generalized(run: Logged) -> Iterator[Step]:
    assert isinstance(run.algorithm, Apriori)
    nodes = ItemNodes.of(item_sets(run.table))
    cut, labels = Cut.of(nodes, run.algorithm.top == "all"), nodes.labels
    yield _cut_step(run, cut, 0, tr("At the beginning all items are published unchanged."))
    for event, what in run.events:
        if event == "rare":
            for group in set(what["chosen"]) - set(what["nodes"]):
                cut.generalize(group)
            yield _cut_step(run, cut, 1, _rare(run, what, labels))
    own = [column.closure.own[column.items] + nodes.first[i] for i, column in enumerate(nodes.columns)]
    items = np.concatenate(own)
    sentence = tr(
        "No combination of up to {m} is rare any more. Items that are published unchanged: {own} of {all};"
        " the others are published as groups or left out."
    ).format(m=run.algorithm.known_items, own=int((cut.published[items] == items).sum()), all=len(items))
    yield _cut_step(run, cut, 2, sentence)


def _rare(run: Logged, what: dict[str, Any], labels: Sequence[str]) -> str:
    """Return a sentence on the items that are rare together, and on their generalization."""
    names = [_quoted(labels[node]) for node in what["nodes"]]
    said = tr("{often} {items}, fewer than k = {k}.").format(often=_often(what), items=listed(names), k=run.k)
    pairs = dict(zip(what["nodes"], what["chosen"], strict=True))
    for node, group in pairs.items():
        if group == node:
            continue
        after = tr("{item} becomes {group}.")
        if group < 0:
            after = tr("{group} is no longer published.")
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
    """No item, a step for each item, and the number of items left out."""

    algorithm: ClassVar[type[RareItems]] = RareItems
    events: ClassVar[frozenset[str]] = frozenset({"item", "group"})
    said: ClassVar[tuple[str, ...]] = (
        later("Begin with no item. Take the items from the most frequent to the rarest."),
        later("Publish an item in all records that have it, if the guarantee still holds."),
        later("Otherwise leave it out of all records."),
    )

    def steps(self, run: Logged) -> Iterator[Step]:
        """Yield the steps of a run."""
        return iter(thinned(_kept(run)))


def _kept(run: Logged) -> Iterator[Step]:
    nodes = ItemNodes.of(item_sets(run.table))
    kept, labels = np.zeros(len(nodes.parent), bool), nodes.labels
    yield _kept_step(
        run, nodes, kept, 0, tr("At the beginning no item is published: all records look alike.")
    )
    items = run.of("item")
    for place, what in enumerate(items):
        kept[what["node"]] = what["kept"]
        sentence = _item(run, what, short_text(labels[what["node"]], _LABEL))
        if place == len(items) - 1:
            sentence += " " + tr("Items that are published: {kept} of {all}.").format(
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
            "Fewer than k = {k} records have it together with up to {others} of the items published so far,"
            " so it is left out."
        ).format(k=run.k, others=run.algorithm.known_items - 1)
    else:
        said = tr(
            "Among some records that look alike so far, fewer than k = {k} have it or fewer lack it, so it"
            " is left out."
        ).format(k=run.k)
    return f"{sentence} {said}"


def _kept_step(run: Logged, nodes: ItemNodes, kept: np.ndarray, line: int, sentence: str) -> Step:
    """Return the step with the cells that records publish with these items; without known items, records with
    equal cells are a group."""
    assert isinstance(run.algorithm, RareItems)
    shown = nodes.published(shown_nodes(nodes, kept))
    groups = np.zeros(len(run.table), np.int64)
    if not run.algorithm.known_items:
        for column in shown.values():
            groups = paired(groups, column.cell)
    return table_step(run, sentence, line, groups, (), shown)
