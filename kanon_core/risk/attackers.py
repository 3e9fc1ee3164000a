"""Attackers who look for a person, declared once, in the order of their knowledge.

Attackers who also run the program again, or who know the sensitive values of some people, are covered by
findings (`kanon_core.findings`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.base.errors import UnsuitableError
from kanon_core.base.kinds import Integer
from kanon_core.base.options import Declared
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr, tr_n
from kanon_core.risk.crowds import Crowd
from kanon_core.risk.individual import inverse_mean
from kanon_core.risk.known_items import MOST_KNOWN, fewest_sharing
from kanon_core.risk.population import Population, in_register, people_of
from kanon_core.table.people import no_persons
from kanon_core.table.table import Table, item_sets


@dataclass(frozen=True, eq=False)
class AttackerView:
    """The view of an attacker: the crowds of indistinguishable records, and the knowledge of the population
    (its size and model, or a table of it). ``notes`` collects remarks on the figures."""

    crowd: Crowd
    population: Population = field(default_factory=Population)
    register: Table | None = None
    tick: Tick = silent
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Attacker(Declared):
    """Base of all attackers: ``title`` (the name in the literature), ``sentence`` (the attacker's knowledge
    and aim) and ``example`` are for people. ``rows``: the rows from which the attacker picks, those that
    "fit" the person or its "matches"; "" where they are only counted."""

    title: ClassVar[str]
    sentence: ClassVar[str]
    example: ClassVar[str]
    rows: ClassVar[str] = "fit"

    def unsuitable(self, table: Table) -> list[str]:
        """Return the reasons why this attacker does not apply to the table, in sentences; empty if it
        applies."""
        return []

    def risk(self, seen: AttackerView) -> np.ndarray:
        """float64 (n), 0 … 1: how probable it is that the attacker picks the right one for each record; 0
        where nothing is published of it. Raises UnsuitableError and SchemaError (`in_register`,
        `people_of`)."""
        raise NotImplementedError  # pragma: no cover - every attacker overrides it

    def of_sizes(self, sizes: np.ndarray) -> np.ndarray | None:
        """float64: the risk of records in classes of these sizes, where the population is not known; None
        where the risk does not follow from the sizes."""
        return _one_of(sizes)


def _one_of(among: np.ndarray) -> np.ndarray:
    """1 / among; 0 where that is 0."""
    return np.asarray(np.where(among > 0, 1.0 / np.maximum(among, 1), 0.0))


@dataclass(frozen=True)
class Prosecutor(Attacker):
    """1 / f, where f records, or people, are indistinguishable for an attacker who knows all
    quasi-identifiers of one person.

    Where sets of records overlap, f is the number of rows that fit the person. For releases whose cells
    overlap in another way it is a bound, as the rows of several classes may fit. Cost O(n).

    Reference: K. El Emam, F. Dankar, Protecting privacy using k-anonymity, JAMIA 15(5), 2008.
    """

    title: ClassVar[str] = "Prosecutor"
    sentence: ClassVar[str] = (
        "Knows all quasi-identifiers of one person and that this person is in the table; looks for"
        " this person's row."
    )
    example: ClassVar[str] = "A neighbor who knows that this person took part in the study."

    def risk(self, seen: AttackerView) -> np.ndarray:
        """1 / f."""
        return _one_of(seen.crowd.alike)


@dataclass(frozen=True)
class Journalist(Attacker):
    """1 / F, where F people of the population are indistinguishable for an attacker who has a register of it
    and does not know who is in the table; or the mean of 1 / F, where F is estimated.

    F is counted in a table of the population; or the mean of 1 / F follows from its size by a model
    (`kanon_core.risk.superpopulation`); or F is estimated by the sum of the sampling weights of
    indistinguishable records (Benedetti and Franconi; `kanon_core.risk.individual`). Where the population is
    not known, the table counts as the whole population, and F = f. Cost O(n), or that of `in_register`.

    References: K. El Emam, F. Dankar, as for the prosecutor; L. Sweeney, k-map, 2001.
    """

    title: ClassVar[str] = "Journalist"
    sentence: ClassVar[str] = (
        "Has a register of the population that the table is from, but does not know who is in the"
        " table; tries to identify any person in it."
    )
    example: ClassVar[str] = "A reporter who searches a voters' register for a person who fits a row."

    def risk(self, seen: AttackerView) -> np.ndarray:
        """1 / F, or its mean."""
        crowd = seen.crowd
        if seen.register is not None:
            register, tick = seen.register, seen.tick
            among, nobody = crowd.once("register", lambda: in_register(crowd, register, tick))
            if nobody:
                said = tr_n(
                    "{nobody:,} record fits nobody in the population table; the records that are"
                    " indistinguishable from it are counted instead.",
                    "{nobody:,} records fit nobody in the population table; the records that are"
                    " indistinguishable from them are counted instead.",
                    nobody,
                )
                seen.notes.append(said.format(nobody=nobody))
            return _one_of(np.maximum(among, crowd.alike))
        if seen.population.size:
            shown, found = crowd.alike > 0, np.zeros(len(crowd.alike))
            model = crowd.once("model", lambda: seen.population.model_of(crowd))
            found[shown] = model.risk(crowd.alike[shown])
            return found
        return self._weighted(crowd)

    def _weighted(self, crowd: Crowd) -> np.ndarray:
        weights = people_of(crowd.table)
        if weights is None:
            return _one_of(crowd.alike)
        if crowd.owner is not None:
            raise UnsuitableError(
                tr(
                    "Sampling weights count people, but in this table a person can have several records; give"
                    " the size of the population instead."
                )
            )
        shown = crowd.alike > 0
        people = crowd.alike * weights.mean() if crowd.overlapping else crowd.summed(weights)
        found = np.zeros(len(shown))
        share = np.minimum(1.0, crowd.alike[shown] / people[shown])
        found[shown] = inverse_mean(crowd.alike[shown], share)
        return found


@dataclass(frozen=True)
class Marketer(Journalist):
    """The figures of the journalist where the population is known, else those of the prosecutor. The average
    counts: the share of correct links if each row is linked to one of the people who fit it.

    Reference: F. Dankar, K. El Emam, A method for evaluating marketer re-identification risk, PAIS 2010.
    """

    title: ClassVar[str] = "Marketer"
    sentence: ClassVar[str] = (
        "Targets nobody in particular: links every row to a person who fits it and gains from each"
        " correct link."
    )
    example: ClassVar[str] = "A company that adds the rows of a release to its customer records."


@dataclass(frozen=True)
class FewItems(Attacker):
    """1 / (records that contain the single values and the rarest combination of ``known`` items of each
    record): the attacker knows the single quasi-identifiers of a person and this number of items, but not
    all. Cost: `fewest_sharing`.

    Reference: as for kᵐ-anonymity, M. Terrovitis, N. Mamoulis, P. Kalnis, VLDB 2008.
    """

    title: ClassVar[str] = "A few known items"
    sentence: ClassVar[str] = (
        "Knows the single values and a few items of one person, but not all items, and that this"
        " person is in the table."
    )
    example: ClassVar[str] = "A person in the queue who saw two of your purchases."
    rows: ClassVar[str] = ""

    known: Annotated[
        int,
        Integer(1, MOST_KNOWN, help="number of known items of a person; more would take too long to count"),
    ] = 2

    def unsuitable(self, table: Table) -> list[str]:
        """Return a reason unless there are item sets and each record belongs to another person."""
        if not item_sets(table):
            return [
                tr(
                    "No quasi-identifier holds item sets. This attacker knows some items of a person, so it"
                    " does not apply to this table."
                )
            ]
        if not no_persons(table):
            return [
                tr("A person can have several records here; this attacker needs one item set per person.")
            ]
        return []

    def risk(self, seen: AttackerView) -> np.ndarray:
        """1 / (records that share them)."""
        return _one_of(fewest_sharing(seen.crowd.table, seen.crowd.release, self.known, seen.tick))

    def of_sizes(self, sizes: np.ndarray) -> None:
        """None: the risk depends on items."""


@dataclass(frozen=True)
class Everybody(Attacker):
    """1 / matches: the attacker knows everybody's quasi-identifiers, and so which rows can belong to a record
    while every other record has a row.

    Where groups are disjoint, the rows of a group are equal, so the number of matches is the size of the
    class. Where sets overlap (k-concealment), the attacker picks at random among the possible rows of a
    record, without running the program (`Hiding.among`). Cost O(n), or that of `consistency`.

    Reference: T. Tassa, A. Mazza, A. Gionis, k-Concealment, Transactions on Data Privacy 5(1), 2012.
    """

    title: ClassVar[str] = "Everybody’s quasi-identifiers"
    sentence: ClassVar[str] = (
        "Knows the quasi-identifiers of everybody in the table and excludes rows that must belong to others."
    )
    example: ClassVar[str] = "A person with the list of members from which the table was made."
    rows: ClassVar[str] = "matches"

    def risk(self, seen: AttackerView) -> np.ndarray:
        """1 / matches."""
        return _one_of(seen.crowd.matches())


ATTACKERS: tuple[type[Attacker], ...] = (Prosecutor, Journalist, Marketer, FewItems, Everybody)
"""All attackers, in the order of their knowledge."""
