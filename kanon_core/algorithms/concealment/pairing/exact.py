"""The pairs of least total distance: a minimum-weight perfect matching, proven by linear programming.

The perfect matchings of a complete graph are the corners of Edmonds' polyhedron: x ≥ 0, edges of sum 1 at
each record, and for every odd set S of records, edges of sum 1 or more leaving it. Few of these are needed:

1. Solve the linear program on candidate edges (near pairs, and some perfect matching).
2. Price all edges: with the dual prices u of records and y ≥ 0 of odd sets, an edge can lower the cost only
   if its reduced cost d(a, b) − u_a − u_b − Σ y_S over the sets with one end inside is below 0. Add such
   edges.
3. Add the inequalities of odd sets that the solution violates, among the components of the edges in use.
4. When there is nothing to add, Σ u + Σ y is a lower bound over all edges, and an integral solution is
   optimal. If it is not integral, an integer program decides over all edges whose reduced cost is at most the
   gap between the best known pairs and the bound. Its optimum, proven by branching, then replaces the bound.

Equal distances have so many optimal fractional solutions that odd sets would be added without end. Therefore
noise of at most 1e-8 of the largest distance is added to each distance and subtracted from the bound.

Sources: J. Edmonds 1965; M. Grötschel, O. Holland, Mathematical Programming 33, 1985 (odd sets as needed).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kanon_core.base.errors import KanonError
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import later, tr

_BRANCHES = 10_000
_NEAR = 8
"""Candidate edges of each record at the start."""
_WHOLE = 1e-6
_TRIFLE = 1e-9
_NOISE = 1e-8
"""Largest noise added to a distance against ties, in units of the largest distance."""
_PATIENCE = 5
"""Rounds without a rise of the bound, as with many equal distances, before pairs that attain it are
sought."""
_INTEGERS = later("solving the integer program")
_PRECISE = {"primal_feasibility_tolerance": 1e-9, "dual_feasibility_tolerance": 1e-10}


def least_cost_pairs(distances: np.ndarray, tick: Tick = silent) -> tuple[np.ndarray, float]:
    """Return the partner of every record, int64 (n), and a lower bound of the cost, which is attained up to
    1e-6 of the largest distance.

    ``distances`` float64 (n, n), symmetric, ≥ 0, n even. The cost of pairs is Σ over records of the distance
    to the partner. ``tick`` is called between the programs, each of which takes up to a second or two at n =
    2,000. Raises KanonError if the solver fails or needs more than 10,000 branches.
    """
    scale = float(distances.max()) or 1.0
    program = _Program(distances / scale + _noise(len(distances)))
    chosen = _best(program, tick)
    partners = np.empty(len(distances), np.int64)
    a, b = program.edges[chosen].T
    partners[a], partners[b] = b, a
    bound = scale * (2 * program.bound - len(distances) * _NOISE)
    return partners, max(0.0, bound)


def _noise(n: int) -> np.ndarray:
    """Return symmetric noise, float64 (n, n), the same for every table."""
    half = np.triu(np.random.Generator(np.random.PCG64(0)).random((n, n)), 1)
    return _NOISE * (half + half.T)


def twins(distances: np.ndarray) -> np.ndarray:
    """Return pairs of records at distance 0, int64 (t, 2), lowest record numbers first.

    If the triangle inequality holds, some pairing of least cost contains them: for twins a and b, the pairs
    a–b and x–y cost no more than a–x and b–y.
    """
    places = np.argmax(distances == 0, axis=1)
    order = np.argsort(places, kind="stable")
    starts = np.flatnonzero(np.diff(places[order], prepend=-1))
    rank = np.arange(len(order)) - np.repeat(starts, np.diff(starts, append=len(order)))
    first = np.flatnonzero((rank[:-1] % 2 == 0) & (rank[1:] == rank[:-1] + 1))
    return np.column_stack([order[first], order[first + 1]])


def _best(program: _Program, tick: Tick) -> np.ndarray:
    """Return the program's edges, bool, that are the pairs of least cost over all edges."""
    waited, patience, before = 0, _PATIENCE, -np.inf
    while True:
        tick(
            None,
            tr("linear program: edges {edges:,}, odd sets {sets:,}").format(
                edges=len(program.edges), sets=len(program.sets)
            ),
        )
        program.solve()
        priced, cut = program.price(-_TRIFLE), program.cut()
        if not priced and not cut:
            break
        waited = 0 if priced or program.bound > before + _TRIFLE else waited + 1
        before = program.bound
        if waited == patience:
            tick(None, tr(_INTEGERS))
            chosen = program.whole(nodes=1)
            if chosen is not None and program.costs[chosen].sum() <= program.bound + _TRIFLE:
                return chosen
            waited, patience = 0, 2 * patience
    chosen = program.solution > 0.5
    return chosen if np.abs(program.solution - chosen).max() <= _WHOLE else _decided(program, tick)


def _decided(program: _Program, tick: Tick) -> np.ndarray:
    """Return the pairs of least cost if the bound is below their cost, by two integer programs."""
    tick(None, tr(_INTEGERS))
    known = program.whole(_BRANCHES)
    if known is not None:
        program.price(float(program.costs[known].sum()) - program.bound + _TRIFLE)
        tick(None, tr(_INTEGERS))
        known = program.whole(_BRANCHES)
    if known is None:
        raise KanonError(
            tr("Exact pairing did not find the best pairs of this table within its limits; turn off exact.")
        )
    program.bound = float(program.costs[known].sum())
    return known


class _Program:
    """The linear program on some edges, int64 (m, 2), ascending in each row, and some odd sets, bool (s,
    n)."""

    def __init__(self, distances: np.ndarray) -> None:
        self.distances, self.n = distances, len(distances)
        self.edges = _near_pairs(distances)
        self.sets = np.zeros((0, self.n), bool)
        self.solution = self.prices = self.set_prices = np.zeros(0)
        self.bound = 0.0

    @property
    def costs(self) -> np.ndarray:
        """Return the distances of the edges, float64 (m)."""
        costs: np.ndarray = self.distances[self.edges[:, 0], self.edges[:, 1]]
        return costs

    def _constraints(self) -> tuple[Any, Any]:
        """Return sparse matrices: edges at each record (n, m), edges leaving each set (s, m)."""
        from scipy.sparse import csr_array

        m = len(self.edges)
        at = csr_array((np.ones(2 * m), (self.edges.T.ravel(), np.tile(np.arange(m), 2))), shape=(self.n, m))
        leaving = self.sets[:, self.edges[:, 0]] != self.sets[:, self.edges[:, 1]]
        return at, csr_array(leaving.astype(np.float64))

    def solve(self) -> None:
        """Compute the fractional optimum on these edges and sets, its prices, and their bound."""
        from scipy.optimize import linprog

        at, leaving = self._constraints()
        limits = {"A_ub": -leaving, "b_ub": -np.ones(len(self.sets))} if len(self.sets) else {}
        found = linprog(
            self.costs,
            A_eq=at,
            b_eq=np.ones(self.n),
            bounds=(0, None),
            method="highs",
            options=_PRECISE,
            **limits,
        )
        if found.status:
            raise KanonError(tr("The linear program of exact pairing could not be solved; turn off exact."))
        self.solution, self.prices = found.x, found.eqlin.marginals
        self.set_prices = np.maximum(0.0, -found.ineqlin.marginals) if len(self.sets) else np.zeros(0)
        self.bound = float(self.prices.sum() + self.set_prices.sum())

    def price(self, most: float) -> bool:
        """Add edges whose reduced cost is below ``most``, at most 4 n at a time if ``most`` is negative;
        return whether there were any.

        Reduced costs are first bounded from below as if no set had both ends inside; few edges remain.
        """
        inside = self.prices + self.set_prices @ self.sets
        reduced = self.distances - inside[:, None] - inside
        known = np.zeros((self.n, self.n), bool)
        known[self.edges[:, 0], self.edges[:, 1]] = True
        a, b = np.nonzero(np.triu(reduced < most, 1) & ~known)
        exact = reduced[a, b]
        for inner, price in zip(self.sets, self.set_prices, strict=True):
            exact[inner[a] & inner[b]] += 2 * price
        found = np.flatnonzero(exact < most)
        if most < 0:
            found = found[np.argsort(exact[found], kind="stable")[: 4 * self.n]]
        self.edges = np.vstack([self.edges, np.column_stack([a[found], b[found]])])
        self.solution = np.concatenate([self.solution, np.zeros(len(found))])
        return bool(len(found))

    def cut(self) -> bool:
        """Add odd sets that the solution violates; return whether there were any."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        a, b = self.edges.T
        new: dict[bytes, np.ndarray] = {}
        for level in (1e-7, 0.3, 0.6):
            used = self.solution > level
            graph = coo_array((np.ones(int(used.sum())), (a[used], b[used])), shape=(self.n, self.n))
            labels = connected_components(graph, directed=False)[1]
            for label in np.flatnonzero(np.bincount(labels) % 2):
                inside = labels == label
                if inside.sum() > 1 and self.solution[inside[a] != inside[b]].sum() < 1 - _WHOLE:
                    new[inside.tobytes()] = inside
        self.sets = np.vstack([self.sets, *new.values()]) if new else self.sets
        return bool(new)

    def whole(self, nodes: int) -> np.ndarray | None:
        """Return the integral optimum on these edges, bool (m); None if it takes more than ``nodes``
        branches."""
        from scipy.optimize import LinearConstraint, milp

        at, leaving = self._constraints()
        rules = [LinearConstraint(at, 1, 1)]
        rules += [LinearConstraint(leaving, 1, np.inf)] if len(self.sets) else []
        options = {"mip_rel_gap": 0.0, "node_limit": nodes}
        found = milp(self.costs, constraints=rules, integrality=1, bounds=(0, 1), options=options)
        return found.x > 0.5 if found.status == 0 else None


def _near_pairs(distances: np.ndarray) -> np.ndarray:
    """Return the pairs of each record with its nearest others, and a perfect matching by record number."""
    n = len(distances)
    far = distances + np.diag(np.full(n, np.inf))
    near = np.argsort(far, axis=1, kind="stable")[:, : min(_NEAR, n - 1)]
    one = np.concatenate([np.repeat(np.arange(n), near.shape[1]), np.arange(0, n, 2)])
    other = np.concatenate([near.ravel(), np.arange(1, n, 2)])
    keys = np.unique(np.minimum(one, other) * n + np.maximum(one, other))
    return np.column_stack([keys // n, keys % n])
