"""What the guarantee leaves open in this table, in its own numbers."""

from __future__ import annotations

from kanon_core.base.percent import percent
from kanon_core.base.words import tr, tr_n
from kanon_core.report.signing.blocks import Says, Section
from kanon_core.report.signing.evidence import Evidence


def section(evidence: Evidence) -> Section:
    """What it means, then what it does not cover."""
    release = evidence.release
    guarantee, schema = release.guarantee, release.table.schema
    if not guarantee.smallest(release):
        return Section(tr("Limits of the guarantee"), (Says(tr("Nothing is published.")),))
    said = ["".join(guarantee.reading(release)).rstrip(".") + ".", *guarantee.caveats(release)]
    kept = schema.of_role("sensitive", "other")
    if kept:
        names = ", ".join(f"“{column.name}”" for column in kept)
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
