"""Story of one run, and the narrations of all algorithms."""

from __future__ import annotations

from dataclasses import dataclass

from kanon_core.algorithms.base import Algorithm, Log
from kanon_core.base.errors import UnsuitableError
from kanon_core.base.progress import Tick
from kanon_core.base.randomness import subkey
from kanon_core.base.words import tr
from kanon_core.release.release import Release
from kanon_core.runs.run import anonymize
from kanon_core.table.table import Table
from kanon_core.teaching.explain.clustering.mdav import MDAVSteps, VMDAVSteps
from kanon_core.teaching.explain.clustering.mil import MILSteps
from kanon_core.teaching.explain.clustering.refine import RefineSteps
from kanon_core.teaching.explain.clustering.sorting import OptimalUnivariateSteps, SortingSteps
from kanon_core.teaching.explain.concealment.clustered import ClusteredSteps
from kanon_core.teaching.explain.concealment.methods import GreedySteps, LotterySteps, ToursSteps
from kanon_core.teaching.explain.concealment.optimal import OptimalConcealmentSteps
from kanon_core.teaching.explain.concealment.pairing import PairingSteps
from kanon_core.teaching.explain.fragments import FragmentsSteps
from kanon_core.teaching.explain.generalization import (
    AprioriSteps,
    FullDomainSteps,
    LocalPartitionSteps,
    RareItemsSteps,
)
from kanon_core.teaching.explain.histories import PurchaseHistoriesSteps
from kanon_core.teaching.explain.narration import Logged, Narration, Step
from kanon_core.teaching.explain.partitioning.mondrian import MondrianSteps
from kanon_core.teaching.explain.partitioning.topdown import RefineSetsSteps, TopDownSteps

NARRATIONS: tuple[type[Narration], ...] = (
    MDAVSteps,
    VMDAVSteps,
    MondrianSteps,
    TopDownSteps,
    RefineSetsSteps,
    RefineSteps,
    SortingSteps,
    MILSteps,
    OptimalUnivariateSteps,
    FullDomainSteps,
    LocalPartitionSteps,
    AprioriSteps,
    RareItemsSteps,
    PurchaseHistoriesSteps,
    OptimalConcealmentSteps,
    ToursSteps,
    ClusteredSteps,
    GreedySteps,
    LotterySteps,
    PairingSteps,
    FragmentsSteps,
)


def narration_of(algorithm: Algorithm | type[Algorithm]) -> Narration:
    """Return the narration for an algorithm; KeyError if there is none.

    >>> import kanon_core as kc
    >>> narration_of(kc.MDAV()).lines()[0]
    'Find the centroid of the records left, and the record farthest from it.'
    """
    cls = algorithm if isinstance(algorithm, type) else type(algorithm)
    return {one.algorithm: one for one in NARRATIONS}[cls]()


RECORDS_AT_MOST = 200
"""The most records for which a picture can show every mark and step."""


@dataclass(frozen=True, eq=False)
class Story:
    """A run as steps: ``release``, its audited release; ``run``, its log; ``steps``, at least one."""

    release: Release
    run: Logged
    steps: tuple[Step, ...]


def make_story(
    table: Table, algorithm: Algorithm, k: int, seed: int | None = None, progress: Tick | None = None
) -> Story:
    """Return the story of a real, audited run of this algorithm on this table.

    Raises UnsuitableError for more than 200 records, and whatever `kanon_core.anonymize` raises. Cost: that
    of the run, and O(n) for each step; pictures are drawn when asked for.

    >>> import kanon_core as kc
    >>> story = make_story(kc.read_table("sample:people-100"), kc.MDAV(), k=20, seed=1)
    >>> len(story.steps), len(story.release.cover.sizes)
    (9, 5)
    """
    if len(table) > RECORDS_AT_MOST:
        raise UnsuitableError(
            tr(
                "Steps can be shown for at most {limit} records, but the table has {count:,}; take a sample."
            ).format(limit=RECORDS_AT_MOST, count=len(table))
        )
    log = Log()
    release = anonymize(table, algorithm, k, seed, progress, log)
    seen, records = table.ordered(release.recipe.seed)
    drawn = release.cover.stages(subkey(release.recipe.seed, "draw"), records)
    run = Logged(seen, records, algorithm, k, tuple(log.events), tuple(drawn))
    return Story(release, run, tuple(narration_of(algorithm).steps_with_lines(run)))
