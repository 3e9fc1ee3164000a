"""An auction in which each of n rows buys `need` different columns, and each column sells to `need` different
rows.

A row that lacks columns bids for the cheapest that it does not hold (cost + price). It bids up to the value
of the next best column, plus ε. A full column drops its lowest bid; its price is then the lowest of the
others. Prices only rise. When every row holds `need` columns, the total cost is within n · need · ε of the
least over the edges offered.
"""

from typing import NamedTuple

import numpy as np

from kanon_core.base.compiled import by_reference, kernel

HEAD, SIZE = 0, 1
LEAST_RISE = 1e-14
"""Least rise of a bid over the level, as a share of it, if ε is less: rounding cannot remove it."""


@by_reference
class Market(NamedTuple):
    """The edges offered, sorted by row, and the columns that each row holds."""

    starts: np.ndarray  # int64 (n + 1,), the edges of row i are starts[i] … starts[i + 1] − 1
    tails: np.ndarray  # int64 (m,), the row of an edge
    heads: np.ndarray  # int64 (m,), its column
    costs: np.ndarray  # float64 (m,)
    held: np.ndarray  # bool (m,)
    slots: np.ndarray  # int64 (n, need), the edges that a column has sold; the first filled[j] count
    bids: np.ndarray  # float64 (n, need), the bids for them
    filled: np.ndarray  # int64 (n,)
    prices: np.ndarray  # float64 (n,)
    queue: np.ndarray  # int64 (n,), a ring buffer of the rows that lack columns
    waiting: np.ndarray  # bool (n,), in the queue
    counts: np.ndarray  # int64 (2,), start and length of the queue


def new_market(starts: np.ndarray, heads: np.ndarray, costs: np.ndarray, need: int) -> Market:
    """Return a market in which nothing is sold and all prices are 0."""
    n, m = len(starts) - 1, len(heads)
    tails, held = np.repeat(np.arange(n), np.diff(starts)), np.zeros(m, np.bool_)
    sold = np.full((n, need), -1), np.zeros((n, need)), np.zeros(n, np.int64), np.zeros(n)
    waiting = np.zeros(n, np.int64), np.zeros(n, np.bool_), np.zeros(2, np.int64)
    return Market(starts, tails, heads, costs, held, *sold, *waiting)


@kernel
def enqueue(market: Market, i: int) -> None:
    """Add row i, which lacks a column, to the queue."""
    if not market.waiting[i]:
        market.waiting[i] = True
        place = market.counts[HEAD] + market.counts[SIZE]
        market.queue[place if place < len(market.queue) else place - len(market.queue)] = i
        market.counts[SIZE] += 1


@kernel
def reopen(market: Market, epsilon: float) -> None:
    """Start with another ε: every row returns each column that costs more than ε above a column that it does
    not hold, and keeps the others with the highest bid that it would now make.
    """
    starts, heads, costs, held = market.starts, market.heads, market.costs, market.held
    n, need = market.slots.shape
    levels = np.empty(n)
    for i in range(n):
        level, have = np.inf, 0
        for e in range(starts[i], starts[i + 1]):
            if not held[e]:
                level = min(level, costs[e] + market.prices[heads[e]])
        for e in range(starts[i], starts[i + 1]):
            held[e] = held[e] and costs[e] + market.prices[heads[e]] <= level + epsilon
            have += held[e]
        levels[i] = level
        if have < need:
            enqueue(market, i)
    for j in range(n):
        kept = 0
        for slot in range(market.filled[j]):
            e = market.slots[j, slot]
            if held[e]:
                market.slots[j, kept] = e
                market.bids[j, kept] = max(market.prices[j], levels[market.tails[e]] - costs[e] + epsilon)
                kept += 1
        market.filled[j] = kept
        if kept == need:
            market.prices[j] = market.bids[j].min()


@kernel
def sell(market: Market, e: int, bid: float) -> None:
    """Sell edge e for this bid; if its column is full, the lowest bidder loses it and is queued again."""
    j, need = market.heads[e], market.slots.shape[1]
    bids, slot = market.bids[j], market.filled[j]
    if slot < need:
        market.filled[j] += 1
    else:
        slot = bids.argmin()
        lost = market.slots[j, slot]
        market.held[lost] = False
        enqueue(market, market.tails[lost])
    market.held[e] = True
    market.slots[j, slot], bids[slot] = e, bid
    if market.filled[j] == need:
        market.prices[j] = bids.min()


@kernel
def buy(market: Market, i: int, epsilon: float, best: np.ndarray, values: np.ndarray) -> None:
    """Bid for row i, for as many of the cheapest columns as it lacks; best int64 and values float64 (need +
    1,) are scratch."""
    heads, costs, held, prices = market.heads, market.costs, market.held, market.prices
    lacking = market.slots.shape[1]
    for e in range(market.starts[i], market.starts[i + 1]):
        lacking -= held[e]
    values[: lacking + 1] = np.inf
    for e in range(market.starts[i], market.starts[i + 1]):
        value = costs[e] + prices[heads[e]]
        if value < values[lacking] and not held[e]:
            place = lacking
            while place > 0 and values[place - 1] > value:
                values[place], best[place] = values[place - 1], best[place - 1]
                place -= 1
            values[place], best[place] = value, e
    level = values[lacking] + max(epsilon, LEAST_RISE * values[lacking])
    for place in range(lacking):
        sell(market, best[place], level - costs[best[place]])


@kernel
def bid(market: Market, epsilon: float, budget: int) -> int:
    """Let waiting rows bid until about `budget` edges were examined; return how many rows still wait."""
    n, need = market.slots.shape
    best, values = np.empty(need + 1, np.int64), np.empty(need + 1)
    while market.counts[SIZE] and budget > 0:
        i = market.queue[market.counts[HEAD]]
        market.counts[HEAD] = (market.counts[HEAD] + 1) % n
        market.counts[SIZE] -= 1
        market.waiting[i] = False
        buy(market, i, epsilon, best, values)
        budget -= 20 + market.starts[i + 1] - market.starts[i]
    return int(market.counts[SIZE])
