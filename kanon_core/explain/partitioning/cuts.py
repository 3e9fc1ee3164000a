"""The cuts of a top-down run, one sentence and one table each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from kanon_core.algorithms.base import Log
from kanon_core.base.words import counted, tr
from kanon_core.charts.canvas.theme import percent_text
from kanon_core.charts.sets.itemsteps import Cut, Steps, short_text, sides, steps_of
from kanon_core.charts.steps.itemtable import ItemTable
from kanon_core.explain.partitioning.lost import lost, published_items
from kanon_core.explain.run import Event, Logged
from kanon_core.explain.step import Step
from kanon_core.explain.wording import named
from kanon_core.table.columns.columns import Items

_SHORT = 60


def cut_steps(run: Logged, events: Sequence[Event], line: int) -> Iterator[Step]:
    """The groups as they begin (line ``line``), and a step for each cut (the next lines: a cut, a
    suppression)."""
    steps = _replayed(run, events)
    first = np.zeros(len(run.table), np.int64)
    sentence = tr("At the beginning all {n} records are one group, which publishes only what they all share.")
    yield Step(sentence.format(n=len(first)), line, first, ItemTable(run.table, run.records, first))
    for number, cut in enumerate(steps.cuts, start=1):
        groups = steps.labels(number)
        sentence = _cut(run, steps, number) + _most_lost(run, steps, number)
        scene = ItemTable(run.table, run.records, groups, (cut.group, cut.new))
        yield Step(sentence, line + (2 if cut.new < 0 else 1), groups, scene)


def _replayed(run: Logged, events: Sequence[Event]) -> Steps:
    log = Log()
    log.events = list(events)
    return steps_of(run.table, log)


def _cut(run: Logged, steps: Steps, number: int) -> str:
    """Which group is cut, at what, how many records there are on either side."""
    cut, before = steps.cuts[number - 1], steps.labels(number - 1)
    group = named(run, np.flatnonzero(before == cut.group))
    if not cut.pivot:
        return _by_values(steps, number, group)
    sentence = tr("Round {round}: the group of {group} is cut at {pivot}: {has} with it, {without} without.")
    sentence = sentence.format(
        round=cut.round,
        group=group,
        pivot=_pivot(steps, cut),
        has=_records(cut.with_pivot),
        without=cut.size - cut.with_pivot,
    )
    if cut.new < 0:
        sentence += " " + tr("Fewer than k = {k} are without it, so they are left out: {records}.").format(
            k=run.k, records=named(run, cut.part)
        )
    return f"{sentence} {_gained(steps, cut, number)}"


def _pivot(steps: Steps, cut: Cut) -> str:
    """The item, or group of a hierarchy, at which it is cut, and the column where there are several."""
    column = steps.table[cut.column]
    assert isinstance(column, Items)
    kind = tr("item “{pivot}”") if cut.pivot in column.labels else tr("the group “{pivot}” of items")
    text = kind.format(pivot=short_text(cut.pivot, _SHORT))
    if len(steps.table.quasi) == 1:
        return text
    return tr("{item} of “{column}”").format(item=text, column=cut.column)


def _by_values(steps: Steps, number: int, group: str) -> str:
    cut = steps.cuts[number - 1]
    ours, theirs = sides(steps, number)
    return tr(
        "Round {round}: the group of {group} is cut at “{column}”: {a} with {ours}, {b} with {theirs}."
    ).format(
        round=cut.round,
        group=group,
        column=cut.column,
        a=_records(len(cut.part)),
        ours=short_text(ours, _SHORT),
        b=cut.size - len(cut.part),
        theirs=short_text(theirs, _SHORT),
    )


def _gained(steps: Steps, cut: Cut, number: int) -> str:
    """How many items the group's records publish before and after."""
    column, before = steps.table[cut.column], steps.labels(number - 1) == cut.group
    assert isinstance(column, Items)
    shown = [int(published_items(column, steps.labels(done))[before].sum()) for done in (number - 1, number)]
    if not column.closure.is_flat:
        return tr("Items and groups of items that its records publish: {after} now, {before} before.").format(
            before=shown[0], after=shown[1]
        )
    return tr("Its records publish {after} of their {all} now, {before} before.").format(
        before=shown[0], after=shown[1], all=counted(int(column.sizes[before].sum()), "item")
    )


def _most_lost(run: Logged, steps: Steps, number: int) -> str:
    """At the first cut of a round, of a table of several columns: how much its column has lost."""
    cut = steps.cuts[number - 1]
    if len(run.table.quasi) == 1 or (number > 1 and steps.cuts[number - 2].round == cut.round):
        return ""
    column, groups = run.table[cut.column], steps.labels(number - 1)
    sentence = tr(
        "Of the columns that could still be cut, none had lost more than “{column}”: {percent} %."
    ).format(column=cut.column, percent=percent_text(lost(column, groups) / len(groups)))
    if column.attribute.weight != 1:
        sentence += " " + tr("Losses count by the columns' weights, here {weight}.").format(
            weight=f"{column.attribute.weight:g}"
        )
    return f" {sentence}"


def _records(count: int) -> str:
    return counted(count, "record")
