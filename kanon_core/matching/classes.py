"""Tables and published cells as the whole numbers that the comparison of records and rows works on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from kanon_core.base.errors import KanonError
from kanon_core.release.cells.cells import CommonItems, Intervals, Nodes, Published, ValueSets
from kanon_core.table.columns.columns import Categories, Column, Items, Numbers
from kanon_core.table.columns.sets import incidence, set_keys

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from kanon_core.matching.fit_kernels import Fit


MEMBERS_AT_MOST = 50_000_000
"""More pairs of a published and a containing original item set than this are refused (4 bytes each)."""

_PAIRS_AT_ONCE = 5_000_000


def ranks(column: Column) -> np.ndarray:
    """int32 (n): the rank of each number among the distinct ones, −1 = missing; or the code; or a number for
    each item set."""
    if isinstance(column, Items):
        return set_keys(column.starts, column.items).astype(np.int32)
    if isinstance(column, Categories):
        return column.codes
    return pd.factorize(column.values, sort=True)[0].astype(np.int32)


def classes(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of equal rows of an integer array: one place of each class, the class of each row, the sizes of the
    classes."""
    packed = np.ascontiguousarray(rows).view([("", rows.dtype)] * rows.shape[1]).ravel()
    return np.unique(packed, return_index=True, return_inverse=True, return_counts=True)[1:]


def fit_of(
    values: np.ndarray, columns: list[Column], published: Sequence[Published], cells: np.ndarray
) -> Fit:
    """What the kernel compares, of u original and v row classes; the attribute that rules out most first.

    Codes of a column with a hierarchy stand as its leaves; published common items as the set of the original
    item sets that contain them. Raises KanonError when these are more than `MEMBERS_AT_MOST` in all.
    """
    from kanon_core.matching.fit_kernels import Fit

    shape = len(columns), len(cells)
    fit = Fit(
        np.ascontiguousarray(values.T),
        np.zeros(shape, np.int32),
        np.full(shape, np.iinfo(np.int32).max, np.int32),
        np.ones(shape, bool),
        np.full(shape, -1, np.int64),
        np.ones(shape, np.int64),
        np.zeros(len(columns), bool),
        np.zeros(0, np.int32),
    )
    shown = np.flatnonzero(cells >= 0)
    members: list[np.ndarray] = []
    for a, (column, one) in enumerate(zip(columns, published, strict=True)):
        if isinstance(one.cells, Intervals):
            assert isinstance(column, Numbers)
            _fit_intervals(fit, a, shown, column, one.cells, cells[shown])
        elif isinstance(one.cells, Nodes):
            _fit_nodes(fit, a, shown, one.cells, cells[shown])
        else:
            sets, used = one.cells, cells[shown]
            if isinstance(sets, CommonItems):
                assert isinstance(column, Items)
                sets, used = _containing(column, sets, used)
            _fit_sets(fit, a, shown, sets, used, sum(map(len, members)))
            members.append(sets.codes)
    order = np.argsort([_share(fit, a, shown) for a in range(len(columns))], kind="stable")
    arrays = [np.ascontiguousarray(part[order]) for part in fit[:-1]]
    arrays[-1] = np.any(arrays[4] >= 0, axis=1, keepdims=True)[:, 0]
    return Fit(*[*arrays, np.concatenate([*members, fit.members]).astype(np.int32)])


def _share(fit: Fit, a: int, shown: np.ndarray) -> int:
    """How many pairs of classes agree in attribute a, sets with holes taken as whole."""
    values = fit.values[a]
    below = np.concatenate(
        [
            [0],
            np.cumsum(np.bincount(values[values >= 0], minlength=int(fit.high[a, shown].max(initial=0)) + 1)),
        ]
    )
    return int((below[fit.high[a, shown] + 1] - below[fit.low[a, shown]]).sum())


def _fit_intervals(
    fit: Fit, a: int, shown: np.ndarray, column: Numbers, cells: Intervals, used: np.ndarray
) -> None:
    """Intervals as ranks among the column's distinct numbers; a cell of missing values alone holds no
    rank."""
    distinct = np.unique(column.values[~column.missing])
    low, high = cells.low[used], cells.high[used]
    fit.low[a, shown] = np.where(np.isnan(low), 0, np.searchsorted(distinct, low))
    fit.high[a, shown] = np.where(np.isnan(low), -1, np.searchsorted(distinct, high, "right") - 1)
    fit.gaps[a, shown] = cells.partly_missing[used] | np.isnan(low)


def _fit_nodes(fit: Fit, a: int, shown: np.ndarray, cells: Nodes, used: np.ndarray) -> None:
    """Codes as leaves of the hierarchy, of which a group holds those from its own number on: a run without
    holes."""
    node = cells.nodes[used]
    fit.values[a] = cells.placed.leaf[fit.values[a]]
    fit.low[a, shown], fit.high[a, shown] = node, cells.placed.end[node] - 1


def _fit_sets(fit: Fit, a: int, shown: np.ndarray, cells: ValueSets, used: np.ndarray, offset: int) -> None:
    """Sets as the codes from their lowest to their highest; those with holes also by their members; none in
    an empty one."""
    starts, ends = cells.starts[used], cells.starts[used + 1]
    low, high, held = np.zeros_like(used), np.full_like(used, -1), ends > starts
    low[held], high[held] = cells.codes[starts[held]], cells.codes[ends[held] - 1]
    fit.low[a, shown], fit.high[a, shown], fit.size[a, shown] = low, high, ends - starts
    fit.first[a, shown] = np.where(high - low + 1 == ends - starts, -1, starts + offset)


def _containing(column: Items, cells: CommonItems, used: np.ndarray) -> tuple[ValueSets, np.ndarray]:
    """For each used cell the numbers (`ranks`) of the item sets that contain all it publishes, items or
    groups of them, and which of these sets of numbers each entry of ``used`` has. Cost O(cells · different
    item sets) at most.
    """
    numbers, column = ranks(column), column.closure.sets
    width = len(column.labels)
    first = np.unique(numbers, return_index=True)[1]
    own = incidence(column.starts, column.items, width)[first].T.tocsr()
    cells_of, place = np.unique(used, return_inverse=True)
    shown = incidence(cells.starts, cells.items, width)[cells_of]
    sizes = np.diff(shown.indptr)
    found, counts, step = (
        [np.zeros(0, np.int32)],
        [np.zeros(1, np.int64)],
        max(1, _PAIRS_AT_ONCE // len(first)),
    )
    for start in range(0, len(cells_of), step):
        part = sizes[start : start + step]
        codes, count = _supersets(shown[start : start + step] @ own, part, len(first))
        found.append(codes)
        counts.append(count)
        if sum(map(len, found)) > MEMBERS_AT_MOST:
            raise KanonError(
                f"More than {MEMBERS_AT_MOST:,} pairs of a published and an original item set of column "
                f"“{column.attribute.name}” fit; take a sample of the records."
            )
    return ValueSets(np.cumsum(np.concatenate(counts)), np.concatenate(found)), place


def _supersets(shared: csr_array, sizes: np.ndarray, total: int) -> tuple[np.ndarray, np.ndarray]:
    """Of each row the columns that share all its items (of ``total`` columns all, if it has no item), and how
    many."""
    rows = np.repeat(np.arange(len(sizes)), np.diff(shared.indptr))
    whole = shared.data == sizes[rows]
    empty = np.repeat(np.flatnonzero(sizes == 0), total)
    every = np.tile(np.arange(total), int((sizes == 0).sum()))
    keys = np.sort(np.concatenate([rows[whole] * total + shared.indices[whole], empty * total + every]))
    return (keys % total).astype(np.int32), np.bincount(keys // total, minlength=len(sizes))
