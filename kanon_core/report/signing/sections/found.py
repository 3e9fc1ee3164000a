"""Every finding with its figures, and the reason of each that was waived."""

from __future__ import annotations

from kanon_core.base.words import counted, tr
from kanon_core.findings.base import SEVERITIES, Finding
from kanon_core.report.signing.blocks import Grid, Says, Section
from kanon_core.report.signing.evidence import Evidence
from kanon_core.report.signing.texts import empty


def section(evidence: Evidence) -> Section:
    """A line for each finding, the heaviest first; which ones still stop the release."""
    if not evidence.findings:
        return Section(tr("Findings"), (Says(tr("Nothing was found beyond the guarantees.")),))
    rows = tuple(
        (tr(SEVERITIES[one.severity]), one.name, _text(one), _reason(evidence, one))
        for one in evidence.findings
    )
    head = (tr("weight"), tr("finding"), tr("figures, and what could be done"), tr("why it is accepted"))
    return Section(tr("Findings"), (Says(_told(evidence)), Grid(head, rows, widths=(12, 14, 54, 20))))


def _told(evidence: Evidence) -> str:
    count, open_still = len(evidence.findings), len(evidence.unanswered)
    said = tr("{count}: what this release tells that no guarantee covers.").format(
        count=counted(count, "finding")
    )
    if open_still:
        more = tr(
            "{count:,} of them stop the release, and nobody has written why it is handed over all the same."
        )
        return f"{said} {more.format(count=open_still)}"
    return said


def _text(finding: Finding) -> str:
    return " ".join(part for part in (finding.sentence, f"→ {finding.action}", finding.price) if part)


def _reason(evidence: Evidence, finding: Finding) -> str:
    reason = evidence.reason(finding)
    return reason or (empty() if finding.severity == "stops" else "")
