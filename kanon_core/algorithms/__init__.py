"""Every algorithm, in menu order."""

from kanon_core.algorithms.base import Algorithm
from kanon_core.algorithms.concealment.clustered import Clustered
from kanon_core.algorithms.concealment.greedy import Greedy
from kanon_core.algorithms.concealment.lottery import Lottery
from kanon_core.algorithms.concealment.optimal import OptimalConcealment
from kanon_core.algorithms.concealment.pairing import Pairing
from kanon_core.algorithms.concealment.tours import Tours
from kanon_core.algorithms.histories.purchases import PurchaseHistories
from kanon_core.algorithms.microaggregation.mdav import MDAV
from kanon_core.algorithms.microaggregation.mil import MIL
from kanon_core.algorithms.microaggregation.optimal_univariate import OptimalUnivariate
from kanon_core.algorithms.microaggregation.refine import Refine
from kanon_core.algorithms.microaggregation.sorting import Sorting
from kanon_core.algorithms.microaggregation.vmdav import VMDAV
from kanon_core.algorithms.topdown.composite import TopDown
from kanon_core.algorithms.topdown.mondrian import Mondrian
from kanon_core.algorithms.topdown.refine_sets import RefineSets

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
    PurchaseHistories,
    OptimalConcealment,
    Tours,
    Clustered,
    Greedy,
    Lottery,
    Pairing,
)

__all__ = [
    "ALGORITHMS",
    "MDAV",
    "MIL",
    "VMDAV",
    "Algorithm",
    "Clustered",
    "Greedy",
    "Lottery",
    "Mondrian",
    "OptimalConcealment",
    "OptimalUnivariate",
    "Pairing",
    "PurchaseHistories",
    "Refine",
    "RefineSets",
    "Sorting",
    "TopDown",
    "Tours",
]
