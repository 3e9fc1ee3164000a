"""Refine for sets, told: what the start did, and which records are in other groups at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from kanon_core.algorithms.partitioning.refine_sets.refine_sets import RefineSets
from kanon_core.base.words import counted, tr, tr_n
from kanon_core.charts.sets.itemsteps import short_text
from kanon_core.charts.steps.itemtable import ItemTable
from kanon_core.explain.narration import Narration
from kanon_core.explain.partitioning.lost import published_items
from kanon_core.explain.partitioning.topdown import TopDownSteps
from kanon_core.explain.run import Event, Logged
from kanon_core.explain.step import Step
from kanon_core.explain.wording import named, thinned
from kanon_core.release.cover import Partition
from kanon_core.release.recoding import recode
from kanon_core.table.columns.columns import Items

_OF_START = 70


class RefineSetsSteps(Narration):
    """The steps of the start, one for the search, and one for each group that the search has made."""

    algorithm: ClassVar[type[RefineSets]] = RefineSets
    events: ClassVar[frozenset[str]] = frozenset({"group", "split", "suppress", "search"})

    def lines(self) -> tuple[str, ...]:
        """The algorithm in lines."""
        return (
            tr("Start from the groups of the top-down pass."),
            tr(
                "Open groups for item sets that k or more records have; take groups apart and form them anew."
            ),
            tr("Keep a change only if no fewer items are published then."),
        )

    def steps(self, run: Logged) -> Iterator[Step]:
        """The steps of a run."""
        assert isinstance(run.algorithm, RefineSets)
        at = next(place for place, (event, _) in enumerate(run.events) if event == "search")
        search = run.events[at][1]
        inner = TopDownSteps()
        start = tuple(inner.steps(run.part(run.algorithm.start, run.events[:at])))
        for step in thinned(start, _OF_START):
            yield replace(step, lines=inner.lines())
        first = start[-1].cover
        yield _searched(run, first, search)
        yield from thinned(_changes(run, first, run.events[at + 1 :], search["column"]), _OF_START)


def _searched(run: Logged, first: np.ndarray, what: dict[str, Any]) -> Step:
    """What the search did as a whole."""
    sentence = tr(
        "The start publishes {before} of “{column}”. The search then tries many thousand changes, in"
        " {steps} that each look at about half a million records; only what it kept is shown."
    ).format(
        column=what["column"],
        before=counted(what["before"], "item"),
        steps=tr_n("{count:,} step", "{count:,} steps", what["steps"]).format(count=what["steps"]),
    )
    if what["steps"] == 0:
        sentence = tr(
            "The start publishes {before} of “{column}”. No record can change its group, so there is"
            " nothing to search."
        ).format(column=what["column"], before=counted(what["before"], "item"))
    if what["after"] == what["before"]:
        sentence += " " + tr("It found nothing better: the groups stay as they are.")
    else:
        sentence += " " + tr(
            "Its groups are put in place one by one here; those they come from can be too small in between."
        )
    return Step(sentence, 1, first, ItemTable(run.table, run.records, first))


def _changes(run: Logged, first: np.ndarray, events: Sequence[Event], name: str) -> Iterator[Step]:
    """The groups of the end that the start had not, put in place one by one."""
    column, groups, free = run.table[name], first.copy(), int(first.max()) + 1
    assert isinstance(column, Items)
    new = [what["members"] for _, what in events if not _is_there(first, what["members"])]
    for number, members in enumerate(new):
        before = first[members]
        groups[members] = free + number
        came = {int(group): members[before == group] for group in np.unique(before)}
        sentence = _changed(run, column, members, first, list(came.values()))
        if number == len(new) - 1:
            sentence += " " + _ended(column, first, groups)
        yield Step(
            sentence, 2, groups.copy(), ItemTable(run.table, run.records, groups.copy(), (free + number,))
        )


def _is_there(groups: np.ndarray, members: np.ndarray) -> bool:
    """Whether these records, and no others, are one of the groups."""
    group = groups[members[0]]
    return bool(group >= 0 and np.array_equal(np.flatnonzero(groups == group), np.sort(members)))


def _changed(
    run: Logged, column: Items, members: np.ndarray, first: np.ndarray, parts: list[np.ndarray]
) -> str:
    """Who forms a group now, from where, and what its records publish instead."""
    now = np.full(len(first), -1)
    now[members] = 0
    before, after = (int(published_items(column, groups)[members].sum()) for groups in (first, now))
    sentence = tr("{records} form a group now, from {parts} of the start.").format(
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


def _ended(column: Items, first: np.ndarray, last: np.ndarray) -> str:
    before, after = (int(published_items(column, groups).sum()) for groups in (first, last))
    every = len(column.closure.sets.items)
    return tr(
        "All changes together: items published: {after} of {all} instead of {before}, {less} more; items"
        " lost: {gone} instead of {lost}."
    ).format(
        before=before, after=after, all=every, less=after - before, gone=every - after, lost=every - before
    )
