"""Narrations of Top-down and Refine for sets: the pivot of each cut, the published items, and the changes of
a search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np

from kanon_core.algorithms.base import Log
from kanon_core.algorithms.partitioning.refine_sets.refine_sets import RefineSets
from kanon_core.algorithms.partitioning.topdown.known.known import own_items
from kanon_core.algorithms.partitioning.topdown.topdown import TopDown
from kanon_core.base.words import counted, later, number_text, tr, tr_n
from kanon_core.charts.canvas.theme import listed, percent_text
from kanon_core.charts.sets.itemsteps import Cut, Steps, short_text, sides, steps_of
from kanon_core.covers.cells import Cells, PublishedColumn
from kanon_core.covers.cover import Partition
from kanon_core.covers.recoding import intervals, lowest_nodes, recode, value_sets
from kanon_core.table.columns.columns import Column, Items, Numbers
from kanon_core.teaching.explain.narration import Event, Logged, Narration, Step, start_steps
from kanon_core.teaching.explain.pictures import table_step
from kanon_core.teaching.explain.wording import left_out, named, thinned

_SHORT = 60
_COLUMNS = 6
_OF_START = 70


def lost(column: Column, groups: np.ndarray) -> float:
    """Return Σ over the records of the NCP of numbers and categories, 1 where a record is left out; of item
    sets NCP*_sv = n − N_r / τ, of N items, N_r published, τ = N / n (set-valued paper, eq. 15). In records: 0
    to n, before weights. ``groups`` int64 (n), −1 = left out.

    >>> import kanon_core as kc, pandas as pd
    >>> table = kc.Table.from_frame(pd.DataFrame({"age": [20, 30, 50, 60]}))
    >>> lost(table["age"], np.array([0, 0, 1, 1]))
    1.0
    """
    cover = Partition(groups)
    if isinstance(column, Items):
        sets = recode(column, cover).cells.as_items()
        every = len(column.closure.sets.items)
        return len(groups) * (1 - float((sets.sizes * cover.sizes).sum()) / max(every, 1))
    if isinstance(column, Numbers):
        cells: Cells = intervals(column, cover)
    else:
        free = column.attribute.hierarchy is None
        cells = value_sets(column, cover) if free else lowest_nodes(column, cover)
    return float(PublishedColumn(column.attribute, cells, cover.set_of).penalties(column).sum())


def published_items(column: Items, groups: np.ndarray) -> np.ndarray:
    """Return the number of items, and groups of items, that each record publishes; 0 if left out: int64
    (n)."""
    published = recode(column, Partition(groups))
    return np.asarray(np.append(published.cells.as_items().sizes, 0)[published.cell])


def _cut_steps(run: Logged) -> Iterator[Step]:
    """Yield the step of the first group, and a step for each cut or suppression."""
    log = Log()
    log.events = [one for one in run.events if one[0] in ("group", "split", "suppress")]
    steps = steps_of(run.table, log)
    first = np.zeros(len(run.table), np.int64)
    sentence = tr("At the beginning all {n} records are one group, which publishes only what they all share.")
    yield table_step(run, sentence.format(n=len(first)), 0, first)
    for number, cut in enumerate(steps.cuts, start=1):
        groups = steps.labels(number)
        sentence = _cut_at(run, steps, number) + _most_lost(run, steps, number)
        yield table_step(run, sentence, 2 if cut.new < 0 else 1, groups, (cut.group, cut.new))


def _cut_at(run: Logged, steps: Steps, number: int) -> str:
    """Return a sentence on the group that is cut, its pivot, and the number of records on either side."""
    cut, before = steps.cuts[number - 1], steps.labels(number - 1)
    group = named(run, np.flatnonzero(before == cut.group))
    if not cut.pivot:
        return _by_values(steps, number, group)
    sentence = tr("Round {round}: the group of {group} is cut at {pivot}: {has} with it, {without} without.")
    sentence = sentence.format(
        round=cut.round,
        group=group,
        pivot=_pivot(steps, cut),
        has=counted(cut.with_pivot, "record"),
        without=cut.size - cut.with_pivot,
    )
    if cut.new < 0:
        sentence += " " + tr(
            "Fewer than k = {k} records are without it, so they are left out: {records}."
        ).format(k=run.k, records=named(run, cut.part))
    return f"{sentence} {_gained(steps, cut, number)}"


def _pivot(steps: Steps, cut: Cut) -> str:
    """Return the item, or group of a hierarchy, at which a group is cut, and its column if there are
    several."""
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
        a=counted(len(cut.part), "record"),
        ours=short_text(ours, _SHORT),
        b=cut.size - len(cut.part),
        theirs=short_text(theirs, _SHORT),
    )


def _gained(steps: Steps, cut: Cut, number: int) -> str:
    """Return a text on the number of items that the group's records publish before and after."""
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
    """Return, for the first cut of a round of a table of several columns, a sentence on the loss of its
    column."""
    cut = steps.cuts[number - 1]
    if len(run.table.quasi) == 1 or (number > 1 and steps.cuts[number - 2].round == cut.round):
        return ""
    column, groups = run.table[cut.column], steps.labels(number - 1)
    sentence = tr(
        "“{column}” has the highest loss of the columns that can still be cut: {percent} %."
    ).format(column=cut.column, percent=percent_text(lost(column, groups) / len(groups)))
    if column.attribute.weight != 1:
        sentence += " " + tr("Losses are multiplied by the columns' weights, here {weight}.").format(
            weight=f"{column.attribute.weight:g}"
        )
    return f" {sentence}"


class TopDownSteps(Narration):
    """A step for the beginning and for each cut; then the end or, with known items, the items that records
    publish."""

    algorithm: ClassVar[type[TopDown]] = TopDown
    events: ClassVar[frozenset[str]] = frozenset({"group", "split", "suppress", "compared", "shown"})
    said: ClassVar[tuple[str, ...]] = (
        later("Begin with one group of all records, which publishes only what they all share."),
        later(
            "Repeatedly take the column with the highest loss, and cut by it every group that keeps k"
            " records on both sides; item sets are cut at the item after which most items are published."
        ),
        later("Where it is allowed and worthwhile, the few records without an item are left out instead."),
        later("The algorithm ends when no further cut keeps the guarantees and publishes more."),
        later(
            "With known items, each record publishes its own selection of items; any few of them are"
            " published by k records or by none."
        ),
    )

    def steps(self, run: Logged) -> Iterator[Step]:
        """Yield the steps of a run."""
        compared = run.of("compared")
        told = list(thinned(_cut_steps(run)))
        if compared:
            told.append(_compared(run, told[-1], compared[0]))
            told += self._shown(run, told[-1].cover)
        else:
            told.append(_ended(run, told[-1].cover))
        return iter(told)

    def _shown(self, run: Logged, groups: np.ndarray) -> Iterator[Step]:
        """Yield a step for each column on the items that records publish."""
        kept = {what["column"]: what["kept"] for what in run.of("shown")}
        sets = [column for column in run.table.quasi if isinstance(column, Items)]
        shown = own_items(sets, [kept[column.attribute.name] for column in sets])
        for column in sets:
            sentence = _own(run, column, kept[column.attribute.name])
            yield table_step(run, sentence, 4, groups, (), shown)


def _ended(run: Logged, groups: np.ndarray) -> Step:
    """Return the step of the result: the number of groups, and their loss."""
    sizes, gone = np.unique(groups[groups >= 0], return_counts=True)[1], int((groups < 0).sum())
    kept = [one.name for one in run.algorithm.guarantees(run.k)]
    sentence = tr_n(
        "No further cut keeps {kept} and publishes more: there is one group, of {most} records.",
        "No further cut keeps {kept} and publishes more: there are {count:,} groups of {least} to {most}.",
        len(sizes),
    ).format(count=len(sizes), least=sizes.min(), most=sizes.max(), kept=listed(kept))
    if gone:
        sentence = f"{sentence} {left_out(gone)}"
    names = [column.attribute.name for column in run.table.quasi[:_COLUMNS]]
    shares = [number_text(100 * lost(run.table[name], groups) / len(groups)) for name in names]
    losses = listed([f"“{name}” {share} %" for name, share in zip(names, shares, strict=True)])
    sentence += " " + tr("Loss: {losses}.").format(losses=losses)
    return table_step(run, sentence, 3, groups)


def _compared(run: Logged, last: Step, what: dict[str, Any]) -> Step:
    """Return the step that compares the two ways to form groups."""
    sentence = tr(
        "Each record publishes its own selection of items, and two ways to form groups were tried. Groups"
        " cut at single values alone, as long as this is worth the items, lose {a}; groups cut at items too"
        " lose {b} (0 to {n} for each column). The {taken} way is used."
    ).format(
        a=number_text(what["by_singles"]),
        b=number_text(what["by_all"]),
        n=len(run.table),
        taken=tr("first") if what["by_singles"] <= what["by_all"] else tr("second"),
    )
    return Step(sentence, 4, last.cover, last.scene)


def _own(run: Logged, column: Items, kept: np.ndarray) -> str:
    """Return a sentence on the number of items of a column that are published."""
    assert isinstance(run.algorithm, TopDown)
    return tr(
        "Items of “{column}” that are published: {kept} of {all}; left out: {gone}. In a group of equal"
        " single values, any {m} or fewer that one record publishes are published by at least {k}."
    ).format(
        column=column.attribute.name,
        kept=int(kept.sum()),
        all=len(kept),
        gone=int((~kept).sum()),
        m=counted(run.algorithm.known_items, "item"),
        k=run.k,
    )


class RefineSetsSteps(Narration):
    """The steps of the starting algorithm, one for the search, and one for each group that the search has
    made."""

    algorithm: ClassVar[type[RefineSets]] = RefineSets
    events: ClassVar[frozenset[str]] = frozenset({"group", "split", "suppress", "search"})
    said: ClassVar[tuple[str, ...]] = (
        later("Start from the groups of the top-down pass."),
        later("Open groups for item sets that k or more records have; dissolve groups and form new ones."),
        later("Keep a change only if it does not lower the number of published items."),
    )

    def steps(self, run: Logged) -> Iterator[Step]:
        """Yield the steps of a run."""
        assert isinstance(run.algorithm, RefineSets)
        at = next(place for place, (event, _) in enumerate(run.events) if event == "search")
        search = run.events[at][1]
        start = tuple(start_steps(run.part(run.algorithm.start, run.events[:at])))
        yield from thinned(start, _OF_START)
        first = start[-1].cover
        yield _searched(run, first, search)
        yield from thinned(_changes(run, first, run.events[at + 1 :], search["column"]), _OF_START)


def _searched(run: Logged, first: np.ndarray, what: dict[str, Any]) -> Step:
    """Return the step of the search as a whole."""
    sentence = tr(
        "The starting groups publish {before} of “{column}”. The search then tries thousands of changes, in"
        " {steps} that each examine about half a million records; only the changes kept are shown."
    ).format(
        column=what["column"],
        before=counted(what["before"], "item"),
        steps=tr_n("{count:,} step", "{count:,} steps", what["steps"]).format(count=what["steps"]),
    )
    if what["steps"] == 0:
        sentence = tr(
            "The starting groups publish {before} of “{column}”. No record can change its group, so there"
            " is nothing to search."
        ).format(column=what["column"], before=counted(what["before"], "item"))
    if what["after"] == what["before"]:
        sentence += " " + tr("It found nothing better: the groups stay as they are.")
    else:
        sentence += " " + tr(
            "The next steps form its groups one by one; in between, the remaining groups can be too small."
        )
    return table_step(run, sentence, 1, first)


def _changes(run: Logged, first: np.ndarray, events: Sequence[Event], name: str) -> Iterator[Step]:
    """Yield the steps that form, one by one, the final groups that the start did not have."""
    column, groups, free = run.table[name], first.copy(), int(first.max()) + 1
    assert isinstance(column, Items)
    new = [what["members"] for _, what in events if not _is_there(first, what["members"])]
    for number, members in enumerate(new):
        before = first[members]
        groups[members] = free + number
        came = {int(group): members[before == group] for group in np.unique(before)}
        sentence = _changed(run, column, members, first, list(came.values()))
        if number == len(new) - 1:
            sentence += " " + _all_changes(column, first, groups)
        yield table_step(run, sentence, 2, groups, (free + number,))


def _is_there(groups: np.ndarray, members: np.ndarray) -> bool:
    """Return whether exactly these records are one of the groups."""
    group = groups[members[0]]
    return bool(group >= 0 and np.array_equal(np.flatnonzero(groups == group), np.sort(members)))


def _changed(
    run: Logged, column: Items, members: np.ndarray, first: np.ndarray, parts: list[np.ndarray]
) -> str:
    """Return a sentence on the records of a new group, their former groups, and their published items."""
    now = np.full(len(first), -1)
    now[members] = 0
    before, after = (int(published_items(column, groups)[members].sum()) for groups in (first, now))
    sentence = tr("{records} now form a group; they come from {parts} of the start.").format(
        records=_capital(named(run, members)),
        parts=counted(len(parts), "group"),
    )
    text = recode(column, Partition(now)).texts(column, members[:1])[0]
    return f"{sentence} " + tr("They publish {text}: {after} together, {before} before.").format(
        text=f"“{short_text(text[1:-1], 60)}”" if text[1:-1] else tr("nothing"),
        before=before,
        after=counted(after, "item"),
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _all_changes(column: Items, first: np.ndarray, last: np.ndarray) -> str:
    before, after = (int(published_items(column, groups).sum()) for groups in (first, last))
    every = len(column.closure.sets.items)
    return tr(
        "All changes together: items published: {after} of {all} instead of {before}, {less} more; items"
        " lost: {gone} instead of {lost}."
    ).format(
        before=before, after=after, all=every, less=after - before, gone=every - after, lost=every - before
    )
