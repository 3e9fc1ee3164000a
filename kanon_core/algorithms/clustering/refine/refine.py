"""Refine: MIL's principle for tables of any number of attributes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.algorithms.base import Algorithm, Run
from kanon_core.algorithms.clustering.mdav import MDAV
from kanon_core.base.anytime import Limits, Seconds, Steps
from kanon_core.base.kinds import Choice
from kanon_core.base.options import Nested
from kanon_core.base.progress import stage
from kanon_core.base.words import later
from kanon_core.covers.cover import Partition
from kanon_core.distances.chosen import reasons as unmeasurable
from kanon_core.distances.mixed import UnitColumns, points_of, unit_columns_of
from kanon_core.table.table import Table

STARTS = ("MDAV", "VMDAV", "Mondrian", "Sorting", "MIL", "OptimalUnivariate")


@dataclass(frozen=True)
class Refine(Algorithm):
    """Improve any partition: a change is accepted only if the formula of the loss says that it falls.

    Changes are moving one record, swapping two, dissolving, merging or splitting a group, with every group
    kept at k records or more; when none helps any more, parts of the partition are opened and solved again,
    and kept if better. The loss is SSE (in any dimension: moving x from a group of n + 1 records to one of m
    changes it by −(n+1)/n · |x − x̄|² + m/(m+1) · |x − ȳ|², means before the move, in the mixed distance
    with those chosen for columns) or NCP, in which neither value hierarchies nor distances are looked at.
    Never above the loss of its start.

    When to use: whenever a second or more may be spent: 10 to 25 % less loss than MDAV on the reference
    tables. For one number take `OptimalUnivariate`, which is exact. Anytime: it returns the best found when
    ``seconds`` are over; the recipe keeps the steps that were done, so that it gives the same bytes on a
    machine of any speed.

    Reference: the principle is that of the MIL paper, §3, which treats one sorted attribute and neighboring
    groups only (`MIL`); the searches are ours, see `refine_sse` and `refine_ncp`.
    """

    title: ClassVar[str] = "Refine"
    family: ClassVar[str] = "clustering"
    summary: ClassVar[str] = "Starts from another algorithm and lowers its loss as long as time is left."
    randomized: ClassVar[bool] = True
    takes_distances: ClassVar[bool] = True

    start: Annotated[Algorithm, Nested(STARTS, help="the algorithm whose groups are improved")] = field(
        default_factory=MDAV
    )
    loss: Annotated[
        str,
        Choice(
            {"sse": "squared distance to the group's center", "ncp": "width of the published cells"},
            help="what is lowered",
        ),
    ] = "sse"
    seconds: Seconds = 1.0
    steps: Steps = 0

    @property
    def by_distances(self) -> bool:
        """NCP looks at no distances; the start may."""
        return self.loss == "sse" or self.start.by_distances

    def unsuitable(self, table: Table, k: int) -> list[str]:
        """Return reasons as for its start, and those of columns that their chosen distance cannot measure."""
        found = self.start.unsuitable(table, k)
        return found + (
            unmeasurable(table.quasi) if self.by_distances and not self.start.by_distances else []
        )

    def cover(self, table: Table, k: int, run: Run) -> Partition:
        """The start's partition, improved; reports the loss before and after and the steps done; logs what
        the start logs, then the ``search`` (before, after, steps), then each ``group``."""
        first = self.start.cover(table, k, run.part(0, 0.3))
        assert isinstance(first, Partition)
        tick = run.part(0.3, 1.0).tick
        limits = Limits.of(self.seconds, self.steps, tick, run.report, run.settled)
        if self.loss == "sse":
            points = points_of(table, stage(tick, 0, 0))
            numbers = (points.numeric, points.codes, points.weights)
            labels, _, before, after = refine_sse(numbers, first.groups, k, run.kernel_seed, limits)
        else:
            labels, _, before, after = refine_ncp(
                unit_columns_of(table), first.groups, k, run.kernel_seed, limits
            )
        run.report.update({later("loss of the start"): before, later("loss reached"): after})
        if run.log is not None:
            run.log.write("search", before=before, after=after, steps=int(run.report["steps"]))
        result = Partition(labels)
        run.write_groups(result)
        return result


def refine_ncp(
    columns: UnitColumns, labels: np.ndarray, k: int, seed: int = 0, limits: Limits | None = None
) -> tuple[np.ndarray, int, float, float]:
    """Lower the NCP of a partition; return the labels, the steps done, and the NCP before and after (0..1).

    NCP is the mean, over the records in groups and the attributes (weighted), of: width of the group's
    interval / range of the column; (distinct values − 1) / (domain − 1). A group that holds missing and
    present numbers costs 1 in that attribute, a group of missing ones only 0.

    ``labels`` int64 (n): groups of at least k records, −1 = suppressed (left alone). The labels returned (0,
    1, … in order of first occurrence) never cost more; their groups have k … 2k − 1 records. The search ends
    at its limits, or when no move of a single record lowers the NCP. Same inputs and steps give the same
    labels.

    Raises ValueError if a group has fewer than k records. Cost: about n log n up to the first rounds of moves
    (finding neighbors is most of it: nothing improves before); the last check of all moves is up to n · n /
    k. Memory O(n · (attributes + neighbors)).

    The search [ours]: groups are grown from the densest records on, each time by the record that widens them
    least (after Byun et al., DASFAA 2007), and replace the given ones if they cost less; records move and
    change places between neighboring groups; neighborhoods of a few groups are taken apart and formed anew
    (for k up to 250).
    """
    from kanon_core.algorithms.clustering.refine.ncp_kernels import search

    return search(columns, labels, k, seed, limits or Limits())


def refine_sse(
    points: tuple[np.ndarray, ...], labels: np.ndarray, k: int, seed: int = 0, limits: Limits | None = None
) -> tuple[np.ndarray, int, float, float]:
    """Lower the SSE of a partition; return the labels, the steps done, and the SSE before and after (≥ 0).

    SSE = Σ over groups of Σ over pairs d² / size, which is Σ over records of the squared distance to the
    group's center, with d²(a, b) = Σ (x_a − x_b)² + Σ w [c_a ≠ c_b]; ``points`` are numbers float64 (n, p),
    codes int32 (n, q), weights float64 (q,).

    ``labels`` int64 (n): groups of at least k records, −1 = suppressed (left alone). The labels returned (0,
    1, … in order of first occurrence) never have a larger SSE; their groups have k … 2k − 1 records. The
    search ends at its limits, or when it has long found nothing better and then no move or swap lowers the
    SSE; only such single changes are tried for k above 200, none above 1,000. Same inputs and steps give the
    same labels.

    Raises ValueError if k < 1 or a group has fewer than k records. Cost: the first round takes about n · 15
    µs, later ones up to a hundred times as long and more; memory O(n), and 0.3 to 30 MB for the region at
    work.

    The search [ours]: a region, the groups nearest to a random record, is regrouped by simulated annealing
    (Kirkpatrick, Gelatt, Vecchi, Science 220, 1983) as if there were no other records; the new groups replace
    the old ones if their loss is lower, or higher by a trifle, so that the search does not stick. Rounds
    visit all records; each is more thorough than the one before.
    """
    from kanon_core.algorithms.clustering.refine.sse_kernels import search

    return search(points, np.asarray(labels, np.int64), k, seed, limits or Limits())
