"""Tables and published cells as the whole numbers that the comparison of records and rows works on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from kanon_core.cells import Intervals, Published, ValueSets
from kanon_core.data.columns import Categories, Column, Numbers

if TYPE_CHECKING:
    from kanon_core.consistency.fit_kernels import Fit


def ranks(column: Column) -> np.ndarray:
    """int32 (n): the rank of each number among the distinct ones, −1 = missing; or the code."""
    if isinstance(column, Categories):
        return column.codes
    return pd.factorize(column.values, sort=True)[0].astype(np.int32)


def classes(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of equal rows of an integer array: one place of each class, the class of each row, the sizes of the classes."""
    packed = np.ascontiguousarray(rows).view([("", rows.dtype)] * rows.shape[1]).ravel()
    return np.unique(packed, return_index=True, return_inverse=True, return_counts=True)[1:]


def fit_of(
    values: np.ndarray, columns: list[Column], published: Sequence[Published], cells: np.ndarray
) -> Fit:
    """What the kernel compares, of u original and v row classes; the attribute that rules out most first."""
    from kanon_core.consistency.fit_kernels import Fit

    shape = len(columns), len(cells)
    fit = Fit(
        np.ascontiguousarray(values.T), np.zeros(shape, np.int32), np.full(shape, np.iinfo(np.int32).max, np.int32),
        np.ones(shape, bool), np.full(shape, -1, np.int64), np.ones(shape, np.int64), np.zeros(len(columns), bool),
        np.zeros(0, np.int32),
    )  # fmt: skip
    shown = np.flatnonzero(cells >= 0)
    members: list[np.ndarray] = []
    for a, (column, one) in enumerate(zip(columns, published, strict=True)):
        if isinstance(one.cells, Intervals):
            assert isinstance(column, Numbers)
            _fit_intervals(fit, a, shown, column, one.cells, cells[shown])
        else:
            _fit_sets(fit, a, shown, one.cells, cells[shown], sum(map(len, members)))
            members.append(one.cells.codes)
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
    """Intervals as ranks among the column's distinct numbers; a cell of missing values alone holds no rank."""
    distinct = np.unique(column.values[~column.missing])
    low, high = cells.low[used], cells.high[used]
    fit.low[a, shown] = np.where(np.isnan(low), 0, np.searchsorted(distinct, low))
    fit.high[a, shown] = np.where(np.isnan(low), -1, np.searchsorted(distinct, high, "right") - 1)
    fit.gaps[a, shown] = cells.partly_missing[used] | np.isnan(low)


def _fit_sets(fit: Fit, a: int, shown: np.ndarray, cells: ValueSets, used: np.ndarray, offset: int) -> None:
    """Sets as the codes from their lowest to their highest; those with holes also by their members."""
    starts, ends = cells.starts[used], cells.starts[used + 1]
    low, high = cells.codes[starts], cells.codes[ends - 1]
    fit.low[a, shown], fit.high[a, shown], fit.size[a, shown] = low, high, ends - starts
    fit.first[a, shown] = np.where(high - low + 1 == ends - starts, -1, starts + offset)
