"""The step from a cover to published cells: generalization to intervals, value sets, groups of a hierarchy
and common items, or aggregation.

Cost O(n log n) per attribute, O(items) for item sets, without a loop over groups but for the exact sums of
means.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np

from kanon_core.covers.cells import (
    AggregatedNumbers,
    AggregatedValues,
    Arcs,
    Cells,
    CommonItems,
    Intervals,
    Nodes,
    PublishedColumn,
    ValueSets,
)
from kanon_core.covers.cover import Cover
from kanon_core.covers.rounding.widening import with_round_ends
from kanon_core.table.columns.columns import Categories, Column, Items, Numbers
from kanon_core.table.columns.keys import distinct
from kanon_core.table.columns.set_arrays import incidence
from kanon_core.table.hierarchy.placed import placed

_FLAGS_AT_MOST = 200_000_000
_COUNTS_AT_MOST = 20_000_000
_RECORDS_PER_TICK = 200_000
DIGITS = 15
"""The digits of a published mean."""
_SUMMED_AT_MOST = 2.0**960
_SMALLER = 2.0**-64


def recode(column: Column, cover: Cover, tick: Callable[[], None] = lambda: None) -> PublishedColumn:
    """Return one quasi-identifier as it is published: a cell for each set of the cover, by its attribute's
    recoding (see `schema.RECODINGS`). Ticks during long steps."""
    return PublishedColumn(column.attribute, _cells(column, cover, tick), cover.set_of)


def _cells(column: Column, cover: Cover, tick: Callable[[], None]) -> Cells:
    """The cells of each set of the cover."""
    recoding = column.attribute.recoding
    if isinstance(column, Items):
        return common_items(column, cover, tick)
    if isinstance(column, Numbers):
        between = intervals(column, cover) if column.circle is None else arcs(column, cover)
        if recoding == "generalize":
            return with_round_ends(between, column) if column.attribute.round_to else between
        values = {"mean": _means, "median": _medians, "mode": _number_modes}[recoding](column, cover)
        return AggregatedNumbers.of(_as_written(values, column, between), between)
    sets = value_sets(column, cover) if column.attribute.hierarchy is None else lowest_nodes(column, cover)
    return sets if recoding != "mode" else AggregatedValues.of(modes(column, cover), sets)


def _as_written(aggregate: np.ndarray, column: Numbers, cells: Intervals | Arcs) -> np.ndarray:
    """Return aggregates in a form that can be written: a rounded one stays within its interval or arc, a date
    or time of day has the precision of this column, and a level is the nearest one, of two the lower."""
    circle, line = column.circle, cells.as_intervals()
    if column.attribute.kind == "datetime":
        step = {"D": 86_400.0, "s": 1.0, "us": 1e-6}[column.unit]
        aggregate = np.rint(aggregate / step) * step
    if circle is not None and circle.clock:
        step = 1.0 if circle.seconds else 60.0
        aggregate = np.rint(aggregate / step) * step
    if column.levels:
        aggregate = np.ceil(aggregate - 0.5)
    aggregate = np.clip(aggregate, line.low, line.high)
    if circle is None or not isinstance(cells, Arcs):
        return np.asarray(aggregate)
    back = circle.within(aggregate)
    return np.where(back < aggregate, np.minimum(back, cells.high), back)


def intervals(column: Numbers, cover: Cover) -> Intervals:
    """[min, max] of each set's present values."""
    values, starts = column.values[cover.order], cover.starts[:-1]
    if not len(starts):
        return Intervals(values, values, np.zeros(0, bool))
    if not column.has_missing:
        low, high = np.minimum.reduceat(values, starts), np.maximum.reduceat(values, starts)
        return Intervals(low, high, np.zeros(len(low), bool))
    missing = np.add.reduceat(np.isnan(values).astype(np.int64), starts)
    low, high = np.fmin.reduceat(values, starts), np.fmax.reduceat(values, starts)
    return Intervals(low, high, (missing > 0) & (missing < cover.sizes))


def arcs(column: Numbers, cover: Cover) -> Intervals | Arcs:
    """Return the shortest arc round each set's present values: the circle without their widest gap. Intervals
    if no arc crosses the cut of the circle. Cost O(n log n) if some do, else O(n)."""
    circle, between = column.circle, intervals(column, cover)
    assert circle is not None
    width = between.high - between.low
    if not (width > circle.period / 2).any():  # NaN is not
        return between
    sets, values = _present(column, cover)
    order = np.lexsort((values, sets))
    sets, values = sets[order], values[order]
    gaps = np.where(np.diff(sets) == 0, np.diff(values), -1.0)
    widest = np.full(len(width), -1.0)
    np.maximum.at(widest, sets[:-1], gaps)
    over = widest > circle.period - width
    if not over.any():
        return between
    here = np.flatnonzero((gaps == widest[sets[:-1]]) & over[sets[:-1]])
    of, first = np.unique(sets[here], return_index=True)
    low, high = between.low.copy(), between.high.copy()
    low[of], high[of] = values[here[first] + 1], values[here[first]]
    return Arcs(low, high, between.partly_missing, circle)


def along(column: Numbers, cover: Cover) -> np.ndarray:
    """float64 (n): the values in the order of the cover; on a circle as each set's arc reaches them, so that
    they can be averaged: a mean of 23 and 1 is 0 (24), not 12."""
    values: np.ndarray = column.values[cover.order]
    if column.circle is None:
        return values
    found = arcs(column, cover)
    return column.circle.onward(values, found.low[cover.sets]) if isinstance(found, Arcs) else values


def on_the_line(column: Numbers, values: np.ndarray) -> np.ndarray:
    """Means and middles of arcs on the line of the column's circle; of other columns as they are."""
    return values if column.circle is None else column.circle.within(values)


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
    """The lowest node of the column's hierarchy above all values of each set: that of its first and last
    leaf."""
    places, starts = placed(column), cover.starts[:-1]
    leaves = places.leaf[column.codes[cover.order]]
    if not len(starts):
        return Nodes(places, leaves)
    return Nodes(
        places, places.lowest(np.minimum.reduceat(leaves, starts), np.maximum.reduceat(leaves, starts))
    )


def common_items(column: Items, cover: Cover, tick: Callable[[], None] = lambda: None) -> CommonItems:
    """The items, and groups of items, that all records of each set have: those counted as often as the set
    has records (set-valued paper, §3)."""
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
    """Return numbers of sets from 0 to the last, each about as many records after the one before as are
    recoded between two ticks."""
    cuts = np.arange(_RECORDS_PER_TICK, len(cover.order), _RECORDS_PER_TICK)
    return list(np.unique([0, *np.searchsorted(cover.starts, cuts), len(cover.sizes)]).tolist())


def _present(
    column: Numbers, cover: Cover, values: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """The sets and values of all present values, set by set."""
    values = column.values[cover.order] if values is None else values
    kept = ~np.isnan(values)
    return cover.sets[kept], values[kept]


def _means(column: Numbers, cover: Cover) -> np.ndarray:
    sets, values = _present(column, cover, along(column, cover))
    means = means_of(sets, values, len(cover.sizes))
    return means if column.attribute.kind == "datetime" else in_decimals(means)


def _medians(column: Numbers, cover: Cover) -> np.ndarray:
    sets, values = _present(column, cover, along(column, cover))
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
    return np.asarray(values[most_frequent(cover.sets, codes[cover.order], len(cover.sizes), len(values))])


def modes(column: Categories, cover: Cover) -> np.ndarray:
    """int64 (m): the code that most records of each set have, the lowest of several."""
    return most_frequent(cover.sets, column.codes[cover.order], len(cover.sizes), len(column.labels))


def most_frequent(owners: np.ndarray, codes: np.ndarray, count: int, width: int) -> np.ndarray:
    """int64 (count): the most frequent code, below ``width``, of each owner 0, 1, …, all of which have one;
    the lowest of several."""
    keys = owners * width + codes
    if count * width <= _COUNTS_AT_MOST:
        return np.asarray(np.bincount(keys, minlength=count * width).reshape(count, width).argmax(axis=1))
    present, counts = np.unique(keys, return_counts=True)
    owners = present // width
    best = np.lexsort((present, -counts, owners))
    return (present % width)[best[np.flatnonzero(np.diff(owners[best], prepend=-1))]]


def means_of(sets: np.ndarray, values: np.ndarray, count: int) -> np.ndarray:
    """float64 (count): the mean of each set's values, NaN where it has none.

    ``values`` float64 without NaN, set by set; ``sets`` int64: the set of each, ascending from 0 to count −
    1. The sum of a set is exact and then rounded (`math.fsum`), so that the mean is the same whatever the
    order of its values, and whatever other sets there are. Cost O(n), about 0.1 µs a value.

    >>> means_of(np.array([0, 0, 0, 2]), np.array([1e20, 5.0, -1e20, 0.1]), 3).tolist()
    [1.6666666666666667, nan, 0.1]
    """
    counts = np.bincount(sets, minlength=count)
    scale = _scales(sets, values, count)
    plain = (values if scale is None else values * scale[sets]).tolist()
    ends = [0, *np.cumsum(counts).tolist()]
    sums = np.fromiter((math.fsum(plain[start:end]) for start, end in pairwise(ends)), np.float64, count)
    means = np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
    return means if scale is None else means / scale


def in_decimals(means: np.ndarray) -> np.ndarray:
    """Return the means with 15 digits, float64 (m): every decimal of 15 digits survives being read, so that
    the mean of decimals is exactly the decimal that it should be, not its neighbor. Means of 10^15 and more
    stay as they are.

    >>> in_decimals(np.array([4864700.199999999, 1 / 3, np.nan])).tolist()
    [4864700.2, 0.333333333333333, nan]
    """
    short = np.fromiter((float(f"{mean:.{DIGITS}g}") for mean in means.tolist()), np.float64, len(means))
    return np.where(np.abs(means) < 10.0**DIGITS, short, means)


def _scales(sets: np.ndarray, values: np.ndarray, count: int) -> np.ndarray | None:
    """float64 (count): the factor of each set's values with which their sum stays within the range of
    floating-point numbers; None if no factor is needed."""
    if float(np.abs(values).max(initial=0.0)) <= _SUMMED_AT_MOST:
        return None
    largest = np.zeros(count)
    np.maximum.at(largest, sets, np.abs(values))
    return np.where(largest > _SUMMED_AT_MOST, _SMALLER, 1.0)
