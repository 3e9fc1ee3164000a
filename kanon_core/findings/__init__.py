"""What a release really tells: facts that no guarantee covers and a signatory must know.

A guarantee is promised and checked; a finding is looked for. Each search says what it looks for, which
attacker can use it, and from which threshold on it stops a release or needs a decision.
"""

from __future__ import annotations

from kanon_core.findings.aggregates import Aggregates
from kanon_core.findings.attributes import Attributes
from kanon_core.findings.base import SEVERITIES, Finding, Search
from kanon_core.findings.dependency import Dependency
from kanon_core.findings.ends import ExactEnds
from kanon_core.findings.identity import Identity
from kanon_core.findings.joins import DirectJoins
from kanon_core.findings.longitude import Longitude
from kanon_core.findings.persons import People
from kanon_core.findings.seed import Seed
from kanon_core.findings.suppressed import Suppressed
from kanon_core.findings.unchanged import Unchanged

FINDINGS: tuple[type[Search], ...] = (
    Identity,
    People,
    Attributes,
    Unchanged,
    Dependency,
    Aggregates,
    DirectJoins,
    Seed,
    ExactEnds,
    Suppressed,
    Longitude,
)
"""Every search, in menu order."""

__all__ = [
    "FINDINGS",
    "SEVERITIES",
    "Aggregates",
    "Attributes",
    "Dependency",
    "DirectJoins",
    "ExactEnds",
    "Finding",
    "Identity",
    "Longitude",
    "People",
    "Search",
    "Seed",
    "Suppressed",
    "Unchanged",
]
