"""Risk of a release: attackers by what they know, with the risk of each record; attacks by somebody who knows
the original records, and the evidence of their success."""

from kanon_core.risk.attackers import (
    ATTACKERS,
    Attacker,
    Everybody,
    FewItems,
    Journalist,
    Marketer,
    Prosecutor,
)
from kanon_core.risk.attacks import (
    ATTACKS,
    Attack,
    BestGuess,
    ItemContainment,
    NearestOverlap,
    UniqueRows,
)
from kanon_core.risk.criterion import contest_threshold, exact_threshold, interval
from kanon_core.risk.measured import THRESHOLDS, AttackerRisk, Risk, Risks
from kanon_core.risk.measuring import risks
from kanon_core.risk.minimality import Belief, Minimality, minimality_attack
from kanon_core.risk.population import Population
from kanon_core.risk.reidentification import Reidentification, reidentify

__all__ = [
    "ATTACKERS",
    "ATTACKS",
    "THRESHOLDS",
    "Attack",
    "Attacker",
    "AttackerRisk",
    "Belief",
    "BestGuess",
    "Everybody",
    "FewItems",
    "ItemContainment",
    "Journalist",
    "Marketer",
    "Minimality",
    "NearestOverlap",
    "Population",
    "Prosecutor",
    "Reidentification",
    "Risk",
    "Risks",
    "UniqueRows",
    "contest_threshold",
    "exact_threshold",
    "interval",
    "minimality_attack",
    "reidentify",
    "risks",
]
