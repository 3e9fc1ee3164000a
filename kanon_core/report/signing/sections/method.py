"""The algorithm, its options, and k as it was asked for and reached."""

from __future__ import annotations

from kanon_core.base.words import tr
from kanon_core.report.signing.blocks import Facts, Section
from kanon_core.report.signing.evidence import Evidence
from kanon_core.report.signing.texts import option_values


def section(evidence: Evidence) -> Section:
    """One line for each fact of the setting; the seed is never among them."""
    release = evidence.release
    recipe = release.recipe
    algorithm, (name, reached, about) = recipe.algorithm, release.guarantee.achieved(release)
    options = "; ".join(f"{label}: {value}" for label, value in option_values(algorithm))
    seen = tr("that of the file") if recipe.given_order else tr("drawn by a keyed hash of their content")
    facts = (
        (tr("Algorithm"), f"{algorithm.title} – {algorithm.summary}"),
        (tr("Options"), options or tr("it has none")),
        (tr("k asked for"), release.guarantee.asked),
        (name, f"{reached:,}: {about}"),
        (tr("Order in which it saw the records"), seen),
        (tr("Seed"), tr("kept in the recipe, and in no report")),
    )
    return Section(tr("How it was made"), (Facts(facts),))
