"""Choice of groups among all stored sets at once by prices of records, in `refine_sets`.

Opening set S for its records T, k or more, is worth Σ over T of (|S| − price). The price of a record is its
worth elsewhere: it rises while several sets worth opening want the record and falls while none does. So
prices approach the Lagrange multipliers of "each record once" (Held & Karp 1971). Regularly the sets worth
most are opened permanently; they keep the k records with the lowest prices, and their other records may still
join other sets. The other prices continue to change (as for set covering: Caprara, Fischetti & Toth 1999).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kanon_core.algorithms.partitioning.refine_sets.price_kernels import Market, appraise, buy
from kanon_core.algorithms.partitioning.refine_sets.state_kernels import SHOWN, State
from kanon_core.algorithms.partitioning.refine_sets.store_kernels import SETS, Store
from kanon_core.base.arrays import filled
from kanon_core.base.words import tr

PASSES = 25  # passes over the sets before any is opened, with decreasing price steps
BETWEEN = 3  # passes between two openings
FIRST_STEP, LAST_STEP = 0.3, 0.03
PORTION, LEAST = 0.03, 8  # share of the sets worth opening that is opened at once, and the least number
CORE = 0.5  # sets worth less than −CORE · k are dropped
SETTLED = 3  # passes before the first set is dropped
CHUNK = 1_000_000  # approximate number of entries of the store examined in one step
PASS = 10_000  # cost of a pass, in entries
STEPS = FIRST_STEP * np.cumprod([1.0] + [(LAST_STEP / FIRST_STEP) ** (1 / PASSES)] * PASSES)


def trade(state: State, store: Store, into: list[np.ndarray]) -> Iterator[str]:
    """Change prices and buy sets until none is worth it; append the set of each record (−1 = none) to
    ``into`` if these sets show more items. Memory 28 bytes per record, 12 per set."""
    n, k = len(state.groups.of), state.sets.k
    market = Market(
        **filled(np.int32, 0, wanted=n, who=n),
        **filled(np.int32, -1, owner=n),
        **filled(np.float64, 1, floor=n, price=n, cost=n),
        worth=np.zeros(len(store.begin)),
    )
    market.price[:] = state.groups.count[state.groups.of]
    active, turn, left = np.arange(store.made[SETS]), 0, CHUNK
    while True:
        at = 0
        while at < len(active):
            begin, at = at, appraise(store, market, active, at, k, left)
            left -= PASS + store.held[active[begin:at]].sum()
            if left <= 0:
                yield tr("pricing groups")
                left = CHUNK
        change = STEPS[min(turn + 1, PASSES)] * (np.minimum(market.wanted, 2) - 1)
        market.price[:] = np.maximum(market.price + change, market.floor)
        market.wanted[:] = 0
        if turn >= SETTLED:
            worth = market.worth[active]
            best = active[np.argsort(-worth, kind="stable")[: (worth > 0).sum()]]
            active = active[worth > -CORE * k]
            buying = turn + 1 >= PASSES and (turn + 1 - PASSES) % BETWEEN == 0
            if buying and buy(store, market, best, k, max(int(PORTION * len(best)), LEAST)) == 0:
                break
        turn += 1
    _spare_blocks(state, market)
    if market.floor.sum() > state.groups.made[SHOWN]:
        into.append(market.owner)


def _spare_blocks(state: State, market: Market) -> None:
    """Close a set in every block that would otherwise have 1 … k − 1 records left."""
    block, bought = state.sets.items[state.sets.starts[1:] - 1] - state.sets.width, market.owner >= 0
    left = np.bincount(block[~bought], minlength=state.sets.blocks)[block]
    short = np.flatnonzero(bought & (left > 0) & (left < state.sets.k))
    first = short[np.unique(block[short], return_index=True)[1]]
    gone = bought & np.isin(market.owner, market.owner[first])
    market.owner[gone], market.floor[gone] = -1, 1
