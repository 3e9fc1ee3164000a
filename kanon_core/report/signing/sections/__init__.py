"""The parts of a report, in order. A new one is a file with ``section(evidence) -> Section`` and a line
here."""

from __future__ import annotations

from collections.abc import Callable

from kanon_core.report.signing.blocks import Section
from kanon_core.report.signing.evidence import Evidence
from kanon_core.report.signing.sections import (
    again,
    attacks,
    columns,
    compared,
    decided,
    found,
    impact,
    limits,
    losses,
    method,
    released,
    risks,
    signature,
    verdicts,
)

SECTIONS: tuple[Callable[[Evidence], Section], ...] = (
    decided.section,
    released.section,
    columns.section,
    method.section,
    verdicts.section,
    found.section,
    risks.section,
    attacks.section,
    losses.section,
    compared.section,
    limits.section,
    again.section,
    signature.section,
    impact.section,
)
"""Each makes one section of the evidence."""
