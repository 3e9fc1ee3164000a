"""The least-cost regular bipartite graph without the diagonal, with a bound that proves it.

minimize Σ d(j, i) x_ji   over 0 ≤ x ≤ 1,   Σ_i x_ji = r for every j,   Σ_j x_ji = r for every i,   x_jj = 0

is a flow problem, so an integral optimum exists. For any prices p of the columns

Σ_j (sum of the r least d(j, i) + p_i over i ≠ j)  −  r Σ_i p_i

is a lower bound on every solution (the Lagrangian dual), whatever the d ≥ 0: no triangle inequality is
needed; at the optimum the best prices make it equal to the cost. It is always taken over all n (n − 1) edges,
whatever edges the solver has seen, and lowered by what rounding may have added.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kanon_core.algorithms.base import Log
from kanon_core.base.progress import Tick, silent, stage
from kanon_core.base.words import tr, tr_n
from kanon_core.distances.manhattan import ManhattanPoints, nearest, pair_distances

if TYPE_CHECKING:
    from kanon_core.algorithms.concealment.optimum.auction_kernels import Market

TOLERANCE = 1e-9
"""Cost and bound count as equal when they differ by at most this share of the cost."""

_COARSE = 1e-3  # ε as a share of the mean cost, at which edges are still being added
_FINE = 1e-10
_ROUNDING = 2.0**-52  # rounding error of one sum, as a share; taken off the bound
_STEP = 4.0  # from one ε to the next
_LOOKS, _LEAP = 1_000, 64.0  # the first ε was too small, and rises, after so many looks at every edge
_EDGES_PER_CALL = 1_500_000


@dataclass(frozen=True)
class Flow:
    """``partners`` int64 (n, r): the r different columns of each row, ascending; ``cost``: the sum of their
    distances.

    ``bound``: what ``prices`` (float64, n) prove that every solution costs at least; ``edges``: how many were
    offered.
    """

    partners: np.ndarray
    cost: float
    bound: float
    prices: np.ndarray
    edges: int


def least_regular(points: ManhattanPoints, degree: int, tick: Tick = silent, log: Log | None = None) -> Flow:
    """The r-regular bipartite graph of least cost, 1 ≤ r < n − 1, on the edges between different records.

    Each record is offered edges to and from its 3 r + 8 nearest; an auction with falling ε sells the best of
    these (`auction_kernels`); then the bound is computed over all pairs, and edges that turn out to be
    cheaper than those bought are offered as well, until cost and bound agree. Where several graphs cost the
    same, the points alone decide which is found. It also ends where no round adds an edge or raises the bound
    any more: rounding then keeps them apart. Time O(n² · attributes) per round, of which there are four or
    five; memory O(n r).

    Logs, round by round, ``offer`` (edges int64 (m, 2), the bound by then), ``auction`` (edges held, cost,
    prices) and ``bound`` (prices, what they prove, the best bound by then).
    """
    n = len(points)
    near, sums = nearest(points, min(n - 1, 3 * degree + 8), None, stage(tick, 0, 0.2))
    market = _offer(points, _first_edges(points, near, degree, tick), degree)
    bound, prices = (1 - _ROUNDING * degree) * float(sums[:, :degree].sum()), np.zeros(n)
    _tell(log, "offer", market, bound=bound)
    first, last, done = float(sums[:, degree].max()) / 4, _COARSE, 0.2
    mean = float(sums[:, : degree + 1].mean())
    while True:
        before, edges = bound, len(market.heads)
        _auction(market, first, last * mean, stage(tick, done, done))
        cost = float(market.costs[market.held].sum())
        _tell(log, "auction", market, cost=cost, prices=market.prices)
        if cost - bound <= TOLERANCE * cost:
            break
        tick_prices = stage(tick, done, done := (1 + done) / 2)
        near, sums = nearest(
            points, min(n - 1, degree + 8), market.prices, tick_prices, tr("prices of all pairs")
        )
        paid = (market.costs + market.prices[market.heads])[market.held].reshape(n, degree).sum(1)
        gaps = paid - sums[:, :degree].sum(1)
        proven = float(cost - gaps.sum() - _ROUNDING * (degree + 3) * paid.sum())
        if proven > bound:
            bound, prices = proven, market.prices.copy()
        if log is not None:
            log.write("bound", proven=proven, bound=bound, prices=market.prices)
        market = _offer_more(points, market, near, tick)
        _tell(log, "offer", market, bound=bound)
        settled = len(market.heads) == edges and bound - before <= TOLERANCE * cost
        if cost - bound <= TOLERANCE * cost or (settled and last == _FINE):
            break
        first, mean = float(gaps.max()) / 4, cost / (n * degree)
        last = _FINE if settled or cost - bound <= 10 * _COARSE * cost else _COARSE
    partners = market.heads[market.held].reshape(n, degree)
    cost = float(pair_distances(points, np.arange(n)[:, None], partners).sum())
    return Flow(partners, cost, min(bound, cost), prices, edges)


def _tell(log: Log | None, event: str, market: Market, **what: Any) -> None:
    """Log an event with the edges that are held; for an offer, with all edges."""
    if log is not None:
        told = slice(None) if event == "offer" else market.held
        log.write(event, edges=np.column_stack([market.tails[told], market.heads[told]]), **what)


def _first_edges(points: ManhattanPoints, near: np.ndarray, degree: int, tick: Tick) -> np.ndarray:
    """Edges as numbers row · n + column, ascending: to and from the nearest, and a ring.

    The ring, records in a sorted row each to its next r, is regular: the edges offered always hold a
    solution.
    """
    n = len(points)
    beyond = points.beyond
    order = np.lexsort([*beyond.places.T, *beyond.codes.T, *points.numeric.T, *points.codes.T, np.zeros(n)])
    tick(None, "edges")
    there = (np.arange(n)[:, None] * n + near).ravel()
    back = (near * n + np.arange(n)[:, None]).ravel()
    ring = [order * n + np.roll(order, -step) for step in range(1, degree + 1)]
    keys = _sorted_set(np.concatenate([there, back, *ring]))
    tick(None, "edges")
    return keys


def _sorted_set(keys: np.ndarray) -> np.ndarray:
    keys = np.sort(keys)
    return keys[np.flatnonzero(np.diff(keys, prepend=-1))]


def _offer(points: ManhattanPoints, keys: np.ndarray, degree: int) -> Market:
    """A market of these edges, nothing sold."""
    from kanon_core.algorithms.concealment.optimum.auction_kernels import new_market

    n = len(points)
    tails, heads = keys // n, keys % n
    starts = np.searchsorted(tails, np.arange(n + 1))
    return new_market(starts, heads, pair_distances(points, tails, heads), degree)


def _offer_more(points: ManhattanPoints, before: Market, near: np.ndarray, tick: Tick) -> Market:
    """Return the market with these edges added; edges that were sold stay sold at their prices."""
    n = len(points)
    offered = before.tails * n + before.heads
    keys = _sorted_set(np.concatenate([offered, (np.arange(n)[:, None] * n + near).ravel()]))
    tick(None, "edges")
    market = _offer(points, keys, before.slots.shape[1])
    place = np.searchsorted(keys, offered)
    market.held[place[before.held]] = True
    market.slots[:] = place[before.slots]
    for now, then in ((market.filled, before.filled), (market.prices, before.prices)):
        now[:] = then
    return market


def _auction(market: Market, first: float, last: float, tick: Tick) -> None:
    """Sell everything with ε falling from ``first`` to ``last``: powers of two, so that no rounding of a mean
    decides.

    Where prices must rise much farther than ``first``, which takes distances without the triangle inequality,
    ε rises before.
    """
    from kanon_core.algorithms.concealment.optimum.auction_kernels import bid, reopen

    epsilon, sold = _power_of_two(max(first, last) or 1.0), False
    patience = 1 + _LOOKS * len(market.heads) // _EDGES_PER_CALL
    while True:
        reopen(market, epsilon)
        calls = 0
        while (waiting := bid(market, epsilon, _EDGES_PER_CALL)) and (sold or calls < patience):
            tick(
                0.0,
                tr_n(
                    "auction: {waiting} record still bids", "auction: {waiting} records still bid", waiting
                ).format(waiting=waiting),
            )
            calls += 1
        tick(0.0, "auction")
        if sold := not waiting:
            if epsilon <= last or not last:
                return
            epsilon = max(epsilon / _STEP, _power_of_two(last))
        else:
            epsilon *= _LEAP


def _power_of_two(number: float) -> float:
    """The greatest power of two that is not above a positive number."""
    return float(np.ldexp(0.5, int(np.frexp(number)[1])))
