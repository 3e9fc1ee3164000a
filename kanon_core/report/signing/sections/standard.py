"""What was done, in the terms of ISO/IEC 20889, with the facts of a release.

ISO/IEC 20889:2018, Privacy enhancing data de-identification terminology and classification of techniques.
"""

from __future__ import annotations

from collections.abc import Iterator

from kanon_core.base.percent import percent
from kanon_core.base.words import counted, tr
from kanon_core.report.signing.evidence import Evidence
from kanon_core.report.signing.sections.verdicts import holds


def about() -> str:
    """Which standard it is."""
    return tr("ISO/IEC 20889:2018, terms of de-identification techniques:")


def questions(evidence: Evidence) -> tuple[tuple[str, str, str], ...]:
    """Which techniques were applied, by which formal model they are measured, and what is left as it is."""
    schema = evidence.release.table.schema
    kept = ", ".join(f"“{column.name}”" for column in schema.of_role("sensitive", "other"))
    verdict = evidence.verdicts[0]
    model = f"{verdict.guarantee}: {holds(verdict)}. {verdict.sentence}"
    return (
        (tr("Which techniques are applied, and do they suit the use?"), "; ".join(_techniques(evidence)), ""),
        (tr("Which formal privacy measurement model is kept?"), model, ""),
        (tr("Which attributes are left as they are?"), kept or tr("none"), ""),
    )


def _techniques(evidence: Evidence) -> Iterator[str]:
    """The techniques in the standard's words, each with its columns or records."""
    release = evidence.release
    schema, gone = release.table.schema, int(release.suppressed.sum())
    named = [one.name for one in schema.of_role("identifier")]
    people = [one.name for one in schema.of_role("person")]
    quasi = schema.quasi_identifiers
    wide = [one for one in quasi if one.recoding == "generalize"]
    groups = {
        tr("suppression of direct identifiers (masking)"): named + ([] if release.pseudonymous else people),
        tr("pseudonymization"): people if release.pseudonymous else [],
        tr("generalization, local"): [one.name for one in wide if not one.round_to],
        tr("generalization, with rounding"): [one.name for one in wide if one.round_to],
        tr("microaggregation"): [one.name for one in quasi if one.recoding != "generalize"],
    }
    for technique, names in groups.items():
        if names:
            yield f"{technique}: {', '.join(f'“{name}”' for name in names)}"
    if gone:
        yield tr("record suppression: {gone} ({share})").format(
            gone=counted(gone, "record"), share=percent(gone, len(release))
        )
