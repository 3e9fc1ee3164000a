"""Steps of a top-down run, replayed from its log: the group that is split, the pivot, and the sets that the
groups then publish (set-valued paper, figure 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from kanon_core.algorithms.base import Log, Run
from kanon_core.algorithms.partitioning.topdown.topdown import TopDown
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import counted, tr, tr_n
from kanon_core.charts.canvas import theme as look
from kanon_core.covers.cells import PublishedColumn
from kanon_core.covers.cover import Partition
from kanon_core.covers.recoding import recode
from kanon_core.metrics.loss.items import grouped_counts, label_counts
from kanon_core.table.columns.columns import Items
from kanon_core.table.table import Table

FEW_RECORDS, FEW_CUTS = 40, 40
"""Up to so many records and cuts, each step is one cut and every record has a row; above, a step is a
round."""
_RUNS = 4


@dataclass(frozen=True, eq=False)
class Cut:
    """One cut: ``part`` (int64, ascending) leaves group ``group``, to be group ``new``, or suppressed when
    that is −1.

    ``pivot`` is the item, or group of items, it was made by, "" for columns of single values; ``has``:
    whether the part has it. ``size``: records of the group before.
    """

    round: int
    column: str
    pivot: str
    has: bool
    group: int
    new: int
    size: int
    part: np.ndarray

    @property
    def with_pivot(self) -> int:
        """Return how many records of the group have the pivot."""
        return len(self.part) if self.has else self.size - len(self.part)


@dataclass(frozen=True, eq=False)
class Steps:
    """The cuts of a run in order, and the groups after any number of them. Make it with `replayed`."""

    table: Table
    cuts: tuple[Cut, ...]

    @property
    def by_cut(self) -> bool:
        """Return whether a step is one cut (few records); else it is a round."""
        return len(self.table) <= FEW_RECORDS and len(self.cuts) <= FEW_CUTS

    @property
    def count(self) -> int:
        """Return how many steps there are, the beginning not counted."""
        return len(self.cuts) if self.by_cut else len(self.ends) - 1

    @cached_property
    def ends(self) -> np.ndarray:
        """int64 (rounds + 1): how many cuts are done when each round ends; 0 first."""
        rounds = np.array([cut.round for cut in self.cuts], np.int64)
        last = int(rounds.max(initial=0))
        return np.searchsorted(rounds, np.arange(last + 1), side="right")

    def done(self, step: int) -> int:
        """Return how many cuts are done after this step."""
        return step if self.by_cut else int(self.ends[step])

    def labels(self, cuts: int) -> np.ndarray:
        """int64 (n): each record's group after so many cuts, −1 = suppressed. Cost O(n + records)."""
        found = np.zeros(len(self.table), np.int64)
        for cut in self.cuts[:cuts]:
            found[cut.part] = cut.new
        return found

    def sets(self, name: str, cuts: int) -> PublishedColumn:
        """Return what the groups publish of a column after so many cuts."""
        return recode(self.table[name], Partition(self.labels(cuts)))


def replayed(table: Table, algorithm: TopDown, k: int, seed: int = 0, tick: Tick = silent) -> Steps:
    """The steps of the run with these settings: it is run once more, writing its log."""
    log = Log()
    seen, log.records = table.ordered(seed)
    algorithm.cover(seen, k, Run(seed, tick, log))
    return steps_of(table, log)


def steps_of(table: Table, log: Log) -> Steps:
    """The steps in the log of a top-down run, or of an algorithm that starts from one."""
    names = ("round", "column", "pivot", "has", "cluster", "new", "size", "part")
    told = [what for event, what in log.events if event in ("split", "suppress")]
    cuts = (Cut(*(what[name] for name in names)) for what in told)
    return Steps(table, tuple(replace(cut, part=np.sort(log.numbers(cut.part))) for cut in cuts))


def step_sentence(steps: Steps, step: int, name: str) -> str:
    """Return sentences on the step, which is one cut or a whole round, and on the published items of the
    column."""
    if not step:
        text = tr("At the start, all {records} form one group, which publishes only what all of them share.")
        return f"{text.format(records=counted(len(steps.table), 'record'))} {_published(steps, 0, name)}"
    if steps.by_cut:
        return f"{_cut_sentence(steps, step)} {_published(steps, step, name)}"
    return f"{_round_sentence(steps, step)} {_published(steps, steps.done(step), name)}"


def _round_sentence(steps: Steps, step: int) -> str:
    """Return a sentence on a round: how many groups were split, and by which column."""
    cuts = round_cuts(steps, step)
    if not cuts:
        return tr("Round {step}: no group could be split.").format(step=step)
    text = tr_n(
        "Round {step}: {groups:,} group is split by “{where}”",
        "Round {step}: {groups:,} groups are split by “{where}”",
        len(cuts),
    ).format(step=step, groups=len(cuts), where=cuts[0].column)
    if len(steps.table.quasi) > 1:
        text += tr(", the column that has lost most")
    gone = sum(len(cut.part) for cut in cuts if cut.new < 0)
    return (
        text
        + ("; " + tr("suppressed: {records}").format(records=counted(gone, "record")) if gone else "")
        + "."
    )


def _published(steps: Steps, cuts: int, name: str) -> str:
    column = steps.table[name]
    assert isinstance(column, Items)
    published = steps.sets(name, cuts)
    grouped = int(grouped_counts(column, published).sum())
    kept = int(label_counts(column, published)[column.closure.own].sum())
    text = tr("Published now: {kept:,} of {items} of “{name}”, and {grouped:,} as a group.")
    if column.closure.is_flat:
        text = tr("Published now: {kept:,} of {items} of “{name}”.")
    items = counted(len(column.items), "item")
    return text.format(kept=kept, items=items, name=name, grouped=grouped)


def round_cuts(steps: Steps, number: int) -> Sequence[Cut]:
    """The cuts of a round, which is numbered from 1."""
    return steps.cuts[steps.ends[number - 1] : steps.ends[number]]


@dataclass(frozen=True)
class CutRow:
    """A cut as a row of a table: the records of the group before, its pivot or column, and both parts.

    ``with_it`` and ``without``: records, and what they publish of the column that is cut, as short text.
    """

    records: int
    by: str
    with_it: tuple[int, str]
    without: tuple[int, str]
    suppressed: bool


def round_rows(steps: Steps, number: int, most: int = 20) -> list[CutRow]:
    """The first cuts of a round; of item sets the part with the pivot first. Cost O(n · most + items)."""
    cuts = round_cuts(steps, number)[:most]
    if not cuts:
        return []
    labels = steps.labels(int(steps.ends[number]))
    # A suppressed part has no cell of its own any more; its set is read as if it were one.
    for cut in cuts:
        if cut.new < 0:
            labels[cut.part] = labels.max() + 1
    column = steps.table[cuts[0].column]
    published, rows = recode(column, Partition(labels)), []
    for cut in cuts:
        rest = int(np.flatnonzero(labels == cut.group)[0])
        texts = [short_text(text) for text in published.texts(column, np.array([cut.part[0], rest]))]
        ours, theirs = (len(cut.part), texts[0]), (cut.size - len(cut.part), texts[1])
        first, second = (theirs, ours) if cut.pivot and not cut.has else (ours, theirs)
        rows.append(CutRow(cut.size, cut.pivot or cut.column, first, second, cut.new < 0))
    return rows


def _cut_sentence(steps: Steps, step: int) -> str:
    """Return a sentence on one cut: its group, its pivot, and the sizes of both parts."""
    cut, before = steps.cuts[step - 1], steps.labels(step - 1)
    group = records_text(np.flatnonzero(before == cut.group))
    facts = {"round": cut.round, "group": group}
    if cut.pivot:
        text = tr(
            "Round {round}: the group of {group} is split by {kind} {pivot}: {records} with it, {without:,}"
            " without"
        ).format(
            kind=_kind(steps, cut),
            pivot=cut.pivot,
            records=counted(cut.with_pivot, "record"),
            without=cut.size - cut.with_pivot,
            **facts,
        )
    else:
        ours, theirs = sides(steps, step)
        text = tr(
            "Round {round}: the group of {group} is split by “{column}”: {records} with {ours}, {others:,}"
            " with {theirs}"
        ).format(
            column=cut.column,
            records=counted(len(cut.part), "record"),
            ours=ours,
            others=cut.size - len(cut.part),
            theirs=theirs,
            **facts,
        )
    if cut.new < 0:
        gone = counted(len(cut.part), "record")
        text += "; " + tr("suppressed: {records}").format(records=gone)
    return text + "."


def _kind(steps: Steps, cut: Cut) -> str:
    """Return the word for the pivot: an item of the column, or a group of its hierarchy."""
    column = steps.table[cut.column]
    return tr("item") if isinstance(column, Items) and cut.pivot in column.labels else tr("group")


def sides(steps: Steps, step: int) -> tuple[str, str]:
    """Return what the part cut off and the rest of its group publish of the column that is cut."""
    cut, labels = steps.cuts[step - 1], steps.labels(step)
    column = steps.table[cut.column]
    rest = np.flatnonzero(labels == cut.group)
    chosen = np.full(len(labels), -1)
    chosen[rest], chosen[cut.part] = 0, 1
    texts = recode(column, Partition(chosen)).texts(column, np.array([cut.part[0], rest[0]]))
    return short_text(texts[0]), short_text(texts[1])


def short_text(text: str, most: int = 90) -> str:
    """The text, shortened with an ellipsis."""
    return text if len(text) <= most else text[: most - 1] + "…"


def records_text(records: np.ndarray) -> str:
    """``record 5``, ``records 1–4``, ``records 5, 8 and 9``; of many runs the first few."""
    numbers = (np.sort(records) + 1).tolist()
    starts = [0, *(np.flatnonzero(np.diff(numbers) > 1) + 1).tolist(), len(numbers)]
    runs = [_run(numbers[a], numbers[b - 1]) for a, b in pairwise(starts)]
    said = tr("record {numbers}") if len(numbers) == 1 else tr("records {numbers}")
    if len(runs) <= _RUNS:
        return said.format(numbers=look.listed(runs))
    others = tr("{numbers} and {count:,} others").format(
        numbers=", ".join(runs[:_RUNS]), count=len(numbers) - starts[_RUNS]
    )
    return said.format(numbers=others)


def _run(first: int, last: int) -> str:
    if first == last:
        return f"{first}"
    return f"{first}–{last}" if last > first + 1 else f"{first}, {last}"


def pivots_of(steps: Steps, name: str) -> tuple[str, ...]:
    """The different pivots of a column of item sets, in the order in which they were first taken."""
    return tuple(dict.fromkeys(cut.pivot for cut in steps.cuts if cut.column == name and cut.pivot))


def paths_of(steps: Steps, name: str) -> frozenset[tuple[frozenset[str], str]]:
    """Pairs of the pivots that a group had and the one that was added, of a column."""
    had: dict[int, frozenset[str]] = {0: frozenset()}
    found = set()
    for cut in steps.cuts:
        here = had.get(cut.group, frozenset())
        if cut.column != name:
            had[cut.new] = here
            continue
        found.add((here, cut.pivot))
        more = here | {cut.pivot}
        had[cut.new], had[cut.group] = (more, here) if cut.has else (here, more)
    return frozenset(found)
