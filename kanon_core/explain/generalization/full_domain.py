"""Full-domain generalization, told: each look at a choice of levels, and what it rules out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from kanon_core.algorithms.generalization.classes import Rows
from kanon_core.algorithms.generalization.full_domain import FullDomain
from kanon_core.algorithms.generalization.lattice import Node
from kanon_core.algorithms.generalization.levels import levels_of
from kanon_core.base.words import counted, tr, tr_n
from kanon_core.charts.canvas.theme import listed
from kanon_core.charts.steps.itemtable import ItemTable
from kanon_core.explain.amounts import amount, apart
from kanon_core.explain.narration import Narration
from kanon_core.explain.run import Logged
from kanon_core.explain.step import Step
from kanon_core.explain.wording import thinned
from kanon_core.table.columns.columns import Items

_COLUMNS = 8


class FullDomainSteps(Narration):
    """The lattice, a step for each look, and the choice."""

    algorithm: ClassVar[type[FullDomain]] = FullDomain
    events: ClassVar[frozenset[str]] = frozenset({"lattice", "look", "chosen", "group"})

    def lines(self) -> tuple[str, ...]:
        """The algorithm in lines."""
        return (
            tr("Give every column its levels: from each value by itself up to any value."),
            tr("From the cheapest choice of levels that is still open, go up, and look half way."),
            tr("Are too many records in classes of fewer than k? Then all finer choices are ruled out."),
            tr("Else this choice can be made; all that lose no less than the best so far are ruled out."),
            tr("When nothing is open any more, the best so far is the best of all."),
        )

    def steps(self, run: Logged) -> Iterator[Step]:
        """The steps of a run."""
        return iter(thinned(_told(run)))


def _told(run: Logged) -> Iterator[Step]:
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
        scene = ItemTable(run.table, run.records, groups, (), rows.published(node, groups >= 0))
        if event == "lattice":
            yield Step(_lattice(what), 0, groups, scene)
        elif event == "look":
            line, sentence = _look(run, what, best)
            best = best if line == 2 else min(best, what["loss"])
            yield Step(sentence, line, groups, scene)
        else:
            yield Step(_chosen(run, what, groups), 4, groups, scene)


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
    """Which line a look belongs to, and its sentence."""
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
        left_out = tr_n("{count:,} record is left out.", "{count:,} records are left out.", gone).format(
            count=gone
        )
        sentence = f"{sentence} {left_out}"
    return sentence


def _levels(run: Logged, node: Node) -> str:
    """``level 2 of “age” and level 0 of “sex”``."""
    names = [column.attribute.name for column in run.table.quasi]
    said = tr("level {step} of “{name}”")
    pairs = list(zip(names, node, strict=True))[:_COLUMNS]
    return listed([said.format(step=step, name=name) for name, step in pairs])
