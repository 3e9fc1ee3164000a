"""What was asked and decided, by whom, when and why."""

from __future__ import annotations

from collections import Counter

from kanon_core.base.words import tr
from kanon_core.findings.base import SEVERITIES
from kanon_core.report.signing.blocks import Facts, Says, Section
from kanon_core.report.signing.decision import given
from kanon_core.report.signing.evidence import Evidence


def section(evidence: Evidence) -> Section:
    """The fields that people fill in."""
    return Section(
        tr("What was asked and decided"),
        (Facts(given(evidence.decision, "asked", "decided", "by", "date", "why")), Says(_summary(evidence))),
    )


def _summary(evidence: Evidence) -> str:
    """Verdicts and findings in a sentence."""
    severities = Counter(one.severity for one in evidence.findings)
    said = tr(
        "In short: {kept} of {all} guarantees that were checked hold. Findings: {count:,}. Those that stop"
        " the release: {stops:,}; that need a decision: {decide:,}; that are good to know: {know:,}."
    ).format(
        kept=sum(verdict.holds for verdict in evidence.verdicts),
        all=len(evidence.verdicts),
        count=len(evidence.findings),
        **{severity: severities[severity] for severity in SEVERITIES},
    )
    if not evidence.unanswered:
        return said
    more = tr("For {count:,} that stop it nobody has written why it is handed over all the same.")
    return f"{said} {more.format(count=len(evidence.unanswered))}"
