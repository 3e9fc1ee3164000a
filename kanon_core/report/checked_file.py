"""Report on a checked file: the file, its verdicts and the risk of each attacker, to sign."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from kanon_core.base.version import __version__
from kanon_core.base.words import counted, percent, tr
from kanon_core.checks.checking import Checked, Model
from kanon_core.guarantees import Verdict
from kanon_core.report.signing.blocks import Facts, Grid, Lines, Report, Says, Section, notes
from kanon_core.report.signing.evidence import Decision, decision_facts, decision_fields
from kanon_core.report.signing.risks import population_said
from kanon_core.report.signing.verdicts import holds
from kanon_core.risk import THRESHOLDS, Risk, Risks
from kanon_core.risk.population import Population
from kanon_core.table.readers.notes import without_advice
from kanon_core.table.table import Table


class FileEvidence(NamedTuple):
    """The inputs of the report: the results of the check, the name and the SHA-256 of the file, the name and
    size of its original ("" without one), the texts of people, the risks of attackers (None where they were
    not measured), and what is known of the population."""

    checked: Checked
    name: str
    sha256: str
    beside: str
    decision: Decision
    risks: Risks | None
    population: Population | Table | None = None


def checked_report(evidence: FileEvidence) -> Report:
    """Return the report on a file that was checked: texts of people, names of columns, verdicts and
    aggregates. It has no cell of the original; a verdict may quote published cells of the file.

    The same evidence makes the same report.

    >>> import kanon_core as kc
    >>> from kanon_core.report.signing import to_markdown
    >>> found = kc.check(b"age,ill\\n[30-39],flu\\n[30-39],gout\\n", [kc.KAnonymity(2)])
    >>> evidence = FileEvidence(found, "r.csv", "00", "", Decision(), None)
    >>> to_markdown(checked_report(evidence)).splitlines()[0]
    '# Report on a checked file: r.csv'
    """
    about = tr("{rows}. {date}").format(
        rows=counted(len(evidence.checked.opened.table), "row"), date=evidence.decision.date
    )
    sections = (_decision, _file, _columns, _verdicts, _levels, _risks, _limits, _signature)
    title = tr("Report on a checked file: {name}").format(name=evidence.name)
    return Report(title, about.strip(), tuple(section(evidence) for section in sections))


def _decision(evidence: FileEvidence) -> Section:
    facts = Facts(decision_facts(evidence.decision, *(one.name for one in decision_fields())))
    return Section(tr("Request and decision"), (facts, Says(_summary(evidence.checked))))


def _summary(checked: Checked) -> str:
    asked = checked.asked
    kept = sum(one.verdict is not None and one.verdict.holds for one in asked)
    said = tr("Summary: {kept} of {all} requested guarantees hold.").format(kept=kept, all=len(asked))
    truth = tr("The file was not compared with its original table.")
    if checked.truth is not None:
        agrees, contradicts = (
            tr("The file agrees with its original."),
            tr("The file contradicts its original."),
        )
        truth = agrees if checked.truth.holds else contradicts
    return f"{said} {truth}"


def _file(evidence: FileEvidence) -> Section:
    table = evidence.checked.opened.table
    rows = (
        (tr("name"), evidence.name),
        ("SHA-256", evidence.sha256),
        (tr("rows"), f"{len(table):,}"),
        (tr("compared with"), evidence.beside or tr("nothing")),
        (tr("checked with"), tr("Kanon {version}").format(version=__version__)),
    )
    return Section.of(tr("File"), Facts(rows), notes(without_advice(table.notes)))


def _columns(evidence: FileEvidence) -> Section:
    schema = evidence.checked.opened.table.schema
    rows = tuple((column.name, column.role.replace("_", "-"), column.kind) for column in schema)
    said = tr(
        "The verdicts depend on these roles. They say nothing about an attacker who knows a column that is"
        " not a quasi-identifier."
    )
    grid = Grid((tr("column"), tr("role"), tr("kind")), rows, widths=(50, 25, 25))
    return Section(tr("Columns and their roles"), (grid, Says(said, quiet=True)))


def _verdicts(evidence: FileEvidence) -> Section:
    checked = evidence.checked
    rows = [_asked(model, checked) for model in checked.asked]
    if checked.truth is not None:
        truth = checked.truth
        rows.append((truth.guarantee, tr("(no attacker)"), holds(truth), truth.sentence))
    head = (tr("guarantee"), tr("attacker"), tr("verdict"), tr("result"))
    grid = (
        Grid(head, tuple(rows), widths=(20, 26, 12, 42)) if rows else Says(tr("No guarantee was requested."))
    )
    return Section.of(tr("Verdicts"), grid, notes([checked.counted, *checked.notes]))


def _asked(model: Model, checked: Checked) -> tuple[str, ...]:
    guarantee, verdict = model.guarantee, model.verdict
    said = ", ".join(filter(None, (model.called, guarantee.wanted, model.protected(checked.opened.table))))
    if verdict is None:
        return said, guarantee.attacker, tr("not judged"), " ".join(model.reasons)
    return said, guarantee.attacker, holds(verdict), verdict.sentence


def _levels(evidence: FileEvidence) -> Section:
    judged = [model for model in evidence.checked.models if isinstance(model.verdict, Verdict)]
    rows = tuple((model.called, model.reached, model.guarantee.explained) for model in judged)
    grid = Grid((tr("model"), tr("level reached"), tr("requirement")), rows, widths=(28, 20, 52))
    return Section(tr("Levels reached, by model"), (grid,))


def _risks(evidence: FileEvidence) -> Section:
    found = evidence.risks
    if found is None:
        return Section(tr("Risk"), (Says(tr("The risk was not measured.")),))
    sides = (
        tr("Each figure is given for the original, then (→) for the file.") if found.after is not None else ""
    )
    population = population_said(evidence.population, evidence.checked.opened.table)
    above = (tr("risk above {limit}").format(limit=percent(limit)) for limit in THRESHOLDS)
    head = (tr("attacker"), tr("average risk"), tr("highest risk"), *above)
    right = tuple(range(1, len(head)))
    return Section.of(
        tr("Risk"),
        Grid(head, tuple(_risk_rows(found)), right, (28, 14, 14, 11, 11, 11, 11)),
        notes([sides, population, *about_risks_of_a_file(), *found.notes]),
    )


def _risk_rows(found: Risks) -> Iterator[tuple[str, ...]]:
    for one in found.found:
        sides = [_figures(risk) for risk in (one.before, one.after) if risk is not None]
        if sides and not one.problem:
            texts = (" → ".join(side) for side in zip(*sides, strict=True))
            yield f"{one.attacker.title}: {one.attacker.sentence}", *texts


def _figures(risk: Risk) -> tuple[str, ...]:
    above = (percent(risk.above(limit), risk.count) for limit in THRESHOLDS)
    return percent(risk.average), percent(risk.worst), *above


def about_risks_of_a_file() -> list[str]:
    """Return sentences on the meaning of the risks of a file whose rows Kanon did not make."""
    return [
        tr(
            "Two rows count as alike if their quasi-identifiers are written alike, and a suppressed cell"
            " counts as a value of its own. Where published ranges overlap, more rows can fit a person, and"
            " the risk can be smaller."
        ),
        tr(
            "Risk here is the probability that the attacker picks the right row. It does not cover attackers"
            " who learn a sensitive value that all fitting rows share; ℓ-diversity and t-closeness do."
        ),
    ]


def _limits(evidence: FileEvidence) -> Section:
    says = [
        tr("The report covers the requested guarantees, not every attack. No search for findings was made."),
        tr(
            "The signatory must judge whether all columns that can identify people are quasi-identifiers. An"
            " attacker can compare this file with another release of the same people; no verdict in this"
            " report covers both together."
        ),
    ]
    if evidence.checked.truth is None:
        says.insert(
            1,
            tr(
                "Without the original table, the report does not say whether the file is true of it, and"
                " guarantees that need the original were not judged."
            ),
        )
    return Section(tr("Limits of the check"), tuple(map(Says, says)))


def _signature(evidence: FileEvidence) -> Section:
    said = tr("I have read the verdicts and the limits of the check, and I decide as stated in section 1.")
    if evidence.checked.asked and not evidence.checked.holds:
        refused = tr("Not all requested guarantees hold. The file must not be handed over as it is.")
        why = tr("Section 1 gives reasons for another decision.")
        unsaid = tr("Section 1 gives no reasons for another decision.")
        said = f"{refused} {why if evidence.decision.why else unsaid} {said}"
    return Section(tr("Signature"), (Says(said), Lines((tr("Place and date"), tr("Name"), tr("Signature")))))
