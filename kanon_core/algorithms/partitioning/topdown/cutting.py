"""The cutting pass of the top-down algorithm: groups by any columns, and the cuts that lead to them.

`TopDown` runs it over all quasi-identifiers; where few items are known (`known`), also over single values
alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kanon_core.algorithms.base import Run
from kanon_core.algorithms.partitioning.constraints import Constrained, protected, rule_of
from kanon_core.algorithms.partitioning.topdown.records import by_name, records_of
from kanon_core.base.words import later, tr
from kanon_core.covers.cover import Partition
from kanon_core.table.columns.columns import Column, Items
from kanon_core.table.table import Table

if TYPE_CHECKING:
    from kanon_core.algorithms.partitioning.topdown.clusters_kernels import Work

_WORK_PER_CALL = 300_000  # records and counts touched between two ticks
_CUTS_PER_TICK = 5_000
REGROUP = 4
"""When there are so many times as many clusters, records are reordered so that those of a cluster lie
together."""


class Cuts(NamedTuple):
    """Groups, ``order``: the records in the order of their groups, int64 (n), and the ``cuts`` in the order
    made (`clusters_kernels.Work`)."""

    groups: Partition
    order: np.ndarray
    cuts: np.ndarray


@dataclass(frozen=True)
class Cutting:
    """Limits on a pass over this table: the least size of a group, how many records it may suppress, whether
    numbers are cut at the ``midpoint`` (else the median), whether ties go to the ``first`` item by name, and
    what sensitive values must keep."""

    table: Table
    k: int
    most_suppressed: int
    midpoint: bool
    first: bool
    constraint: Constrained

    def cut(self, quasi: tuple[Column, ...], run: Run) -> Cuts:
        """The groups by these columns.

        Logs ``group`` (all records), then ``split`` or ``suppress`` for each cut, in the order made. Each
        names ``round``, ``column``, ``pivot`` (the item, or "" for other kinds), ``cluster`` and the ``new``
        one cut off it, ``size`` of the cluster before, the records cut off: ``part``, and whether these have
        the pivot: ``has``.
        """
        from kanon_core.algorithms.partitioning.topdown import topdown_kernels as kernels
        from kanon_core.algorithms.partitioning.topdown.clusters_kernels import (
            CLUSTERS,
            CUTS,
            ROUND,
            Limits,
            new_work,
            regroup,
        )

        run.tick(0.0, tr("reading the records"))
        sensitive = protected(self.table, self.constraint)
        records, columns = records_of(quasi, sensitive)
        rule = rule_of(sensitive, self.constraint)
        limits = Limits(self.k, self.most_suppressed, self.midpoint, self.first, rule)
        work = new_work(records, self.k, limits.suppressed)
        run.tick(0.0, "counting")
        done, due = False, REGROUP
        while not done:
            done = kernels.specialize(records, work, limits, _WORK_PER_CALL)
            if work.made[CLUSTERS] >= due:
                records, due = regroup(records, work), due * REGROUP
            share = min(1.0, work.made[CLUSTERS] * self.k / len(self.table))
            run.tick(share, tr("round {number}").format(number=work.made[ROUND]))
        work = work._replace(order=records.record[work.order].astype(np.int64))
        if run.log is not None:
            _write(run, columns, work, records.first, records.singles)
        run.report[later("rounds")] = float(work.made[ROUND])
        made = work.made[CLUSTERS]
        labels = labels_of(work.order, work.start[:made], work.end[:made])
        return Cuts(Partition(labels), work.order, work.cuts[: work.made[CUTS]])


def labels_of(order: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """int64 (n): which of the runs ``order[start[i]:end[i]]`` each record is in, −1 = in none."""
    labels, sizes = np.full(len(order), -1), end - start
    places = np.repeat(start - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
    labels[order[places]] = np.repeat(np.arange(len(start)), sizes)
    return labels


def _write(run: Run, columns: tuple[Column, ...], work: Work, first: np.ndarray, singles: int) -> None:
    """The cuts as events. However a part is cut later, it stays a run of the order, where it is read at the
    end."""
    from kanon_core.algorithms.partitioning.topdown.clusters_kernels import CUTS

    assert run.log is not None
    cuts = work.cuts[: work.made[CUTS]]
    pivots, has = [""] * len(cuts), np.zeros(len(cuts), bool)
    sets = [column for column in columns if isinstance(column, Items)]
    for i, column in enumerate(sets):
        at = np.flatnonzero(cuts[:, 1] == len(columns) - len(sets) + i)
        codes = by_name(column)[cuts[at, 2] - first[singles + i]]
        has[at] = _held(column, work.order[cuts[at, 6]], codes)
        for place, code in zip(at.tolist(), codes.tolist(), strict=True):
            pivots[place] = column.labels[code]
    names, held = [column.attribute.name for column in columns], has.tolist()
    run.log.write("group", members=np.sort(work.order))
    for i, (round_, attribute, _, cluster, new, start, middle, end) in enumerate(cuts.tolist()):
        if i % _CUTS_PER_TICK == 0:
            run.tick(1.0, tr("writing down the cuts"))
        run.log.write(
            "suppress" if new < 0 else "split",
            round=round_,
            column=names[attribute],
            pivot=pivots[i],
            has=held[i],
            cluster=cluster,
            new=new,
            size=end - start,
            part=np.sort(work.order[middle:end]),
        )


def _held(column: Items, records: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Booleans: record ``records[i]`` has the item ``codes[i]``."""
    sizes = column.sizes[records]
    owner = np.repeat(np.arange(len(records)), sizes)
    shift = column.starts[records] - np.cumsum(sizes) + sizes
    found = column.items[shift[owner] + np.arange(len(owner))] == codes[owner]
    return np.bincount(owner, found, len(records)) > 0
