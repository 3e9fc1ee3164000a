"""The three questions of the Article 29 Working Party with the facts of a release.

Article 29 Data Protection Working Party, Opinion 05/2014 on Anonymisation Techniques (WP 216), 10 April 2014,
section 2.2 and 3.
"""

from __future__ import annotations

import numpy as np

from kanon_core.base.percent import percent
from kanon_core.base.words import tr, tr_n
from kanon_core.findings import (
    Aggregates,
    CutsNotMade,
    DependentColumns,
    DirectJoins,
    ExactEnds,
    Identity,
    Insiders,
    Longitude,
    People,
    Search,
    SensitiveValues,
    Suppressed,
    UnchangedColumns,
)
from kanon_core.report.signing.evidence import Evidence
from kanon_core.report.signing.sections.strongest import strongest
from kanon_core.report.signing.texts import share

INFERENCE = (SensitiveValues, DependentColumns, CutsNotMade, ExactEnds, Aggregates)
"""Searches for what can be inferred of a record without knowing its row."""


def about() -> str:
    """Whose questions these are."""
    return tr("Article 29 Working Party, Opinion 05/2014 on Anonymisation Techniques (WP 216):")


def questions(evidence: Evidence) -> tuple[tuple[str, str, str], ...]:
    """Singling out, linkability, inference."""
    return (
        (tr("Is it still possible to single out an individual?"), _singled(evidence), ""),
        (tr("Is it still possible to link records relating to an individual?"), _linked(evidence), ""),
        (tr("Can information be inferred concerning an individual?"), _inferred(evidence), ""),
    )


def _singled(evidence: Evidence) -> str:
    release = evidence.release
    attacker, among = strongest(release)
    few, k = int((among < release.recipe.k).sum()), release.recipe.k
    said = tr(
        "{few:,} of {shown:,} published records ({share}) hide among fewer than k = {k} {unit} from an"
        " attacker who {attacker}."
    ).format(
        few=few,
        shown=len(among),
        share=percent(few, len(among)),
        k=k,
        unit=tr(release.guarantee.unit),
        attacker=attacker,
    )
    return f"{said} {_named(evidence, Identity, UnchangedColumns, Suppressed)}"


def _linked(evidence: Evidence) -> str:
    release = evidence.release
    attacker, among = strongest(release)
    mean = share(float(np.mean(1 / among))) if len(among) else share(0)
    said = tr(
        "An attacker who {attacker} is expected to link {mean} of the records to the right row."
    ).format(attacker=attacker, mean=mean)
    if release.pseudonymous:
        said += " " + tr("Rows of one person bear one pseudonym, and so are linked to one another.")
    return f"{said} {_named(evidence, DirectJoins, People, Insiders, Longitude)}"


def _inferred(evidence: Evidence) -> str:
    kept = evidence.release.table.schema.of_role("sensitive", "other")
    if not kept:
        return tr("No column is published unchanged; cells of quasi-identifiers are true, only wider.")
    said = tr_n(
        "{count:,} column is published unchanged.", "{count:,} columns are published unchanged.", len(kept)
    ).format(count=len(kept))
    return f"{said} {_named(evidence, *INFERENCE)}"


def _named(evidence: Evidence, *searches: type[Search]) -> str:
    """Which of these searches have findings."""
    names = {search.name for search in searches}
    found = dict.fromkeys(one.name for one in evidence.findings if one.name in names)
    if not found:
        return tr("No finding speaks of it.")
    return tr("See the findings: {names}.").format(names=", ".join(found))
