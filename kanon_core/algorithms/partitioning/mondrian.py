"""Mondrian: cut the table in two as long as both parts keep k records."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.algorithms.base import Algorithm, Run
from kanon_core.algorithms.partitioning import constraints
from kanon_core.algorithms.partitioning.attempts import write
from kanon_core.algorithms.partitioning.equals import different
from kanon_core.base.kinds import Choice, Flag
from kanon_core.base.words import tr
from kanon_core.covers.cover import Partition
from kanon_core.distances.mixed import unit_columns_of
from kanon_core.guarantees import Guarantees, KAnonymity
from kanon_core.guarantees.attributes.sensitive import Protect
from kanon_core.table.columns.columns import Numbers
from kanon_core.table.table import Table

_WORK_PER_CALL = 200_000  # records touched between two ticks


@dataclass(frozen=True)
class Mondrian(Algorithm):
    """Start with all records; cut a part in two while both sides keep k records; parts that cannot be cut are
    groups.

    A part's extent in an attribute is its NCP there: interval / range of the column, (distinct values − 1) /
    (domain − 1), times the attribute's weight. ``cut="median"``: cut the attribute of the largest extent at
    the median; if a side would have fewer than k records, the next largest, and so on. ``cut="gain"``: make
    the allowed cut, among all attributes, that leaves the least NCP. Strict: equal values stay together.
    Relaxed: records with the value at the cut may be divided (numbers only), which balances the sides.

    When to use: fast on tables of any size; groups are boxes, easy to explain. Gain loses less, median is the
    published algorithm. Start of `Refine` with NCP.

    A cut is not made if the sensitive values of a side would violate ℓ or t (`constraints`).

    Cost: O(n log n · attributes) for median, times the attributes again for gain. In a large table with many
    equal records, strict median cuts process each distinct record once: n is then their number.

    Departures from the paper: categories without an order or hierarchy are cut into two sets of values, the
    most frequent values of the part and the others. Of the two cuts beside the median value, the one nearer
    to the middle is made, if allowed. Missing numbers are a separate value: a part that mixes them with
    others has extent 1, and they are cut off first. Extents are those of the part's records, not of the cut
    region. The gain is our addition; it prefers cuts that leave 1/16 of the records on each side, and judges
    parts of more than 32,768 records by an evenly spaced sample.

    Reference: K. LeFevre, D. J. DeWitt, R. Ramakrishnan, Mondrian multidimensional k-anonymity, ICDE 2006;
    NCP: ILD paper, §2.4.3.
    """

    title: ClassVar[str] = "Mondrian"
    family: ClassVar[str] = "partitioning"
    summary: ClassVar[str] = (
        "Cuts the table in two repeatedly: fast, for tables of any size, without item sets."
    )

    strict: Annotated[bool, Flag(help="keep records with equal values together")] = True
    cut: Annotated[
        str,
        Choice(
            {"median": "the widest column, at its median", "gain": "the cut that leaves the least loss"},
            help="choice of the next cut",
        ),
    ] = "median"
    protect: Protect = ()
    diversity: constraints.Diversity = 1.0
    entropy: constraints.Entropy = False
    closeness: constraints.Closeness = 1.0

    @property
    def by_exact_cuts(self) -> bool:
        """True for strict cuts at the median, which depend on the records of a part alone."""
        return self.strict and self.cut == "median"

    def guarantees(self, k: int) -> Guarantees:
        """Return k-anonymity, and ℓ-diversity and t-closeness if required."""
        return (KAnonymity(k), *constraints.sensitive_guarantees(self))

    def unsuitable(self, table: Table, k: int) -> list[str]:
        """Return reasons also for columns that cannot be protected."""
        return super().unsuitable(table, k) + constraints.misnamed(table, self)

    def cover(self, table: Table, k: int, run: Run) -> Partition:
        """Return the groups; log each ``cut`` (column, left and right records), then each ``group``, and
        before each its ``part`` and the cuts ``tried`` (`kanon_core.algorithms.partitioning.attempts`)."""
        from kanon_core.algorithms.partitioning import mondrian_kernels as kernels
        from kanon_core.algorithms.partitioning.mondrian_cuts_kernels import new_records, new_work

        unit, sensitive = unit_columns_of(table), constraints.protected(table, self)
        run.tick(0.0, tr("reading the records"))
        rule = constraints.rule_of(sensitive, self)
        limits = kernels.Limits(k, self.strict, self.cut == "gain", rule)
        numbers, once = constraints.numbered(sensitive, len(table)), None
        if self.by_exact_cuts and run.log is None:
            columns = (*unit.numeric.T, *unit.codes.T, *numbers.T)
            protected = [column.name for column in sensitive]
            once = table.once(f"different:{protected}", lambda: different(columns))
        if once is not None:
            unit = replace(unit, numeric=unit.numeric[once.first], codes=unit.codes[once.first])
            numbers = numbers[once.first]
        records, values = new_records(unit, numbers, None if once is None else once.counts)
        work = new_work(len(numbers), values, k, len(table))
        done = False
        while not done:
            done = kernels.cut_parts(records, work, limits, _WORK_PER_CALL)
            closed = work.done[: work.made[1]]
            run.tick(float((closed[:, 1] - closed[:, 0]).sum()) / len(numbers), tr("cutting the table"))
        labels = np.empty(len(numbers), np.int64)
        begins = np.zeros(len(numbers), np.int64)
        begins[closed[:, 0]] = 1
        labels[work.order] = np.cumsum(begins) - 1
        if run.log is not None:
            numeric_first = sorted(table.quasi, key=lambda column: not isinstance(column, Numbers))
            names = [column.attribute.name for column in numeric_first]
            write(run, names, records, work, new_work(len(table), values, k), limits)
        return Partition(labels if once is None else labels[once.of])
