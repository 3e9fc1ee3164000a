"""MIL: move records between neighboring groups of one attribute while the loss falls."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.algorithms.base import Algorithm, Log, Run
from kanon_core.algorithms.clustering.mdav import MDAV
from kanon_core.algorithms.clustering.univariate import not_one_number, sorted_with_order
from kanon_core.base.errors import UnsuitableError
from kanon_core.base.options import Nested
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import later, tr, tr_n
from kanon_core.covers.cover import Partition
from kanon_core.distances.mixed import points_of
from kanon_core.table.table import Table

_STEPS_PER_CALL = 1 << 22
_LOGGED_STEPS_PER_CALL = 1 << 14


@dataclass(frozen=True)
class MIL(Algorithm):
    """Move the boundaries of a partition of one number, record by record, as long as the SSE falls.

    For two neighboring groups D_i and D_{i+1}, (a) while D_i has more than k records, its last record x goes
    to D_{i+1} if X = −(n+1)/n · (x − mean(D_i))² + m/(m+1) · (x − mean(D_{i+1}))² < 0, where D_i has n + 1
    records and D_{i+1} has m; (b) likewise back. All pairs are scanned in order, again from the first after a
    scan with a move. The loss never rises; nothing can move when every group has exactly k records.

    When to use: to see the papers' method; `OptimalUnivariate` is never worse. Cost: O(n log n) to sort; each
    judgement O(1). From MDAV their number does not grow with n.

    Readings: sizes are compared as in Algorithm 1 (|D_i| > k). X counts as negative if it is below −1e-12 of
    its larger term, so that rounding cannot move a record back and forth. Sums about an anchor replace means.

    Reference: MIL paper, §3 and Algorithm 1; ILD paper, §4.2.
    """

    title: ClassVar[str] = "MIL"
    family: ClassVar[str] = "clustering"
    summary: ClassVar[str] = (
        "Improves another algorithm's groups for one numeric column, and reports the judgement count."
    )

    start: Annotated[
        Algorithm,
        Nested(
            ("MDAV", "VMDAV", "Sorting", "OptimalUnivariate"), help="the algorithm whose groups are improved"
        ),
    ] = field(default_factory=MDAV)

    def unsuitable(self, table: Table, k: int) -> list[str]:
        """Return the reasons of its start, and a reason unless there is exactly one number."""
        reasons = self.start.unsuitable(table, k)
        return reasons + [reason for reason in not_one_number(table) if reason not in reasons]

    def cover(self, table: Table, k: int, run: Run) -> Partition:
        """Return the improved partition; report judgements and moves; log the line, each judgement and the
        groups.

        Raises UnsuitableError if the start's groups overlap on the number line (MIL paper, condition (1)).
        """
        first = self.start.cover(table, k, run.part(0, 0.8))
        assert isinstance(first, Partition)
        order, sizes, ascending = on_the_line(points_of(table).numeric[:, 0], first)
        if run.log is not None:
            run.log.write("line", order=order, sizes=sizes)
        sizes, judgements, moves = mil(ascending, sizes, k, run.part(0.8, 1).tick, run.log)
        run.report.update({later("judgements"): float(judgements), later("moves"): float(moves)})
        labels = np.empty(len(order), np.int64)
        labels[order] = np.repeat(np.arange(len(sizes)), sizes)
        result = Partition(labels)
        run.write_groups(result)
        return result


def mil(
    ascending: np.ndarray, sizes: np.ndarray, k: int, tick: Tick = silent, log: Log | None = None
) -> tuple[np.ndarray, int, int]:
    """Apply MIL to ascending values in runs of the given sizes (each ≥ k ≥ 1); return the new sizes, the
    judgement count and the number of moves.

    Each judgement logs an event "judgement": pair (from 0), step (0 = (a), 1 = (b)), X and whether a record
    moved.
    """
    from kanon_core.algorithms.clustering import mil_kernels as kernels

    sizes = sizes.astype(np.int64)
    anchors, sums = np.empty(len(sizes)), np.empty(len(sizes))
    kernels.prepare(ascending, sizes, anchors, sums)
    state = np.zeros(7, np.int64)
    state[kernels.BOUNDARY] = sizes[0]
    budget = _STEPS_PER_CALL if log is None else _LOGGED_STEPS_PER_CALL
    seen = np.empty((0 if log is None else budget, 4))
    while not state[kernels.DONE]:
        judged = int(state[kernels.JUDGEMENTS])
        kernels.scan(ascending, k, sizes, anchors, sums, state, budget, seen)
        if log is not None:
            for pair, step, x, moved in seen[: int(state[kernels.JUDGEMENTS]) - judged].tolist():
                log.write("judgement", pair=int(pair), step=int(step), X=x, moved=bool(moved))
        count = int(state[kernels.JUDGEMENTS])
        tick(None, tr_n("{count:,} judgement", "{count:,} judgements", count).format(count=count))
    return sizes, int(state[kernels.JUDGEMENTS]), int(state[kernels.MOVES])


def on_the_line(values: np.ndarray, partition: Partition) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return an order of the records (n) in which groups are ascending runs, the sizes (g), and the values
    (n).

    Raises UnsuitableError if a group has a value above the smallest value of the next group.
    """
    ascending, order = sorted_with_order(values)
    group = partition.groups[order]
    lowest, highest = np.empty(len(partition.sizes)), np.empty(len(partition.sizes))
    lowest[group[::-1]] = ascending[::-1]
    highest[group] = ascending
    ranked = np.lexsort((highest, lowest))
    if np.any(highest[ranked[:-1]] > lowest[ranked[1:]]):
        raise UnsuitableError(
            tr(
                "MIL needs groups whose ranges do not overlap, but the groups of its start overlap; choose"
                " MDAV, VMDAV, Sorting or OptimalUnivariate as the start."
            )
        )
    rank = np.empty_like(ranked)
    rank[ranked] = np.arange(len(ranked))
    order = order[np.argsort(rank[group], kind="stable")]
    return order, partition.sizes[ranked], values[order]
