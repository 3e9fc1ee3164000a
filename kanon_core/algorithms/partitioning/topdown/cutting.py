"""The cutting pass of the top-down algorithm: groups by some columns, and the cuts that lead to them.

`TopDown` runs it over all quasi-identifiers and, with known items (`known`), also over single values alone.
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

_WORK_PER_CALL = 300_000  # records and counts visited between two ticks
_CUTS_PER_TICK = 5_000
REGROUP = 4
"""Growth of the number of clusters after which records are sorted by cluster."""


class Cuts(NamedTuple):
    """Groups; ``order``: the records sorted by group, int64 (n); ``cuts`` in order
    (`clusters_kernels.Work`)."""

    groups: Partition
    order: np.ndarray
    cuts: np.ndarray


@dataclass(frozen=True)
class Cutting:
    """Limits on a pass over this table: the least size of a group, the most records to suppress, whether
    numbers are cut at the ``midpoint`` instead of the median, whether ties go to the ``first`` item by name,
    and the constraint on sensitive values."""

    table: Table
    k: int
    most_suppressed: int
    midpoint: bool
    first: bool
    constraint: Constrained

    def cut(self, quasi: tuple[Column, ...], run: Run) -> Cuts:
        """Return the groups by these columns.

        Logs ``group`` (all records), then ``split`` or ``suppress`` for each cut, in order: ``round``,
        ``column``, ``pivot`` (the item, or "" for other kinds), ``cluster``, the ``new`` cluster cut off,
        ``size`` of the cluster before, ``part``: the records cut off, and ``has``: whether these have the
        pivot.
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
        run.tick(0.0, tr("reading the records"))
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
    """Return the run ``order[start[i]:end[i]]`` of each record, int64 (n); −1 = none."""
    labels, sizes = np.full(len(order), -1), end - start
    places = np.repeat(start - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
    labels[order[places]] = np.repeat(np.arange(len(start)), sizes)
    return labels


def _write(run: Run, columns: tuple[Column, ...], work: Work, first: np.ndarray, singles: int) -> None:
    """Log the cuts as events. A part stays a run of the order even if it is cut later, so it is read at the
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
            run.tick(1.0, tr("logging the cuts"))
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
    """Return whether record ``records[i]`` has the item ``codes[i]``, booleans."""
    sizes = column.sizes[records]
    owner = np.repeat(np.arange(len(records)), sizes)
    shift = column.starts[records] - np.cumsum(sizes) + sizes
    found = column.items[shift[owner] + np.arange(len(owner))] == codes[owner]
    return np.bincount(owner, found, len(records)) > 0
