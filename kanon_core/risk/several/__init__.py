"""Several releases of the same people, and the attackers who have all of them."""

from kanon_core.risk.several.attackers import ByAttacker, by_attacker
from kanon_core.risk.several.backward import backward
from kanon_core.risk.several.intersection import Intersection, intersect
from kanon_core.risk.several.sides import Published
from kanon_core.risk.several.trajectories import trajectories

__all__ = [
    "ByAttacker",
    "Intersection",
    "Published",
    "backward",
    "by_attacker",
    "intersect",
    "trajectories",
]
