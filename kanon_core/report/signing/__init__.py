"""The report that is signed: request, release, guarantees, findings, measures and decision as data
(`blocks`), written as one HTML file for A4 pages or as Markdown (`writers`)."""

from __future__ import annotations

from collections.abc import Callable

from kanon_core.base.words import counted, tr
from kanon_core.report.signing import impact, losses, provenance, risks, verdicts
from kanon_core.report.signing.blocks import Report, Section
from kanon_core.report.signing.evidence import Candidate, Decision, Evidence, ReportInputs, gathered
from kanon_core.report.signing.writers import to_html, to_markdown

__all__ = [
    "SECTIONS",
    "Candidate",
    "Decision",
    "Evidence",
    "ReportInputs",
    "Report",
    "Section",
    "gathered",
    "report",
    "to_html",
    "to_markdown",
]

SECTIONS: tuple[Callable[[Evidence], Section], ...] = (
    verdicts.decision,
    provenance.released_file,
    provenance.columns,
    provenance.method,
    verdicts.verdicts,
    verdicts.findings,
    risks.risks,
    risks.attacks,
    losses.losses,
    losses.comparison,
    verdicts.limits,
    provenance.reproduction,
    verdicts.signature,
    impact.impact,
)
"""The functions that make the sections from the evidence, in order. To add a section, write a function and
add a line here."""


def report(evidence: Evidence) -> Report:
    """Return the report of this evidence: aggregates, names of columns and people's texts, but no cell of the
    original, no seed and no plain digest of the input.

    The same evidence makes the same report: nothing in it depends on the clock or the machine.

    >>> import kanon_core as kc
    >>> from kanon_core.report.signing import gathered, to_markdown
    >>> release = kc.anonymize(kc.read_table("sample:people-100"), kc.Sorting(), k=5)
    >>> to_markdown(report(gathered(release))).splitlines()[0]
    '# Report on a release: people-100-k5.csv'
    """
    release = evidence.release
    about = tr("{records}, {algorithm}, {guarantee} with k = {k}. {date}").format(
        records=counted(len(release), "record"),
        algorithm=release.recipe.algorithm.title,
        guarantee=release.guarantee.name,
        k=release.guarantee.requested,
        date=evidence.decision.date,
    )
    title = tr("Report on a release: {name}").format(name=evidence.handed.name)
    return Report(title, about.strip(), tuple(section(evidence) for section in SECTIONS))
