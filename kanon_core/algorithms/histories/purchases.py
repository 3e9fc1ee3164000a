"""k people whose published histories read alike: records of purchases or visits (purchase-history paper)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.algorithms.base import Algorithm, Run
from kanon_core.algorithms.histories.assignment import paired_at_least_cost
from kanon_core.algorithms.histories.blocks import Blocks, by_count, by_fewest, by_similarity
from kanon_core.algorithms.histories.values import values_of
from kanon_core.base.kinds import Choice, Columns
from kanon_core.base.words import counted, later, tr
from kanon_core.covers.cover import Histories
from kanon_core.guarantees import Guarantees, PersonKAnonymity
from kanon_core.table.columns.columns import Categories, Items
from kanon_core.table.people import Persons, persons_of
from kanon_core.table.purchase_columns import is_price, is_quantity
from kanon_core.table.table import Table


@dataclass(frozen=True)
class PurchaseHistories(Algorithm):
    """Blocks of k people; the r-th records of a block's people, k of them, are published with the same cells.

    1. People are sorted by their number of records, descending; ties in order of first appearance.
    2. Every k of them are a block; the n mod k at the end are left out, all their records suppressed
       (``remainder="drop"``), or the last blocks take one more each (``"spread"``).
    3. In a block each person keeps as many records as the one who has fewest, m: of each person's records,
       sorted by price, then quantity, descending (ties in the order of the file), the first m; the others are
       suppressed.
    4. The r-th kept records of a block's people are a group: their dates, prices and quantities become
       intervals, their products a set. So all k people of a block have the same published history, and an
       attacker who does not know the order of blocks can tell whose a history is with a chance of 1/k.

    Records that name no person are suppressed. ``by`` names the columns of the sort in 3; none: the numbers
    whose names speak of a price, then those that speak of a quantity, else all numbers, else all
    quasi-identifiers.

    Variants of our own keep the same guarantee. ``grouping="fewest"`` leaves out as few records as any blocks
    can in which each person has one history of the length of the block's shortest. ``"whole"`` puts people
    together whose records are alike, and ``"similar"`` besides lets a long history go on: where a person has
    half as many records left as the block took, or more, these go into a later block with other people, under
    a pseudonym of their own (`kanon_core.algorithms.histories.blocks`). Every published history is then part
    of the purchases of k people, and nothing published links the parts. ``pairing="assignment"`` chooses and
    matches the records of a block at least cost instead of by rank
    (`kanon_core.algorithms.histories.assignment`). "similar" with "assignment" loses least.

    When to use: purchases, visits, log entries: many records per person, and people are to be protected.

    Cost: O(n log n) as in the paper; "similar" O(people · k² · window), "assignment" O(m² c) for at most
    500,000 pairs m · c of groups and records at a time.

    Departures from the paper: its text sorts ascending, but its tables and results are of descending order.

    Reference: purchase-history paper, §2.2.
    """

    title: ClassVar[str] = "Purchase histories"
    family: ClassVar[str] = "histories"
    summary: ClassVar[str] = (
        "Many records per person: k people get the same published history, record by record."
    )

    grouping: Annotated[
        str,
        Choice(
            {
                "count": "people with about equally many records, as in the paper",
                "fewest": "so that the fewest records are left out, whole histories kept together",
                "similar": "people whose records are alike; a long history goes on under another pseudonym",
                "whole": "people whose records are alike, with one pseudonym each",
            },
            help="which people form a block",
        ),
    ] = "count"
    pairing: Annotated[
        str,
        Choice(
            {"rank": "by their order, as in the paper", "assignment": "so that the cells become narrowest"},
            help="which records of a block's people are published alike",
        ),
    ] = "rank"
    remainder: Annotated[
        str,
        Choice(
            {"drop": "their records are left out", "spread": "the last blocks take them"},
            help="what becomes of the people who are left when every k form a block",
        ),
    ] = "drop"
    by: Annotated[
        tuple[str, ...],
        Columns(
            help="columns to sort a person's records by, most important first; none = price, then quantity"
        ),
    ] = ()

    def guarantees(self, k: int) -> Guarantees:
        """k-anonymity of people."""
        return (PersonKAnonymity(k),)

    def unsuitable(self, table: Table, k: int) -> list[str]:
        """Return reasons also where no column names the person, or there are fewer than k people."""
        reasons = super().unsuitable(table, k)
        quasi = [column.attribute.name for column in table.quasi]
        reasons += [
            tr(
                "Records are to be sorted by “{name}”, which is no quasi-identifier; choose from {columns}."
            ).format(name=name, columns=", ".join(quasi))
            for name in self.by
            if name not in quasi and quasi
        ]
        if not reasons and k > (people := len(persons_of(table))):
            reasons.append(
                tr("k = {k} is more than the {people} of the table; choose a smaller k.").format(
                    k=k, people=counted(people, "person")
                )
            )
        return reasons

    def cover(self, table: Table, k: int, run: Run) -> Histories:
        """The groups of records.

        Logs ``block`` (people, by number of `persons_of`, and records int64 (people, slots): whose record is
        published in which slot) for each block, then each group as ``group``.
        """
        run.tick(0.0, tr("sorting people"))
        persons = persons_of(table)
        blocks = self._blocks(table, persons, k, run.part(0, 0.3))
        run.tick(0.3, tr("pairing records"))
        if self.pairing == "assignment":
            labels = paired_at_least_cost(values_of(table), persons, blocks, run.part(0.3, 1).tick)
        else:
            labels = paired_by_rank(persons, blocks, self._order(table, persons))
        placed = np.concatenate([np.zeros(0, np.int64), *blocks.members])
        run.report[later("people left out")] = float(len(persons) - len(np.unique(placed)))
        run.report[later("further pseudonyms")] = float(len(placed) - len(np.unique(placed)))
        run.report[later("records that name nobody")] = float((persons.numbers < 0).sum())
        result = Histories(labels, blocks.block[labels])
        _write(run, persons, blocks, labels)
        run.write_groups(result)
        run.tick(1.0, tr("pairing records"))
        return result

    def _blocks(self, table: Table, persons: Persons, k: int, run: Run) -> Blocks:
        spread = self.remainder == "spread"
        if self.grouping == "fewest":
            return by_fewest(persons.counts, k)
        if self.grouping in ("similar", "whole"):
            return by_similarity(values_of(table), persons, k, spread, self.grouping == "similar", run.tick)
        return by_count(persons.counts, k, spread)

    def sorted_by(self, table: Table) -> tuple[str, ...]:
        """Return the columns by which a person's records are sorted in this table."""
        if self.by:
            return self.by
        numbers = [c.attribute.name for c in table.quasi if c.attribute.kind == "numeric"]
        named = [name for speaks in (is_price, is_quantity) for name in numbers if speaks(name)]
        return tuple(dict.fromkeys(named or numbers or [c.attribute.name for c in table.quasi]))

    def _order(self, table: Table, persons: Persons) -> np.ndarray:
        """Record numbers by person, then descending by the sorting columns, then as in the file."""
        keys = [_descending(table, name) for name in self.sorted_by(table)]
        return np.lexsort([*reversed(keys), persons.numbers])


def _write(run: Run, persons: Persons, blocks: Blocks, labels: np.ndarray) -> None:
    """Log an event ``block`` for each block."""
    if run.log is None:
        return
    for people, first, slots in zip(blocks.members, blocks.starts, blocks.slots, strict=False):
        inside = np.flatnonzero((labels >= first) & (labels < first + slots))
        records = np.empty((len(people), slots), np.int64)
        place = np.argsort(people)[np.searchsorted(np.sort(people), persons.numbers[inside])]
        records[place, labels[inside] - first] = inside
        run.log.write("block", people=people, records=records)


def _descending(table: Table, name: str) -> np.ndarray:
    """A key that sorts the column descending, missing values last."""
    column = table[name]
    assert not isinstance(column, Items)  # no suitable table has any
    if isinstance(column, Categories):
        return np.where(column.missing, 1, -column.codes)
    return -column.values


def paired_by_rank(persons: Persons, blocks: Blocks, order: np.ndarray) -> np.ndarray:
    """int64 (n): the slot in which each record is published; −1 = suppressed.

    ``order`` lists the records person by person, after those that name none; the next records of each person
    fill the slots of a block.
    """
    order, counts = order[(persons.numbers < 0).sum() :], persons.counts
    nexts = np.cumsum(counts) - counts
    labels = np.full(len(persons.numbers), -1, np.int64)
    for people, first, slots in zip(blocks.members, blocks.starts, blocks.slots, strict=False):
        ranks = np.arange(slots)
        labels[order[nexts[people][:, None] + ranks]] = first + ranks
        nexts[people] += slots
    return labels
