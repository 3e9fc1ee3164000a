"""Choice of the items that each record of a group publishes if the attacker knows at most m items of a
person.

Within a group no record, or at least k, publish any combination of at most m published items, of all columns
(Terrovitis et al. 2008; for groups of equal single values, Poulis et al. 2013). Items of single records are
suppressed: first those that fewer than k records of the group have; then, while some but fewer than k records
publish two items together, each of these records loses the item with the most such clashes, the rarest on
ties; then the same for three items. Finally, items that can be published without violating the guarantee are
restored.
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

_WORK_PER_CALL = 3_000_000  # occurrences and clashes visited between two ticks
_CLASHES_AT_MOST = 4_000_000  # stored at once; later passes find more
_ITEMS_AT_ONCE = 300_000  # of groups that are processed together; a larger group is processed alone
_NOTE = later("choosing items to suppress")


class Baskets(NamedTuple):
    """The items of all columns by record: those of record i are ``tokens[starts[i]:starts[i + 1]]``. Columns
    share no token: those of column c are ``first[c]`` … ``first[c + 1]`` − 1. ``places``: by column, the
    positions of its ``items`` in ``tokens``."""

    starts: np.ndarray
    tokens: np.ndarray
    places: list[np.ndarray]
    first: list[int]


def baskets_of(columns: Sequence[Items], tick: Tick = silent) -> Baskets:
    """Return these columns combined. Cost O(n + items)."""
    starts = np.sum([column.starts for column in columns], axis=0).astype(np.int64)
    tokens, places, first = np.empty(starts[-1], np.int32), [], [0]
    free = starts[:-1].copy()
    for column in columns:
        tick(None, tr("reading column {name}").format(name=column.attribute.name))
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
    """Return which of the ``tokens`` are published, booleans. ``groups`` int64 (n), from 0 on; −1 publishes
    none.

    ``passes``: stop after this many passes over the clashes of a size, before all are resolved: enough to
    compare groupings, not to publish. ``start``: booleans, tokens already published without a clash; the
    search then only adds tokens. Groups are independent and processed in blocks. Cost per pass Σ |set|^m,
    memory O(items).
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
    """Yield, for blocks of groups: the share of items in earlier blocks, the records sorted by group, and the
    end of each group."""
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
    """Return the initial state of the search for clashes among these occurrences (`lay_out`)."""
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
    """Suppress occurrences that clash, pairs before triples, and restore those that do not."""
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
    """Restore occurrences without a clash."""
    from kanon_core.algorithms.partitioning.topdown.known.return_kernels import give_back
    from kanon_core.algorithms.partitioning.topdown.known.shelf_kernels import SLOT

    shelf.made[SLOT] = 0
    while shelf.made[SLOT] < len(shelf.beside):
        give_back(shelf, k, m, _WORK_PER_CALL)
        tick(None, tr("restoring items"))


def _pass(shelf: Shelf, k: int, size: int, tick: Tick) -> bool:
    """Resolve as many clashes of ``size`` items as can be stored; return whether any item was suppressed."""
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
