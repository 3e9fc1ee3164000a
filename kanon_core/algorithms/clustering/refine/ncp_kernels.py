"""Local search that lowers the normalized certainty penalty (NCP) of a partition of mixed records.

It applies MIL's principle, to accept a change only if it lowers the loss, to the loss of generalization. The
steps of a search take a few hundredths of a second each and depend on the inputs alone:

1. equal records become cells, and a k-d tree finds every cell's nearest cells;
2. groups grow greedily from the densest cells on, and replace the given groups if they cost less;
3. records move to nearby groups or swap with records of them, and groups are dissolved, while that helps;
4. randomly chosen neighborhoods of a few groups are formed again until none improves;
5. every record that may leave its group is tried in all groups; back to 3 if one moves.
"""

import math
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np

from kanon_core.algorithms.base import check_sizes
from kanon_core.algorithms.clustering.refine.ncp_build_kernels import Growth, rebuild, start, survey
from kanon_core.algorithms.clustering.refine.ncp_groups_kernels import Groups, Records, fill, new_groups
from kanon_core.algorithms.clustering.refine.ncp_moves_kernels import (
    Clock,
    Nearby,
    dissolve,
    loss,
    polish,
    sweep,
)
from kanon_core.algorithms.clustering.refine.ncp_near_kernels import cell_hashes, grow, new_tree
from kanon_core.base.anytime import Limits, drive
from kanon_core.base.compiled import by_reference, kernel
from kanon_core.base.words import tr
from kanon_core.covers.cover import Partition
from kanon_core.distances.mixed import UnitColumns

NEAREST = 24  # cells examined around a record
LARGE = 250  # above this k neighborhoods are not rebuilt: one would take too long between two ticks
WORTH = 0.03  # share of the loss that a round of moves must save for another round before rebuilding
WORK = 30_000  # groups tried in one step
FILL, SWEEP, DISSOLVE, REBUILD, POLISH = range(5)


def search(
    columns: UnitColumns, labels: np.ndarray, k: int, seed: int, limits: Limits
) -> tuple[np.ndarray, int, float, float]:
    """See `refine_ncp`."""
    check_sizes(labels, k)
    kept = np.flatnonzero(labels >= 0)
    result = np.full(labels.size, -1, np.int64)
    if not kept.size:
        return result, drive(iter(()), limits), 0.0, 0.0
    records = _subset(_records(columns), kept)
    given = Partition(labels[kept]).groups.copy()
    hunt = _Search(records, given, k, seed)
    done = drive(hunt.improve(), limits, load, hunt.prepare())
    before, after = _loss(records, given), _loss(records, hunt.labels())
    result[kept] = Partition(_cut_up(hunt.labels() if after <= before else given, k)).groups
    return result, done, before, _loss(records, result[kept])


@cache
def load() -> None:
    """Call every kernel of the search once."""
    values = np.arange(12.0)[:, None]
    codes, one = np.arange(12, dtype=np.int32)[:, None] % 3, np.ones(1)
    columns = UnitColumns(values / 11, one, codes, np.array([3]), one)
    search(columns, np.arange(12) // 3, 3, 0, Limits())


class _Search:
    """State of one search. Records are renumbered so that neighbors in the tree are neighbors in memory."""

    groups: Groups

    def __init__(self, records: Records, labels: np.ndarray, k: int, seed: int) -> None:
        self.records = records
        self.k = k
        self.given = labels
        self.started = False
        self.place = np.arange(labels.size)  # record number → position in the tree's order
        self.dice = np.array([seed], np.int64)

    def labels(self) -> np.ndarray:
        """Return the best groups so far."""
        return self.groups.label[self.place] if self.started else self.given

    def prepare(self) -> Iterator[str]:
        """Find equal records and the nearest neighbors."""
        yield from self._find_cells()
        yield from self._find_neighbors()

    def improve(self) -> Iterator[str]:
        """Grow groups, and improve them until no change helps."""
        yield from self._start()
        yield from self._descend(WORTH)
        saved = math.inf
        while saved > 0:
            yield from self._rebuild()
            yield from self._descend(0.0)
            saved = 0.0
            at = 0
            while at < self.place.size:
                at, gain = step(self.state, POLISH, at, self.k, WORK * 10)
                saved += gain
                yield tr("checking every move")

    def _find_cells(self) -> Iterator[str]:
        by = np.argsort(cell_hashes(self.records), kind="stable")
        yield tr("finding equal records")
        ordered = _subset(self.records, by)
        same = (ordered.numeric[1:] == ordered.numeric[:-1]).all(1) & (
            ordered.values[1:] == ordered.values[:-1]
        ).all(1)
        cell = np.concatenate(([0], np.cumsum(~same)))
        points = _subset(ordered, np.flatnonzero(np.concatenate(([True], ~same))))
        yield tr("finding equal records")
        tree = new_tree(points)
        often = np.zeros(_value_count(points), np.int64)
        while not grow(tree, often, 10 * WORK):
            yield tr("building the search tree")
        rank = np.empty(cell[-1] + 1, np.int64)
        rank[tree.order] = np.arange(rank.size)
        inner = np.argsort(rank[cell], kind="stable")
        order = by[inner]
        self.place[order] = np.arange(order.size)
        self.records, self.points = _subset(self.records, order), _subset(points, tree.order)
        self.tree = tree._replace(points=self.points)
        self.weight = np.bincount(rank[cell])
        self.cell = rank[cell][inner]
        self.order = order
        yield tr("building the search tree")

    def _find_neighbors(self) -> Iterator[str]:
        nodes, cells = self.tree.state[0], self.weight.size
        first = np.concatenate(([0], np.cumsum(self.weight)))
        self.tree.alive[:nodes] = first[self.tree.end[:nodes]] - first[self.tree.start[:nodes]]
        near = np.full((cells, min(NEAREST, max(1, cells - 1))), -1, np.int64)
        self.nearby = Nearby(self.points, self.cell, first, near, np.zeros(cells))
        at = 0
        while at < cells:
            at = survey(self.tree, self.nearby, self.weight, at, self.k, WORK // 30)
            yield tr("finding neighbors")

    def _start(self) -> Iterator[str]:
        n, k = self.place.size, self.k
        leaf = np.zeros(self.weight.size, np.int64)
        for node in np.flatnonzero(self.tree.left[: self.tree.state[0]] < 0):
            leaf[self.tree.start[node] : self.tree.end[node]] = node
        seeds = np.argsort(self.nearby.radius, kind="stable")
        labels, state = np.full(n, -1, np.int64), np.zeros(2, np.int64)
        holds = np.full(_value_count(self.points), -1, np.int64)
        growth = Growth(leaf, self.weight.copy(), seeds, holds, labels, state)
        while not start(self.tree, self.nearby, growth, k, 10 * WORK):
            yield tr("forming groups")
        labels[labels < 0] = max(0, state[1] - 1)
        given = self.given[self.order]
        yield tr("forming groups")
        best = min(given, labels, key=lambda groups: _loss(self.records, groups))
        yield from self._fill(_cut_up(best, k))

    def _fill(self, labels: np.ndarray) -> Iterator[str]:
        n = labels.size
        self.groups = new_groups(self.records, max(1, n // self.k))
        m = self.groups.size.size
        zeros = [np.zeros(size, np.int64) for size in (1, m, m)]
        clock = Clock(zeros[0], zeros[1], np.full(n, -1, np.int64), zeros[2])
        self.state = Search(self.groups, self.nearby, clock, labels, np.zeros(m + 1, np.int64), self.dice)
        at = 0
        while at < n:
            at, _ = step(self.state, FILL, at, self.k, WORK)
            yield tr("forming groups")
        self.started = True
        yield tr("forming groups")

    def _descend(self, worth: float) -> Iterator[str]:
        """Move, exchange and dissolve until a round saves no more than the share `worth` of the loss."""
        saved = math.inf
        while saved > worth * (self.groups.size * self.groups.penalty).sum():
            saved, at = 0.0, 0
            for task, end in ((SWEEP, self.place.size), (DISSOLVE, self.groups.size.size)):
                at = 0
                while at < end:
                    at, gain = step(self.state, task, at, self.k, WORK)
                    saved += gain
                    yield tr("moving and exchanging records")

    def _rebuild(self) -> Iterator[str]:
        count = int((self.groups.size > 0).sum())
        empty = np.flatnonzero(self.groups.size == 0)
        spare = self.state.spare
        spare[0], spare[1 : 1 + empty.size] = empty.size, empty
        idle = 0
        while count > 1 and self.k <= LARGE and idle < 4 * count:
            tries, wins = step(self.state, REBUILD, 0, self.k, WORK)
            idle = 0 if wins else idle + tries
            yield tr("forming groups again")


def _records(columns: UnitColumns) -> Records:
    weights = np.concatenate([columns.numeric_weights, columns.code_weights])
    p, share = columns.numeric.shape[1], weights / (np.sum(weights) or 1.0)
    domains = np.asarray(columns.domains, np.int64)
    values = columns.codes.astype(np.int64) + np.concatenate(([0], np.cumsum(domains)))[:-1]
    known = np.where(np.isnan(columns.numeric), -1.0, columns.numeric)
    step = share[p:] * (domains > 1) / np.maximum(domains - 1, 1)
    return Records(np.ascontiguousarray(known), values, share[:p], step)


def _subset(records: Records, rows: np.ndarray) -> Records:
    return Records(records.numeric[rows], records.values[rows], records.width, records.step)


def _value_count(records: Records) -> int:
    return int(records.values.max()) + 1 if records.values.size else 1


def _cut_up(labels: np.ndarray, k: int) -> np.ndarray:
    """Cut groups of 2k or more records into runs of k, the last one k to 2k-1."""
    by = np.argsort(labels, kind="stable")
    _, first, sizes = np.unique(labels[by], return_index=True, return_counts=True)
    within = np.arange(labels.size) - np.repeat(first, sizes)
    piece = np.minimum(within // k, np.repeat(sizes // k, sizes) - 1)
    out = np.empty(labels.size, np.int64)
    out[by] = np.cumsum(np.concatenate(([0], (np.diff(labels[by]) != 0) | (np.diff(piece) != 0))))
    return out


def _loss(records: Records, labels: np.ndarray) -> float:
    """Return the NCP of the groups, 0..1."""
    by = np.argsort(labels, kind="stable")
    starts = np.flatnonzero(np.diff(labels[by], prepend=-1, append=labels.size))
    return float(loss(records, by, starts, np.full(_value_count(records), -1))) / max(1, labels.size)


@by_reference
class Search(NamedTuple):
    """State of a search: labels (n,), the initial groups; spare: empty groups, spare[0] their number; dice
    (1,): the state of its random numbers."""

    groups: Groups
    nearby: Nearby
    clock: Clock
    labels: np.ndarray
    spare: np.ndarray
    dice: np.ndarray


@kernel
def step(search: Search, task: int, at: int, k: int, work: int) -> tuple[int, float]:
    """Do about `work` of a task; return where to continue and the saving, for REBUILD tries and successes."""
    groups, nearby, clock = search.groups, search.nearby, search.clock
    if task == FILL:
        return fill(groups, search.labels, at, work), 0.0
    if task == SWEEP:
        return sweep(groups, nearby, clock, at, k, work)
    if task == DISSOLVE:
        return dissolve(groups, nearby, clock, at, k, work)
    if task == REBUILD:
        tries, wins = rebuild(groups, nearby, clock, search.spare, search.dice, k, work)
        return tries, float(wins)
    return polish(groups, clock, at, k, work)
