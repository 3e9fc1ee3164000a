"""Risks in the report: who could be found, by whom and with which chance; and the success that attacks may
expect over fresh draws of the seed, never what they find on this draw."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from kanon_core.base.words import counted, percent, tr
from kanon_core.findings.anonymity_sets import anonymity_sets
from kanon_core.guarantees.files.cells import ANY
from kanon_core.release.release import Release
from kanon_core.report.signing.blocks import Block, Grid, Says, Section, notes
from kanon_core.report.signing.evidence import Evidence
from kanon_core.risk import Journalist, Risk, Risks
from kanon_core.risk.measured import AttackerRisk
from kanon_core.risk.population import Population
from kanon_core.risk.tables import Attacked, Rerun, SinglingOut
from kanon_core.runs.expecting import Expected
from kanon_core.table.table import Table


def strongest(release: Release) -> tuple[str, np.ndarray]:
    """Return a text on what this attacker knows, and int64 (published records): among how many records, or
    people, each hides.

    Where sets overlap, these are the k rows of the cover, which anybody who runs the program finds; otherwise
    they are the equivalence class, or the people with equal histories, which running the program does not
    reduce.
    """
    sets, shown = anonymity_sets(release), ~release.suppressed
    return sets.attacker, (release.hidden_among[shown] if sets.disjoint else sets.sizes[sets.set_of[shown]])


LIMITS = (0.09, 0.2, 0.33)
"""The thresholds of `kanon_core.risk.THRESHOLDS` for which shares are printed: 1 in 11, 1 in 5, 1 in 3."""


def risks(evidence: Evidence) -> Section:
    """Return the section on the risk of each attacker: on average, at worst, and how many records are above a
    threshold."""
    release, found = evidence.release, evidence.risks
    if found is None:
        return Section(tr("Risk"), (Says(tr("Nothing is published, so nobody can be found.")),))
    rows = _merged(_row(one) for one in found.found if not one.problem)
    above = (tr("risk above {limit}").format(limit=percent(limit)) for limit in LIMITS)
    head = (tr("attacker"), tr("average risk"), tr("highest risk"), *above)
    grid = Grid(head, rows, right=(1, 2, 3, 4, 5), widths=(36, 14, 12, 13, 11, 14))
    about = [*release.guarantee.about_numbers(), *_about(evidence, found)]
    return Section.of(tr("Risk"), grid, notes(about))


def _merged(rows: Iterable[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """Return the rows, those with equal figures as one that names all of their attackers."""
    named = dict[tuple[str, ...], list[str]]()
    for name, *figures in rows:
        named.setdefault(tuple(figures), []).append(name)
    return tuple((". ".join(names), *figures) for figures, names in named.items())


def _row(attacker_risk: AttackerRisk) -> tuple[str, ...]:
    sides = [risk for risk in (attacker_risk.before, attacker_risk.after) if risk is not None]
    figures = zip(*map(_figures, sides), strict=True)
    texts = (f"{was.removesuffix(' %')} → {now}" for was, now in figures)
    return _titled(attacker_risk.attacker.title, attacker_risk.attacker.sentence), *texts


def _titled(title: str, sentence: str) -> str:
    return f"{title}: {sentence[0].lower()}{sentence[1:].rstrip('.')}"


def _figures(risk: Risk) -> tuple[str, ...]:
    above = (percent(risk.above(limit), risk.count) for limit in LIMITS)
    return percent(risk.average), percent(risk.worst), *above


def _about(evidence: Evidence, risks: Risks) -> Iterator[str]:
    yield tr(
        "Each figure is given for the input, then (→) for the release. The risk is the"
        " chance of picking the right one; the last columns give the share of the {unit}"
        " with a risk above a threshold. {population} Values that a whole group reveals,"
        " without anybody's row being identified, are among the findings. Attackers with equal figures share"
        " a row."
    ).format(unit=risks.unit, population=population_said(evidence.given.population, evidence.release.table))
    if evidence.given.missing == ANY:
        yield tr("Missing cells are counted as fitting every value.")
    for one in risks.found:
        yield from (f"{one.attacker.title}: {note}" for note in (*_problem(one), *one.notes))
    yield from risks.notes


def _problem(attacker_risk: AttackerRisk) -> Iterator[str]:
    """Yield sentences on why the journalist and the marketer have no figures where a population was given;
    other attackers need no such sentence."""
    if attacker_risk.problem and isinstance(attacker_risk.attacker, Journalist):
        yield attacker_risk.problem


def population_said(known: Population | Table | None, table: Table) -> str:
    """Return a sentence on what is known of the population, for the journalist and the marketer."""
    if isinstance(known, Table):
        return tr("The journalist and the marketer have a table of the population with {people}.").format(
            people=counted(len(known), "person")
        )
    if known is not None and known.size:
        says = tr("For the journalist and the marketer, the population has {people} (model: {model}).")
        return says.format(people=counted(known.size, "person"), model=known.model_words)
    if weights := table.schema.of_role("sampling_weight"):
        says = tr(
            "For the journalist and the marketer, the sampling weight “{name}” gives the number"
            " of people that each record represents."
        )
        return says.format(name=weights[0].name)
    return tr("The population is not known, so the table counts as the whole population.")


def attacks(evidence: Evidence) -> Section:
    """Return the section on attacks: the expected shares of right guesses when records are linked to rows, by
    what the attacker knows; then the results of attacks on releases that were made anew."""
    release, title = evidence.release, tr("Expected success of attacks")
    shown = ~release.suppressed
    count = int(shown.sum())
    if not count:
        return Section(title, (Says(tr("Nothing is published, so there is nothing to link.")),))
    _, among = strongest(release)
    runs = tr("knows everybody's quasi-identifiers and the program with its options, but not the seed")
    rows = (
        _chances(tr("knows nothing and guesses (baseline)"), np.full(count, 1 / count)),
        _guaranteed(release, count),
        _chances(runs, 1 / among),
    )
    head = (
        tr("attacker"),
        tr("average chance of being right"),
        tr("highest chance"),
        tr("expected number right, of {count}").format(count=counted(count, "row")),
    )
    grid = Grid(head, rows, (1, 2, 3), (49, 17, 17, 17))
    return Section.of(title, grid, notes(_about_expectations(evidence)), *_tried(evidence.expected))


def _guaranteed(release: Release, count: int) -> tuple[str, ...]:
    """Return the line of the attacker of the guarantee; for one who knows a few items, only the bound is
    known."""
    guarantee = release.guarantee
    if not guarantee.known_items:
        return _chances(guarantee.attacker, 1 / release.hidden_among[~release.suppressed])
    most, who = tr("at most {share}"), f"{guarantee.attacker} (m = {guarantee.known_items})"
    chance = most.format(share=percent(1 / guarantee.k))
    return who, chance, chance, most.format(share=f"{count / guarantee.k:,.1f}")


def _chances(who: str, chance: np.ndarray) -> tuple[str, ...]:
    return who, percent(float(chance.mean())), percent(float(chance.max())), f"{chance.sum():,.1f}"


def _about_expectations(evidence: Evidence) -> list[str]:
    return [
        *evidence.release.guarantee.about_numbers(),
        tr(
            "These figures are expectations over new draws of the secret seed, for rows whose unchanged"
            " columns reveal nothing to the attacker. The result of an attack on the actual draw is not"
            " given, as it would itself reveal whose rows are whose. Disclosure through unchanged columns and"
            " through some known people is among the findings."
        ),
    ]


def _tried(expected: Expected) -> Iterator[Block | None]:
    """Yield a line for each attack that was tried."""
    if not expected.found:
        yield Says(tr("No attack was tried."), quiet=True)
        return
    head = (
        tr("attack"),
        tr("right guesses"),
        tr("95 % interval"),
        tr("baseline"),
        tr("control group"),
        tr("number of guesses"),
    )
    rows = tuple(map(_of_attack, expected.found))
    yield Grid(head, rows, right=(1, 2, 3, 4, 5), widths=(42, 12, 15, 11, 10, 10))
    yield notes([_how(expected), *expected.notes])


def _of_attack(attacked: Attacked) -> tuple[str, ...]:
    low, high = attacked.interval
    control = "–" if attacked.control_rate is None else percent(attacked.control_rate)
    between = f"{100 * low:.1f} – {100 * high:.1f} %"
    return (
        _titled(attacked.title, attacked.attack.sentence),
        percent(attacked.rate),
        between,
        percent(attacked.baseline),
        control,
        f"{attacked.tried:,}",
    )


def _how(expected: Expected) -> str:
    """Return sentences on the releases that attacks were tried on, and on what each attacker knows."""
    said = tr(
        "The attacks were tried on {draws} of this table, made with seeds unrelated to the seed of this"
        " release, so the figures reveal nothing about its draw. Each attack has up to {targets:,} targets in"
        " each release. The attacker knows all quasi-identifiers of the target; in “{rerun}”, everybody's"
        " quasi-identifiers and the program; in “{alone}”, nobody's. The baseline is the rate of"
        " somebody who knows nothing about the target and guesses at random or, for a sensitive value, the"
        " most frequent value. The control group consists of records"
        " that are not in the attacked release: if an attack is right as often for them, it gains nothing"
        " from a person's being in the table."
    )
    draws = counted(expected.draws, "release")
    return said.format(draws=draws, targets=expected.targets, rerun=Rerun.title, alone=SinglingOut.title)
