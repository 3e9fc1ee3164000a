"""Every narration, in the order of `kanon_core.algorithms.ALGORITHMS`."""

from __future__ import annotations

from kanon_core.algorithms.base import Algorithm
from kanon_core.explain.clustering.mdav import MDAVSteps
from kanon_core.explain.clustering.mil import MILSteps
from kanon_core.explain.clustering.refine import RefineSteps
from kanon_core.explain.clustering.sorting import SortingSteps
from kanon_core.explain.clustering.univariate import OptimalUnivariateSteps
from kanon_core.explain.clustering.vmdav import VMDAVSteps
from kanon_core.explain.concealment.clustered import ClusteredSteps
from kanon_core.explain.concealment.greedy import GreedySteps
from kanon_core.explain.concealment.lottery import LotterySteps
from kanon_core.explain.concealment.optimal import OptimalConcealmentSteps
from kanon_core.explain.concealment.pairing import PairingSteps
from kanon_core.explain.concealment.tours import ToursSteps
from kanon_core.explain.fragments.fragments import FragmentsSteps
from kanon_core.explain.generalization.apriori import AprioriSteps
from kanon_core.explain.generalization.full_domain import FullDomainSteps
from kanon_core.explain.generalization.local_partition import LocalPartitionSteps
from kanon_core.explain.generalization.rare_items import RareItemsSteps
from kanon_core.explain.histories.purchases import PurchaseHistoriesSteps
from kanon_core.explain.narration import Narration
from kanon_core.explain.partitioning.mondrian import MondrianSteps
from kanon_core.explain.partitioning.refine_sets import RefineSetsSteps
from kanon_core.explain.partitioning.topdown import TopDownSteps

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
    """What tells the runs of an algorithm; KeyError for one that nobody tells.

    >>> import kanon_core as kc
    >>> narration_of(kc.MDAV()).lines()[0]
    'Find the centroid of the records left, and the record farthest from it.'
    """
    cls = algorithm if isinstance(algorithm, type) else type(algorithm)
    return {one.algorithm: one for one in NARRATIONS}[cls]()
