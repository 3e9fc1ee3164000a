"""The search of `refine_sets`, step by step: paths, prices, then groups dissolved and formed again."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kanon_core.algorithms.partitioning.refine_sets.assign_kernels import FITS, UNSEEN, assign
from kanon_core.algorithms.partitioning.refine_sets.market_kernels import trade
from kanon_core.algorithms.partitioning.refine_sets.search_kernels import improve
from kanon_core.algorithms.partitioning.refine_sets.setup_kernels import (
    laid_out,
    new_baskets,
    new_state,
    new_store,
)
from kanon_core.algorithms.partitioning.refine_sets.state_kernels import SHOWN, STAMP
from kanon_core.base.random_kernels import generator
from kanon_core.base.words import later, tr

WORK = 500_000  # records examined in one step
RUINED = 4  # most groups dissolved at once
PRICED = 10  # least k for which prices choose groups; below it, more item sets gain more
EXPLORED = 5  # records per path followed before prices are computed
ASSIGNED = 8  # assignments, as a multiple of k, per n groups formed again
REFORMING = later("forming groups again")


class Hunt:
    """One search: records as item sets (CSR), the block 0 … b − 1 and the group 0 … m − 1 of each; ``best``:
    the best labels so far."""

    def __init__(
        self,
        starts: np.ndarray,
        items: np.ndarray,
        width: int,
        blocks: np.ndarray,
        labels: np.ndarray,
        k: int,
        seed: int,
    ) -> None:
        self.sets = new_baskets(starts, items, width, blocks, k)
        self.state, self.store = new_state(self.sets, labels), new_store(self.sets)
        self.random = generator(seed, skip=0)
        self.tried = 0
        self.best, self.highest = self.state.groups.of.copy(), self.shown

    @property
    def shown(self) -> int:
        """Return the items shown now, including the block of each record."""
        return int(self.state.groups.made[SHOWN])

    def work(self) -> Iterator[str]:
        """Yield after every step of the search, without end."""
        n, k = len(self.best), self.sets.k
        chosen: list[np.ndarray] = []
        if k >= PRICED:
            while self.tried <= n // EXPLORED:
                yield self.improve(0, tr("opening groups"))
                yield self.improve(-1, tr("exploring item sets"))
            yield from trade(self.state, self.store, chosen)
        for labels in chosen:
            self.lay_out(labels)
        self.tried = assigned = 0
        while True:
            if k >= PRICED and self.tried >= assigned * (n // (ASSIGNED * k) + 1):
                self.assign()
                assigned += 1
            yield self.improve(RUINED, tr(REFORMING))

    def improve(self, ruined: int, note: str) -> str:
        """Take one step of the compiled loop; return the note."""
        self.tried += improve(self.state, self.store, ruined, self.random, WORK)
        if self.shown > self.highest:
            self.best[:], self.highest = self.state.groups.of, self.shown
        return note

    def lay_out(self, labels: np.ndarray) -> None:
        """Continue with other groups."""
        groups = laid_out(self.sets, labels)
        groups.made[STAMP] = self.state.groups.made[STAMP]
        self.state = self.state._replace(groups=groups)

    def assign(self) -> None:
        """Assign all records again to the existing groups."""
        groups, n = self.state.groups, len(self.best)
        work = np.zeros((5, len(groups.head)), np.int64)
        work[2] = UNSEEN
        mark, fits = np.full(len(self.sets.first), -1), np.empty(FITS * n, np.int32)
        assign(self.sets, groups, np.argsort(-groups.count, kind="stable"), fits, work, mark)
        self.lay_out(np.where(groups.of >= self.sets.blocks, groups.of, -1))
