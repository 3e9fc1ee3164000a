"""Narration of purchase histories: the blocks of people, the pairings of records, the records left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kanon_core.algorithms.histories.purchases import PurchaseHistories
from kanon_core.base.words import later, tr, tr_n
from kanon_core.charts.canvas.theme import listed
from kanon_core.charts.sets.itemsteps import short_text
from kanon_core.charts.steps.tables import OPEN, OUT, HistoryTable, Kept, Person
from kanon_core.covers.cover import Partition
from kanon_core.covers.recoding import recode
from kanon_core.table.people import persons_of
from kanon_core.teaching.explain.narration import Logged, Narration, Step
from kanon_core.teaching.explain.wording import named, numbered, thinned

_SLOTS_TOLD = 100
_CELLS = 4


@dataclass(eq=False)
class People:
    """The people of a story. ``owner`` int64 (n): the person of each record, −1 = nobody; ``numbers`` int64
    (people): the number by which each is called, by first appearance in the table, from 1. These change as
    the story goes on: ``slot`` and ``block`` int64 (n), for each record, −1 = none yet; ``closed`` booleans
    (people): nothing more is published of them."""

    run: Logged
    owner: np.ndarray
    numbers: np.ndarray
    slot: np.ndarray
    block: np.ndarray
    closed: np.ndarray

    @classmethod
    def of(cls, run: Logged) -> People:
        """Return the people of a run before anything is published."""
        persons, n = persons_of(run.table), len(run.table)
        first = np.full(len(persons), n)
        named = persons.numbers >= 0
        np.minimum.at(first, persons.numbers[named], run.records[named])
        numbers = np.argsort(np.argsort(first)) + 1
        none = np.full(n, -1)
        return cls(run, persons.numbers, numbers, none, none.copy(), np.zeros(len(persons), bool))

    @property
    def counts(self) -> np.ndarray:
        """Return the number of records of each person: int64 (people)."""
        return np.bincount(self.owner[self.owner >= 0], minlength=len(self.numbers))

    @property
    def left(self) -> np.ndarray:
        """Return the number of records of each person that are not published yet: int64 (people)."""
        waiting = (self.owner >= 0) & (self.slot < 0)
        return np.bincount(self.owner[waiting], minlength=len(self.numbers))

    def called(self, people: np.ndarray) -> str:
        """Return a text such as ``person 3`` or ``persons 3, 5 and 8``, in this order."""
        text = numbered(self.numbers[people])
        return (tr("person {number}") if len(people) == 1 else tr("persons {number}")).format(number=text)

    def table(self, people: np.ndarray, now: np.ndarray) -> HistoryTable:
        """Return the people as rows: ``people`` first, then those still waiting, then the others; the records
        ``now`` are framed."""
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


class PurchaseHistoriesSteps(Narration):
    """A step for the people, one for each block, for each pairing (or all of a block), and for the end."""

    algorithm: ClassVar[type[PurchaseHistories]] = PurchaseHistories
    events: ClassVar[frozenset[str]] = frozenset({"block", "group"})
    said: ClassVar[tuple[str, ...]] = (
        later("Count the records of each person."),
        later(
            "Put k people together in a block; each publishes as many records as the person with the fewest."
        ),
        later("Pair their records, one of each person; the k records of a pairing publish the same cells."),
        later(
            "Records of people without a block, and records beyond the length of their block, are left out."
        ),
    )

    def steps(self, run: Logged) -> Iterator[Step]:
        """Yield the steps of a run."""
        people, told = People.of(run), run.of("block")
        steps = [_begun(people)]
        slots = sum(what["records"].shape[1] for what in told)
        later = np.zeros(len(people.numbers), np.int64)  # the number of later blocks that each person is in
        for what in told:
            later[what["people"]] += 1
        people.closed = later == 0
        for number, what in enumerate(told):
            later[what["people"]] -= 1
            steps += _block(people, number, what, slots <= _SLOTS_TOLD, later)
        return iter((*thinned(steps), _ended(people)))


def _begun(people: People) -> Step:
    counts, nobody = people.counts, int((people.owner < 0).sum())
    order = np.lexsort((people.numbers, -counts))
    sentence = tr("The {n} records belong to {count} people; {most} has the most records, {records}.").format(
        n=len(people.owner) - nobody,
        count=len(counts),
        most=people.called(order[:1]),
        records=int(counts.max(initial=0)),
    )
    if nobody:
        sentence += " " + tr_n(
            "{count:,} more record has no person and is left out.",
            "{count:,} more records have no person and are left out.",
            nobody,
        ).format(count=nobody)
    return Step(sentence, 0, people.slot.copy(), people.table(order, order[:0]))


def _block(
    people: People, number: int, what: dict[str, Any], each: bool, later: np.ndarray
) -> Iterator[Step]:
    """Yield the step of the people of a block, then the pairings of their records."""
    members, records = what["people"], what["records"]
    members = members[np.lexsort((people.numbers[members], -people.left[members]))]
    ours = np.sort(what["people"]).searchsorted(members)
    records = records[np.argsort(what["people"])][ours]
    sentence = _gathered(people, number, members, records.shape[1])
    people.closed[members] = False
    yield Step(sentence, 1, people.slot.copy(), people.table(members, members[:0]))
    first = int(people.slot.max()) + 1
    for rank, paired in enumerate(records.T):
        people.slot[paired], people.block[paired] = first + rank, number
        if rank == records.shape[1] - 1:
            people.closed[members] = later[members] == 0
        if each or rank == records.shape[1] - 1:
            shown = paired if each else records.ravel()
            sentence = _paired(people, rank, paired) if each else _all_paired(people, records)
            yield Step(sentence, 2, people.slot.copy(), people.table(members, shown))


def _gathered(people: People, number: int, members: np.ndarray, slots: int) -> str:
    algorithm, left = people.run.algorithm, people.left[members]
    assert isinstance(algorithm, PurchaseHistories)
    why = {
        "count": tr("next in the order of their number of records"),
        "fewest": tr("all blocks together leave out the fewest records"),
        "similar": tr("the first has the most records left; the others add least to the estimated loss"),
        "whole": tr("the first has the most records; the others add least to the estimated loss"),
    }[algorithm.grouping]
    sentence = tr(
        "Block {number}: {people} ({why}) have {counts} records left. Each publishes as many as the person"
        " with the fewest: {slots}."
    )
    return sentence.format(
        number=number + 1, people=people.called(members), why=why, counts=numbered(left), slots=slots
    )


def _paired(people: People, rank: int, paired: np.ndarray) -> str:
    """Return a sentence on one pairing: its records, and their published cells."""
    return tr("Pairing {rank}: {records}{how} publish the same cells: {cells}.").format(
        rank=rank + 1, records=named(people.run, paired), how=_how(people), cells=_cells(people.run, paired)
    )


def _all_paired(people: People, records: np.ndarray) -> str:
    """Return a sentence on all pairings of a block."""
    return tr("Pairings of their records: {count}{how}; the first, {records}, publishes {cells}.").format(
        count=records.shape[1],
        how=_how(people),
        records=named(people.run, records[:, 0]),
        cells=_cells(people.run, records[:, 0]),
    )


def _how(people: People) -> str:
    """Return a text on the rule by which records are paired."""
    algorithm = people.run.algorithm
    assert isinstance(algorithm, PurchaseHistories)
    if algorithm.pairing == "assignment":
        return tr(" (for the narrowest cells overall)")
    names = listed([f"“{name}”" for name in algorithm.sorted_by(people.run.table)])
    return tr(" (the next of each person by {columns}, descending)").format(columns=names)


def _cells(run: Logged, records: np.ndarray) -> str:
    """Return a text of the cells that a pairing publishes in the first columns."""
    groups = np.full(len(run.table), -1)
    groups[records] = 0
    cover = Partition(groups)
    texts = [
        f"“{column.attribute.name}” {recode(column, cover).texts(column, records[:1])[0]}"
        for column in run.table.quasi[:_CELLS]
    ]
    return ", ".join(short_text(text, 60) for text in texts)


def _ended(people: People) -> Step:
    """Return the step of the result: the records published and left out."""
    published, n = int((people.slot >= 0).sum()), len(people.slot)
    placed = np.zeros(len(people.numbers), bool)
    placed[people.owner[people.slot >= 0]] = True
    sentence = tr("Records published: {published} of {n}; left out: {gone}.").format(
        published=published, n=n, gone=n - published
    )
    if not placed.all():
        out = np.flatnonzero(~placed)
        sentence += " " + tr("All records of {people} are left out.").format(
            people=people.called(out[np.argsort(people.numbers[out])])
        )
    people.closed[:] = True
    everybody = np.arange(len(people.numbers))
    return Step(sentence, 3, people.slot.copy(), people.table(everybody[:0], everybody[:0]))
