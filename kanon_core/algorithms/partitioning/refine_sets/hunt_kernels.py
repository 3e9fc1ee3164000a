"""The search of `refine_sets`, step by step: paths, prices, then groups taken apart and formed anew."""

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

WORK = 500_000  # records looked at in one step
RUINED = 4  # groups taken apart at once, at most
PRICED = 10  # groups are chosen by prices from this k on; below it, more item sets gain more
EXPLORED = 5  # before prices are made, one path is followed for so many records
# Records are assigned anew this many times k, while as many groups are formed anew as there are records.
ASSIGNED = 8


class Hunt:
    """One search: records as item sets (CSR), the block 0 … b − 1 and the group 0 … m − 1 of each; ``best``
    are the labels that show most so far."""

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
        """Items shown now, the block of each record among them."""
        return int(self.state.groups.made[SHOWN])

    def work(self) -> Iterator[str]:
        """Steps of the search, without end."""
        n, k = len(self.best), self.sets.k
        chosen: list[np.ndarray] = []
        if k >= PRICED:
            while self.tried <= n // EXPLORED:
                yield self.improve(0, "groups opened")
                yield self.improve(-1, "item sets explored")
            yield from trade(self.state, self.store, chosen)
        for labels in chosen:
            self.lay_out(labels)
        self.tried = assigned = 0
        while True:
            if k >= PRICED and self.tried >= assigned * (n // (ASSIGNED * k) + 1):
                self.assign()
                assigned += 1
            yield self.improve(RUINED, "groups formed anew")

    def improve(self, ruined: int, note: str) -> str:
        """One step of the compiled loop."""
        self.tried += improve(self.state, self.store, ruined, self.random, WORK)
        if self.shown > self.highest:
            self.best[:], self.highest = self.state.groups.of, self.shown
        return note

    def lay_out(self, labels: np.ndarray) -> None:
        """Go on with other groups."""
        groups = laid_out(self.sets, labels)
        groups.made[STAMP] = self.state.groups.made[STAMP]
        self.state = self.state._replace(groups=groups)

    def assign(self) -> None:
        """Assign all records anew to the groups there are."""
        groups, n = self.state.groups, len(self.best)
        work = np.zeros((5, len(groups.head)), np.int64)
        work[2] = UNSEEN
        mark, fits = np.full(len(self.sets.first), -1), np.empty(FITS * n, np.int32)
        assign(self.sets, groups, np.argsort(-groups.count, kind="stable"), fits, work, mark)
        self.lay_out(np.where(groups.of >= self.sets.blocks, groups.of, -1))
