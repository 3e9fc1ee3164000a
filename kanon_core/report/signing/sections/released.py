"""Which file is handed over, and of which data it was made."""

from __future__ import annotations

from kanon_core.base.percent import percent
from kanon_core.base.words import tr
from kanon_core.report.signing.blocks import Facts, Section, notes
from kanon_core.report.signing.evidence import Evidence
from kanon_core.report.signing.fingerprint import keyed_digest


def section(evidence: Evidence) -> Section:
    """Name and digest of the file, how much of the table it holds, and the keyed digest of the input."""
    release, handed = evidence.release, evidence.handed
    records, gone = len(release), int(release.suppressed.sum())
    keyed = keyed_digest(release.recipe)
    order = tr("drawn by a keyed hash") if handed.shuffled else tr("that of the input")
    facts = (
        (tr("File"), handed.name),
        (tr("SHA-256 of its bytes"), handed.digest),
        (tr("Rows"), f"{records - gone:,}"),
        (tr("Order of its rows"), order),
        (tr("Columns"), f"{len(release.columns):,}"),
        (tr("Records of the input"), f"{records:,}"),
        (tr("Records left out"), f"{gone:,} ({percent(gone, records)})"),
        (tr("Keyed digest of the input"), keyed or tr("not printed: the seed is short enough to be guessed")),
    )
    return Section.of(tr("What is released"), Facts(facts), notes(_about(keyed, handed.shuffled)))


def _about(keyed: str, shuffled: bool) -> list[str]:
    said = []
    if keyed:
        said.append(
            tr(
                "The digest of the input is BLAKE2b under a key that follows from the recipe's secret seed:"
                " whoever has recipe and data computes it again, and it confirms no guess about a cell to"
                " anybody else."
            )
        )
    if not shuffled:
        said.append(
            tr("Rows keep the order of the input: an attacker who knows that order knows who is who.")
        )
    return said
