"""Who could be found, by whom and with which chance, before and after."""

from __future__ import annotations

from collections.abc import Iterator

from kanon_core.base.percent import percent
from kanon_core.base.words import counted, tr
from kanon_core.guarantees.files.counting import ANY
from kanon_core.report.signing.blocks import Grid, Says, Section, notes
from kanon_core.report.signing.evidence import Evidence
from kanon_core.report.signing.texts import share
from kanon_core.risk import Journalist, Risk, Risks
from kanon_core.risk.measured import AttackerRisk
from kanon_core.table.table import Table

LIMITS = (0.09, 0.2, 0.33)
"""Of `kanon_core.risk.THRESHOLDS` those whose shares are printed: 1 in 11, 1 in 5, 1 in 3."""


def section(evidence: Evidence) -> Section:
    """What each attacker reaches: on average, at worst, and how many are above a threshold."""
    release, found = evidence.release, evidence.risks
    if found is None:
        return Section(tr("Risk"), (Says(tr("Nothing is published, so nobody can be found.")),))
    rows = tuple(_row(one) for one in found.found if not one.problem)
    above = (tr("above {limit}").format(limit=share(limit)) for limit in LIMITS)
    head = (tr("an attacker who …"), tr("on average"), tr("at worst"), *above)
    grid = Grid(head, rows, right=(1, 2, 3, 4), widths=(36, 14, 12, 13, 11, 14))
    about = [*release.guarantee.about_numbers(), *_about(evidence, found)]
    return Section.of(tr("Risk"), grid, notes(about))


def _row(one: AttackerRisk) -> tuple[str, ...]:
    knows = one.attacker.sentence[0].lower() + one.attacker.sentence[1:].rstrip(".")
    sides = [risk for risk in (one.before, one.after) if risk is not None]
    figures = zip(*map(_figures, sides), strict=True)
    return f"{knows} ({one.attacker.title})", *(f"{was.removesuffix(' %')} → {now}" for was, now in figures)


def _figures(risk: Risk) -> tuple[str, ...]:
    above = (percent(risk.above(limit), risk.count) for limit in LIMITS)
    return share(risk.average), share(risk.worst), *above


def _about(evidence: Evidence, found: Risks) -> Iterator[str]:
    yield tr(
        "Input → release: the chance to pick the right one, and the share of the {unit} for whom it is"
        " above a threshold. {population} What a whole group gives away without anybody's row being found"
        " stands among the findings."
    ).format(unit=found.unit, population=_population(evidence))
    if evidence.given.missing == ANY:
        yield tr("Missing cells fit every value.")
    for one in found.found:
        yield from (f"{one.attacker.title}: {note}" for note in (*_problem(one), *one.notes))
    yield from found.notes


def _problem(one: AttackerRisk) -> Iterator[str]:
    """Why the journalist and the marketer have no figures where a population was given; of the others it goes
    without saying."""
    if one.problem and isinstance(one.attacker, Journalist):
        yield one.problem


def _population(evidence: Evidence) -> str:
    """What is known of the population, for journalist and marketer."""
    known, table = evidence.given.population, evidence.release.table
    if isinstance(known, Table):
        return tr("Journalist and marketer have a table of the population, of {people}.").format(
            people=counted(len(known), "person")
        )
    if known is not None and known.size:
        says = tr("For journalist and marketer the population has {people} ({model}).")
        return says.format(people=counted(known.size, "person"), model=known.model_words)
    if weights := table.schema.of_role("sampling_weight"):
        says = tr("For journalist and marketer, “{name}” says how many people each record stands for.")
        return says.format(name=weights[0].name)
    return tr("Nothing is known of the population here, so the table counts as the whole of it.")
