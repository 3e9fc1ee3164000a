"""The Japanese rules for anonymously processed information with the facts of a release.

Act on the Protection of Personal Information (Act No. 57 of 2003), Article 43, and its Enforcement Rules,
Article 34, as numbered since April 2022 (before: Articles 36 and 19). Personal Information Protection
Commission, Guidelines: pseudonymously and anonymously processed information.
"""

from __future__ import annotations

from kanon_core.base.words import tr, tr_n
from kanon_core.report.signing.evidence import Evidence
from kanon_core.report.signing.sections.strongest import strongest
from kanon_core.report.signing.texts import share


def about() -> str:
    """Which rules these are."""
    return tr(
        "Japan, anonymously processed information (Act on the Protection of Personal Information, Article 43;"
        " Enforcement Rules, Article 34):"
    )


def questions(evidence: Evidence) -> tuple[tuple[str, str, str], ...]:
    """The five standards of processing, and the duties of whoever makes and provides the information."""
    return (
        (tr("(i) Are descriptions that identify a person deleted or replaced?"), _identifiers(evidence), ""),
        (tr("(ii) Are individual identification codes deleted or replaced?"), _listed(evidence), ""),
        (tr("(iii) Are codes deleted that link the information to other files?"), _codes(evidence), ""),
        (tr("(iv) Are idiosyncratic descriptions deleted or replaced?"), _rare(evidence), ""),
        (tr("(v) Is the nature of the data set taken into account otherwise?"), _nature(evidence), ""),
        (tr("Is the information on the method kept safe?"), _secret(), ""),
        (tr("Are the items of information made public?"), _items(evidence), ""),
    )


def _names(evidence: Evidence, *roles: str) -> str:
    found = evidence.release.table.schema.of_role(*roles)
    return ", ".join(f"“{column.name}”" for column in found) or tr("none")


def _identifiers(evidence: Evidence) -> str:
    return tr("Left out as identifiers: {names}. Generalized or aggregated: {quasi}.").format(
        names=_names(evidence, "identifier"), quasi=_names(evidence, "quasi_identifier")
    )


def _listed(evidence: Evidence) -> str:
    return tr("Columns that are published unchanged, to be looked through for such codes: {names}.").format(
        names=_names(evidence, "sensitive", "other")
    )


def _codes(evidence: Evidence) -> str:
    if evidence.release.pseudonymous:
        return tr(
            "The column of the person ({names}) is published as pseudonyms under a secret key, not as it is."
        ).format(names=_names(evidence, "person"))
    if not evidence.release.table.schema.of_role("person"):
        return tr("No column says whose the records are; identifiers are left out.")
    return tr("The column of the person ({names}) is not published.").format(names=_names(evidence, "person"))


def _rare(evidence: Evidence) -> str:
    release = evidence.release
    attacker, among = strongest(release)
    worst = share(float((1 / among).max())) if len(among) else share(0)
    return tr_n(
        "Worst chance to pick the right record, for an attacker who {attacker}: {worst}. {gone:,} record"
        " is left out. Rare values of unchanged columns: see the findings.",
        "Worst chance to pick the right record, for an attacker who {attacker}: {worst}. {gone:,} records"
        " are left out. Rare values of unchanged columns: see the findings.",
        int(release.suppressed.sum()),
    ).format(attacker=attacker, worst=worst, gone=int(release.suppressed.sum()))


def _nature(evidence: Evidence) -> str:
    heavy = sum(one.severity != "know" for one in evidence.findings)
    return tr(
        "Findings: {count:,}. Those that stop the release or need a decision: {heavy:,}; of these without a"
        " reason: {open:,}."
    ).format(count=len(evidence.findings), heavy=heavy, open=len(evidence.unanswered))


def _secret() -> str:
    return tr(
        "Recipe and seed are not part of the released file nor of this report; they stay with the data."
    )


def _items(evidence: Evidence) -> str:
    return tr("Published columns: {names}.").format(
        names=", ".join(f"“{name}”" for name in evidence.release.columns)
    )
