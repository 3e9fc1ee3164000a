"""Findings: facts about a release that no guarantee covers and a signatory must know.

A guarantee is declared and checked; a finding is searched for. Each search declares its question, the
attacker who can use it, and the thresholds from which it stops a release or needs a decision.
"""

from __future__ import annotations

from kanon_core.findings.aggregates import Aggregates
from kanon_core.findings.attributes import SensitiveValues
from kanon_core.findings.base import SEVERITIES, Finding, Search
from kanon_core.findings.cuts import CutsNotMade
from kanon_core.findings.dateorder import DateOrder
from kanon_core.findings.dependency import DependentColumns
from kanon_core.findings.ends import ExactEnds
from kanon_core.findings.freetext import FreeText
from kanon_core.findings.identity import Identity
from kanon_core.findings.insiders import Insiders
from kanon_core.findings.joins import DirectJoins
from kanon_core.findings.longitude import Longitude
from kanon_core.findings.masked import MaskedValues
from kanon_core.findings.nearly import NearlyOriginal
from kanon_core.findings.persons import People
from kanon_core.findings.previous import PreviousReleases
from kanon_core.findings.seed import KnownSeed
from kanon_core.findings.suppressed import Suppressed
from kanon_core.findings.unchanged import UnchangedColumns

FINDINGS: tuple[type[Search], ...] = (
    Identity,
    People,
    SensitiveValues,
    CutsNotMade,
    UnchangedColumns,
    NearlyOriginal,
    DateOrder,
    FreeText,
    DependentColumns,
    Aggregates,
    MaskedValues,
    DirectJoins,
    KnownSeed,
    Insiders,
    ExactEnds,
    Suppressed,
    Longitude,
    PreviousReleases,
)
"""Every search, in menu order."""

__all__ = [
    "FINDINGS",
    "SEVERITIES",
    "Aggregates",
    "CutsNotMade",
    "DateOrder",
    "DependentColumns",
    "DirectJoins",
    "ExactEnds",
    "Finding",
    "FreeText",
    "Identity",
    "Insiders",
    "KnownSeed",
    "Longitude",
    "MaskedValues",
    "NearlyOriginal",
    "People",
    "PreviousReleases",
    "Search",
    "SensitiveValues",
    "Suppressed",
    "UnchangedColumns",
]
