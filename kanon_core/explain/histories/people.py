"""The people of a run and what is published of each so far."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kanon_core.base.words import tr
from kanon_core.charts.steps.historytable import OPEN, OUT, HistoryTable, Kept, Person
from kanon_core.explain.run import Logged
from kanon_core.explain.wording import numbered
from kanon_core.table.people import persons_of


@dataclass(eq=False)
class People:
    """``owner`` int64 (n): whose each record is, −1 = nobody's; ``numbers`` int64 (people): what each is
    called, by first appearance in the table, from 1. While the story goes on: ``slot`` and ``block`` int64
    (n), of each record, −1 = none yet; ``closed`` booleans (people): nothing more is published of them."""

    run: Logged
    owner: np.ndarray
    numbers: np.ndarray
    slot: np.ndarray
    block: np.ndarray
    closed: np.ndarray

    @classmethod
    def of(cls, run: Logged) -> People:
        """The people of a run, nothing published."""
        persons, n = persons_of(run.table), len(run.table)
        first = np.full(len(persons), n)
        named = persons.numbers >= 0
        np.minimum.at(first, persons.numbers[named], run.records[named])
        numbers = np.argsort(np.argsort(first)) + 1
        none = np.full(n, -1)
        return cls(run, persons.numbers, numbers, none, none.copy(), np.zeros(len(persons), bool))

    @property
    def counts(self) -> np.ndarray:
        """int64 (people): how many records each has."""
        return np.bincount(self.owner[self.owner >= 0], minlength=len(self.numbers))

    @property
    def left(self) -> np.ndarray:
        """int64 (people): how many of these are not published yet."""
        waiting = (self.owner >= 0) & (self.slot < 0)
        return np.bincount(self.owner[waiting], minlength=len(self.numbers))

    def called(self, people: np.ndarray) -> str:
        """``person 3``, ``persons 3, 5 and 8``, in this order."""
        text = numbered(self.numbers[people])
        return (tr("person {number}") if len(people) == 1 else tr("persons {number}")).format(number=text)

    def table(self, people: np.ndarray, now: np.ndarray) -> HistoryTable:
        """The people as rows: ``people`` first, then those still waiting, then the others; the records
        ``now`` in a frame."""
        rest = np.setdiff1d(np.arange(len(self.numbers)), people)
        rest = rest[np.lexsort((self.numbers[rest], -self.counts[rest], self.closed[rest]))]
        return HistoryTable([self._row(person, now) for person in [*people.tolist(), *rest.tolist()]])

    def _row(self, person: int, now: np.ndarray) -> Person:
        mine = np.flatnonzero(self.owner == person)
        slots = np.where(self.slot[mine] < 0, len(self.slot), self.slot[mine])
        mine = mine[np.lexsort((self.run.records[mine], slots))]
        about = np.isin(mine, now)
        none = OUT if self.closed[person] else OPEN
        blocks = np.where(self.block[mine] < 0, none, self.block[mine])
        numbers = self.run.records[mine] + 1
        told = zip(numbers.tolist(), blocks.tolist(), about.tolist(), strict=True)
        return Person(tr("person {number}").format(number=self.numbers[person]), [Kept(*one) for one in told])
