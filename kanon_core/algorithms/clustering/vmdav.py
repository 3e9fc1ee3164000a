"""V-MDAV: MDAV with groups of k … 2k − 1 records that grow while neighbors are near."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from kanon_core.algorithms.base import Algorithm, Run
from kanon_core.base.kinds import Real
from kanon_core.base.progress import stage
from kanon_core.base.words import tr
from kanon_core.covers.cover import Partition
from kanon_core.distances.mixed import Points, points_of
from kanon_core.table.table import Table

if TYPE_CHECKING:
    from kanon_core.algorithms.clustering.nearest.index_kernels import Index

_WORK_PER_CALL = 3_000_000


@dataclass(frozen=True)
class VMDAV(Algorithm):
    """Variable-size maximum distance to average vector: groups of k … 2k − 1 records.

    While at least k records are left, the record farthest from the centroid of all records and its k − 1
    nearest form a group. The group grows while it has fewer than 2k − 1 records and d_in < γ · d_out: e_min
    is the remaining record nearest to any member, d_in its distance to that member, and d_out its distance to
    the nearest other remaining record. At the end each leftover joins the group of the nearest record placed
    before. Distances are the mixed distance (`kanon_core.distances.mixed`), with those chosen for columns;
    ties go to the lowest record number.

    When to use: clustered data, whose clusters MDAV would divide. γ = 0.2 for scattered data, about 1 for
    clustered. Cost: as `MDAV`, with about n more searches for the nearest record.

    Readings: if no other record is left, d_out is infinite, and e_min joins (unless γ = 0). The paper's
    remark that γ = 0 gives MDAV does not hold: there is no second end x_s, and the centroid stays fixed.

    Reference: ILD paper, §2.3.4; A. Solanas, A. Martínez-Ballesté, V-MDAV, COMPSTAT 2006.
    """

    title: ClassVar[str] = "V-MDAV"
    family: ClassVar[str] = "clustering"
    summary: ClassVar[str] = (
        "Like MDAV, but groups grow where records are close together: for clustered data."
    )
    takes_distances: ClassVar[bool] = True

    gamma: Annotated[
        float,
        Real(
            0, 2, step=0.1, help="growth of groups: about 0.2 for scattered data, about 1 for clustered data"
        ),
    ] = 0.2

    def cover(self, table: Table, k: int, run: Run) -> Partition:
        """Return the groups; log ``group`` (pivot, members) for the first k records of each, ``extend``
        (record, joins = the pivot, d_in, d_out) for each record that joined it, ``closed`` (record, group =
        the pivot, d_in, d_out) if the nearest record did not join, and ``leftover`` (record, joins = its
        nearest record)."""
        return Partition(vmdav_groups(points_of(table, stage(run.tick, 0, 0)), k, self.gamma, run))


def vmdav_groups(points: Points, k: int, gamma: float, run: Run) -> np.ndarray:
    """Return the labels, int64 (n), of V-MDAV's groups of n ≥ k ≥ 1 points, in the order of the groups."""
    from kanon_core.algorithms.clustering import vmdav_kernels as kernels
    from kanon_core.algorithms.clustering.nearest import index_kernels as trees
    from kanon_core.algorithms.clustering.nearest.build_kernels import build
    from kanon_core.algorithms.clustering.refine.region_kernels import Points as Numbers
    from kanon_core.algorithms.clustering.refine.region_kernels import scan

    n = len(points)
    index = trees.new_index(points.numeric, points.codes, points.weights)
    seeds = _seeds(index)
    state = np.zeros(3, np.int64)
    squares, margins = np.zeros(max(k - 1, 1)), np.full((n + 1, 3), -1.0)
    sequence, ends = np.zeros(n, np.int64), np.zeros(n // k, np.int64)
    budget = _WORK_PER_CALL // (10 + points.numeric.shape[1] + points.codes.shape[1])
    written = 0

    def tick() -> None:
        run.tick(state[kernels.PLACED] / n, tr("forming groups"))

    build(index, tick)
    while index.counts[trees.SIZE] >= k:
        if 2 * index.counts[trees.SIZE] < index.counts[trees.BUILT]:
            build(index, tick)
        kernels.form_groups(index, k, gamma, seeds, state, squares[: k - 1], sequence, ends, margins, budget)
        _write(run, k, sequence, ends[: state[kernels.GROUPS]], written, margins)
        written = int(state[kernels.GROUPS])
        tick()
    labels = np.empty(n, np.int64)
    placed = int(state[kernels.PLACED])
    labels[sequence[:placed]] = np.repeat(np.arange(written), np.diff(ends[:written], prepend=0))
    before = np.flatnonzero(index.leaf_of < 0)
    numbers = Numbers(index.numeric, index.codes, index.weights)
    for i in np.flatnonzero(index.leaf_of >= 0).tolist():
        nearest = int(before[np.argmin(scan(numbers, i, before))])
        labels[i] = labels[nearest]
        if run.log is not None:
            run.log.write("leftover", record=i, joins=nearest)
    run.tick(1.0, tr("forming groups"))
    return labels


def _seeds(index: Index) -> np.ndarray:
    """Return all records, the farthest from the centroid of all first."""
    from kanon_core.algorithms.clustering import mdav_kernels, vmdav_kernels

    centroid = mdav_kernels.new_centroid(index)
    mdav_kernels.settle(index, centroid)
    squares = np.empty(len(index.numeric))
    vmdav_kernels.squares_from_centroid(index, centroid, squares)
    return np.argsort(-squares, kind="stable")


def _write(run: Run, k: int, sequence: np.ndarray, ends: np.ndarray, start: int, margins: np.ndarray) -> None:
    if run.log is None:
        return
    for group in range(start, len(ends)):
        first = int(ends[group - 1]) if group else 0
        pivot = int(sequence[first])
        run.log.write("group", pivot=pivot, members=sequence[first : first + k])
        for place in range(first + k, int(ends[group])):
            d_in, d_out, _ = margins[place].tolist()
            run.log.write("extend", record=int(sequence[place]), joins=pivot, d_in=d_in, d_out=d_out)
        d_in, d_out, near = margins[int(ends[group])].tolist()
        if near >= 0:
            run.log.write("closed", record=int(near), group=pivot, d_in=d_in, d_out=d_out)
