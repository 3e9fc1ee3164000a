"""Least possible loss of a table when at least k records are published alike."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kanon_core.algorithms.base import Run
from kanon_core.algorithms.clustering.mdav import mdav_groups
from kanon_core.base.errors import OptionError, UnsuitableError
from kanon_core.base.progress import Tick, silent, stage
from kanon_core.base.words import tr
from kanon_core.distances.embedding import euclidean, manhattan
from kanon_core.distances.mixed import points_of
from kanon_core.metrics.bounds.agreed import agreed
from kanon_core.metrics.bounds.nearest import distances, nearest, paired
from kanon_core.table.table import Table, item_sets

ROUNDING = 1e-9
"""The share that is taken off a bound, so that it is not above the truth where sums are taken in another
order."""
LOSSES = ("ILSSDM", "NCP")


@dataclass(frozen=True)
class Bound:
    """No release that puts every record into a group of ``k`` or more has less of this metric.

    ``metric``: "ILSSDM" or "NCP"; ``value``: in the unit of that metric, a share of 1. It holds for one
    release of all records in closed groups, whatever algorithm made them; a release that suppresses records,
    or conceals them by matchings, may lose less.
    """

    metric: str
    k: int
    value: float

    def gap(self, loss: float) -> float:
        """Return how far a loss lies above the bound, as a share of the bound; NaN for a bound of 0.

        >>> round(Bound("NCP", 5, 0.2).gap(0.25), 9)
        0.25
        """
        return loss / self.value - 1 if self.value > 0 else float("nan")


def least_loss(
    table: Table, ks: Sequence[int], metric: str = "ILSSDM", progress: Tick | None = None
) -> tuple[Bound, ...]:
    """Bounds by nearest neighbors, one for each k, of SSE / SST or of NCP.

    SSE ≥ Σ_i (Σ of d² to the k − 1 nearest others) / 2k: in a group of m ≥ k records, SSE is Σ_i Σ_j d²(i, j)
    / 2m, and the mean of m − 1 squares is at least that of the k − 1 least. NCP ≥ Σ_i (distance to the
    (k − 1)-th nearest other) / n, in the distance of `kanon_core.distances.embedding.manhattan`: the cell of
    a record holds k − 1 others.

    One search serves all k, and all records of equal values. Raises OptionError for another metric or a k
    that is no whole number from 2 to the number of records, UnsuitableError for quasi-identifiers that hold
    item sets. Cost: that of the search (`kanon_core.metrics.bounds.nearest`).

    >>> import kanon_core as kc, pandas as pd
    >>> table = kc.Table.from_frame(pd.DataFrame({"age": [0, 1, 10, 11]}))
    >>> [round(bound.value, 6) for bound in least_loss(table, [2])]  # {0, 1}, {10, 11}: 1 / 101
    [0.009901]
    """
    _check(table, ks, metric)
    most, tick = max(ks, default=2), progress or silent
    if metric == "NCP":
        far, records = distances(manhattan(table), most - 1, 1, tick)
        return tuple(_bound(metric, k, float(records @ far[:, k - 2]) / len(table)) for k in ks)
    places = euclidean(table)
    far, records = distances(places, most - 1, 2, tick)
    squares, total = records @ np.cumsum(far**2, axis=1), _sst(places) or 1.0
    return tuple(_bound(metric, k, float(squares[k - 2]) / (2 * k) / total) for k in ks)


def tightened(
    table: Table,
    k: int,
    reached: float | None = None,
    steps: int = 1_500,
    seconds: float = math.inf,
    progress: Tick | None = None,
) -> Bound:
    """Return a better bound of SSE / SST for one k, by multipliers that make records agree on who is near
    whom, and neighbors of one record on being near each other (`kanon_core.metrics.bounds.agreed`).

    ``reached``: the least loss of a release that is known, which guides the search; else MDAV's. More
    ``steps`` never give less; ``seconds`` end the search before them. Raises what `least_loss` raises. Cost:
    that of the search for 6 k + 20 neighbors, then O(n · k) a step: 5 s for 1,080 records, k = 10 and 1,500
    steps.

    >>> import kanon_core as kc
    >>> table = kc.read_table("sample:people-100")
    >>> plain, better = least_loss(table, [5])[0], tightened(table, 5, steps=300)
    >>> better.value > plain.value
    True

    Reference: the inequalities: M. Grötschel, Y. Wakabayashi 1990; other bounds of these tables: D. Aloise,
    P. Hansen, C. Rocha, É. Santi 2014.
    """
    _check(table, [k], "ILSSDM")
    places, tick = euclidean(table), progress or silent
    total = _sst(places)
    if not total:
        return Bound("ILSSDM", k, 0.0)
    near = nearest(places, searched(table, k) // len(table), 2, stage(tick, 0, 0.2))
    above = _mdav(table, places, k) if reached is None else reached * total
    least = agreed(paired(near, k), k, above, steps, seconds, stage(tick, 0.2, 1))
    return _bound("ILSSDM", k, least / total)


def searched(table: Table, k: int) -> int:
    """Return how many pairs of neighbors `tightened` looks at: 6 k + 20 for each record, as far as there
    are."""
    return len(table) * min(len(table) - 1, 6 * k + 20)


def _check(table: Table, ks: Sequence[int], metric: str) -> None:
    if metric not in LOSSES:
        raise OptionError(
            tr("Lower bounds exist only for {known}; choose one of these metrics.").format(
                known=" and ".join(LOSSES)
            )
        )
    if any(not 2 <= k <= len(table) for k in ks):
        raise OptionError(
            tr("k must be a whole number from 2 to {n:,}, the number of records.").format(n=len(table))
        )
    sets = [column.attribute.name for column in item_sets(table)]
    if sets:
        raise UnsuitableError(
            tr(
                "Column “{name}” holds item sets, for which no lower bound is known; give it another role."
            ).format(name=sets[0])
        )


def _bound(metric: str, k: int, value: float) -> Bound:
    return Bound(metric, k, max(0.0, value) * (1 - ROUNDING))


def _sst(places: np.ndarray) -> float:
    return float(((places - places.mean(axis=0)) ** 2).sum())


def _mdav(table: Table, places: np.ndarray, k: int) -> float:
    """Return the SSE of MDAV's groups."""
    groups = mdav_groups(points_of(table), k, Run())
    counts = np.bincount(groups)
    means = np.column_stack([np.bincount(groups, column) / counts for column in places.T])
    return float(((places - means[groups]) ** 2).sum())
