"""From a cover to published cells: generalization to intervals, value sets, groups of a hierarchy and common
items, or aggregation.

Cost O(n log n) per attribute, O(items) for item sets, without a loop over groups.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from kanon_core.release.cells.cells import Cells, CommonItems, Intervals, Nodes, Published, ValueSets
from kanon_core.release.cover import Cover, OwnItems
from kanon_core.table.columns.columns import Categories, Column, Items, Numbers
from kanon_core.table.columns.keys import distinct
from kanon_core.table.columns.sets import chosen_sets, incidence
from kanon_core.table.hierarchy.placed import placed

_FLAGS_AT_MOST = 200_000_000
_RECORDS_PER_TICK = 200_000


def recode(column: Column, cover: Cover, tick: Callable[[], None] = lambda: None) -> Published:
    """The published cells of one quasi-identifier, one for each row of the cover
    (`kanon_core.release.cover`), as its attribute's recoding says (see `schema.RECODINGS`).

    Ticks within what takes long.
    """
    if isinstance(cover, OwnItems):
        if isinstance(column, Items):
            return Published(column.attribute, CommonItems(*cover.shown[column.attribute.name]))
        found = _of_sets(column, cover, tick)
        aggregate = None if found.aggregate is None else found.aggregate[cover.set_of]
        return Published(column.attribute, taken(found.cells, cover.set_of), aggregate)
    return _of_sets(column, cover, tick)


def taken(cells: Cells, which: np.ndarray) -> Cells:
    """The cells of these numbers, in this order."""
    if isinstance(cells, Intervals):
        return Intervals(cells.low[which], cells.high[which], cells.partly_missing[which])
    if isinstance(cells, Nodes):
        return Nodes(cells.placed, cells.nodes[which])
    if isinstance(cells, ValueSets):
        return ValueSets(*chosen_sets(cells.starts, cells.codes, which))
    return CommonItems(*chosen_sets(cells.starts, cells.items, which))


def _of_sets(column: Column, cover: Cover, tick: Callable[[], None]) -> Published:
    """The cells of each set of the cover."""
    recoding = column.attribute.recoding
    aggregate = None
    if isinstance(column, Items):
        return Published(column.attribute, common_items(column, cover, tick))
    if isinstance(column, Numbers):
        between = intervals(column, cover)
        if recoding != "generalize":
            aggregate = {"mean": _means, "median": _medians, "mode": _number_modes}[recoding](column, cover)
            aggregate = _as_written(aggregate, column, between)
        return Published(column.attribute, between, aggregate)
    if recoding == "mode":
        aggregate = _modes(column.codes, len(column.labels), cover)
    cells = value_sets if column.attribute.hierarchy is None else lowest_nodes
    return Published(column.attribute, cells(column, cover), aggregate)


def _as_written(aggregate: np.ndarray, column: Numbers, cells: Intervals) -> np.ndarray:
    """Within its interval whatever was rounded; a date in the precision in which dates of this column are
    written."""
    if column.attribute.kind == "datetime":
        step = {"D": 86_400.0, "s": 1.0, "us": 1e-6}[column.unit]
        aggregate = np.rint(aggregate / step) * step
    return np.clip(aggregate, cells.low, cells.high)


def intervals(column: Numbers, cover: Cover) -> Intervals:
    """[min, max] of each set's present values."""
    values, starts = column.values[cover.order], cover.starts[:-1]
    if not len(starts):
        return Intervals(values, values, np.zeros(0, bool))
    missing = np.add.reduceat(np.isnan(values).astype(np.int64), starts)
    low, high = np.fmin.reduceat(values, starts), np.fmax.reduceat(values, starts)
    return Intervals(low, high, (missing > 0) & (missing < cover.sizes))


def value_sets(column: Categories, cover: Cover) -> ValueSets:
    """The distinct values of each set."""
    width, count = len(column.labels), len(cover.sizes)
    keys = cover.sets * width + column.codes[cover.order]
    if count * width <= _FLAGS_AT_MOST:
        seen = np.zeros(count * width, bool)
        seen[keys] = True
        present = np.flatnonzero(seen)
    else:
        present = distinct(keys)
    counts = np.bincount(present // width, minlength=count)
    return ValueSets(np.concatenate([[0], np.cumsum(counts)]), (present % width).astype(np.int32))


def lowest_nodes(column: Categories, cover: Cover) -> Nodes:
    """The lowest node of the column's hierarchy that stands above all values of each set: that of its first
    and last leaf."""
    places, starts = placed(column), cover.starts[:-1]
    leaves = places.leaf[column.codes[cover.order]]
    if not len(starts):
        return Nodes(places, leaves)
    return Nodes(
        places, places.lowest(np.minimum.reduceat(leaves, starts), np.maximum.reduceat(leaves, starts))
    )


def common_items(column: Items, cover: Cover, tick: Callable[[], None] = lambda: None) -> CommonItems:
    """The items that all records of each set have, and the groups of which all have some item: those counted
    as often as the set has records [001 §3]."""
    column = column.closure.sets
    own, sizes, items = incidence(column.starts, column.items, len(column.labels)), [], []
    for first, last in pairwise(_blocks(cover)):
        tick()
        starts = cover.starts[first : last + 1]
        groups = incidence(starts - starts[0], cover.order[starts[0] : starts[-1]], len(cover))
        counted = groups @ own
        counted.sort_indices()
        sets = np.repeat(np.arange(last - first), np.diff(counted.indptr))
        shared = counted.data == cover.sizes[first:last][sets]
        sizes.append(np.bincount(sets[shared], minlength=last - first))
        items.append(counted.indices[shared].astype(np.int32))
    ends = np.cumsum(np.concatenate([[0], *sizes]))
    return CommonItems(ends.astype(np.int64), np.concatenate([np.zeros(0, np.int32), *items]))


def _blocks(cover: Cover) -> list[int]:
    """Numbers of sets from 0 to the last, between two of them about as many records as are recoded between
    two ticks."""
    cuts = np.arange(_RECORDS_PER_TICK, len(cover.order), _RECORDS_PER_TICK)
    return np.unique([0, *np.searchsorted(cover.starts, cuts), len(cover.sizes)]).tolist()


def _present(column: Numbers, cover: Cover) -> tuple[np.ndarray, np.ndarray]:
    """The sets and values of all present values, set by set."""
    values = column.values[cover.order]
    kept = ~np.isnan(values)
    return cover.sets[kept], values[kept]


def _means(column: Numbers, cover: Cover) -> np.ndarray:
    sets, values = _present(column, cover)
    shift = values.mean() if len(values) else 0.0
    sums = np.bincount(sets, values - shift, len(cover.sizes))
    counts = np.bincount(sets, minlength=len(cover.sizes))
    return np.where(counts > 0, shift + sums / np.maximum(counts, 1), np.nan)


def _medians(column: Numbers, cover: Cover) -> np.ndarray:
    sets, values = _present(column, cover)
    ordered = values[np.lexsort((values, sets))]
    counts = np.bincount(sets, minlength=len(cover.sizes))
    if not len(ordered):
        return np.full(len(counts), np.nan)
    starts = np.cumsum(counts) - counts
    last = len(ordered) - 1
    lower = ordered[np.minimum(starts + np.maximum(counts - 1, 0) // 2, last)]
    upper = ordered[np.minimum(starts + counts // 2, last)]
    return np.where(counts > 0, lower + (upper - lower) / 2, np.nan)


def _number_modes(column: Numbers, cover: Cover) -> np.ndarray:
    values, codes = np.unique(column.values, return_inverse=True)
    return values[_modes(codes, len(values), cover)]


def _modes(codes: np.ndarray, width: int, cover: Cover) -> np.ndarray:
    """The most frequent code of each set; ties go to the lowest code (for labels: the first in text
    order)."""
    present, counts = np.unique(cover.sets * width + codes[cover.order], return_counts=True)
    sets = present // width
    best = np.lexsort((present, -counts, sets))
    first = np.flatnonzero(np.diff(sets[best], prepend=-1))
    return (present % width)[best[first]]
