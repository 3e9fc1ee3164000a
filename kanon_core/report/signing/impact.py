"""Annex on the impact on data protection: the texts of its fields, and the questions of opinions and
standards with this release's facts. It gives no legal verdict."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from kanon_core.base.words import counted, percent, quoted, tr, tr_n
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
from kanon_core.report.signing.blocks import Block, Facts, Grid, Says, Section
from kanon_core.report.signing.evidence import Evidence, decision_facts
from kanon_core.report.signing.risks import strongest
from kanon_core.report.signing.verdicts import holds, unanswered


class Questions(NamedTuple):
    """The questions of an opinion, a standard or a law: their source, and each question with the facts of
    this release."""

    title: str
    rows: tuple[tuple[str, str], ...]


def impact(evidence: Evidence) -> Section:
    """Return the fields of the assessment, then a table of questions for each text."""
    head = (tr("question"), tr("facts of this release"), tr("answer of the signatory"))
    tables = list[Block]()
    for text in (_working_party(evidence), _standard(evidence), _japan(evidence)):
        rows = tuple((question, facts, "") for question, facts in text.rows)
        tables += [Says(text.title), Grid(head, rows, widths=(32, 50, 18))]
    return Section(
        tr("Annex: impact on data protection"),
        (
            Facts(decision_facts(evidence.decision, "purpose", "recipients", "means", "safeguards")),
            Says(
                tr(
                    "The tables list questions with the facts of this release and leave room for"
                    " answers. Whether data are anonymous under a law depends on who has them and on"
                    " what else is known; no figure in this report decides it."
                ),
                quiet=True,
            ),
            *tables,
        ),
        new_page=True,
    )


INFERENCE = (SensitiveValues, DependentColumns, CutsNotMade, ExactEnds, Aggregates)
"""The searches for what can be inferred about a record without knowing its row."""


def _working_party(evidence: Evidence) -> Questions:
    """Singling out, linkability, inference: Article 29 Data Protection Working Party, Opinion 05/2014 on
    Anonymisation Techniques (WP 216), 10 April 2014, sections 2.2 and 3."""
    rows = (
        (tr("Is it still possible to single out an individual?"), _singled(evidence)),
        (tr("Is it still possible to link records relating to an individual?"), _linked(evidence)),
        (tr("Can information be inferred concerning an individual?"), _inferred(evidence)),
    )
    return Questions(
        tr("Article 29 Working Party, Opinion 05/2014 on Anonymisation Techniques (WP 216):"), rows
    )


def _singled(evidence: Evidence) -> str:
    release = evidence.release
    attacker, among = strongest(release)
    few, k = int((among < release.recipe.k).sum()), release.recipe.k
    said = tr(
        "Published records with an anonymity set smaller than k = {k} {unit}, for an attacker who"
        " {attacker}: {few:,} of {shown:,} ({share})."
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
    mean = percent(float(np.mean(1 / among))) if len(among) else percent(0)
    said = tr(
        "An attacker who {attacker} is expected to link {mean} of the records to the right row."
    ).format(attacker=attacker, mean=mean)
    if release.pseudonymous:
        said += " " + tr("Rows of one person have the same pseudonym, so they are linked to one another.")
    return f"{said} {_named(evidence, DirectJoins, People, Insiders, Longitude)}"


def _inferred(evidence: Evidence) -> str:
    kept = evidence.release.table.schema.of_role("sensitive", "other")
    if not kept:
        return tr("No column is published unchanged; cells of quasi-identifiers are true but less precise.")
    said = tr_n(
        "{count:,} column is published unchanged.", "{count:,} columns are published unchanged.", len(kept)
    ).format(count=len(kept))
    return f"{said} {_named(evidence, *INFERENCE)}"


def _named(evidence: Evidence, *searches: type[Search]) -> str:
    """Return a text on which of these searches have findings."""
    names = {search.name for search in searches}
    found = dict.fromkeys(one.name for one in evidence.findings if one.name in names)
    if not found:
        return tr("No finding concerns this question.")
    return tr("See the findings: {names}.").format(names=", ".join(found))


def _standard(evidence: Evidence) -> Questions:
    """Return which techniques were applied, by which formal model they are measured, and what is left as it
    is: ISO/IEC 20889:2018, Privacy enhancing data de-identification terminology and classification of
    techniques."""
    schema = evidence.release.table.schema
    kept = quoted(column.name for column in schema.of_role("sensitive", "other"))
    verdict = evidence.verdicts[0]
    model = f"{verdict.guarantee}: {holds(verdict)}. {verdict.sentence}"
    rows = (
        (tr("Which techniques are applied, and do they suit the use?"), "; ".join(_techniques(evidence))),
        (tr("Which formal privacy measurement model is satisfied?"), model),
        (tr("Which attributes are published unchanged?"), kept or tr("none")),
    )
    return Questions(tr("ISO/IEC 20889:2018, terms of de-identification techniques:"), rows)


def _techniques(evidence: Evidence) -> Iterator[str]:
    """Yield the techniques in the standard's words, each with its columns or records."""
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
            yield f"{technique}: {quoted(names)}"
    if gone:
        yield tr("record suppression: {gone} ({share})").format(
            gone=counted(gone, "record"), share=percent(gone, len(release))
        )


def _japan(evidence: Evidence) -> Questions:
    """Return the five standards of processing, and the duties of whoever makes and provides the information:
    Act on the Protection of Personal Information (Act No. 57 of 2003), Article 43, and its Enforcement Rules,
    Article 34, as numbered since April 2022 (before: Articles 36 and 19); Personal Information Protection
    Commission, Guidelines: pseudonymously and anonymously processed information."""
    title = tr(
        "Japan, anonymously processed information (Act on the Protection of Personal Information, Article 43;"
        " Enforcement Rules, Article 34):"
    )
    rows = (
        (
            tr("(i) Are descriptions that identify a person deleted or replaced?"),
            tr("Left out as identifiers: {names}. Generalized or aggregated: {quasi}.").format(
                names=_names(evidence, "identifier"), quasi=_names(evidence, "quasi_identifier")
            ),
        ),
        (
            tr("(ii) Are individual identification codes deleted or replaced?"),
            tr("Columns that are published unchanged and must be checked for such codes: {names}.").format(
                names=_names(evidence, "sensitive", "other")
            ),
        ),
        (tr("(iii) Are codes deleted that link the information to other files?"), _codes(evidence)),
        (tr("(iv) Are idiosyncratic descriptions deleted or replaced?"), _rare(evidence)),
        (tr("(v) Is the nature of the data set taken into account otherwise?"), _nature(evidence)),
        (
            tr("Is the information on the method kept safe?"),
            tr(
                "The recipe and the seed are in neither the released file nor this report; they stay with the"
                " data."
            ),
        ),
        (
            tr("Are the items of information made public?"),
            tr("Published columns: {names}.").format(names=quoted(evidence.release.columns)),
        ),
    )
    return Questions(title, rows)


def _names(evidence: Evidence, *roles: str) -> str:
    found = evidence.release.table.schema.of_role(*roles)
    return quoted(column.name for column in found) or tr("none")


def _codes(evidence: Evidence) -> str:
    if evidence.release.pseudonymous:
        return tr("The person column ({names}) is replaced by pseudonyms under a secret key.").format(
            names=_names(evidence, "person")
        )
    if not evidence.release.table.schema.of_role("person"):
        return tr("No column has the role person; identifiers are left out.")
    return tr("The person column ({names}) is not published.").format(names=_names(evidence, "person"))


def _rare(evidence: Evidence) -> str:
    release = evidence.release
    attacker, among = strongest(release)
    worst = percent(float((1 / among).max())) if len(among) else percent(0)
    return tr_n(
        "Highest chance of picking the right record, for an attacker who {attacker}: {worst}. {gone:,}"
        " record is left out. For rare values of unchanged columns, see the findings.",
        "Highest chance of picking the right record, for an attacker who {attacker}: {worst}. {gone:,}"
        " records are left out. For rare values of unchanged columns, see the findings.",
        int(release.suppressed.sum()),
    ).format(attacker=attacker, worst=worst, gone=int(release.suppressed.sum()))


def _nature(evidence: Evidence) -> str:
    heavy = sum(one.severity != "know" for one in evidence.findings)
    said = tr("Findings: {count:,} (stop the release or need a decision: {heavy:,}).")
    return f"{said.format(count=len(evidence.findings), heavy=heavy)} {unanswered(evidence)}".rstrip()
