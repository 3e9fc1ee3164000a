"""Optimal microaggregation of one numeric attribute: no partition has less loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kanon_core.algorithms.base import Algorithm, Log, Run
from kanon_core.base.errors import UnsuitableError
from kanon_core.base.progress import Tick, silent, stage
from kanon_core.base.words import later, tr
from kanon_core.covers.cover import Partition
from kanon_core.distances.chosen import distance_of
from kanon_core.distances.mixed import coordinates_of, points_of
from kanon_core.table.columns.columns import Numbers
from kanon_core.table.table import Table

_ENDS_PER_CALL = 1 << 20


@dataclass(frozen=True)
class OptimalUnivariate(Algorithm):
    """The partition of least SSE of one numeric attribute into groups of at least k.

    Some optimal partition cuts the sorted records into runs of k … 2k − 1, so the least loss of the first j
    records is F(j) = min over k ≤ s ≤ 2k − 1 of F(j − s) + SSE(the last s of them), F(0) = 0; the best sizes
    are read back from the end. Equal values keep record order; among equally good last groups the smallest is
    chosen.

    When to use: always, for one number. Exact up to rounding: losses are sums of squares about local means,
    so a large offset or outliers do not reduce precision. Cost: sorting, then O(n log k); 24 bytes per
    record.

    Reference: S. Hansen, S. Mukherjee, IEEE Transactions on Knowledge and Data Engineering 15(4), 2003; ends
    found k at a time: F. Stamm, M. Schaub, Transactions on Machine Learning Research, 2024.
    """

    title: ClassVar[str] = "Optimal, one number"
    family: ClassVar[str] = "clustering"
    summary: ClassVar[str] = "Finds the groups of least loss when the only quasi-identifier is a number."

    def cover(self, table: Table, k: int, run: Run) -> Partition:
        """Return the optimal groups; report their number; log the ``path`` (`optimal_groups`), then each
        ``group``."""
        result = Partition(optimal_groups(points_of(table).numeric[:, 0], k, run.tick, run.log))
        run.report[later("groups")] = float(len(result.sizes))
        run.write_groups(result)
        return result

    def unsuitable(self, table: Table, k: int) -> list[str]:
        """Return the reasons of every algorithm, and a reason unless there is exactly one number."""
        return super().unsuitable(table, k) + not_one_number(table)


def not_one_number(table: Table) -> list[str]:
    """Return a reason if the quasi-identifiers are not points on one number line; empty if they are."""
    if len(table.quasi) > 1:
        return [
            tr(
                "This algorithm needs a number or a date as the only quasi-identifier, but the table has"
                " {count:,} quasi-identifiers; give the others another role, or choose another algorithm."
            ).format(count=len(table.quasi))
        ]
    if table.quasi and not isinstance(table.quasi[0], Numbers):
        name = table.quasi[0].attribute.name
        return [
            tr(
                "Column “{name}” is {kind}, but this algorithm needs a number or a date; choose another"
                " algorithm."
            ).format(name=name, kind=table.quasi[0].attribute.kind)
        ]
    for name, own in coordinates_of(table).items():
        if own is not None:
            return [
                tr(
                    "Column “{name}” has the distance “{title}”, which is not a difference of numbers; choose"
                    " another distance for the column, or another algorithm."
                ).format(name=name, title=distance_of(table.schema[name]).title)
            ]
    points = points_of(table)
    if points.codes.shape[1]:
        name = points.codes_of[0]
        return [
            tr(
                "Column “{name}” has missing values, which this algorithm cannot sort; fill them in first, or"
                " choose another algorithm."
            ).format(name=name)
        ]
    return []


def optimal_groups(values: np.ndarray, k: int, tick: Tick = silent, log: Log | None = None) -> np.ndarray:
    """Return the labels, int32 (n), of the optimal groups of n ≥ k ≥ 1 finite values; 0, 1, … by value.

    Logs one event "path": order (n); sizes (n + 1), the size of the last group of the first j records on the
    best path; and losses (n + 1), the SSE of that path, infinite if there is none.
    """
    from kanon_core.algorithms.clustering import univariate_kernels as kernels

    values = np.ascontiguousarray(values, np.float64)
    ascending, order = sorted_with_order(values, stage(tick, 0, 0.4))
    largest = max(-ascending[0], ascending[-1])
    ascending *= 2.0 ** -max(np.frexp(largest)[1], -1000)  # so that squares neither overflow nor underflow
    n, pivot = len(values), k
    size = np.zeros(n + 1, np.int32)
    loss = np.full(2 * k, np.inf)
    loss[k] = 0.0
    while pivot <= n:
        tick(0.4 + 0.5 * pivot / n, tr("finding the best groups"))
        pivot = kernels.shortest_path(ascending, k, pivot, pivot + _ENDS_PER_CALL, loss, size)
    if log is not None:
        log.write("path", order=order, sizes=size, losses=_losses(values[order], size))
    tick(0.9, tr("forming groups"))
    labels = np.empty(n, np.int32)
    kernels.write_labels(size, order, labels)
    tick(1.0, tr("forming groups"))
    return labels


def _losses(ascending: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Return the SSE of the best path to each end, float64 (n + 1)."""
    losses = np.full(len(sizes), np.inf)
    losses[0] = 0.0
    for end in np.flatnonzero(sizes).tolist():
        last = ascending[end - sizes[end] : end]
        losses[end] = losses[end - sizes[end]] + float(((last - last.mean()) ** 2).sum())
    return losses


def sorted_with_order(values: np.ndarray, tick: Tick = silent) -> tuple[np.ndarray, np.ndarray]:
    """Return finite values in ascending order, float64 (n), and their record numbers, int64 (n); ties by
    number.

    Two plain sorts, of the values and of keys that hold the record number in their low bits, are several
    times faster than one indirect stable sort and give the same order.
    """
    from kanon_core.algorithms.clustering import univariate_kernels as kernels

    note = tr("sorting the records")
    tick(0.0, note)
    ascending = np.sort(values)
    if not np.isfinite(ascending[[0, -1]]).all():  # NaN sorts last
        raise UnsuitableError(
            tr(
                "The values of the quasi-identifier are too large to compare; divide them by a common factor"
                " first."
            )
        )
    tick(0.3, note)
    position_bits = max(1, (len(values) - 1).bit_length())
    keys = np.empty(len(values), np.uint64)
    dropped = kernels.position_keys(values, ascending[0], ascending[-1], position_bits, keys)
    tick(0.4, note)
    keys.sort()
    tick(0.7, note)
    keys &= np.uint64((1 << position_bits) - 1)
    order = keys.view(np.int64)
    if not kernels.repair_order(values, ascending, dropped, order):
        order = np.argsort(values, kind="stable")
    tick(1.0, note)
    return ascending, order
