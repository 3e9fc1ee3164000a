"""The least-cost regular bipartite graph without the diagonal, with a bound that proves it.

minimize Σ d(j, i) x_ji   over 0 ≤ x ≤ 1,   Σ_i x_ji = r for every j,   Σ_j x_ji = r for every i,   x_jj = 0

is a flow problem, so an integral optimum exists. For any prices p of the columns

Σ_j (sum of the r least d(j, i) + p_i over i ≠ j)  −  r Σ_i p_i

is a lower bound on every solution (the Lagrangian dual) for all d ≥ 0, without a triangle inequality; the
best prices make it equal to the least cost. It is always computed over all n (n − 1) edges, not only those
offered to the solver, and lowered by the largest rounding error.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kanon_core.algorithms.base import Log
from kanon_core.base.progress import Tick, silent, stage
from kanon_core.base.words import later, tr, tr_n
from kanon_core.distances.manhattan import ManhattanPoints, nearest, pair_distances

if TYPE_CHECKING:
    from kanon_core.algorithms.concealment.optimum.auction_kernels import Market

TOLERANCE = 1e-9
"""Largest difference, as a share of the cost, at which cost and bound count as equal."""

_COARSE = 1e-3  # ε as a share of the mean cost, while edges are being added
_FINE = 1e-10
_ROUNDING = 2.0**-52  # relative rounding error of one sum; subtracted from the bound
_STEP = 4.0  # factor between one ε and the next
_LOOKS, _LEAP = 1_000, 64.0  # visits of every edge after which ε rises, and the factor
_EDGES_PER_CALL = 1_500_000
_EDGES = later("choosing edges")


@dataclass(frozen=True)
class Flow:
    """A regular graph. ``partners`` int64 (n, r): the r different columns of each row, ascending; ``cost``:
    the sum of their distances; ``bound``: a lower bound of every solution's cost, proven by ``prices``
    (float64, n); ``edges``: the number of edges offered.
    """

    partners: np.ndarray
    cost: float
    bound: float
    prices: np.ndarray
    edges: int


def least_regular(points: ManhattanPoints, degree: int, tick: Tick = silent, log: Log | None = None) -> Flow:
    """Return the r-regular bipartite graph of least cost, 1 ≤ r < n − 1, on edges between different records.

    Each record is offered edges to and from its 3 r + 8 nearest; an auction with falling ε sells the best of
    these (`auction_kernels`). Then the bound is computed over all pairs, and edges cheaper than those bought
    are offered too, until cost and bound agree. If several graphs have the least cost, the points alone
    determine the result. The search also ends when no round adds an edge or raises the bound: the difference
    is then due to rounding. Time O(n² · attributes) per round, four or five rounds; memory O(n r).

    Logs, round by round, ``offer`` (edges int64 (m, 2), the best bound), ``auction`` (edges held, cost,
    prices) and ``bound`` (prices, the bound they prove, the best bound).
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
            points, min(n - 1, degree + 8), market.prices, tick_prices, tr("pricing all pairs")
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
    """Log an event with the edges held; for ``offer``, with all edges."""
    if log is not None:
        told = slice(None) if event == "offer" else market.held
        log.write(event, edges=np.column_stack([market.tails[told], market.heads[told]]), **what)


def _first_edges(points: ManhattanPoints, near: np.ndarray, degree: int, tick: Tick) -> np.ndarray:
    """Return edges as numbers row · n + column, ascending: to and from the nearest records, and a ring.

    The ring links each record, in sorted order, with the next r. It is regular, so the edges offered always
    contain a solution.
    """
    n = len(points)
    beyond = points.beyond
    order = np.lexsort([*beyond.places.T, *beyond.codes.T, *points.numeric.T, *points.codes.T, np.zeros(n)])
    tick(None, tr(_EDGES))
    there = (np.arange(n)[:, None] * n + near).ravel()
    back = (near * n + np.arange(n)[:, None]).ravel()
    ring = [order * n + np.roll(order, -step) for step in range(1, degree + 1)]
    keys = _sorted_set(np.concatenate([there, back, *ring]))
    tick(None, tr(_EDGES))
    return keys


def _sorted_set(keys: np.ndarray) -> np.ndarray:
    keys = np.sort(keys)
    return keys[np.flatnonzero(np.diff(keys, prepend=-1))]


def _offer(points: ManhattanPoints, keys: np.ndarray, degree: int) -> Market:
    """Return a market of these edges in which nothing is sold."""
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
    tick(None, tr(_EDGES))
    market = _offer(points, keys, before.slots.shape[1])
    place = np.searchsorted(keys, offered)
    market.held[place[before.held]] = True
    market.slots[:] = place[before.slots]
    for now, then in ((market.filled, before.filled), (market.prices, before.prices)):
        now[:] = then
    return market


def _auction(market: Market, first: float, last: float, tick: Tick) -> None:
    """Run the auction with ε falling from ``first`` to ``last``, by powers of two, so that the rounding of a
    mean has no effect.

    If prices must rise much farther than ``first``, which happens only without the triangle inequality, ε
    rises first.
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
        tick(0.0, tr("auction"))
        if sold := not waiting:
            if epsilon <= last or not last:
                return
            epsilon = max(epsilon / _STEP, _power_of_two(last))
        else:
            epsilon *= _LEAP


def _power_of_two(number: float) -> float:
    """Return the greatest power of two that is at most this positive number."""
    return float(np.ldexp(0.5, int(np.frexp(number)[1])))
