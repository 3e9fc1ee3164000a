"""The base of all algorithms: an algorithm is a frozen dataclass that turns (table, k) into a cover.

A new algorithm is one file with a subclass and one line in `kanon_core.algorithms.ALGORITHMS`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from kanon_core.algorithms.wholecell_support import why_not
from kanon_core.base.options import Declared
from kanon_core.base.progress import Tick, silent, stage
from kanon_core.base.randomness import folded, generator
from kanon_core.base.words import counted, tr
from kanon_core.covers.cells import PublishedColumn
from kanon_core.covers.cover import Cover, Partition
from kanon_core.distances.chosen import reasons as unmeasurable
from kanon_core.guarantees import Guarantees, Hiding, KAnonymity
from kanon_core.table.columns.columns import Items, Numbers
from kanon_core.table.people import undecided
from kanon_core.table.table import Table


class Log:
    """The decisions of a run in the order in which they were made; `replay` of the events gives the same
    cover.

    ``records`` int64 (n): the table's record for each record number in the events (empty = the same number),
    since algorithms see records in an order of their own.
    """

    def __init__(self) -> None:
        self.records = np.zeros(0, np.int64)
        self.events: list[tuple[str, dict[str, Any]]] = []

    def numbers(self, records: np.ndarray) -> np.ndarray:
        """int64: the record numbers of the table that these numbers in the events stand for."""
        return self.records[records] if len(self.records) else records

    def write(self, event: str, **what: Any) -> None:
        """Append one decision: its name, and the numbers and arrays that describe it (arrays are copied)."""
        kept = {
            name: value.copy() if isinstance(value, np.ndarray) else value for name, value in what.items()
        }
        self.events.append((event, kept))


@dataclass
class Run:
    """The inputs of an algorithm besides table and k.

    ``tick`` shows progress and is the cancel point; ``log`` is None unless decisions are asked for;
    ``report`` takes named numbers about the run (judgement count, steps done); ``settled`` takes options that
    the run fixed (the number of steps a time budget was worth), so that the recipe repeats the run exactly;
    ``shown`` takes, by name, the columns whose published cells the algorithm chooses itself.
    """

    seed: int = field(default=0, repr=False)
    tick: Tick = silent
    log: Log | None = None
    report: dict[str, float] = field(default_factory=dict)
    settled: dict[str, Any] = field(default_factory=dict)
    shown: dict[str, PublishedColumn] = field(default_factory=dict)

    @property
    def rng(self) -> np.random.Generator:
        """A generator seeded by ``seed``; each call starts the same stream anew."""
        return generator(self.seed)

    @property
    def kernel_seed(self) -> int:
        """The seed for a kernel, which takes 63 bits."""
        return folded(self.seed, 63)

    def write_groups(self, cover: Partition) -> None:
        """Log an event ``group`` (members) for each group."""
        if self.log is not None:
            for group in range(len(cover.sizes)):
                self.log.write("group", members=cover.members(group))

    def part(self, start: float, end: float) -> Run:
        """The run of an inner algorithm whose work is the part start..end of the whole; shares log and
        report."""
        return Run(self.seed, stage(self.tick, start, end), self.log, self.report, {})


@dataclass(frozen=True)
class Algorithm(Declared):
    """Base of all algorithms. Subclasses declare options as annotated fields and state, as class attributes:

    ``title`` for people, ``family`` (the folder), ``randomized`` (the seed matters), ``takes_items`` (it can
    group item sets), ``promises`` (some k; an algorithm that promises none is run with k = 1),
    ``takes_distances`` (the distances chosen for columns can decide its groups, see `by_distances`),
    ``summary`` (one sentence: when to use it). Options may change what is guaranteed (`guarantees`).
    """

    title: ClassVar[str]
    family: ClassVar[str]
    summary: ClassVar[str]
    randomized: ClassVar[bool] = False
    takes_items: ClassVar[bool] = False
    promises: ClassVar[bool] = True
    takes_distances: ClassVar[bool] = False

    @property
    def by_distances(self) -> bool:
        """True if it goes by the distances chosen for columns, with these options."""
        return self.takes_distances

    @property
    def by_exact_cuts(self) -> bool:
        """True if its groups always lie within the parts that exact cuts from the top make of the
        whole table; it can then be run on many machines (`kanon_core.scale`)."""
        return False

    @property
    def by_ranks(self) -> bool:
        """True if it sorts all records by their `sort_keys`, equal ones in the order in which it sees
        them, and makes each k consecutive records a group, the last of which takes the rest; it can then be
        run on many machines (`kanon_core.scale`)."""
        return False

    @property
    def over_files(self) -> bool:
        """True if it can be run on many machines, in one of these ways, with these options."""
        return self.by_exact_cuts or self.by_ranks

    @property
    def by_order(self) -> bool:
        """True if the order in which it sees the records may shape its groups: recipes then identify a
        table by all its cells, which determine that order."""
        return not self.by_exact_cuts or self.fragment_rows is not None

    @property
    def fragment_rows(self) -> int | None:
        """The most records that a fragment may have, where that shapes the release; None where any number
        gives the same one."""
        return None

    def cover_of_fragment(self, part: Table, k: int, run: Run, path: str) -> Cover:
        """The cover of a fragment of a table that is cut `by_exact_cuts`; ``path``: the sides of the cuts
        that lead to it, such as "LR". `unsuitable` is empty, for the whole, when this is called."""
        return self.cover(part, k, run)

    def sort_keys(self, table: Table) -> list[np.ndarray]:
        """Arrays of numbers (n), the most important first, by which it sorts: a key depends on its own record
        alone, unless `parted` says otherwise. NaN = last."""
        raise NotImplementedError  # pragma: no cover - every algorithm `by_ranks` overrides it

    def parted(self, table: Table) -> list[str]:
        """Return why it cannot work on a table that lies in many files, in addition to what `unsuitable`
        says; empty when it can."""
        return []

    def guarantees(self, k: int) -> Guarantees:
        """Return what a release of this algorithm guarantees for this k; the first says among how many each
        record, or person, hides."""
        return (KAnonymity(k),)

    def guarantee(self, k: int) -> Hiding:
        """Return the guarantee that says among how many each record, or person, hides."""
        return self.guarantees(k)[0]

    def cover(self, table: Table, k: int, run: Run) -> Cover:
        """The cover of this table for this k. `unsuitable` is empty when this is called."""
        raise NotImplementedError  # pragma: no cover - every algorithm overrides it

    def unsuitable(self, table: Table, k: int) -> list[str]:
        """Return why this algorithm cannot work here, in sentences; empty when it can."""
        if reasons := undecided(table):
            return reasons
        if not table.quasi:
            reasons.append(
                tr("No column is a quasi-identifier; give at least one column that role on the Data page.")
            )
        reasons += [
            _incomparable(c.attribute.name)
            for c in table.quasi
            if isinstance(c, Numbers) and not c.comparable
        ]
        reasons += [
            _rounded(c.attribute.name) for c in table.quasi if isinstance(c, Numbers) and not c.kept_exactly
        ]
        if not self.takes_items:
            reasons += [
                tr(
                    "Column “{name}” holds item sets; columns of item sets are taken by Top-down, so choose"
                    " that, or give the column another role or kind."
                ).format(name=c.attribute.name)
                for c in table.quasi
                if isinstance(c, Items)
            ]
        if self.by_distances:
            reasons += unmeasurable(table.quasi)
        given = [reason for guarantee in self.guarantees(k) for reason in guarantee.unsuitable(table)]
        reasons += [*dict.fromkeys(given), *why_not(self, table, k)]
        if k > len(table):
            reasons.append(
                tr("k = {k} is more than the {records} of the table; choose a smaller k.").format(
                    k=k, records=counted(len(table), "record")
                )
            )
        return reasons


def _rounded(name: str) -> str:
    return tr(
        "Column “{name}” has fractions of a second before 1698 or after 2242, which would be published a"
        " microsecond beside the truth; round the column to whole seconds, or leave it out."
    ).format(name=name)


def _incomparable(name: str) -> str:
    return tr(
        "Column “{name}” has numbers that are too large or too close together to compare (beyond 1e150, or"
        " all within 1e-140); use another unit, or make it categorical."
    ).format(name=name)
