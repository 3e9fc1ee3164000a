"""Annex on the impact on data protection: what the fields say, and the questions of opinions and standards
with this release's facts. It gives no legal verdict."""

from __future__ import annotations

from kanon_core.base.words import tr
from kanon_core.report.signing.blocks import Facts, Grid, Says, Section
from kanon_core.report.signing.decision import given
from kanon_core.report.signing.evidence import Evidence
from kanon_core.report.signing.sections import japan, standard, workingparty


def section(evidence: Evidence) -> Section:
    """The fields of the assessment, then a table of questions for each text."""
    parts = (
        (workingparty.about(), workingparty.questions(evidence)),
        (standard.about(), standard.questions(evidence)),
        (japan.about(), japan.questions(evidence)),
    )
    head = (tr("question"), tr("facts of this release"), tr("answer of whoever signs"))
    tables = [block for said, rows in parts for block in (Says(said), Grid(head, rows, widths=(32, 50, 18)))]
    return Section(
        tr("Annex: impact on data protection"),
        (
            Facts(given(evidence.decision, "purpose", "recipients", "means", "safeguards")),
            Says(
                tr(
                    "Questions with facts, and room for answers. Whether data are anonymous in the sense of a"
                    " law depends on who has them and on what else is known; no figure here decides it."
                ),
                quiet=True,
            ),
            *tables,
        ),
        new_page=True,
    )
