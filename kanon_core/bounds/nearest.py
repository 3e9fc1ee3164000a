"""The nearest other records of each record."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kanon_core.base.progress import Tick, silent

_ALL_PAIRS_AT_MOST = 3_000
_PER_CALL = 5_000


class Near(NamedTuple):
    """The nearest others of each record, nearest first: ``records`` int64 (n, count) and ``distances``
    float64 (n, count)."""

    records: np.ndarray
    distances: np.ndarray


def nearest(places: np.ndarray, count: int, norm: int, tick: Tick = silent) -> Near:
    """The ``count`` < n nearest others of each record by Euclidean (``norm`` 2) or Manhattan (1) distance of
    places, float64 (n, d). Cost n² · d up to 3,000 records; above, that of a box tree: about n log n for few
    dimensions."""
    return (
        _compared(places, count, norm)
        if len(places) <= _ALL_PAIRS_AT_MOST
        else _searched(places, count, norm, tick)
    )


def _compared(places: np.ndarray, count: int, norm: int) -> Near:
    """All pairs, one column after another: a first picture is not to wait for scipy."""
    apart = np.zeros((len(places), len(places)))
    for column in places.T:
        far = np.subtract.outer(column, column)
        apart += far**2 if norm == 2 else np.abs(far)
    apart = np.sqrt(apart, out=apart) if norm == 2 else apart
    np.fill_diagonal(apart, np.inf)
    found = np.argpartition(apart, count - 1, axis=1)[:, :count] if count < len(places) - 1 else None
    found = np.argsort(apart, axis=1)[:, :count] if found is None else found
    distances = np.take_along_axis(apart, found, 1)
    order = np.argsort(distances, axis=1, kind="stable")
    return Near(np.take_along_axis(found, order, 1), np.take_along_axis(distances, order, 1))


def _searched(places: np.ndarray, count: int, norm: int, tick: Tick) -> Near:
    """By a box tree; of many records on one spot a record may not find itself, and then drops the last."""
    from scipy.spatial import cKDTree

    tree, parts = cKDTree(places), list[Near]()
    for start in range(0, len(places), _PER_CALL):
        tick(start / len(places), "")
        rows = np.arange(start, min(start + _PER_CALL, len(places)))
        distances, records = tree.query(places[rows], count + 1, p=norm, workers=-1)
        own = records == rows[:, None]
        own[~own.any(axis=1), -1] = True
        parts.append(Near(records[~own].reshape(-1, count), distances[~own].reshape(-1, count)))
    return Near(*map(np.concatenate, zip(*parts, strict=True)))
