"""Every algorithm, in menu order."""

from kanon_core.algorithms.base import Algorithm
from kanon_core.algorithms.clustering.mdav import MDAV
from kanon_core.algorithms.clustering.mil import MIL
from kanon_core.algorithms.clustering.refine.refine import Refine
from kanon_core.algorithms.clustering.sorting import Sorting
from kanon_core.algorithms.clustering.univariate import OptimalUnivariate
from kanon_core.algorithms.clustering.vmdav import VMDAV
from kanon_core.algorithms.concealment.clustered import Clustered
from kanon_core.algorithms.concealment.greedy import Greedy
from kanon_core.algorithms.concealment.lottery import Lottery
from kanon_core.algorithms.concealment.optimum.optimal import OptimalConcealment
from kanon_core.algorithms.concealment.pairing.pairing import Pairing
from kanon_core.algorithms.concealment.tours.tours import Tours
from kanon_core.algorithms.fragments.fragments import Fragments
from kanon_core.algorithms.generalization.apriori import Apriori
from kanon_core.algorithms.generalization.full_domain import FullDomain
from kanon_core.algorithms.generalization.local_partition import LocalPartition
from kanon_core.algorithms.generalization.rare_items import RareItems
from kanon_core.algorithms.histories.purchases import PurchaseHistories
from kanon_core.algorithms.partitioning.mondrian import Mondrian
from kanon_core.algorithms.partitioning.refine_sets.refine_sets import RefineSets
from kanon_core.algorithms.partitioning.topdown.topdown import TopDown

ALGORITHMS: tuple[type[Algorithm], ...] = (
    MDAV,
    VMDAV,
    Mondrian,
    TopDown,
    RefineSets,
    Refine,
    Sorting,
    MIL,
    OptimalUnivariate,
    FullDomain,
    LocalPartition,
    Apriori,
    RareItems,
    PurchaseHistories,
    OptimalConcealment,
    Tours,
    Clustered,
    Greedy,
    Lottery,
    Pairing,
    Fragments,
)

__all__ = [
    "ALGORITHMS",
    "MDAV",
    "MIL",
    "VMDAV",
    "Algorithm",
    "Apriori",
    "Clustered",
    "Fragments",
    "FullDomain",
    "Greedy",
    "LocalPartition",
    "Lottery",
    "Mondrian",
    "OptimalConcealment",
    "OptimalUnivariate",
    "Pairing",
    "PurchaseHistories",
    "RareItems",
    "Refine",
    "RefineSets",
    "Sorting",
    "TopDown",
    "Tours",
]
