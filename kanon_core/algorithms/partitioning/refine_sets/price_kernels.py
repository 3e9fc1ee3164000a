"""Choosing groups among all stored sets at once by prices of records, in `refine_sets`.

To open set S for its records T, k or more, is worth Σ over T of (|S| − price). A price is what a record is
worth elsewhere: it rises while several sets worth opening want the record and falls while none does. So the
prices near the Lagrange multipliers of "each record once" (Held & Karp 1971). From time to time the sets
worth most are opened for good; they keep the k records with the lowest prices, and others may stay or be
wanted elsewhere. Prices of what is left move on (as for set covering: Caprara, Fischetti & Toth 1999).
"""

from typing import NamedTuple

import numpy as np

from kanon_core.algorithms.partitioning.refine_sets.fit_kernels import tighten_all
from kanon_core.algorithms.partitioning.refine_sets.state_kernels import (
    SHOWN,
    State,
    commit,
    found,
    leave,
    move,
)
from kanon_core.algorithms.partitioning.refine_sets.store_kernels import SETS, WORK, Store
from kanon_core.base.compiled import by_reference, inner

PASSES = 14  # passes over the sets before any is opened; the steps of the prices fall meanwhile
BETWEEN = 3  # passes between two openings
FIRST_STEP, LAST_STEP = 0.3, 0.03
PORTION, LEAST = 0.03, 8  # of the sets worth opening, those opened at once, and how many at least
CORE = 0.5  # sets that fall short of being worth it by more than this times k are no longer looked at
SETTLED = 3  # passes before the first set is dropped
CHUNK = 100_000  # entries of the store looked at by one call, about
STAGE, CURSOR, ACTIVE = range(3)
CLOSED = -1


@by_reference
class Market(NamedTuple):
    """Prices, the sets opened for good (of each record the longest), and work space; ``made`` counts
    passes."""

    price: np.ndarray  # float64 (n,), infinite for those a set keeps
    wanted: np.ndarray  # int32 (n,), by how many sets in this pass
    floor: np.ndarray  # int32 (n,), items shown already
    owner: np.ndarray  # int32 (n,), the set that shows them, −1 = none
    worth: np.ndarray  # float64 (sets,)
    active: np.ndarray  # int32 (sets,), sets looked at
    cost: np.ndarray  # float64 (n,)
    who: np.ndarray  # int32 (n,)
    made: np.ndarray  # int64 (3,): the stage (0 = not begun, then passes + 1), where in the pass, active sets


@inner
def cheapest(cost: np.ndarray, who: np.ndarray, count: int, need: int) -> None:
    """Bring the ``need`` lowest of the first ``count`` costs, with their records, to the front
    (quickselect)."""
    lo, hi = 0, count - 1
    while lo < hi:
        pivot, i, j = cost[(lo + hi) // 2], lo, hi
        while i <= j:
            while cost[i] < pivot:
                i += 1
            while cost[j] > pivot:
                j -= 1
            if i <= j:
                cost[i], cost[j] = cost[j], cost[i]
                who[i], who[j] = who[j], who[i]
                i += 1
                j -= 1
        if need - 1 <= j:
            hi = j
        elif need - 1 >= i:
            lo = i
        else:
            return


@inner
def worth_of(store: Store, market: Market, x: int, k: int) -> float:
    """What opening set x is worth at these prices (−inf: too few can come); counts whom it wants if that is >
    0."""
    price, cost, who, length = market.price, market.cost, market.who, store.count[x]
    begin, end = store.start[x], store.start[x] + store.held[x]
    total, gaining, others = 0.0, 0, 0
    for p in range(begin, end):
        r = store.records[p]
        gain = length - price[r]
        if gain > 0:
            total += gain
            gaining += 1
        elif gain > -np.inf:
            cost[others], who[others] = -gain, r
            others += 1
    need = max(k - gaining, 0)
    if need > others or total <= 0:
        return -np.inf
    if need > 0:
        cheapest(cost, who, others, need)
        for a in range(need):
            total -= cost[a]
    if total > 0:
        for a in range(need):
            market.wanted[who[a]] += 1
        for p in range(begin, end):
            r = store.records[p]
            market.wanted[r] += length > price[r]
    return total


@inner
def keep_core(market: Market, least: float) -> np.ndarray:
    """Look no longer at sets worth less; returns those worth opening, the best first."""
    active, made = market.active, market.made
    count = good = 0
    for a in range(made[ACTIVE]):
        x = active[a]
        if market.worth[x] > least:
            active[count] = x
            count += 1
            good += market.worth[x] > 0
    made[ACTIVE] = count
    best = np.empty(good, np.int32)
    good = 0
    for x in active[:count]:
        if market.worth[x] > 0:
            best[good] = x
            good += 1
    return best[np.argsort(-market.worth[best], kind="mergesort")]


@inner
def buy(store: Store, market: Market, best: np.ndarray, k: int) -> int:
    """Open a portion of the best sets for good, if still worth it; returns how many."""
    quota, opened = max(np.int64(PORTION * len(best)), LEAST), 0
    for x in best:
        length, count, total = store.count[x], 0, 0.0
        for p in range(store.start[x], store.start[x] + store.held[x]):
            r = store.records[p]
            if market.price[r] < np.inf:
                market.cost[count], market.who[count] = market.price[r] - length, r
                count += 1
        store.made[WORK] += store.held[x]
        if count < k:
            continue
        cheapest(market.cost, market.who, count, k)
        for a in range(count):
            total -= market.cost[a] if a < k else min(market.cost[a], 0.0)
        if total <= 0:
            continue
        for a in range(count):
            r = market.who[a]
            if a < k or market.floor[r] < length:
                market.floor[r], market.owner[r] = length, x
                market.price[r] = np.inf if a < k else max(market.price[r], length)
        opened += 1
        if opened == quota:
            break
    return opened


@inner
def spare_blocks(state: State, store: Store, market: Market) -> None:
    """Give up a set in every block where 1 … k − 1 records would be left over."""
    sets, left = state.sets, state.held
    n = len(market.owner)
    for r in range(n):
        left[sets.items[sets.starts[r + 1] - 1] - sets.width] += market.owner[r] < 0
    for r in range(n):
        b, x = sets.items[sets.starts[r + 1] - 1] - sets.width, market.owner[r]
        if x >= 0 and 0 < left[b] < sets.k:
            for p in range(store.start[x], store.start[x] + store.held[x]):
                s = store.records[p]
                if market.owner[s] == x:
                    market.owner[s], market.floor[s] = -1, 1
                    left[b] += 1
    left[: sets.blocks] = 0


@inner
def settle(state: State, store: Store, market: Market) -> None:
    """Put the records into groups of the sets bought, if more items are shown then."""
    sets, groups, group = state.sets, state.groups, store.score
    spare_blocks(state, store, market)
    if market.floor.sum() <= groups.made[SHOWN]:
        return
    for r in range(len(market.owner)):
        if groups.of[r] >= sets.blocks:
            move(state, r, sets.items[sets.starts[r + 1] - 1] - sets.width)
    for g in range(sets.blocks, len(groups.head)):
        if groups.key[g] >= 0:
            leave(state, g)
    commit(state)
    for r in range(len(market.owner)):
        x = market.owner[r]
        if x >= 0:
            if group[x] == 0:
                group[x] = found(state, store.letters[store.begin[x] :], store.count[x])
            move(state, r, group[x])
    for x in market.owner:
        if x >= 0:
            group[x] = 0
    tighten_all(state)


@inner
def trade(state: State, store: Store, market: Market) -> None:
    """Go on with a pass over the sets; at its end prices move, some sets are bought, or in the end all
    settled."""
    made, k = market.made, state.sets.k
    if made[STAGE] == 0:  # all records are for sale, at first for what is shown of them
        market.owner[:] = -1
        for r in range(len(market.price)):
            market.price[r], market.floor[r] = state.groups.count[state.groups.of[r]], 1
        made[STAGE], made[ACTIVE] = 1, store.made[SETS]
        market.active[: made[ACTIVE]] = np.arange(made[ACTIVE])
    seen = 0
    while made[CURSOR] < made[ACTIVE] and seen < CHUNK:
        x = market.active[made[CURSOR]]
        market.worth[x] = worth_of(store, market, x, k)
        seen += store.held[x]
        made[CURSOR] += 1
    store.made[WORK] += seen // 2
    if made[CURSOR] < made[ACTIVE]:
        return
    step = FIRST_STEP * (LAST_STEP / FIRST_STEP) ** min(made[STAGE] / PASSES, 1.0)
    for r in range(len(market.price)):
        change = step * (min(market.wanted[r], 2) - 1)
        market.price[r] = max(market.price[r] + change, market.floor[r])
        market.wanted[r] = 0
    store.made[WORK] += len(market.price) // 8
    buying = made[STAGE] >= PASSES and (made[STAGE] - PASSES) % BETWEEN == 0
    if made[STAGE] > SETTLED:
        best = keep_core(market, -CORE * k)
        if buying and buy(store, market, best, k) == 0:
            settle(state, store, market)
            made[STAGE] = CLOSED
            return
    made[STAGE] += 1
    made[CURSOR] = 0
