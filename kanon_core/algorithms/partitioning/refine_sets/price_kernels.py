"""Worth of item sets at the prices of their records, and purchase of the best, in `refine_sets`."""

from typing import NamedTuple

import numpy as np

from kanon_core.algorithms.partitioning.refine_sets.store_kernels import Store
from kanon_core.base.compiled import by_reference, kernel


@by_reference
class Market(NamedTuple):
    """Prices, the longest set opened permanently for each record, and scratch."""

    price: np.ndarray  # float64 (n,), infinite for records that a set keeps
    floor: np.ndarray  # float64 (n,), items shown already
    cost: np.ndarray  # float64 (n,)
    worth: np.ndarray  # float64 (sets,)
    wanted: np.ndarray  # int32 (n,), number of sets that want the record in this pass
    owner: np.ndarray  # int32 (n,), the set of the record, −1 = none
    who: np.ndarray  # int32 (n,)


@kernel
def cheapest(cost: np.ndarray, who: np.ndarray, count: int, need: int) -> None:
    """Move the ``need`` lowest of the first ``count`` costs, with their records, to the front
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


@kernel
def appraise(store: Store, market: Market, active: np.ndarray, at: int, k: int, work: int) -> int:
    """Compute the worth of opening each set at these prices (−inf: too few records), from the active set
    number ``at`` on, and count for each record the sets worth opening that want it; return the next
    number."""
    price, cost, who = market.price, market.cost, market.who
    while at < len(active) and work > 0:
        x = active[at]
        length, begin, end = store.count[x], store.start[x], store.start[x] + store.held[x]
        total, gaining, others = 0.0, 0, 0
        for p in range(begin, end):
            gain = length - price[store.records[p]]
            if gain > 0:
                total += gain
                gaining += 1
            elif gain > -np.inf:
                cost[others], who[others] = -gain, store.records[p]
                others += 1
        need = max(k - gaining, 0)
        if need > others or total <= 0:
            total = -np.inf
        elif need > 0:
            cheapest(cost, who, others, need)
            for a in range(need):
                total -= cost[a]
        if total > 0:
            for a in range(need):
                market.wanted[who[a]] += 1
            for p in range(begin, end):
                market.wanted[store.records[p]] += length > price[store.records[p]]
        market.worth[x] = total
        work -= end - begin
        at += 1
    return at


@kernel
def buy(store: Store, market: Market, best: np.ndarray, k: int, most: int) -> int:
    """Open up to ``most`` of the best sets permanently if still worth it; return how many."""
    price, cost, who, opened = market.price, market.cost, market.who, 0
    for x in best:
        length, count, total = store.count[x], 0, 0.0
        for p in range(store.start[x], store.start[x] + store.held[x]):
            r = store.records[p]
            if price[r] < np.inf:
                cost[count], who[count] = price[r] - length, r
                count += 1
        if count < k:
            continue
        cheapest(cost, who, count, k)
        for a in range(count):
            total -= cost[a] if a < k else min(cost[a], 0.0)
        if total <= 0:
            continue
        for a in range(count):
            r = who[a]
            if a < k or market.floor[r] < length:
                market.floor[r], market.owner[r] = length, x
                price[r] = np.inf if a < k else max(price[r], length)
        opened += 1
        if opened == most:
            break
    return opened
