"""Decision, and the verdicts, findings and limits that it rests on; and the place for signatures."""

from __future__ import annotations

from collections import Counter

from kanon_core.base.words import counted, number_text, percent, quoted, tr, tr_n
from kanon_core.findings.base import SEVERITIES, Finding
from kanon_core.guarantees import ALWAYS, GUARANTEES, Guarantee, Verdict
from kanon_core.report.signing.blocks import Facts, Grid, Lines, Says, Section, empty, notes
from kanon_core.report.signing.evidence import Evidence, decision_facts


def decision(evidence: Evidence) -> Section:
    """Return the fields that people fill in."""
    return Section(
        tr("Request and decision"),
        (
            Facts(decision_facts(evidence.decision, "asked", "decided", "by", "date", "why")),
            Says(_summary(evidence)),
        ),
    )


def _summary(evidence: Evidence) -> str:
    """Verdicts and findings in a sentence."""
    severities = Counter(one.severity for one in evidence.findings)
    said = tr(
        "Summary: {kept} of {all} checked guarantees hold. Findings: {count:,} (stop the"
        " release: {stops:,}; need a decision: {decide:,}; good to know: {know:,})."
    ).format(
        kept=sum(verdict.holds for verdict in evidence.verdicts),
        all=len(evidence.verdicts),
        count=len(evidence.findings),
        **{severity: severities[severity] for severity in SEVERITIES},
    )
    return " ".join(filter(None, (said, unanswered(evidence))))


def unanswered(evidence: Evidence) -> str:
    """Return a sentence on the findings that stop the release and have no reason; "" without any."""
    if not evidence.unanswered:
        return ""
    said = tr("Findings that stop the release and have no written reason for accepting them: {count:,}.")
    return said.format(count=len(evidence.unanswered))


def verdicts(evidence: Evidence) -> Section:
    """Return a line for each verdict."""
    own = {one.name: one for one in (*evidence.release.guarantees, *ALWAYS)}
    rows = tuple(_row(verdict, own) for verdict in evidence.verdicts)
    head = (tr("guarantee"), tr("attacker"), tr("verdict"), tr("result"))
    return Section.of(
        tr("Verdicts"),
        Grid(head, rows, widths=(20, 26, 12, 42)),
        notes(
            [
                tr(
                    "Each verdict is computed from the published rows and the original table; it does"
                    " not rely on the algorithm. A guarantee says nothing about other attackers."
                )
            ]
        ),
    )


def _row(verdict: Verdict, own: dict[str, Guarantee]) -> tuple[str, ...]:
    name = verdict.guarantee
    guarantee = own.get(name) or next(cls() for cls in GUARANTEES if cls.name == name)
    if name in own:
        asked = guarantee.wanted
    else:  # it was asked for as well, with another k than its default
        asked = f"{guarantee.symbol} = {number_text(verdict.required)}" if guarantee.symbol else ""
    said = f"{guarantee.called}, {asked}" if asked else guarantee.called
    return said, guarantee.attacker, holds(verdict), verdict.sentence


def holds(verdict: Verdict) -> str:
    """Return the verdict in a word or three."""
    return tr("holds") if verdict.holds else tr("DOES NOT HOLD")


def findings(evidence: Evidence) -> Section:
    """Return a section with a line for each finding, the heaviest first, and a note on which ones still stop
    the release."""
    if not evidence.findings:
        return Section(tr("Findings"), (Says(tr("There are no findings beyond the guarantees.")),))
    rows = tuple(
        (tr(SEVERITIES[one.severity]), one.name, _text(one), _reason(evidence, one))
        for one in evidence.findings
    )
    head = (tr("severity"), tr("finding"), tr("figures and remedies"), tr("reason for acceptance"))
    said = tr("{count} on this release: what the guarantees mean here and what they do not cover.").format(
        count=counted(len(rows), "finding")
    )
    summary = f"{said} {unanswered(evidence)}".rstrip()
    return Section(tr("Findings"), (Says(summary), Grid(head, rows, widths=(12, 14, 54, 20))))


def _text(finding: Finding) -> str:
    return " ".join(part for part in (finding.sentence, f"→ {finding.action}", finding.price) if part)


def _reason(evidence: Evidence, finding: Finding) -> str:
    reason = evidence.reason(finding)
    return reason or (empty() if finding.severity == "stops" else "")


def limits(evidence: Evidence) -> Section:
    """Return the section on what the guarantee means, then on what it does not cover."""
    release = evidence.release
    guarantee, schema = release.guarantee, release.table.schema
    if not guarantee.smallest(release):
        return Section(tr("Limits of the guarantee"), (Says(tr("Nothing is published.")),))
    said = ["".join(guarantee.reading(release)).rstrip(".") + ".", *guarantee.caveats(release)]
    kept = schema.of_role("sensitive", "other")
    if kept:
        names = quoted(column.name for column in kept)
        said.append(
            tr(
                "The guarantee does not cover the unchanged columns {names}: it says nothing about an"
                " attacker who knows a value there, or who learns it from a group in which it is frequent."
            ).format(names=names)
        )
    gone = int(release.suppressed.sum())
    if gone:
        said.append(
            tr_n(
                "{gone:,} record ({share}) is not published; its absence can be noticed.",
                "{gone:,} records ({share}) are not published; their absence can be noticed.",
                gone,
            ).format(gone=gone, share=percent(gone, len(release)))
        )
    said.append(
        tr(
            "The signatory must judge whether all columns that can identify people are"
            " quasi-identifiers. An attacker can compare this release with an earlier or later"
            " release of the same people; no guarantee in this report covers both together."
        )
    )
    return Section(tr("Limits of the guarantee"), tuple(Says(one) for one in said))


def signature(evidence: Evidence) -> Section:
    """Return a line for place and date, one for the signature."""
    said = tr(
        "I have read the findings and the limits of the guarantee, and I decide as stated in section 1."
    )
    if evidence.unanswered:
        refusal = tr("The release must not be handed over as it is.")
        said = f"{unanswered(evidence)} {refusal}"
    names = (tr("Place and date"), tr("Name"), tr("Signature"))
    return Section(tr("Signature"), (Says(said), Lines(names)))
