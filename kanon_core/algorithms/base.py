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
    """The decisions of a run in the order in which they were made; `replay` makes the same cover from them.

    ``records`` int64 (n): the table's record number for each record number in the events; empty where both
    are the same. They differ because an algorithm sees the records in its keyed order.
    """

    def __init__(self) -> None:
        self.records = np.zeros(0, np.int64)
        self.events: list[tuple[str, dict[str, Any]]] = []

    def numbers(self, records: np.ndarray) -> np.ndarray:
        """Return the table's record numbers, int64, for these record numbers of the events."""
        return self.records[records] if len(self.records) else records

    def write(self, event: str, **what: Any) -> None:
        """Append one decision: its name, and the numbers and arrays that describe it (arrays are copied)."""
        copied = {
            name: value.copy() if isinstance(value, np.ndarray) else value for name, value in what.items()
        }
        self.events.append((event, copied))


@dataclass
class Run:
    """The inputs of an algorithm besides table and k.

    ``tick`` shows progress and may cancel the run by an exception; ``log`` is None unless decisions are
    recorded; ``report`` takes named numbers about the run (judgement count, steps done); ``settled`` takes
    options that the run fixed (the search steps done in the given seconds), so that the recipe repeats the
    run exactly; ``shown`` takes, by name, the columns whose published cells the algorithm chooses itself.
    """

    seed: int = field(default=0, repr=False)
    tick: Tick = silent
    log: Log | None = None
    report: dict[str, float] = field(default_factory=dict)
    settled: dict[str, Any] = field(default_factory=dict)
    shown: dict[str, PublishedColumn] = field(default_factory=dict)

    @property
    def rng(self) -> np.random.Generator:
        """Return a new generator seeded by ``seed``; each call starts the same stream."""
        return generator(self.seed)

    @property
    def kernel_seed(self) -> int:
        """Return the seed for a kernel, which takes 63 bits."""
        return folded(self.seed, 63)

    def write_groups(self, cover: Partition) -> None:
        """Log an event ``group`` (members) for each group."""
        if self.log is not None:
            for group in range(len(cover.sizes)):
                self.log.write("group", members=cover.members(group))

    def part(self, start: float, end: float) -> Run:
        """Return the run of an inner algorithm whose progress goes from ``start`` to ``end`` of the whole; it
        shares log and report."""
        return Run(self.seed, stage(self.tick, start, end), self.log, self.report, {})


@dataclass(frozen=True)
class Algorithm(Declared):
    """Base of all algorithms. Subclasses declare their options as annotated fields, and as class attributes:

    ``title`` for people, ``family`` (the folder), ``randomized`` (the seed changes the result),
    ``takes_items`` (it can group item sets), ``promises`` (it guarantees some k; otherwise it runs with k =
    1), ``takes_distances`` (the distances chosen for columns can shape its groups, see `by_distances`),
    ``summary`` (one sentence: when to use it). Options may change the guarantees (`guarantees`).
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
        """True if, with these options, the distances chosen for columns shape its groups."""
        return self.takes_distances

    @property
    def by_exact_cuts(self) -> bool:
        """True if exact cuts of the whole table, from the top, never divide one of its groups; it can then
        run on many machines (`kanon_core.scale`)."""
        return False

    @property
    def by_ranks(self) -> bool:
        """True if it sorts all records by their `sort_keys`, stably, and makes each k consecutive records a
        group, the last of which takes the rest; it can then run on many machines (`kanon_core.scale`)."""
        return False

    @property
    def over_files(self) -> bool:
        """True if it can run on many machines with these options, in one of these two ways."""
        return self.by_exact_cuts or self.by_ranks

    @property
    def by_order(self) -> bool:
        """True if the order in which it sees the records may shape its groups: recipes then identify a table
        by all its cells, which determine that order."""
        return not self.by_exact_cuts or self.fragment_rows is not None

    @property
    def fragment_rows(self) -> int | None:
        """Return the largest size of a fragment if it shapes the release; None if any size gives the same
        release."""
        return None

    def cover_of_fragment(self, part: Table, k: int, run: Run, path: str) -> Cover:
        """Return the cover of a fragment of a table that is cut `by_exact_cuts`; ``path``: the sides of the
        cuts that lead to it, such as "LR". Called only if `unsuitable` of the whole is empty."""
        return self.cover(part, k, run)

    def sort_keys(self, table: Table) -> list[np.ndarray]:
        """Return the arrays of numbers (n) by which it sorts, the most important first. A key depends on its
        own record alone unless `parted` gives reasons. NaN = last."""
        raise NotImplementedError  # pragma: no cover - every algorithm `by_ranks` overrides it

    def parted(self, table: Table) -> list[str]:
        """Return reasons, besides those of `unsuitable`, why it cannot work on a table in many files."""
        return []

    def guarantees(self, k: int) -> Guarantees:
        """Return the guarantees of a release of this algorithm for this k; the first states the size of each
        record's, or person's, anonymity set."""
        return (KAnonymity(k),)

    def guarantee(self, k: int) -> Hiding:
        """Return the guarantee that states the size of the anonymity sets."""
        return self.guarantees(k)[0]

    def cover(self, table: Table, k: int, run: Run) -> Cover:
        """Return the cover of this table for this k. Called only if `unsuitable` is empty."""
        raise NotImplementedError  # pragma: no cover - every algorithm overrides it

    def unsuitable(self, table: Table, k: int) -> list[str]:
        """Return reasons, in sentences, why this algorithm cannot process this table; empty if it can."""
        if reasons := undecided(table):
            return reasons
        if not table.quasi:
            reasons.append(
                tr(
                    "No column is a quasi-identifier; give that role to the columns that an attacker may"
                    " know."
                )
            )
        numbers = [column for column in table.quasi if isinstance(column, Numbers)]
        reasons += [_incomparable(column.attribute.name) for column in numbers if not column.comparable]
        reasons += [_rounded(column.attribute.name) for column in numbers if not column.kept_exactly]
        if not self.takes_items:
            reasons += [
                tr(
                    "Column “{name}” holds item sets, which this algorithm cannot process; choose Top-down,"
                    " or give the column another role or kind."
                ).format(name=column.attribute.name)
                for column in table.quasi
                if isinstance(column, Items)
            ]
        if self.by_distances:
            reasons += unmeasurable(table.quasi)
        given = [reason for guarantee in self.guarantees(k) for reason in guarantee.unsuitable(table)]
        reasons += [*dict.fromkeys(given), *why_not(self, table, k)]
        return reasons + too_few(k, len(table), "record")


def too_few(k: int, size: int, noun: str) -> list[str]:
    """Return a reason if the table has fewer than k records or people; ``noun``: one of `words.NOUNS`."""
    if k <= size:
        return []
    says = tr("The table has only {size}, fewer than k = {k}; choose a smaller k.")
    return [says.format(size=counted(size, noun), k=k)]


def unsortable(table: Table, names: tuple[str, ...]) -> list[str]:
    """Return a reason for each column of these names, by which records are to be sorted, that is not a
    quasi-identifier of the table."""
    quasi = [column.attribute.name for column in table.quasi]
    says = tr(
        "Records cannot be sorted by column “{name}”, which is not a quasi-identifier; choose from {columns}."
    )
    return [says.format(name=name, columns=", ".join(quasi)) for name in names if quasi and name not in quasi]


def no_item_sets(table: Table) -> list[str]:
    """Return a reason if the table has quasi-identifiers, but none of item sets."""
    if not table.quasi or any(isinstance(column, Items) for column in table.quasi):
        return []
    return [
        tr(
            "No quasi-identifier holds item sets; choose an algorithm for numbers and categories, such as"
            " Mondrian or Refine."
        )
    ]


def check_sizes(labels: np.ndarray, k: int) -> None:
    """Raise ValueError unless k ≥ 1 and each group of a start has k records; −1 in ``labels`` = no group."""
    sizes = np.bincount(labels[labels >= 0])
    if k < 1 or sizes[sizes > 0].min(initial=k) < k:
        says = tr("Every group of the start must have at least k = {k} records, and k must be at least 1.")
        raise ValueError(says.format(k=k))


def _rounded(name: str) -> str:
    return tr(
        "Column “{name}” has fractions of a second before 1698 or after 2242, which would be published"
        " rounded to the next microsecond; round the column to whole seconds, or leave it out."
    ).format(name=name)


def _incomparable(name: str) -> str:
    return tr(
        "Column “{name}” has numbers that are too large or too close together to compare (beyond 1e150, or"
        " all within 1e-140); use another unit, or make it categorical."
    ).format(name=name)
