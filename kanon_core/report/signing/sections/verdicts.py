"""Every guarantee that was checked: against whom, what was asked and found, and whether it holds."""

from __future__ import annotations

from kanon_core.base.words import tr
from kanon_core.guarantees import ALWAYS, GUARANTEES, Guarantee, Verdict
from kanon_core.report.signing.blocks import Grid, Section, notes
from kanon_core.report.signing.evidence import Evidence


def section(evidence: Evidence) -> Section:
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
    else:  # asked for besides: with another k than its default
        asked = f"{guarantee.symbol} = {verdict.required:,.4g}" if guarantee.symbol else ""
    said = f"{guarantee.called}, {asked}" if asked else guarantee.called
    return said, guarantee.attacker, holds(verdict), verdict.sentence


def holds(verdict: Verdict) -> str:
    """The verdict in a word or three."""
    return tr("holds") if verdict.holds else tr("DOES NOT HOLD")
