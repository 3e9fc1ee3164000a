"""Which items each record of a group may show when nobody knows more than m items of a person.

Within a group every combination of at most m published items, of whatever columns, is published by no record or by at least k
[Terrovitis et al. 2008; for groups of equal single values, Poulis et al. 2013]. Items are left out of single records: first
those that fewer than k records of the group have; then, as long as some but fewer than k records publish two items
together, each of these records loses the item with most such clashes, of equal ones the rarest; then the same for three. At
last, what turned out to break nothing is shown again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from kanon_core.algorithms.base import Log, Run
from kanon_core.cover import OwnItems
from kanon_core.data.columns import Items
from kanon_core.data.sets import chosen_sets, set_keys
from kanon_core.data.table import Table
from kanon_core.progress import Tick, silent

if TYPE_CHECKING:
    from kanon_core.algorithms.topdown.composite import TopDown
    from kanon_core.algorithms.topdown.known_shelf_kernels import Shelf

MOST_KNOWN = 3
"""The most items that somebody may know; more combinations than those of three could not be counted."""

_WORK_PER_CALL = 3_000_000  # occurrences and clashes touched between two ticks
_CLASHES_AT_MOST = 4_000_000  # noted at once; more are met in later passes
_COMBINATIONS_AT_MOST = 3_000_000_000  # of all records: some ten seconds a pass


def unknowable(table: Table, k: int, m: int) -> list[str]:
    """Why the items cannot be chosen record by record, in sentences; empty when they can. Cost O(items)."""
    sets = [column for column in table.quasi if isinstance(column, Items)]
    named = [column.attribute.name for column in sets if column.attribute.hierarchy is not None]
    if named:
        return [
            f"Column “{named[0]}” has a hierarchy of items, and with known items each record shows its own items, not groups of them; "
            "remove the hierarchy, or set known items to 0."
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
        f"There are {count:.0e} combinations of {m} items to count, as one record has {sizes.max():,.0f} items that {k} or more records "
        f"have; {_COMBINATIONS_AT_MOST:.0e} can be. Choose fewer known items, or leave out the longest records."
    ]


def known_cover(algorithm: TopDown, table: Table, k: int, run: Run) -> OwnItems:
    """Groups by the single values, and the items that each record of them shows. Logs ``group``, and a ``split`` for each cut made."""
    from kanon_core.algorithms.topdown.known_groups import grouped, tree_of

    sets = [column for column in table.quasi if isinstance(column, Items)]
    singles = tuple(column for column in table.quasi if not isinstance(column, Items))
    m, groups = algorithm.known_items, np.zeros(len(table), np.int64)
    if singles:
        first = run.part(0, 0.2)
        first.log = None if run.log is None else Log()
        partition, order, cuts = algorithm.cut(table, singles, k, first)
        groups = partition.groups
        made = np.ones(len(cuts), np.bool_)
        if sets:
            groups, made = grouped(tree_of(order, cuts), table.quasi, k, m, run.part(0.2, 0.8).tick)
        if run.log is not None and first.log is not None:
            kept = [True, *made.tolist()]
            run.log.events += [event for event, so in zip(first.log.events, kept, strict=True) if so]
    elif run.log is not None:
        run.log.write("group", members=np.arange(len(table)))
    shown = shown_items(sets, groups, k, m, run.part(0.8, 1).tick) if sets else []
    run.report.update({"items": sum(map(len, shown)), "items shown": sum(int(one.sum()) for one in shown)})
    return own_items(sets, groups, shown)


def own_items(sets: Sequence[Items], groups: np.ndarray, shown: Sequence[np.ndarray]) -> OwnItems:
    """The cover of these groups whose records show, of each column, the items where ``shown`` is true. Cost O(n + items)."""
    rows, parts = groups.astype(np.int64), []
    for column, kept in zip(sets, shown, strict=True):
        ends = np.concatenate([[0], np.cumsum(kept)]).astype(np.int64)[column.starts]
        items = column.items[kept]
        keys = set_keys(ends, items)
        rows = pd.factorize(rows * (int(keys.max(initial=0)) + 1) + keys)[0]
        parts.append((column.attribute.name, ends, items))
    rows = pd.factorize(rows)[0].astype(np.int64)
    first = np.unique(rows, return_index=True)[1]
    return OwnItems(groups, rows, {name: chosen_sets(ends, items, first) for name, ends, items in parts})


def shown_items(
    columns: Sequence[Items],
    groups: np.ndarray,
    k: int,
    m: int,
    tick: Tick = silent,
    passes: int | None = None,
) -> list[np.ndarray]:
    """For each column, which of its ``items`` are published: booleans. ``groups`` int64 (n), from 0 on; those of −1 publish none.

    ``passes``: stop after so many passes over the clashes of a size, before all are settled: enough to compare groupings, not to
    publish. Cost per pass Σ |set|^m, memory O(items).
    """
    tokens, owner = _tokens(columns)
    kept = often(groups, tokens, owner, k)
    if m > 1 and kept.any():
        shelf, places = shelf_of(groups, tokens, owner, kept, m)
        _settle(shelf, k, m, tick, passes)
        kept[places] = shelf.kept
    ends = np.cumsum([len(column.items) for column in columns])
    return np.split(kept, ends[:-1])


def _tokens(columns: Sequence[Items]) -> tuple[np.ndarray, np.ndarray]:
    """The items of all columns as numbers that no two columns share, column after column, and the record of each."""
    first = np.cumsum([0, *(len(column.labels) for column in columns)])
    tokens = [column.items + begin for column, begin in zip(columns, first, strict=False)]
    owner = [np.repeat(np.arange(len(column.sizes)), column.sizes) for column in columns]
    return np.concatenate(tokens).astype(np.int64), np.concatenate(owner)


def _pairs_of(groups: np.ndarray, tokens: np.ndarray, owner: np.ndarray) -> tuple[np.ndarray, ...]:
    """The group and token of each occurrence as one number: the different ones, which each is, and how often."""
    width = int(tokens.max(initial=0)) + 1
    found = np.unique(groups[owner] * width + tokens, return_inverse=True, return_counts=True)
    return found[0] // width, found[1], found[2]


def often(groups: np.ndarray, tokens: np.ndarray, owner: np.ndarray, k: int) -> np.ndarray:
    """Whether k or more records of the group have the item, of each occurrence: what m = 1 asks for."""
    found = groups[owner] >= 0
    _, which, counts = _pairs_of(groups, tokens[found], owner[found])
    found[found] = counts[which] >= k
    return found


def shelf_of(
    groups: np.ndarray, tokens: np.ndarray, owner: np.ndarray, kept: np.ndarray, m: int
) -> tuple[Shelf, np.ndarray]:
    """The kept occurrences as the kernels read them, and which of the given ones they are. Records of a group stand together."""
    from kanon_core.algorithms.topdown.known_shelf_kernels import Shelf

    places = np.flatnonzero(kept)
    row = np.empty(len(groups), np.int64)
    row[np.argsort(groups, kind="stable")] = np.arange(len(groups))
    group, which, counts = _pairs_of(groups, tokens[places], owner[places])
    order = np.lexsort((counts, group))
    number = np.empty(len(order), np.int64)
    number[order] = np.arange(len(order))
    slots = len(order)
    key = row[owner[places]] * slots + number[which]
    sorting = np.argsort(key)
    places, key = places[sorting], key[sorting]
    own, slot = (key // slots).astype(np.int32), (key % slots).astype(np.int32)
    starts = np.concatenate([[0], np.cumsum(np.bincount(own, minlength=len(groups)))]).astype(np.int64)
    held = np.argsort(slot, kind="stable").astype(np.int32)
    held_at = np.concatenate([[0], np.cumsum(counts[order])]).astype(np.int64)
    beside = np.bincount(slot, np.diff(starts)[own]) if m > 2 else np.zeros(1)
    room = int(min(_CLASHES_AT_MOST, (np.diff(starts) ** m).sum()))
    t, none = len(slot), np.zeros(slots, np.int32)
    return Shelf(
        starts, slot, own, held, held_at, np.ones(t, np.bool_), np.ones((2, slots), np.bool_),
        np.empty((room, m), np.int32), np.zeros(t, np.int32), np.zeros(t + 1, np.int64), np.empty(room * m, np.int32),
        none.copy(), none.copy(), none.copy(), none.copy(), np.empty(int(beside.max()), np.int32), np.zeros(slots, np.int64), np.zeros(t, np.bool_), np.zeros(6, np.int64),
    ), places  # fmt: skip


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
    from kanon_core.algorithms.topdown.known_return_kernels import give_back
    from kanon_core.algorithms.topdown.known_shelf_kernels import SLOT

    shelf.made[SLOT] = 0
    while shelf.made[SLOT] < len(shelf.beside):
        give_back(shelf, k, m, _WORK_PER_CALL)
        tick(None, "showing again what breaks nothing")


def _pass(shelf: Shelf, k: int, size: int, tick: Tick) -> bool:
    """Settles the clashes of this many items that there is room to note; returns whether anything was removed."""
    from kanon_core.algorithms.topdown.known_kernels import collect, link, settle
    from kanon_core.algorithms.topdown.known_shelf_kernels import CLASHES, GONE, RECORD, SLOT

    before, room = int(shelf.made[GONE]), True
    shelf.made[[SLOT, CLASHES, RECORD]] = 0
    while room and shelf.made[SLOT] < len(shelf.beside):
        room = collect(shelf, k, size, _WORK_PER_CALL)
        tick(None, f"items left out: {shelf.made[GONE]:,}")
    if shelf.made[CLASHES]:
        link(shelf, size)
        while shelf.made[RECORD] < len(shelf.starts) - 1:
            settle(shelf, size, _WORK_PER_CALL)
            tick(None, f"items left out: {shelf.made[GONE]:,}")
    return int(shelf.made[GONE]) > before
