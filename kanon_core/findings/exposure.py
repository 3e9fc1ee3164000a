"""Exposure of one record: the records among which it hides, and what each attacker learns about it.

All figures are those of `kanon_core.risk.risks`, `kanon_core.candidates` and the anonymity sets; nothing is
computed in another way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr, tr_n
from kanon_core.findings.anonymity_sets import AnonymitySets, anonymity_sets
from kanon_core.guarantees.files.cells import ANY
from kanon_core.release.release import Release
from kanon_core.risk.candidates import Candidates, InCommon, candidates, common_values
from kanon_core.risk.measured import AttackerRisk, Risks
from kanon_core.table.table import Table


@dataclass(frozen=True)
class Learned:
    """The knowledge that one attacker gains about one record.

    ``title`` and ``knows``: the attacker, in words. ``before`` and ``chance``, 0 … 1: the probability of
    picking the right one in the original (None where that is not computed) and the right row in the release.
    ``values``: the sensitive columns of the rows from which the attacker picks; None where these rows are
    only counted.
    """

    title: str
    knows: str
    before: float | None
    chance: float
    values: tuple[InCommon, ...] | None


@dataclass(frozen=True, eq=False)
class Exposure:
    """The exposure of one published record to each attacker.

    ``among`` int64: the records among which it hides, itself first, where sets are ``disjoint``: its class.
    Where sets overlap, the rows that can be its own, each by the number of the record for which it was made;
    which of them is its own was drawn, and is not told. ``size`` and ``unit``: how many records or people its
    anonymity set has, as its guarantee counts. ``learned``: one entry for each attacker, in the order of
    their knowledge. ``notes``: what else must be known to read the figures.
    """

    record: int
    among: np.ndarray
    disjoint: bool
    size: int
    unit: str
    learned: tuple[Learned, ...]
    notes: tuple[str, ...]

    @property
    def published(self) -> bool:
        """Return whether the record has a row."""
        return self.size > 0


def exposure(
    table: Table, release: Release, record: int, risks: Risks, progress: Tick | None = None
) -> Exposure:
    """Return the exposure of record ``record`` (from 0); ``risks``: those of the same table and release.

    Sensitive values are those of the rows from which an attacker picks: the class of the record; where sets
    overlap, the rows that fit it, its matches, or, for an attacker who also runs the program, the rows that
    were made for it. An attacker who does not know whether the person is in the table learns them only of a
    person who is. Raises as `candidates`, and costs as much.

    >>> import kanon_core as kc
    >>> table = kc.read_table(b"age,ill\\n20,flu\\n21,flu\\n22,ok\\n60,ok\\n61,gout\\n62,ok\\n")
    >>> table = table.with_schema(table.schema.with_roles({"ill": "sensitive"}))
    >>> release = kc.anonymize(table, kc.MDAV(), k=3, seed=1)
    >>> found = exposure(table, release, 0, kc.risks(table, release))
    >>> first = found.learned[0]
    >>> found.size, first.title, round(first.chance, 2), first.values[0].shares[0][0]
    (3, 'Prosecutor', 0.33, 'flu')
    """
    tick = progress or silent
    found = candidates(table, release, record, progress=tick)
    sets, size = anonymity_sets(release), int(release.hidden_among[record])
    bearers = _members(sets, record) if size else np.zeros(0, np.int64)
    rows = {"fit": bearers, "matches": bearers}
    if not sets.disjoint and found.matches is not None:
        rows = {"fit": found.after, "matches": found.matches}
    if _gaps_fit(table, risks):
        rows = {}
    learned = tuple(_learned(release, record, risks, rows)) if size else ()
    if size and not sets.disjoint:
        learned += (_with_program(release, bearers),)
    among = bearers if sets.disjoint else release.cover.sets[release.cover.order == record]
    notes = tuple(_notes(found, risks, release, sets, len(among)))
    return Exposure(record, among, sets.disjoint, size, release.unit, learned, notes)


def _members(sets: AnonymitySets, record: int) -> np.ndarray:
    """int64: the records that are published with the rows that could be this record's, itself first."""
    own = sets.owner == sets.set_of[record]
    members = np.flatnonzero(own) if isinstance(sets.member, slice) else sets.member[own]
    return np.concatenate([[record], members[members != record]]).astype(np.int64)


def _gaps_fit(table: Table, risks: Risks) -> bool:
    """Return whether missing cells were taken to fit every value: attackers then pick from more rows than
    those of the anonymity set."""
    return risks.missing == ANY and any(column.missing.any() for column in table.quasi)


def _learned(release: Release, record: int, risks: Risks, rows: dict[str, np.ndarray]) -> Iterator[Learned]:
    """Yield what each attacker whose risk is known learns."""
    values = {name: _sensitive(release, of) for name, of in rows.items()}
    for one in risks.found:
        if one.after is not None:
            before = None if one.before is None else float(one.before.records[record])
            about = one.attacker
            yield Learned(
                about.title,
                about.sentence,
                before,
                float(one.after.records[record]),
                values.get(about.rows),
            )


def _with_program(release: Release, bearers: np.ndarray) -> Learned:
    """Return what the strongest attacker learns who knows quasi-identifiers and the program alone."""
    knows = tr(
        "Knows the quasi-identifiers of everybody in the table, runs the program, and finds the rows that it"
        " made for this record. Which of them is the right one was drawn."
    )
    title = tr("Everybody’s quasi-identifiers and the program")
    return Learned(title, knows, None, 1 / len(bearers), _sensitive(release, bearers))


def _sensitive(release: Release, rows: np.ndarray) -> tuple[InCommon, ...]:
    return tuple(one for one in common_values(release, rows) if one.role == "sensitive")


def _notes(
    found: Candidates, risks: Risks, release: Release, sets: AnonymitySets, size: int
) -> Iterator[str]:
    """Yield why an attacker has no figures, and which rows of other classes fit the record."""
    yield from (_problem(one) for one in risks.found if one.problem and one.attacker.rows)
    if _gaps_fit(release.table, risks):
        yield tr(
            "Missing cells fit every value in these chances. They are of all rows that fit the record, not"
            " only of those with equal quasi-identifiers; the values of these rows are not counted."
        )
    more = found.count_after - size
    if sets.disjoint and not release.pseudonymous and found.published and more > 0:
        yield tr_n(
            "{more:,} row of another class fits the record, too: the figures of an attacker who does not know"
            " the class are upper bounds.",
            "{more:,} rows of other classes fit the record, too: the figures of an attacker who does not know"
            " the class are upper bounds.",
            more,
        ).format(more=more)


def _problem(one: AttackerRisk) -> str:
    return f"{one.attacker.title}: {one.problem}"
