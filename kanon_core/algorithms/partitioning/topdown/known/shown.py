"""Choose the items that each record of a group shows when an attacker knows at most m items of a person.

Within a group every combination of at most m published items, of whatever columns, is published by no record
or by at least k (Terrovitis et al. 2008; for groups of equal single values, Poulis et al. 2013). Items are
left out of single records: first those that fewer than k records of the group have; then, as long as some but
fewer than k records publish two items together, each of these records loses the item with most such clashes,
of equal ones the rarest; then the same for three. At last, items that can be published without breaking the
guarantee are shown again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kanon_core.base.arrays import filled
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import later, tr
from kanon_core.table.columns.columns import Items

if TYPE_CHECKING:
    from kanon_core.algorithms.partitioning.topdown.known.shelf_kernels import Shelf

_WORK_PER_CALL = 3_000_000  # occurrences and clashes touched between two ticks
_CLASHES_AT_MOST = 4_000_000  # noted at once; more are met in later passes
_ITEMS_AT_ONCE = 300_000  # of groups that are looked at together; a larger group is looked at alone
_NOTE = later("which items are left out")


class Baskets(NamedTuple):
    """The items of all columns, record by record: those of record i are ``tokens[starts[i]:starts[i + 1]]``,
    numbers that no two columns share, those of column c from ``first[c]`` to before ``first[c + 1]``.
    ``places``: by column, where its ``items`` stand."""

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
        tick(None, tr("reading {name}").format(name=column.attribute.name))
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
    """Return which of the ``tokens`` are published: booleans. ``groups`` int64 (n), from 0 on; records of −1
    publish none.

    ``passes``: stop after so many passes over the clashes of a size, before all are settled: enough to
    compare groupings, not to publish. ``start``: booleans, the tokens that are already published without a
    clash; the search then only adds to them. Groups are independent, so they are taken some at a time. Cost
    per pass Σ |set|^m, memory O(items).
    """
    from kanon_core.algorithms.partitioning.topdown.known.shelf_kernels import Occurrences, lay_out, often

    tokens, width = baskets.tokens, max(baskets.first[-1], 1)
    kept = np.zeros(len(tokens), np.bool_)
    occurrences = Occurrences(baskets.starts, tokens, kept, np.zeros(width, np.int64))
    for share, records, ends in _some_groups(baskets.starts, groups):
        tick(share, tr(_NOTE))
        often(occurrences, records, ends, k)
        if m > 1:
            tick(None, tr(_NOTE))
            *laid, places = lay_out(occurrences, records, ends)
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
    """The share of the items that came earlier, the records of some groups one group after another, and where
    each group ends."""
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
    """The search for clashes among these occurrences (`lay_out`) before its first step."""
    from kanon_core.algorithms.partitioning.topdown.known.shelf_kernels import Shelf

    beside = np.bincount(slot, np.diff(starts)[owner]) if m > 2 else np.zeros(1)
    room = int(min(_CLASHES_AT_MOST, (np.diff(starts) ** m).sum()))
    slots, t = len(held_at) - 1, len(slot)
    return Shelf(
        starts,
        slot,
        owner,
        held,
        held_at,
        **filled(bool, 1, kept=t, changed=(2, slots)),
        **filled(bool, 0, fits=t),
        **filled(np.int32, 0, degree=t, beside=slots, second=slots, seen=slots, also=slots),
        **filled(np.int64, 0, near_at=t + 1, bucket_at=slots, made=6),
        **filled(np.int32, None, clash=(room, m), near=room * m, bucket=int(beside.max())),
    )


def _settle(shelf: Shelf, k: int, m: int, tick: Tick, passes: int | None) -> None:
    """Remove occurrences that clash, pairs before triples, and give back those that do not."""
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
    from kanon_core.algorithms.partitioning.topdown.known.return_kernels import give_back
    from kanon_core.algorithms.partitioning.topdown.known.shelf_kernels import SLOT

    shelf.made[SLOT] = 0
    while shelf.made[SLOT] < len(shelf.beside):
        give_back(shelf, k, m, _WORK_PER_CALL)
        tick(None, tr("showing again what breaks nothing"))


def _pass(shelf: Shelf, k: int, size: int, tick: Tick) -> bool:
    """Settle as many clashes of this many items as there is room to note; returns whether any item was
    removed."""
    from kanon_core.algorithms.partitioning.topdown.known.clash_kernels import collect, link, settle
    from kanon_core.algorithms.partitioning.topdown.known.shelf_kernels import CLASHES, GONE, RECORD, SLOT

    before, room = int(shelf.made[GONE]), True
    shelf.made[[SLOT, CLASHES, RECORD]] = 0
    while room and shelf.made[SLOT] < len(shelf.beside):
        room = collect(shelf, k, size, _WORK_PER_CALL)
        tick(None, tr(_NOTE))
    if shelf.made[CLASHES]:
        link(shelf, size)
        while shelf.made[RECORD] < len(shelf.starts) - 1:
            settle(shelf, size, _WORK_PER_CALL)
            tick(None, tr(_NOTE))
    return int(shelf.made[GONE]) > before
