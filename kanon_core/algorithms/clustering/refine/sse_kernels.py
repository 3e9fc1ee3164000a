"""The search of `refine_sse`: rounds of regions, blocks of large tables, and a final check of all single
changes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from kanon_core.algorithms.base import check_sizes
from kanon_core.algorithms.clustering.refine.anneal_kernels import LEVELS, QUANTILES, anneal, cooled
from kanon_core.algorithms.clustering.refine.region_kernels import (
    Points,
    least_gaps,
    open_region,
    partition_sse,
    region_loss,
    scan,
    squared_distances,
)
from kanon_core.algorithms.clustering.refine.settle_kernels import lay_out, settle
from kanon_core.base.anytime import Limits, drive
from kanon_core.base.random_kernels import generator, pick, shuffle
from kanon_core.base.words import later, tr
from kanon_core.covers.cover import Partition

NOTE = later("forming groups again")

BLOCK = 2048
"""Records of the largest block, the part of the table from which a region is taken."""
REGIONS = ((120, 20), (80, 12), (180, 16))
LARGEST_REGION = 1200
"""Records and groups of a region, by round: it has that many records, or the records of that many groups."""
LARGEST_K = 200
LARGEST_SETTLED = 1000
"""Largest k for which regions are regrouped, and for which single records move and swap: one step must not
take too long."""
ROUNDS = ((40, 0.1), (100, 0.2), (200, 0.5), (500, 1.0), (1250, 1.0), (3125, 1.0))
"""Proposals per record, and first temperature in units of the region's loss per record, of the first
rounds."""
GROWTH = 1.05
"""Factor between the proposals per record of later rounds."""
PATIENCE = 40
"""Rounds without a gain after which the search ends; they take longer than all rounds before."""
TRIFLE = 0.02
"""Largest accepted rise of a region's loss, in units of its loss per record, times an exponential
quantile."""
WORK = 8_000_000
"""Proposals × records of the region in one step: a few milliseconds."""
CHECKS = 300_000
"""Records examined in one step of the final check: a few milliseconds."""


def search(
    points: tuple[np.ndarray, ...], labels: np.ndarray, k: int, seed: int, limits: Limits
) -> tuple[np.ndarray, int, float, float]:
    """See `refine_sse`."""
    check_sizes(labels, k)
    inside = np.flatnonzero(labels >= 0)
    result = np.full(len(labels), -1)
    if not len(inside):
        return result, drive(iter(()), limits), 0.0, 0.0
    numeric, codes, weights = points
    points = Points(
        np.ascontiguousarray(numeric[inside], np.float64),
        np.ascontiguousarray(codes[inside], np.int32),
        np.ascontiguousarray(weights, np.float64),
    )
    start = canonical(labels[inside])
    before = partition_sse(points, start, np.argsort(start, kind="stable"))
    found = Search(points, start, k, seed)
    steps = drive(found.work(), limits, load)
    best = canonical(found.best)
    after = partition_sse(points, best, np.argsort(best, kind="stable"))
    result[inside] = best
    # The same groups, summed in another order, may differ by rounding.
    return result, steps, before, min(before, after)


@cache
def load() -> None:
    """Call every kernel of the search once."""
    numeric = np.arange(12.0)[:, None]
    found = Search(Points(numeric, np.zeros((12, 1), np.int32), np.ones(1)), np.arange(12) // 6, 3, 0)
    next(found.work())
    for _ in found.settle():
        pass


def canonical(labels: np.ndarray) -> np.ndarray:
    """Return the same groups, numbered 0, 1, … in order of first occurrence."""
    return Partition(labels).groups.copy()


class Search:
    """The current partition and the best so far; `work` improves them in bounded steps."""

    def __init__(self, points: Points, labels: np.ndarray, k: int, seed: int) -> None:
        self.points, self.k = points, k
        self.random = generator(seed)
        self.labels = labels.copy()
        self.free = list(range(labels.max() + 1, len(labels) // k))
        """Unused group numbers below n // k, the largest possible number of groups."""
        for group in np.flatnonzero(np.bincount(labels) >= 2 * k):
            self.cut(np.flatnonzero(labels == group))
        self.best = self.labels.copy()
        self.change = self.lowest = 0.0

    def cut(self, records: np.ndarray) -> None:
        """Halve a group until no part has 2k records or more."""
        if len(records) < 2 * self.k:
            return
        far = records[np.argmax(scan(self.points, records[0], records))]
        other = records[np.argmax(scan(self.points, far, records))]
        one, two = self.halves(records, records, far, other)
        self.labels[two] = self.free.pop()
        self.cut(one)
        self.cut(two)

    def halves(self, items: np.ndarray, records: np.ndarray, u: int, v: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the half of the items whose records are nearer to u than to v, and the other half."""
        nearer = scan(self.points, u, records) - scan(self.points, v, records)
        items = items[np.argsort(nearer, kind="stable")]
        return items[: len(items) // 2], items[len(items) // 2 :]

    def work(self) -> Iterator[str]:
        """Run rounds until `PATIENCE` of them gain nothing, then check every move and swap."""
        turn = idle = 0
        effort = heat = 0.0
        while idle < PATIENCE and self.k <= LARGEST_K and len(self.labels) >= 2 * self.k:
            if turn < len(ROUNDS):
                effort, heat = ROUNDS[turn]
            else:
                effort *= GROWTH
            records, groups = REGIONS[turn % len(REGIONS)]
            size = max(records, min(groups * self.k, LARGEST_REGION))
            lowest = self.lowest
            for block in self.blocks():
                yield from self.cover(block, size, int(effort), heat)
            idle = 0 if self.lowest < lowest else idle + 1
            turn += 1
        if self.k <= LARGEST_SETTLED:
            yield from self.settle()

    def blocks(self) -> list[np.ndarray]:
        """Return the records, ascending, divided into parts of whole groups by random pairs of records."""
        names, first, group, size = np.unique(
            self.labels, return_index=True, return_inverse=True, return_counts=True
        )
        part = np.zeros(len(names), np.int64)
        todo, made = [np.arange(len(names))], 0
        while todo:
            groups = todo.pop()
            if size[groups].sum() <= BLOCK or len(groups) < 4:
                part[groups] = made
                made += 1
            else:
                u, v = (first[groups[pick(self.random, len(groups))]] for _ in range(2))
                todo += self.halves(groups, first[groups], u, v)
        part = part[group]
        return np.split(np.argsort(part, kind="stable"), np.cumsum(np.bincount(part))[:-1])

    def cover(self, block: np.ndarray, size: int, effort: int, heat: float) -> Iterator[str]:
        """Regroup regions of the block until each of its records was in one."""
        waiting = np.zeros(len(self.labels), bool)
        waiting[block] = True
        for center in shuffle(block, self.random):
            if waiting[center]:
                records = self.region(center, block, size)
                waiting[records] = False
                yield from self.regroup(records, effort, heat)

    def region(self, center: int, block: np.ndarray, size: int) -> np.ndarray:
        """Return about ``size`` records: the groups nearest to the center, by their nearest record."""
        names, group = np.unique(self.labels[block], return_inverse=True)
        gaps, sizes = least_gaps(scan(self.points, center, block), group, len(names))
        order = np.argsort(gaps, kind="stable")
        taken = np.zeros(len(names), bool)
        taken[order[: np.searchsorted(np.cumsum(sizes[order]), size) + 1]] = True
        return block[taken[group]]

    def regroup(self, records: np.ndarray, effort: int, heat: float) -> Iterator[str]:
        """Anneal the region of these records with ``effort`` proposals per record; keep a better result."""
        names, group = np.unique(self.labels[records], return_inverse=True)
        r, groups = len(records), len(records) // self.k
        gaps = squared_distances(self.points, records)
        before = region_loss(gaps, group, groups)
        region = open_region(gaps, group, groups, self.k, min(max(20, min(2 * self.k, LARGEST_K)), r - 1))
        temperatures, proposals, per_step = cooled(heat * before / r, effort * r, WORK // r)
        for at in range(0, len(temperatures), per_step):
            if at > 0:
                yield tr(NOTE)
            anneal(region, self.k, temperatures[at : at + per_step], proposals, QUANTILES, self.random)
        change = region_loss(gaps, group, groups) - before
        trifle = TRIFLE * before / r * QUANTILES[pick(self.random, LEVELS)]
        if change < trifle and abs(change) > 1e-12 * before:
            self.replace(records, names, group, change)
        yield tr(NOTE)

    def replace(self, records: np.ndarray, names: np.ndarray, group: np.ndarray, change: float) -> None:
        """Assign the records to their new groups, and store the partition if it is the best so far."""
        used = np.unique(group)
        self.free += names[len(used) :].tolist()
        while len(names) < len(used):
            names = np.append(names, self.free.pop())
        self.labels[records] = names[np.searchsorted(used, group)]
        self.change += change
        if self.change < self.lowest:
            self.lowest = self.change
            self.best = self.labels.copy()

    def settle(self) -> Iterator[str]:
        """Move and swap single records of the best partition until none lowers the loss."""
        self.best = canonical(self.best)
        groups = lay_out(self.points, self.best, self.k)
        cursor = np.array([0, 1, 0, 0])
        settled = False
        while not settled:
            settled = settle(groups, self.k, cursor, CHECKS)
            yield tr(NOTE)
