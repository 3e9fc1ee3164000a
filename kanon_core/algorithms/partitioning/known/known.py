"""Which items each record of a group may show when nobody knows more than m items of a person.

Within a group every combination of at most m published items, of whatever columns, is published by no record
or by at least k [Terrovitis et al. 2008; for groups of equal single values, Poulis et al. 2013]. Items are
left out of single records: first those that fewer than k records of the group have; then, as long as some but
fewer than k records publish two items together, each of these records loses the item with most such clashes,
of equal ones the rarest; then the same for three. At last, what turned out to break nothing is shown again.
Groups of equal single values count as one there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from kanon_core.algorithms.base import Log, Run
from kanon_core.base.progress import Tick, silent
from kanon_core.release.cover import OwnItems
from kanon_core.table.columns.columns import Items
from kanon_core.table.columns.sets import chosen_sets, set_keys
from kanon_core.table.table import Table

if TYPE_CHECKING:
    from kanon_core.algorithms.partitioning.known.shelf_kernels import Shelf
    from kanon_core.algorithms.partitioning.topdown import TopDown

_WORK_PER_CALL = 3_000_000  # occurrences and clashes touched between two ticks
_CLASHES_AT_MOST = 4_000_000  # noted at once; more are met in later passes
_ITEMS_AT_ONCE = 300_000  # of groups that are looked at together; a larger group is looked at alone
_NOTE = "which items are left out"
_RECORDS_AT_ONCE = 50_000
_COMBINATIONS_AT_MOST = 3_000_000_000  # of all records: some minutes where all clash


def unknowable(table: Table, k: int, m: int) -> list[str]:
    """Why the items cannot be chosen record by record, in sentences; empty when they can. Cost O(items)."""
    sets = [column for column in table.quasi if isinstance(column, Items)]
    named = [column.attribute.name for column in sets if column.attribute.hierarchy is not None]
    if named:
        return [
            f"Column “{named[0]}” has a hierarchy of items, and with known items each record shows its own"
            " items, not groups of them; remove the hierarchy, or set known items to 0."
        ]
    sizes = np.zeros(len(table))
    for column in sets:
        often = np.bincount(column.items, minlength=len(column.labels)) >= k
        owner = np.repeat(np.arange(len(table)), column.sizes)
        sizes += np.bincount(owner[often[column.items]], minlength=len(table))
    count = (sizes**m).sum() / (1, 1, 2, 6)[m]
    if m == 1 or count <= _COMBINATIONS_AT_MOST:
        return []
    return [
        f"There are {count:.0e} combinations of {m} items to count, as one record has {sizes.max():,.0f}"
        f" items that {k} or more records have; {_COMBINATIONS_AT_MOST:.0e} can be. Choose fewer known items,"
        " or leave out the longest records."
    ]


class Found(NamedTuple):
    """Groups of records, which of the baskets' tokens they show, what that loses (see `known_groups`), and
    how they were found."""

    groups: np.ndarray
    kept: np.ndarray
    loss: float
    log: Log


def known_cover(algorithm: TopDown, table: Table, k: int, run: Run) -> OwnItems:
    """Groups by the single values, or, where less is lost, those for people of whom all items are known, and
    the items that each record of them shows. Logs ``group``, and a ``split`` for each cut made.

    The second are never worse than what `TopDown` finds without known items: what all records of a group have
    never clashes.
    """
    from kanon_core.algorithms.partitioning.known.groups import classes_of

    sets = [column for column in table.quasi if isinstance(column, Items)]
    baskets = baskets_of(sets, run.tick) if sets else None
    found = _by_singles(algorithm, table, baskets, k, run.part(0, 0.7))
    if baskets is not None:
        inner = Run(run.seed, run.part(0.7, 0.8).tick, None if run.log is None else Log())
        groups = algorithm.cut(table, table.quasi, k, inner)[0].groups
        other = _found(algorithm, table, baskets, groups, k, inner.log or Log(), run.part(0.8, 0.9).tick)
        found = min(found, other, key=lambda one: one.loss)
        classes = classes_of(table.quasi, found.groups)
        if classes.max() < found.groups.max():
            again = shown_items(
                baskets, classes, k, algorithm.known_items, run.part(0.9, 0.95).tick, start=found.kept
            )
            found = found._replace(kept=again)
    shown = [found.kept[places] for places in baskets.places] if baskets is not None else []
    run.report.update({"items": len(found.kept), "items shown": int(found.kept.sum())})
    if run.log is not None:
        run.log.events += found.log.events
    return own_items(sets, found.groups, shown, run.part(0.95, 1).tick)


def _by_singles(algorithm: TopDown, table: Table, baskets: Baskets | None, k: int, run: Run) -> Found:
    """Groups by the single values, cut as long as it is worth the items."""
    from kanon_core.algorithms.partitioning.known.groups import grouped, tree_of

    sets = [column for column in table.quasi if isinstance(column, Items)]
    singles = tuple(column for column in table.quasi if not isinstance(column, Items))
    groups, log = np.zeros(len(table), np.int64), Log()
    if singles:
        first = run.part(0, 0.2)
        first.log = None if run.log is None else Log()
        partition, order, cuts = algorithm.cut(table, singles, k, first)
        groups = partition.groups
        made = np.ones(len(cuts), np.bool_)
        if baskets is not None:
            tick, m = run.part(0.2, 0.8).tick, algorithm.known_items
            groups, made = grouped(tree_of(order, cuts), singles, sets, baskets, k, m, tick)
        if first.log is not None:
            told = [True, *made.tolist()]
            log.events += [event for event, so in zip(first.log.events, told, strict=True) if so]
    else:
        log.write("group", members=np.arange(len(table)))
    if baskets is None:
        return Found(groups, np.zeros(0, np.bool_), 0.0, log)
    return _found(algorithm, table, baskets, groups, k, log, run.part(0.8, 1).tick)


def _found(
    algorithm: TopDown, table: Table, baskets: Baskets, groups: np.ndarray, k: int, log: Log, tick: Tick
) -> Found:
    """These groups with what their records show."""
    from kanon_core.algorithms.partitioning.known.groups import loss_of

    kept = shown_items(baskets, groups, k, algorithm.known_items, tick)
    return Found(groups, kept, loss_of(table.quasi, baskets, groups, kept, tick), log)


def own_items(
    sets: Sequence[Items], groups: np.ndarray, shown: Sequence[np.ndarray], tick: Tick = silent
) -> OwnItems:
    """The cover of these groups whose records show, of each column, the items where ``shown`` is true. Cost
    O(n + items)."""
    rows, parts = groups.astype(np.int64), []
    for column, kept in zip(sets, shown, strict=True):
        tick(None, "rows that are equal")
        ends = np.concatenate([[0], np.cumsum(kept)]).astype(np.int64)[column.starts]
        items = column.items[kept]
        keys = _keys(ends, items, tick)
        rows = pd.factorize(rows * (int(keys.max(initial=0)) + 1) + keys)[0]
        parts.append((column.attribute.name, ends, items))
    rows = pd.factorize(rows)[0].astype(np.int64)
    first = np.empty(int(rows.max(initial=-1)) + 1, np.int64)
    first[rows[::-1]] = np.arange(len(rows))[::-1]
    tick(None, "rows that are equal")
    return OwnItems(groups, rows, {name: chosen_sets(ends, items, first) for name, ends, items in parts})


def _keys(starts: np.ndarray, items: np.ndarray, tick: Tick) -> np.ndarray:
    """As `set_keys`, but some records at a time."""
    keys, firsts, count = np.empty(len(starts) - 1, np.int64), [np.zeros(0, np.int64)], 0
    for begin in range(0, len(keys), _RECORDS_AT_ONCE):
        tick(None, "rows that are equal")
        ends = starts[begin : begin + _RECORDS_AT_ONCE + 1]
        own = set_keys(ends - ends[0], items[ends[0] : ends[-1]])
        keys[begin : begin + len(own)] = own + count
        firsts.append(begin + np.unique(own, return_index=True)[1])
        count += len(firsts[-1])
    return set_keys(*chosen_sets(starts, items, np.concatenate(firsts)))[keys]


class Baskets(NamedTuple):
    """The items of all columns, record by record: those of record i are ``tokens[starts[i]:starts[i + 1]]``,
    numbers that no two columns share, those of column c from ``first[c]`` to before ``first[c + 1]``.
    ``places``: by column, where its ``items`` stand.
    """

    starts: np.ndarray
    tokens: np.ndarray
    places: list[np.ndarray]
    first: list[int]


def baskets_of(columns: Sequence[Items], tick: Tick = silent) -> Baskets:
    """These columns as one. Cost O(n + items)."""
    starts = np.sum([column.starts for column in columns], axis=0).astype(np.int64)
    tokens, places, first = np.empty(starts[-1], np.int32), [], [0]
    free = starts[:-1].copy()
    for column in columns:
        tick(None, f"reading {column.attribute.name}")
        places.append(np.repeat(free - column.starts[:-1], column.sizes) + np.arange(len(column.items)))
        tokens[places[-1]] = column.items + np.int32(first[-1])
        free += column.sizes
        first.append(first[-1] + len(column.labels))
    return Baskets(starts, tokens, places, first)


def shown_items(
    baskets: Baskets,
    groups: np.ndarray,
    k: int,
    m: int,
    tick: Tick = silent,
    passes: int | None = None,
    start: np.ndarray | None = None,
) -> np.ndarray:
    """Which of the ``tokens`` are published: booleans. ``groups`` int64 (n), from 0 on; records of −1 publish
    none.

    ``passes``: stop after so many passes over the clashes of a size, before all are settled: enough to
    compare groupings, not to publish. ``start``: booleans, what is published already without a clash; then
    more of it is only added. Groups are independent, so they are taken some at a time. Cost per pass Σ
    |set|^m, memory O(items).
    """
    from kanon_core.algorithms.partitioning.known.layout_kernels import lay_out, often

    starts, tokens = baskets.starts, baskets.tokens
    kept, count = np.zeros(len(tokens), np.bool_), np.zeros(max(baskets.first[-1], 1), np.int64)
    for share, rows, ends in _some_groups(starts, groups):
        tick(share, _NOTE)
        often(starts, tokens, rows, ends, k, count, kept)
        if m > 1:
            tick(None, _NOTE)
            *laid, places = lay_out(starts, tokens, kept, rows, ends, count)
            if len(places):
                shelf = _shelf(m, *laid)
                if start is None:
                    _settle(shelf, k, m, tick, passes)
                else:
                    shelf.kept[:] = start[places]
                    _give_back(shelf, k, m, tick)
                kept[places] = shelf.kept
    return kept


def _some_groups(starts: np.ndarray, groups: np.ndarray) -> Iterator[tuple[float, np.ndarray, np.ndarray]]:
    """The records of some groups, those of a group together, and where each ends; before it the share of the
    items that came earlier."""
    order = np.argsort(groups, kind="stable")
    order = order[np.count_nonzero(groups < 0) :]
    ends = np.cumsum(np.bincount(groups[order])).astype(np.int64)
    items = np.concatenate([[0], np.cumsum(np.diff(starts)[order])])[ends]
    first = 0
    while first < len(ends):
        before, begin = (items[first - 1], ends[first - 1]) if first else (0, 0)
        last = max(first + 1, int(np.searchsorted(items, before + _ITEMS_AT_ONCE, "right")))
        yield float(before / max(items[-1], 1)), order[begin : ends[last - 1]], ends[first:last] - begin
        first = last


def _shelf(
    m: int, starts: np.ndarray, slot: np.ndarray, owner: np.ndarray, held: np.ndarray, held_at: np.ndarray
) -> Shelf:
    """The search for clashes among these occurrences (`known_layout_kernels.lay_out`) before its first
    step."""
    from kanon_core.algorithms.partitioning.known.shelf_kernels import Shelf

    beside = np.bincount(slot, np.diff(starts)[owner]) if m > 2 else np.zeros(1)
    room = int(min(_CLASHES_AT_MOST, (np.diff(starts) ** m).sum()))
    slots, t = len(held_at) - 1, len(slot)
    none = np.zeros(slots, np.int32)
    return Shelf(
        starts,
        slot,
        owner,
        held,
        held_at,
        np.ones(t, np.bool_),
        np.ones((2, slots), np.bool_),
        np.empty((room, m), np.int32),
        np.zeros(t, np.int32),
        np.zeros(t + 1, np.int64),
        np.empty(room * m, np.int32),
        none.copy(),
        none.copy(),
        none.copy(),
        none.copy(),
        np.empty(int(beside.max()), np.int32),
        np.zeros(slots, np.int64),
        np.zeros(t, np.bool_),
        np.zeros(6, np.int64),
    )


def _settle(shelf: Shelf, k: int, m: int, tick: Tick, passes: int | None) -> None:
    """Removes what clashes, pairs before triples, and gives back what does not."""
    size, done = 2, 0
    while size <= m:
        if _pass(shelf, k, size, tick):
            size, done = 2, done + 1
        else:
            size += 1
        if passes is not None and done >= passes:
            return
    _give_back(shelf, k, m, tick)


def _give_back(shelf: Shelf, k: int, m: int, tick: Tick) -> None:
    """Shows whatever clashes with nothing."""
    from kanon_core.algorithms.partitioning.known.return_kernels import give_back
    from kanon_core.algorithms.partitioning.known.shelf_kernels import SLOT

    shelf.made[SLOT] = 0
    while shelf.made[SLOT] < len(shelf.beside):
        give_back(shelf, k, m, _WORK_PER_CALL)
        tick(None, "showing again what breaks nothing")


def _pass(shelf: Shelf, k: int, size: int, tick: Tick) -> bool:
    """Settles the clashes of this many items that there is room to note; returns whether anything was
    removed."""
    from kanon_core.algorithms.partitioning.known.clash_kernels import collect, link, settle
    from kanon_core.algorithms.partitioning.known.shelf_kernels import CLASHES, GONE, RECORD, SLOT

    before, room = int(shelf.made[GONE]), True
    shelf.made[[SLOT, CLASHES, RECORD]] = 0
    while room and shelf.made[SLOT] < len(shelf.beside):
        room = collect(shelf, k, size, _WORK_PER_CALL)
        tick(None, _NOTE)
    if shelf.made[CLASHES]:
        link(shelf, size)
        while shelf.made[RECORD] < len(shelf.starts) - 1:
            settle(shelf, size, _WORK_PER_CALL)
            tick(None, _NOTE)
    return int(shelf.made[GONE]) > before
