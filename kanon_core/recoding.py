"""From a cover to published cells: generalization to intervals and value sets, or aggregation.

Cost O(n log n) per attribute, without a loop over groups.
"""

from __future__ import annotations

import numpy as np

from kanon_core.cells import Intervals, Published, ValueSets
from kanon_core.cover import Cover
from kanon_core.data.columns import Categories, Column, Numbers

_FLAGS_AT_MOST = 200_000_000


def recode(column: Column, cover: Cover) -> Published:
    """The published cells of one quasi-identifier, as its attribute's recoding says (see `schema.RECODINGS`)."""
    recoding = column.attribute.recoding
    aggregate = None
    if isinstance(column, Numbers):
        cells = intervals(column, cover)
        if recoding != "generalize":
            aggregate = {"mean": _means, "median": _medians, "mode": _number_modes}[recoding](column, cover)
            aggregate = _as_written(aggregate, column, cells)
        return Published(column.attribute, cells, aggregate)
    if recoding == "mode":
        aggregate = _modes(column.codes, len(column.labels), cover)
    return Published(column.attribute, value_sets(column, cover), aggregate)


def _as_written(aggregate: np.ndarray, column: Numbers, cells: Intervals) -> np.ndarray:
    """Within its interval whatever was rounded; a date in the precision in which dates of this column are written."""
    if column.attribute.kind == "datetime":
        step = {"D": 86_400.0, "s": 1.0, "us": 1e-6}[column.unit]
        aggregate = np.rint(aggregate / step) * step
    return np.clip(aggregate, cells.low, cells.high)


def intervals(column: Numbers, cover: Cover) -> Intervals:
    """[min, max] of each group's present values."""
    values, starts = column.values[cover.order], cover.starts[:-1]
    missing = (
        np.add.reduceat(np.isnan(values).astype(np.int64), starts) if len(starts) else np.zeros(0, np.int64)
    )
    low = np.fmin.reduceat(values, starts) if len(starts) else values
    high = np.fmax.reduceat(values, starts) if len(starts) else values
    return Intervals(low, high, (missing > 0) & (missing < cover.sizes))


def value_sets(column: Categories, cover: Cover) -> ValueSets:
    """The distinct values of each group."""
    width, groups = len(column.labels), len(cover.sizes)
    kept = ~cover.suppressed
    keys = cover.groups[kept] * width + column.codes[kept]
    if groups * width <= _FLAGS_AT_MOST:
        seen = np.zeros(groups * width, bool)
        seen[keys] = True
        present = np.flatnonzero(seen)
    else:
        present = np.unique(keys)
    counts = np.bincount(present // width, minlength=groups)
    return ValueSets(np.concatenate([[0], np.cumsum(counts)]), (present % width).astype(np.int32))


def _means(column: Numbers, cover: Cover) -> np.ndarray:
    kept = ~cover.suppressed & ~column.missing
    groups, size = cover.groups[kept], len(cover.sizes)
    shift = column.values[kept].mean() if kept.any() else 0.0
    sums = np.bincount(groups, column.values[kept] - shift, size)
    counts = np.bincount(groups, minlength=size)
    return np.where(counts > 0, shift + sums / np.maximum(counts, 1), np.nan)


def _medians(column: Numbers, cover: Cover) -> np.ndarray:
    kept = ~cover.suppressed & ~column.missing
    groups, values = cover.groups[kept], column.values[kept]
    ordered = values[np.lexsort((values, groups))]
    counts = np.bincount(groups, minlength=len(cover.sizes))
    if not len(ordered):
        return np.full(len(counts), np.nan)
    starts = np.cumsum(counts) - counts
    last = len(ordered) - 1
    lower = ordered[np.minimum(starts + np.maximum(counts - 1, 0) // 2, last)]
    upper = ordered[np.minimum(starts + counts // 2, last)]
    return np.where(counts > 0, lower + (upper - lower) / 2, np.nan)


def _number_modes(column: Numbers, cover: Cover) -> np.ndarray:
    distinct, codes = np.unique(column.values, return_inverse=True)
    return distinct[_modes(codes, len(distinct), cover)]


def _modes(codes: np.ndarray, width: int, cover: Cover) -> np.ndarray:
    """The most frequent code of each group; ties go to the lowest code (for labels: the first in text order)."""
    kept = ~cover.suppressed
    present, counts = np.unique(cover.groups[kept] * width + codes[kept], return_counts=True)
    groups = present // width
    best = np.lexsort((present, -counts, groups))
    first = np.flatnonzero(np.diff(groups[best], prepend=-1))
    return (present % width)[best[first]]
