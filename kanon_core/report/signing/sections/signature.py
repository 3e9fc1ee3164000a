"""Where it is signed."""

from __future__ import annotations

from kanon_core.base.words import tr
from kanon_core.report.signing.blocks import Lines, Says, Section
from kanon_core.report.signing.evidence import Evidence


def section(evidence: Evidence) -> Section:
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
