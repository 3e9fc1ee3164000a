"""Every algorithm, in menu order."""

from kanon_core.algorithms.base import Algorithm
from kanon_core.algorithms.microaggregation.mdav import MDAV
from kanon_core.algorithms.microaggregation.mil import MIL
from kanon_core.algorithms.microaggregation.optimal_univariate import OptimalUnivariate
from kanon_core.algorithms.microaggregation.refine import Refine
from kanon_core.algorithms.microaggregation.sorting import Sorting
from kanon_core.algorithms.microaggregation.vmdav import VMDAV
from kanon_core.algorithms.topdown.mondrian import Mondrian

ALGORITHMS: tuple[type[Algorithm], ...] = (MDAV, VMDAV, Mondrian, Refine, Sorting, MIL, OptimalUnivariate)

__all__ = [
    "ALGORITHMS", "MDAV", "MIL", "VMDAV", "Algorithm", "Mondrian", "OptimalUnivariate", "Refine", "Sorting",
]  # fmt: skip
