"""MDAV: groups of k at the two far ends of the data, until the data are used up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kanon_core.algorithms.base import Algorithm, Run
from kanon_core.base.progress import stage
from kanon_core.covers.cover import Partition
from kanon_core.distances.mixed import Points, points_of
from kanon_core.table.table import Table

_WORK_PER_CALL = 3_000_000


@dataclass(frozen=True)
class MDAV(Algorithm):
    """Maximum distance to average vector: every group has exactly k records, the last one k … 2k − 1.

    While 3k records are left: x_r is the one farthest from their centroid, and forms a group with its k − 1
    nearest; x_s is the one farthest from x_r among the rest, and does the same. When 2k … 3k − 1 records are
    left, x_r and its k − 1 nearest form a group, and the rest form the last one; fewer than 2k form the last
    group at once. Distances are the mixed distance (`kanon_core.distances.mixed`), with those chosen for
    columns; ties go to the lowest record number.

    When to use: a good default; groups of equal size. `VMDAV` suits clustered data better, `Refine` lowers
    the loss. Cost: about n log n for few attributes and towards n² / k for many, by a box tree that answers
    exactly what a scan of all records would.

    Departures from the paper: x_s is sought after x_r's group is taken away, which matters only if all the
    rest is equally far from x_r. The centroid comes from running sums: taken in record order, members
    subtracted one by one, pivot first, then nearest first, as in the log.

    Reference: ILD paper, §2.3.4; J. Domingo-Ferrer, V. Torra, Data Mining and Knowledge Discovery 11(2),
    2005.
    """

    title: ClassVar[str] = "MDAV"
    family: ClassVar[str] = "clustering"
    summary: ClassVar[str] = "Groups of k similar records, formed from the far ends of the data inwards."
    takes_distances: ClassVar[bool] = True

    def cover(self, table: Table, k: int, run: Run) -> Partition:
        """The groups; logs an event ``group`` (pivot, members) for each, the last one with pivot −1."""
        return Partition(mdav_groups(points_of(table, stage(run.tick, 0, 0)), k, run))


def mdav_groups(points: Points, k: int, run: Run) -> np.ndarray:
    """Labels, int64 (n), of MDAV's groups of n ≥ k ≥ 1 points, in the order in which the groups are made."""
    from kanon_core.algorithms.clustering import mdav_kernels as kernels
    from kanon_core.algorithms.clustering.nearest import index_kernels as trees
    from kanon_core.algorithms.clustering.nearest.build_kernels import build

    n = len(points)
    index = trees.new_index(points.numeric, points.codes, points.weights)
    centroid = kernels.new_centroid(index)
    sequence = np.zeros(n, np.int64)  # the groups one after another
    squares = np.zeros(max(k - 1, 1))
    budget = _WORK_PER_CALL // (10 + points.numeric.shape[1] + points.codes.shape[1])
    made = 0

    def tick() -> None:
        run.tick(made * k / n, "groups")

    build(index, tick)
    while index.counts[trees.SIZE] >= 3 * k:
        if 2 * index.counts[trees.SIZE] < index.counts[trees.BUILT]:
            build(index, tick)
            centroid.due[0] = 0
        before, made = made, kernels.form_groups(index, centroid, k, made, squares[: k - 1], sequence, budget)
        _write(run, k, sequence, before, made)
        tick()
    before, made = made, kernels.form_groups(index, centroid, k, made, squares[: k - 1], sequence, budget)
    _write(run, k, sequence, before, made)
    if run.log is not None:
        run.log.write("group", pivot=-1, members=sequence[made * k :])
    labels = np.empty(n, np.int64)
    labels[sequence] = np.minimum(np.arange(n) // k, made)
    run.tick(1.0, "groups")
    return labels


def _write(run: Run, k: int, sequence: np.ndarray, start: int, stop: int) -> None:
    if run.log is not None:
        for members in sequence[start * k : stop * k].reshape(-1, k):
            run.log.write("group", pivot=int(members[0]), members=members)
