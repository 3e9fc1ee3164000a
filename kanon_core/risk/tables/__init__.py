"""Attacks on published rows: the attacker, the knowledge, and the rate of right guesses."""

from kanon_core.risk.tables.base import Answer, TableAttack
from kanon_core.risk.tables.inference import AttributeInference
from kanon_core.risk.tables.linkability import Linkability
from kanon_core.risk.tables.linkage import ConsistentLinkage, NearestLinkage
from kanon_core.risk.tables.membership import Membership
from kanon_core.risk.tables.outcome import Attacked
from kanon_core.risk.tables.release_view import ReleaseView
from kanon_core.risk.tables.rerun import Rerun
from kanon_core.risk.tables.singling import SinglingOut

TABLE_ATTACKS: tuple[type[TableAttack], ...] = (
    ConsistentLinkage,
    NearestLinkage,
    AttributeInference,
    Linkability,
    SinglingOut,
    Membership,
    Rerun,
)
"""Every attack on published rows, in menu order; `kanon_core.risk.ATTACKS` has those on histories."""

__all__ = [
    "TABLE_ATTACKS",
    "Answer",
    "Attacked",
    "AttributeInference",
    "ConsistentLinkage",
    "Linkability",
    "Membership",
    "NearestLinkage",
    "Rerun",
    "ReleaseView",
    "SinglingOut",
    "TableAttack",
]
