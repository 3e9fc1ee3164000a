"""Top-down for attackers who know few items of a person: groups, and the items that each record publishes.

The better of two sets of groups is used: cuts by the single values alone, while their gain exceeds the loss
of items (`groups`), and the groups for attackers who may know all items. `shown` chooses the published items.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kanon_core.algorithms.base import Log, Run
from kanon_core.algorithms.partitioning.topdown.cutting import Cutting
from kanon_core.algorithms.partitioning.topdown.known.groups import classes_of, grouped, loss_of, tree_of
from kanon_core.algorithms.partitioning.topdown.known.shown import Baskets, baskets_of, shown_items
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import counted, later, tr
from kanon_core.covers.cells import CommonItems, PublishedColumn
from kanon_core.covers.cover import Partition
from kanon_core.table.columns.columns import Items
from kanon_core.table.columns.set_arrays import chosen_sets, set_keys
from kanon_core.table.table import Table, item_sets

_RECORDS_AT_ONCE = 50_000
_EQUAL = later("finding equal rows")
_COMBINATIONS_AT_MOST = 3_000_000_000  # over all records: some minutes if all clash


def unknowable(table: Table, k: int, m: int) -> list[str]:
    """Return a reason if items cannot be chosen record by record. Cost O(items)."""
    sets = item_sets(table)
    named = [column.attribute.name for column in sets if column.attribute.hierarchy is not None]
    if named:
        return [
            tr(
                "Column “{name}” has a hierarchy, but with known items records publish items, not groups of"
                " items; remove the hierarchy, or set known items to 0."
            ).format(name=named[0])
        ]
    sizes = np.zeros(len(table))
    for column in sets:
        often = np.bincount(column.items, minlength=len(column.labels)) >= k
        owner = np.repeat(np.arange(len(column.sizes)), column.sizes)
        sizes += np.bincount(owner[often[column.items]], minlength=len(table))
    count = (sizes**m).sum() / (1, 1, 2, 6)[m]
    if m == 1 or count <= _COMBINATIONS_AT_MOST:
        return []
    return [
        tr(
            "There are {count:.0e} combinations of {m} to check, but the limit is {limit:.0e}; one record"
            " has {most:,.0f} items that {k} or more records have. Choose fewer known items, or remove the"
            " records with the most items."
        ).format(count=count, m=counted(m, "item"), most=sizes.max(), k=k, limit=_COMBINATIONS_AT_MOST)
    ]


class Found(NamedTuple):
    """Groups of records, the published tokens of the baskets, their loss (`loss_of`), and the log."""

    groups: np.ndarray
    kept: np.ndarray
    loss: float
    log: Log


def known_cover(cutting: Cutting, m: int, run: Run) -> Partition:
    """Return groups by the single values, or, if they lose less, those for attackers who may know all items;
    put the published items of each record into ``run.shown``. Logs ``compared`` (by_singles, by_all: both
    losses), then ``group``, a ``split`` for each cut made, and ``shown`` (column, kept: which of its items
    are published, booleans) for each column.

    The loss is at most that of `TopDown` without known items, because items that all records of a group have
    never clash.
    """
    quasi, k = cutting.table.quasi, cutting.k
    sets = [column for column in quasi if isinstance(column, Items)]
    baskets = baskets_of(sets, run.tick)

    def found(groups: np.ndarray, log: Log, tick: Tick) -> Found:
        kept = shown_items(baskets, groups, k, m, tick)
        return Found(groups, kept, loss_of(quasi, baskets, groups, kept, tick), log)

    groups, log = _by_singles(cutting, m, sets, baskets, run.part(0, 0.56))
    first = found(groups, log, run.part(0.56, 0.7).tick)
    inner = Run(run.seed, run.part(0.7, 0.8).tick, None if run.log is None else Log())
    groups = cutting.cut(quasi, inner).groups.groups
    second = found(groups, inner.log or Log(), run.part(0.8, 0.9).tick)
    best = min(first, second, key=lambda result: result.loss)
    classes = classes_of(quasi, best.groups)
    if classes.max() < best.groups.max():
        again = shown_items(baskets, classes, k, m, run.part(0.9, 0.95).tick, start=best.kept)
        best = best._replace(kept=again)
    run.report.update({later("items"): len(best.kept), later("items shown"): int(best.kept.sum())})
    if run.log is not None:
        run.log.write("compared", by_singles=first.loss, by_all=second.loss)
        run.log.events += best.log.events
        for column, places in zip(sets, baskets.places, strict=True):
            run.log.write("shown", column=column.attribute.name, kept=best.kept[places])
    shown = [best.kept[places] for places in baskets.places]
    run.shown.update(own_items(sets, shown, run.part(0.95, 1).tick))
    return Partition(best.groups)


def _by_singles(
    cutting: Cutting, m: int, sets: Sequence[Items], baskets: Baskets, run: Run
) -> tuple[np.ndarray, Log]:
    """Return groups by the single values, cut while the gain exceeds the loss of items, and their log."""
    singles, log = tuple(column for column in cutting.table.quasi if not isinstance(column, Items)), Log()
    if not singles:
        log.write("group", members=np.arange(len(cutting.table)))
        return np.zeros(len(cutting.table), np.int64), log
    first = run.part(0, 0.25)
    first.log = None if run.log is None else Log()
    _, order, cuts = cutting.cut(singles, first)
    groups, made = grouped(tree_of(order, cuts), singles, sets, baskets, cutting.k, m, run.part(0.25, 1).tick)
    if first.log is not None:
        logged = [True, *made.tolist()]
        log.events += [event for event, kept in zip(first.log.events, logged, strict=True) if kept]
    return groups, log


def own_items(
    sets: Sequence[Items], shown: Sequence[np.ndarray], tick: Tick = silent
) -> dict[str, PublishedColumn]:
    """Return, by name, the published columns of the items for which ``shown`` (booleans, items) is true; each
    different set is one cell. Cost O(n + items)."""
    found = {}
    for column, kept in zip(sets, shown, strict=True):
        tick(None, tr(_EQUAL))
        ends = np.concatenate([[0], np.cumsum(kept)]).astype(np.int64)[column.starts]
        items = column.items[kept]
        cell = _keys(ends, items, tick)
        first = np.unique(cell, return_index=True)[1]
        cells = CommonItems(*chosen_sets(ends, items, first))
        found[column.attribute.name] = PublishedColumn(column.attribute, cells, cell)
    return found


def _keys(starts: np.ndarray, items: np.ndarray, tick: Tick) -> np.ndarray:
    """Return the keys of `set_keys`, computed in blocks of records."""
    keys, firsts, count = np.empty(len(starts) - 1, np.int64), [np.zeros(0, np.int64)], 0
    for begin in range(0, len(keys), _RECORDS_AT_ONCE):
        tick(None, tr(_EQUAL))
        ends = starts[begin : begin + _RECORDS_AT_ONCE + 1]
        own = set_keys(ends - ends[0], items[ends[0] : ends[-1]])
        keys[begin : begin + len(own)] = own + count
        firsts.append(begin + np.unique(own, return_index=True)[1])
        count += len(firsts[-1])
    return set_keys(*chosen_sets(starts, items, np.concatenate(firsts)))[keys]
