"""Risk of a release: attackers who know the original records, and what their success proves."""

from kanon_core.risk.attacks import (
    ATTACKS,
    Attack,
    BestGuess,
    ItemContainment,
    NearestOverlap,
    UniqueRows,
)
from kanon_core.risk.criterion import contest_threshold, exact_threshold, interval
from kanon_core.risk.minimality import Belief, Minimality, minimality_attack
from kanon_core.risk.reidentification import Reidentification, reidentify

__all__ = [
    "ATTACKS",
    "Attack",
    "Belief",
    "BestGuess",
    "ItemContainment",
    "Minimality",
    "NearestOverlap",
    "Reidentification",
    "UniqueRows",
    "contest_threshold",
    "exact_threshold",
    "interval",
    "minimality_attack",
    "reidentify",
]
