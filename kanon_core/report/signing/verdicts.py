"""Decision, and the verdicts, findings and limits that it rests on; and the place for signatures."""

from __future__ import annotations

from collections import Counter

from kanon_core.base.words import counted, percent, tr, tr_n
from kanon_core.findings.base import SEVERITIES, Finding
from kanon_core.guarantees import ALWAYS, GUARANTEES, Guarantee, Verdict
from kanon_core.report.signing.blocks import Facts, Grid, Lines, Says, Section, empty, notes, quoted
from kanon_core.report.signing.evidence import Evidence, decision_facts


def decision(evidence: Evidence) -> Section:
    """The fields that people fill in."""
    return Section(
        tr("What was asked and decided"),
        (
            Facts(decision_facts(evidence.decision, "asked", "decided", "by", "date", "why")),
            Says(_summary(evidence)),
        ),
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


def verdicts(evidence: Evidence) -> Section:
    """A line for each verdict."""
    own = {one.name: one for one in (*evidence.release.guarantees, *ALWAYS)}
    rows = tuple(_row(verdict, own) for verdict in evidence.verdicts)
    head = (tr("guarantee"), tr("for an attacker who …"), tr("verdict"), tr("what was found"))
    return Section.of(
        tr("Verdicts"),
        Grid(head, rows, widths=(20, 26, 12, 42)),
        notes(
            [
                tr(
                    "Verdicts are found from what is published alone, beside the original table; they do not"
                    " believe the algorithm. A guarantee says nothing of other attackers."
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
        asked = f"{guarantee.symbol} = {verdict.required:,.4g}" if guarantee.symbol else ""
    said = f"{guarantee.called}, {asked}" if asked else guarantee.called
    return said, guarantee.attacker, holds(verdict), verdict.sentence


def holds(verdict: Verdict) -> str:
    """The verdict in a word or three."""
    return tr("holds") if verdict.holds else tr("DOES NOT HOLD")


def findings(evidence: Evidence) -> Section:
    """Return a section with a line for each finding, the heaviest first, and a note on which ones still stop
    the release."""
    if not evidence.findings:
        return Section(tr("Findings"), (Says(tr("Nothing was found beyond the guarantees.")),))
    rows = tuple(
        (tr(SEVERITIES[one.severity]), one.name, _text(one), _reason(evidence, one))
        for one in evidence.findings
    )
    head = (tr("weight"), tr("finding"), tr("figures, and what could be done"), tr("why it is accepted"))
    return Section(
        tr("Findings"), (Says(_findings_summary(evidence)), Grid(head, rows, widths=(12, 14, 54, 20)))
    )


def _findings_summary(evidence: Evidence) -> str:
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
                "The guarantee says nothing of the unchanged columns {names}: who knows a value there, or"
                " learns it from a group in which it is frequent, is not its attacker."
            ).format(names=names)
        )
    gone = int(release.suppressed.sum())
    if gone:
        said.append(
            tr_n(
                "Of {gone:,} record ({share}) nothing is published; that it is missing can be noticed.",
                "Of {gone:,} records ({share}) nothing is published; that they are missing can be noticed.",
                gone,
            ).format(gone=gone, share=percent(gone, len(release)))
        )
    said.append(
        tr(
            "Whether all columns by which people can be found are quasi-identifiers is a judgment of whoever"
            " signs. Another release of the same people, before or after, may be compared with this one; no"
            " guarantee here covers both together."
        )
    )
    return Section(tr("Limits of the guarantee"), tuple(Says(one) for one in said))


def signature(evidence: Evidence) -> Section:
    """A line for place and date, one for the signature."""
    stopped = evidence.unanswered
    said = tr("I have read the findings and the limits above, and decide as stated on the first page.")
    if stopped:
        said = tr(
            "Findings stop this release, and no reason is written for {count:,} of them: it is not to be"
            " handed over as it stands."
        ).format(count=len(stopped))
    names = (tr("Place and date"), tr("Name"), tr("Signature"))
    return Section(tr("Signature"), (Says(said), Lines(names)))
