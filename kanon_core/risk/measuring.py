"""The risk of every attacker in a table and in its release."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

import numpy as np

from kanon_core.base.errors import KanonError, OptionError, UnsuitableError
from kanon_core.base.progress import Tick, silent, stage, stages
from kanon_core.base.words import percent, tr
from kanon_core.guarantees.files.cells import ANY, OWN
from kanon_core.release.release import Release
from kanon_core.risk.attackers import ATTACKERS, Attacker, AttackerView, Prosecutor
from kanon_core.risk.crowds import Crowd, crowd_of, crowd_of_gaps
from kanon_core.risk.measured import AttackerRisk, Risk, Risks
from kanon_core.risk.population import Population, check_size
from kanon_core.table.people import undecided
from kanon_core.table.table import Table

MOST_PATTERNS = 16
"""The most sets of columns with missing cells for which both ways of counting them are compared without
request: the cost grows with the square of that number."""


def risks(
    table: Table,
    release: Release | None = None,
    attackers: Sequence[Attacker] | None = None,
    population: Population | Table | int | None = None,
    missing: str = OWN,
    progress: Tick | None = None,
) -> Risks:
    """Return the risks of attackers in a table (before) and in a release of it (after).

    ``attackers``: all of `ATTACKERS` when none are named. ``population``: a table of it, its size with a
    model, or its size alone; if nothing is given, a column of sampling weights is used. ``missing``: missing
    cells are a value of their own ("own"), or fit every value ("any"); ``notes`` give the difference, if it
    is quickly computed (`MOST_PATTERNS`). If the figures of an attacker cannot be computed, its entry has the
    reason.

    Raises UnsuitableError for a table without quasi-identifiers, while the persons of the records are
    undecided, and for a population smaller than the table; OptionError for another word; RecipeError for
    another table's release. Cost O(n log n · columns) and that of each attacker.

    >>> import kanon_core as kc
    >>> table = kc.read_table("sample:people-100")
    >>> found = kc.risks(table, kc.anonymize(table, kc.Sorting(), k=5, seed=1), [kc.Prosecutor()])
    >>> found.sentence[:80]
    'Prosecutor: risk above 0.2 for 0 of 100 records; 20 % on average, 20 % at worst '
    """
    tick, chosen = progress or silent, tuple(cls() for cls in ATTACKERS) if attackers is None else attackers
    _check(table, release, missing)
    known = Population(size=population) if isinstance(population, int) else population
    seen = [
        _view(crowd_of(table, one, missing, stage(tick, 0, 0.3)), known)
        for one in ([None] if release is None else [None, release])
    ]
    found = []
    for part, attacker in stages(tick, chosen, 0.3, 0.9):
        part(0.0, attacker.title)
        found.append(_measured(table, attacker, [dataclasses.replace(one, tick=part) for one in seen]))
    hides = [np.sort(one.crowd.hiding()) for one in seen]
    unit = tr("records") if seen[0].crowd.owner is None else tr("people")
    after = hides[1] if release is not None else None
    notes = tuple(_difference([one.crowd for one in seen], missing, stage(tick, 0.9, 1)))
    return Risks(tuple(found), hides[0], after, unit, notes, missing)


def risks_of_file(
    file: Table,
    original: Table | None = None,
    population: Population | Table | int | None = None,
    missing: str = OWN,
    progress: Tick | None = None,
) -> Risks:
    """Return the risks of all attackers in a released file, which any program made, as it is written: two
    rows are alike if their quasi-identifiers are. With its ``original``: before, in the original, and after,
    in the file.

    ``population`` and ``missing`` as in `risks`, also for what it raises and costs.

    >>> import kanon_core as kc
    >>> file = kc.read_table(b"age,ill\\n[30-39],flu\\n[30-39],gout\\n")
    >>> file = file.with_schema(file.schema.with_roles({"age": "quasi_identifier", "ill": "sensitive"}))
    >>> risks_of_file(file).found[0].before.worst
    0.5
    """
    tick = progress or silent
    if original is None:
        return risks(file, None, None, population, missing, tick)
    before = risks(original, None, None, population, missing, stage(tick, 0, 0.5))
    after = risks(file, None, None, population, missing, stage(tick, 0.5, 1))
    found = tuple(
        dataclasses.replace(
            now, before=was.before, after=now.before, notes=tuple(dict.fromkeys((*was.notes, *now.notes)))
        )
        for was, now in zip(before.found, after.found, strict=True)
    )
    notes = tuple(dict.fromkeys((*before.notes, *after.notes)))
    return Risks(found, before.before, after.before, after.unit, notes, missing)


def _check(table: Table, release: Release | None, missing: str) -> None:
    if missing not in (OWN, ANY):
        raise OptionError(
            tr(
                "Missing cells must count as a value of their own (“{own}”) or fit every value (“{any}”)."
            ).format(own=OWN, any=ANY)
        )
    if release is not None:
        release.recipe.check_table(table)
    if reasons := undecided(table):
        raise UnsuitableError(" ".join(reasons))
    if not table.quasi:
        raise UnsuitableError(
            tr("No column is a quasi-identifier; give that role to the columns that an attacker may know.")
        )


def _view(crowd: Crowd, known: Population | Table | None) -> AttackerView:
    if isinstance(known, Table):
        return AttackerView(crowd, register=known)
    population = known or Population()
    if population.size:
        check_size(int(crowd.held.sum()), population.size)
    return AttackerView(crowd, population)


def _measured(table: Table, attacker: Attacker, seen: Sequence[AttackerView]) -> AttackerRisk:
    if reasons := attacker.unsuitable(table):
        return AttackerRisk(attacker, problem=" ".join(reasons))
    try:
        found = [_risk(attacker, one) for one in seen]
    except KanonError as reason:
        return AttackerRisk(attacker, problem=str(reason))
    notes = dict.fromkeys(note for one in seen for note in one.notes)
    return AttackerRisk(attacker, found[0], found[1] if len(found) > 1 else None, notes=tuple(notes))


def _risk(attacker: Attacker, seen: AttackerView) -> Risk:
    crowd = seen.crowd
    if not (crowd.alike > 0).any():
        return Risk(np.zeros(len(crowd.alike)), np.zeros(0))
    records = attacker.risk(seen)
    return Risk(records, crowd.of_each(records))


def _difference(crowds: Sequence[Crowd], missing: str, tick: Tick) -> Iterator[str]:
    """Yield the prosecutor's figures for both ways of counting missing cells, if there are any."""
    if crowds[0].owner is not None:
        if missing == ANY:
            yield tr("In the histories of people, missing cells count as a value of their own.")
        return
    both: tuple[list[str], list[str]] = [], []
    for crowd, place in zip(crowds, (tr("in the original"), tr("in the release")), strict=False):
        tick(0.0, tr("missing cells"))
        fitting = crowd if missing == ANY else crowd_of_gaps(crowd.table, crowd.release, MOST_PATTERNS)
        if fitting is not None and fitting.written is not None:
            own = crowd_of(crowd.table, crowd.release, OWN, tick) if missing == ANY else crowd
            for counted, found in zip((own, fitting), both, strict=True):
                found.append(f"{_figures(counted)} {place}")
    if both[0]:
        said = tr(
            "If missing cells count as a value of their own, the prosecutor's risk is {own}. If they fit"
            " every value, it is {fitting}."
        )
        as_own, as_any = map("; ".join, both)
        if as_own == as_any:
            said = tr(
                "The prosecutor's risk is the same whether missing cells count as a value of their own or fit"
                " every value: {own}."
            )
        yield said.format(own=as_own, fitting=as_any)


def _figures(crowd: Crowd) -> str:
    risk = _risk(Prosecutor(), AttackerView(crowd))
    return tr("{average} on average and {worst} at worst").format(
        average=percent(risk.average), worst=percent(risk.worst)
    )
