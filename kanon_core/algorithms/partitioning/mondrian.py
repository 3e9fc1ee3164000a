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
    """Start with all records; cut a part in two while both parts keep k records; parts that cannot be cut are
    groups.

    A part's extent in an attribute is its NCP there: interval / range of the column, (distinct values − 1) /
    (domain − 1), times the attribute's weight. ``cut="median"``: the attribute of the largest extent is cut
    at the median; where that would leave fewer than k records on a side, the next largest, and so on.
    ``cut="gain"``: every allowed cut of every attribute is priced, and the one that leaves the least NCP is
    made. Strict: records of equal value stay together. Relaxed: records with the value at the cut may be
    divided (numbers only), so that halves are balanced.

    When to use: fast on any table, whatever the number of records; groups are boxes, easy to explain. Gain
    loses less, median is the published algorithm. Start of `Refine` with NCP.

    A cut after which a side's sensitive values would break ℓ or t is not made (`constraints`).

    Cost: O(n log n · attributes) for median, times the attributes again for gain. Of a large table strict
    cuts at the median count equal records once, where these are many: n is then the number of different ones.

    Departures from the paper: categories without an order or hierarchy are cut into two sets of values, the
    most frequent values of the part against the others, always whole values. Of the two cuts beside the
    median value the one nearer to the middle is taken, if allowed. Missing numbers are a value of their own:
    a part that mixes them with others has extent 1, and they are set apart first. Extents are those of the
    part's records, not of the cut region. The gain is our addition; it prefers cuts that leave 1/16 of the
    records on each side, and judges parts of more than 32,768 records by an evenly spaced sample.

    Reference: K. LeFevre, D. J. DeWitt, R. Ramakrishnan, Mondrian multidimensional k-anonymity, ICDE 2006;
    NCP: ILD paper, §2.4.3.
    """

    title: ClassVar[str] = "Mondrian"
    family: ClassVar[str] = "partitioning"
    summary: ClassVar[str] = "Cuts the table in two again and again: fast, for tables of any size and kind."

    strict: Annotated[bool, Flag(help="keep records of equal value together")] = True
    cut: Annotated[
        str,
        Choice(
            {"median": "widest attribute, at its median", "gain": "the cut that leaves the least loss"},
            help="which cut is made",
        ),
    ] = "median"
    protect: Protect = ()
    diversity: constraints.Diversity = 1.0
    entropy: constraints.Entropy = False
    closeness: constraints.Closeness = 1.0

    @property
    def by_exact_cuts(self) -> bool:
        """Strict cuts at the median depend on the records of a part alone."""
        return self.strict and self.cut == "median"

    def guarantees(self, k: int) -> Guarantees:
        """k-anonymity, and ℓ-diversity and t-closeness where they are asked for."""
        return (KAnonymity(k), *constraints.sensitive_guarantees(self))

    def unsuitable(self, table: Table, k: int) -> list[str]:
        """Return reasons also where columns to protect cannot be protected."""
        return super().unsuitable(table, k) + constraints.misnamed(table, self)

    def cover(self, table: Table, k: int, run: Run) -> Partition:
        """The groups; logs each ``cut`` (column, left and right records), then each ``group``, and before
        either the ``part`` and what was ``tried`` (`kanon_core.algorithms.partitioning.attempts`)."""
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
            run.tick(float((closed[:, 1] - closed[:, 0]).sum()) / len(numbers), "cutting")
        labels = np.empty(len(numbers), np.int64)
        begins = np.zeros(len(numbers), np.int64)
        begins[closed[:, 0]] = 1
        labels[work.order] = np.cumsum(begins) - 1
        if run.log is not None:
            numeric_first = sorted(table.quasi, key=lambda column: not isinstance(column, Numbers))
            names = [column.attribute.name for column in numeric_first]
            write(run, names, records, work, new_work(len(table), values, k), limits)
        return Partition(labels if once is None else labels[once.of])
