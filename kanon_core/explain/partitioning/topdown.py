"""Top-down, told: at what each group is cut, and what it publishes then."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from kanon_core.algorithms.partitioning.topdown.known.known import own_items
from kanon_core.algorithms.partitioning.topdown.topdown import TopDown
from kanon_core.base.words import counted, tr, tr_n
from kanon_core.charts.canvas.theme import listed, number_text
from kanon_core.charts.steps.itemtable import ItemTable
from kanon_core.explain.narration import Narration
from kanon_core.explain.partitioning.cuts import cut_steps
from kanon_core.explain.partitioning.lost import lost
from kanon_core.explain.run import Logged
from kanon_core.explain.step import Step
from kanon_core.explain.wording import thinned
from kanon_core.table.columns.columns import Items

_COLUMNS = 6


class TopDownSteps(Narration):
    """A step for the beginning and for each cut; then the end or, with known items, what records show."""

    algorithm: ClassVar[type[TopDown]] = TopDown
    events: ClassVar[frozenset[str]] = frozenset({"group", "split", "suppress", "compared", "shown"})

    def lines(self) -> tuple[str, ...]:
        """The algorithm in lines."""
        return (
            tr("Begin with one group of all records, which tells nothing but what they share."),
            tr(
                "Again and again take the column that has lost most, and cut at it every group that keeps k"
                " records on both sides; item sets are cut at the item after which most items are published."
            ),
            tr("Where it is allowed and pays, the few records without an item are left out instead."),
            tr("It ends when no further cut keeps what is guaranteed and publishes more."),
            tr(
                "With known items: each record shows items of its own; any few of them are shown by k records"
                " or by none."
            ),
        )

    def steps(self, run: Logged) -> Iterator[Step]:
        """The steps of a run."""
        compared = [what for event, what in run.events if event == "compared"]
        cuts = [(event, what) for event, what in run.events if event in ("group", "split", "suppress")]
        told = list(thinned(cut_steps(run, cuts, 0)))
        if compared:
            told.append(_compared(run, told[-1], compared[0]))
            told += self._shown(run, told[-1].cover)
        else:
            told.append(_ended(run, told[-1].cover))
        return iter(told)

    def _shown(self, run: Logged, groups: np.ndarray) -> Iterator[Step]:
        """Column by column, the items that records show."""
        kept = {what["column"]: what["kept"] for event, what in run.events if event == "shown"}
        sets = [column for column in run.table.quasi if isinstance(column, Items)]
        shown = own_items(sets, [kept[column.attribute.name] for column in sets])
        for column in sets:
            sentence = _own(run, column, kept[column.attribute.name])
            yield Step(sentence, 4, groups, ItemTable(run.table, run.records, groups, (), shown))


def _ended(run: Logged, groups: np.ndarray) -> Step:
    """How many groups there are, and what they have lost."""
    sizes, gone = np.bincount(groups[groups >= 0]), int((groups < 0).sum())
    sizes, kept = sizes[sizes > 0], [one.name for one in run.algorithm.guarantees(run.k)]
    sentence = tr_n(
        "No further cut keeps {kept} and publishes more: there is one group, of {most} records.",
        "No further cut keeps {kept} and publishes more: there are {count:,} groups of {least} to {most}.",
        len(sizes),
    ).format(count=len(sizes), least=sizes.min(), most=sizes.max(), kept=listed(kept))
    if gone:
        left_out = tr_n("{count:,} record is left out.", "{count:,} records are left out.", gone).format(
            count=gone
        )
        sentence = f"{sentence} {left_out}"
    names = [column.attribute.name for column in run.table.quasi[:_COLUMNS]]
    shares = [number_text(100 * lost(run.table[name], groups) / len(groups)) for name in names]
    losses = listed([f"“{name}” {share} %" for name, share in zip(names, shares, strict=True)])
    sentence += " " + tr("Lost: {losses}.").format(losses=losses)
    return Step(sentence, 3, groups, ItemTable(run.table, run.records, groups))


def _compared(run: Logged, last: Step, what: dict[str, Any]) -> Step:
    """Which of the two ways to find groups is taken."""
    sentence = tr(
        "Two ways to find groups were tried, where each record shows items of its own: groups cut at single"
        " values alone, as far as that is worth the items, lose {a}; groups cut at items too lose {b} (0 to"
        " {n} for every column). The {taken} are taken."
    ).format(
        a=number_text(what["by_singles"]),
        b=number_text(what["by_all"]),
        n=len(run.table),
        taken=tr("first") if what["by_singles"] <= what["by_all"] else tr("second"),
    )
    return Step(sentence, 4, last.cover, last.scene)


def _own(run: Logged, column: Items, kept: np.ndarray) -> str:
    """How many items of a column are shown."""
    assert isinstance(run.algorithm, TopDown)
    return tr(
        "Items of “{column}” that are shown: {kept} of {all}; left out: {gone}. In a group of equal single"
        " values, any {m} or fewer that one record shows are shown by at least {k}."
    ).format(
        column=column.attribute.name,
        kept=int(kept.sum()),
        all=len(kept),
        gone=int((~kept).sum()),
        m=counted(run.algorithm.known_items, "item"),
        k=run.k,
    )
