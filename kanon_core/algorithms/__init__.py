"""Every algorithm, in menu order."""

from kanon_core.algorithms.base import Algorithm
from kanon_core.algorithms.microaggregation.mdav import MDAV
from kanon_core.algorithms.microaggregation.mil import MIL
from kanon_core.algorithms.microaggregation.optimal_univariate import OptimalUnivariate
from kanon_core.algorithms.microaggregation.sorting import Sorting

ALGORITHMS: tuple[type[Algorithm], ...] = (MDAV, MIL, OptimalUnivariate, Sorting)

__all__ = ["ALGORITHMS", "Algorithm", *(algorithm.__name__ for algorithm in ALGORITHMS)]
