"""The guarantees of a release: their parameters, the attacker they hold against, and an independent check.

A check reads only what is published and the original table; it does not rely on the cover.
"""

from __future__ import annotations

from kanon_core.guarantees.attributes.alphak import AlphaKAnonymity
from kanon_core.guarantees.attributes.betalikeness import BetaLikeness
from kanon_core.guarantees.attributes.deltadisclosure import DeltaDisclosure
from kanon_core.guarantees.attributes.ldiversity import LDiversity
from kanon_core.guarantees.attributes.recursive import RecursiveDiversity
from kanon_core.guarantees.attributes.tcloseness import TCloseness
from kanon_core.guarantees.base import Guarantee, Verdict
from kanon_core.guarantees.base import Judged as Judged
from kanon_core.guarantees.identity.hiding import Hiding
from kanon_core.guarantees.identity.itemsets import KKMAnonymity, KMAnonymity
from kanon_core.guarantees.identity.kanonymity import KAnonymity
from kanon_core.guarantees.identity.kconcealment import KConcealment
from kanon_core.guarantees.identity.kkanonymity import KKAnonymity, KMap, KOneAnonymity, OneKAnonymity
from kanon_core.guarantees.identity.people import PersonKAnonymity
from kanon_core.guarantees.identity.presence import DeltaPresence
from kanon_core.guarantees.truth import Truth as Truth
from kanon_core.guarantees.withheld import Withheld as Withheld

GUARANTEES: tuple[type[Guarantee], ...] = (
    KAnonymity,
    PersonKAnonymity,
    KConcealment,
    OneKAnonymity,
    KOneAnonymity,
    KKAnonymity,
    KMap,
    DeltaPresence,
    KMAnonymity,
    KKMAnonymity,
    LDiversity,
    RecursiveDiversity,
    AlphaKAnonymity,
    TCloseness,
    BetaLikeness,
    DeltaDisclosure,
)
"""Every guarantee that can be requested, in menu order. An algorithm declares which it gives
(`Algorithm.guarantees`); any can be checked of any release that it suits (`kc.audit`)."""

Guarantees = tuple[Hiding, *tuple[Guarantee, ...]]
"""The guarantees that an algorithm gives: first that on the anonymity set of each record or person, then the
others."""

ALWAYS: tuple[Guarantee, ...] = (Truth(), Withheld())
"""The guarantees of every release, whatever algorithm made it."""

__all__ = [
    "GUARANTEES",
    "AlphaKAnonymity",
    "BetaLikeness",
    "DeltaDisclosure",
    "DeltaPresence",
    "Guarantee",
    "Hiding",
    "KAnonymity",
    "KConcealment",
    "KKAnonymity",
    "KKMAnonymity",
    "KMAnonymity",
    "KMap",
    "KOneAnonymity",
    "LDiversity",
    "OneKAnonymity",
    "PersonKAnonymity",
    "RecursiveDiversity",
    "TCloseness",
    "Verdict",
]
