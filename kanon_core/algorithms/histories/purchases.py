"""Equal published histories for k people, such as purchases or visits (purchase-history paper)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.algorithms.base import Algorithm, Run, too_few, unsortable
from kanon_core.algorithms.histories.assignment import paired_at_least_cost
from kanon_core.algorithms.histories.blocks import Blocks, by_count, by_fewest, by_similarity
from kanon_core.algorithms.histories.values import values_of
from kanon_core.base.kinds import Choice, Columns
from kanon_core.base.words import later, tr
from kanon_core.covers.cover import Histories
from kanon_core.guarantees import Guarantees, PersonKAnonymity
from kanon_core.table.columns.columns import Categories, Items
from kanon_core.table.people import Persons, persons_of
from kanon_core.table.purchase_columns import is_price, is_quantity
from kanon_core.table.table import Table


@dataclass(frozen=True)
class PurchaseHistories(Algorithm):
    """Form blocks of k people; publish the r-th records of a block's people with the same cells.

    1. Sort people by their number of records, descending; ties in order of first appearance.
    2. Each k in a row are a block. The last n mod k people are left out, with all their records suppressed
       (``remainder="drop"``), or join the last blocks, one each (``"spread"``).
    3. In a block each person keeps m records, the fewest of a person in it: the first m after sorting by
       price, then quantity, descending (ties in the order of the file). The others are suppressed.
    4. The r-th kept records of a block's people are a group: their dates, prices and quantities become
       intervals, their products a set. All k people of a block then have the same published history, and an
       attacker who does not know the order of blocks identifies a history with probability 1/k.

    Records without a person are suppressed. ``by`` names the columns of the sort in 3; none: the numbers
    whose names indicate a price, then those that indicate a quantity, else all numbers, else all
    quasi-identifiers.

    Our variants keep the same guarantee. ``grouping="fewest"`` suppresses the fewest records possible if each
    person has one history, as long as the shortest of the block. ``"whole"`` groups people with similar
    records. ``"similar"`` also continues long histories: if a person has at least half as many records left
    as the block has slots, these join a later block with other people, under a separate pseudonym
    (`kanon_core.algorithms.histories.blocks`). Every published history is then part of the purchases of k
    people, and no published value links the parts. ``pairing="assignment"`` chooses and matches the records
    of a block at the least cost instead of by rank (`kanon_core.algorithms.histories.assignment`). "similar"
    with "assignment" loses least.

    When to use: to protect people in tables with many records per person: purchases, visits, log entries.

    Cost: O(n log n) as in the paper; "similar" O(people · k² · window), "assignment" O(m² c) for at most
    500,000 pairs m · c of groups and records at a time.

    Departures from the paper: its text sorts ascending, but its tables and results use descending order.

    Reference: purchase-history paper, §2.2.
    """

    title: ClassVar[str] = "Purchase histories"
    family: ClassVar[str] = "histories"
    summary: ClassVar[str] = (
        "Gives k people the same published history, for tables with many records per person."
    )

    grouping: Annotated[
        str,
        Choice(
            {
                "count": "people with similar numbers of records, as in the paper",
                "fewest": "blocks that suppress the fewest records, one pseudonym per person",
                "similar": "people with similar records; a long history continues under another pseudonym",
                "whole": "people with similar records, one pseudonym per person",
            },
            help="how people are grouped into blocks",
        ),
    ] = "count"
    pairing: Annotated[
        str,
        Choice(
            {"rank": "by rank, as in the paper", "assignment": "at the least cost, for narrow cells"},
            help="how records of the people in a block are matched",
        ),
    ] = "rank"
    remainder: Annotated[
        str,
        Choice(
            {"drop": "suppress their records", "spread": "add them to the last blocks"},
            help="what to do with people who remain after all blocks of k are formed",
        ),
    ] = "drop"
    by: Annotated[
        tuple[str, ...],
        Columns(
            help="columns that rank each person's records, most important first; none = price, then quantity"
        ),
    ] = ()

    def guarantees(self, k: int) -> Guarantees:
        """Return k-anonymity of people."""
        return (PersonKAnonymity(k),)

    def unsuitable(self, table: Table, k: int) -> list[str]:
        """Return reasons also for sort columns that are no quasi-identifiers, and for fewer than k people."""
        reasons = super().unsuitable(table, k) + unsortable(table, self.by)
        return reasons or too_few(k, len(persons_of(table)), "person")

    def cover(self, table: Table, k: int, run: Run) -> Histories:
        """Return the groups of records.

        Logs ``block`` (people, as `persons_of` numbers them, and records int64 (people, slots): the record of
        each person in each slot) for each block, then each group as ``group``.
        """
        run.tick(0.0, tr("forming blocks of people"))
        persons = persons_of(table)
        blocks = self._blocks(table, persons, k, run.part(0, 0.3))
        run.tick(0.3, tr("matching records"))
        if self.pairing == "assignment":
            labels = paired_at_least_cost(values_of(table), persons, blocks, run.part(0.3, 1).tick)
        else:
            labels = paired_by_rank(persons, blocks, self._order(table, persons))
        placed = np.concatenate([np.zeros(0, np.int64), *blocks.members])
        run.report[later("people left out")] = float(len(persons) - len(np.unique(placed)))
        run.report[later("further pseudonyms")] = float(len(placed) - len(np.unique(placed)))
        run.report[later("records without a person")] = float((persons.numbers < 0).sum())
        result = Histories(labels, blocks.block[labels])
        _write(run, persons, blocks, labels)
        run.write_groups(result)
        run.tick(1.0, tr("matching records"))
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
        """Return record numbers by person, then by the sort columns, descending, then in table order."""
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
    """Return a key that sorts the column descending, missing values last."""
    column = table[name]
    assert not isinstance(column, Items)  # `unsuitable` refuses item sets
    if isinstance(column, Categories):
        return np.where(column.missing, 1, -column.codes)
    return -column.values


def paired_by_rank(persons: Persons, blocks: Blocks, order: np.ndarray) -> np.ndarray:
    """Return the slot of each record, int64 (n); −1 = suppressed.

    ``order`` lists the records by person, after those without one; the next records of each person fill the
    slots of a block.
    """
    order, counts = order[(persons.numbers < 0).sum() :], persons.counts
    nexts = np.cumsum(counts) - counts
    labels = np.full(len(persons.numbers), -1, np.int64)
    for people, first, slots in zip(blocks.members, blocks.starts, blocks.slots, strict=False):
        ranks = np.arange(slots)
        labels[order[nexts[people][:, None] + ranks]] = first + ranks
        nexts[people] += slots
    return labels
