"""MDAV: form groups of k at the two far ends of the data until all records are used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kanon_core.algorithms.base import Algorithm, Run
from kanon_core.base.progress import stage
from kanon_core.base.words import tr
from kanon_core.covers.cover import Partition
from kanon_core.distances.mixed import Points, points_of
from kanon_core.table.table import Table

_WORK_PER_CALL = 3_000_000


@dataclass(frozen=True)
class MDAV(Algorithm):
    """Maximum distance to average vector: every group has exactly k records, the last one k … 2k − 1.

    While at least 3k records are left, the record x_r farthest from their centroid forms a group with its k −
    1 nearest records; then x_s, the record farthest from x_r among the rest, does the same. With 2k … 3k − 1
    records left, x_r and its k − 1 nearest form a group and the rest form the last one; fewer than 2k form
    the last group at once. Distances are the mixed distance (`kanon_core.distances.mixed`), with those chosen
    for columns; ties go to the lowest record number.

    When to use: a good default; groups of equal size. `VMDAV` suits clustered data better, `Refine` lowers
    the loss. Cost: about n log n for few attributes, up to n² / k for many; a box tree gives exactly the
    results of a full scan.

    Departures from the paper: x_s is chosen after x_r's group is removed, which matters only if all other
    records are equally far from x_r. The centroid is computed from running sums in record order; members are
    subtracted one by one, the pivot first, then the nearest first, as in the log.

    Reference: ILD paper, §2.3.4; J. Domingo-Ferrer, V. Torra, Data Mining and Knowledge Discovery 11(2),
    2005.
    """

    title: ClassVar[str] = "MDAV"
    family: ClassVar[str] = "clustering"
    summary: ClassVar[str] = (
        "Forms groups of k similar records, from the far ends of the data inward: a good default."
    )
    takes_distances: ClassVar[bool] = True

    def cover(self, table: Table, k: int, run: Run) -> Partition:
        """Return the groups; log an event ``group`` (pivot, members) for each, the last with pivot −1."""
        return Partition(mdav_groups(points_of(table, stage(run.tick, 0, 0)), k, run))


def mdav_groups(points: Points, k: int, run: Run) -> np.ndarray:
    """Return the labels, int64 (n), of MDAV's groups of n ≥ k ≥ 1 points, in the order of the groups."""
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
        run.tick(made * k / n, tr("forming groups"))

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
    run.tick(1.0, tr("forming groups"))
    return labels


def _write(run: Run, k: int, sequence: np.ndarray, start: int, stop: int) -> None:
    if run.log is not None:
        for members in sequence[start * k : stop * k].reshape(-1, k):
            run.log.write("group", pivot=int(members[0]), members=members)
