"""Refine: MIL's principle for tables of any number of attributes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from kanon_core.algorithms.base import Algorithm, Run
from kanon_core.algorithms.clustering.mdav import MDAV
from kanon_core.algorithms.clustering.refine.ncp import refine_ncp
from kanon_core.algorithms.clustering.refine.sse import refine_sse
from kanon_core.base.anytime import Limits, Seconds, Steps
from kanon_core.base.kinds import Choice
from kanon_core.base.options import Nested
from kanon_core.base.progress import stage
from kanon_core.base.words import later
from kanon_core.distances.chosen import reasons as unmeasurable
from kanon_core.distances.mixed import points_of, unit_columns_of
from kanon_core.release.cover import Partition
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
        """Unsuitable where its start is, and columns whose chosen distance cannot measure them."""
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
