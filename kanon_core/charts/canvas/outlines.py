"""Outlines of groups in the plane, and colors that tell neighboring groups apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kanon_core.base.words import later
from kanon_core.table.columns.keys import order_of

NEAREST = 3
_FEW = 300
"""The number of nearest groups that never share a group's color."""


@dataclass(frozen=True)
class Shapes:
    """One closed polygon per group, counterclockwise: corners ``starts[g]:starts[g + 1]`` of ``x``, ``y``."""

    starts: np.ndarray
    x: np.ndarray
    y: np.ndarray

    def closed(self, groups: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The polygons of these groups as one broken line: each ends where it began, NaN between them."""
        counts = np.diff(self.starts)[groups]
        whole = np.repeat(np.cumsum(counts + 2) - (counts + 2), counts + 2)
        place = np.arange(int((counts + 2).sum())) - whole
        sizes = np.repeat(counts, counts + 2)
        index = np.repeat(self.starts[:-1][groups], counts + 2) + np.where(place < sizes, place, 0)
        gap = (place > sizes) | (sizes == 0)
        index = np.minimum(index, max(len(self.x) - 1, 0))
        empty = np.full(len(index), np.nan)
        return (
            (np.where(gap, empty, self.x[index]), np.where(gap, empty, self.y[index]))
            if len(self.x)
            else (empty, empty)
        )

    def edges(self) -> tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray], np.ndarray]:
        """Every side as start, end and the number of its group."""
        counts = np.diff(self.starts)
        owner = np.repeat(np.arange(len(counts)), counts)
        after = np.arange(len(self.x)) + 1
        after[self.starts[1:][counts > 0] - 1] = self.starts[:-1][counts > 0]
        return (self.x, self.y), (self.x[after], self.y[after]), owner


def boxes(x: np.ndarray, y: np.ndarray, groups: np.ndarray, count: int) -> tuple[np.ndarray, ...]:
    """Least and greatest x and y of each group, float64 (count), NaN without points. Cost O(n log n)."""
    order, held = order_of(groups), np.bincount(groups, minlength=count)
    present = np.flatnonzero(held)
    starts = (np.cumsum(held) - held)[present]
    found = []
    for values, extreme in ((x, np.minimum), (x, np.maximum), (y, np.minimum), (y, np.maximum)):
        edge = np.full(count, np.nan)
        if len(present):
            edge[present] = extreme.reduceat(values[order], starts)
        found.append(edge)
    return tuple(found)


def rectangles(x: np.ndarray, y: np.ndarray, groups: np.ndarray, count: int) -> Shapes:
    """The bounding rectangle of each group's points."""
    left, right, low, high = boxes(x, y, groups, count)
    held = ~np.isnan(left)
    corners_x = np.column_stack([left, right, right, left])[held].reshape(-1)
    corners_y = np.column_stack([low, low, high, high])[held].reshape(-1)
    return Shapes(np.concatenate([[0], np.cumsum(4 * held)]).astype(np.int64), corners_x, corners_y)


def hulls(x: np.ndarray, y: np.ndarray, groups: np.ndarray, count: int) -> Shapes:
    """The convex hull of each group's points; one or two distinct points give a polygon of one or two
    corners.

    Along the points of a group from left to right, a point on or above the line through its present neighbors
    is not on the lower hull. Striking all such points at once, again and again until none is left, leaves the
    lower hull (Andrew 1979, for all groups together); the upper hull likewise. Cost O(n log n) and a few
    passes.
    """
    order = np.lexsort((y, x, groups))
    g, px, py = groups[order], x[order], y[order]
    new = np.ones(len(g), bool)
    new[1:] = (g[1:] != g[:-1]) | (px[1:] != px[:-1]) | (py[1:] != py[:-1])
    g, px, py = g[new], px[new], py[new]
    lower, upper = _chain(g, px, py, 1.0), _chain(g, px, py, -1.0)
    last = np.append(g[1:] != g[:-1], True)[: len(g)]
    first = np.append(True, g[1:] != g[:-1])[: len(g)]
    upper = upper[~(first | last)[upper]]
    # Counterclockwise: the lower hull from left to right, then the inner part of the upper hull from right to
    # left.
    corners = np.concatenate([lower, upper[::-1]])
    corners = corners[np.argsort(g[corners], kind="stable")]
    starts = np.concatenate([[0], np.cumsum(np.bincount(g[corners], minlength=count))]).astype(np.int64)
    return Shapes(starts, px[corners], py[corners])


def _chain(g: np.ndarray, x: np.ndarray, y: np.ndarray, sign: float) -> np.ndarray:
    """Places of the lower (sign 1) or upper (−1) hull among different points sorted by group, x, y."""
    kept = np.arange(len(g))
    while len(kept) > 2:
        a, b, c = kept[:-2], kept[1:-1], kept[2:]
        turn = sign * ((x[b] - x[a]) * (y[c] - y[a]) - (y[b] - y[a]) * (x[c] - x[a]))
        struck = (turn <= 0) & (g[a] == g[c])
        if not struck.any():
            break
        kept = np.delete(kept, np.flatnonzero(struck) + 1)
    return kept


OUTLINES = {"rectangles": rectangles, "hulls": hulls}
"""Kinds of outlines of groups, besides "none"."""
NO_OUTLINES = later("Outlines must be “rectangles”, “hulls” or “none”.")


def outlined(kind: str, x: np.ndarray, y: np.ndarray, groups: np.ndarray, count: int) -> Shapes | None:
    """The outlines of a word of `OUTLINES`; None for "none"."""
    return OUTLINES[kind](x, y, groups, count) if kind in OUTLINES else None


def neighbors(x: np.ndarray, y: np.ndarray, count: int = NEAREST) -> np.ndarray:
    """The ``count`` nearest other points of each point, or all when they are fewer, int64 (n, count)."""
    count = min(count, len(x) - 1)
    if count < 1:
        return np.zeros((len(x), 0), np.int64)
    if len(x) <= _FEW:  # so that a first picture need not wait for scipy
        apart = (x[:, None] - x) ** 2 + (y[:, None] - y) ** 2
        np.fill_diagonal(apart, np.inf)
        return np.argsort(apart, axis=1, kind="stable")[:, :count]
    from scipy.spatial import cKDTree

    points = np.column_stack([x, y])
    found = cKDTree(points).query(points, count + 1)[1]
    own = found == np.arange(len(x))[:, None]
    own[~own.any(axis=1), -1] = True  # among many points on one spot, a point may not find itself
    return np.asarray(found[~own]).reshape(len(x), count)


def spread_colors(x: np.ndarray, y: np.ndarray, colors: int) -> np.ndarray:
    """A color 0..colors − 1 for each center, never that of one of its three nearest; int64 (n).

    The graph of three nearest neighbors has at most 3 m edges on any m points, so some point of any part has
    at most six neighbors in it. Taking such points away until none is left and coloring in reverse therefore
    never needs more than seven colors (smallest last; Matula & Beck 1983). Among the free colors the point's
    number chooses.
    """
    nearest = neighbors(x, y)
    start = np.repeat(np.arange(len(x)), nearest.shape[1])
    both = np.concatenate([start, nearest.reshape(-1)]), np.concatenate([nearest.reshape(-1), start])
    order = np.argsort(both[0], kind="stable")
    ends = np.searchsorted(both[0][order], np.arange(len(x) + 1)).tolist()
    other = both[1][order].tolist()
    bit = [0] * len(x)
    free = [
        [c for c in range(colors) if not taken >> c & 1] or [*range(colors)] for taken in range(1 << colors)
    ]
    for point in _smallest_last(both, len(x), colors).tolist():
        taken = 0
        for neighbor in other[ends[point] : ends[point + 1]]:
            taken |= bit[neighbor]
        open_to_it = free[taken]
        bit[point] = 1 << open_to_it[point % len(open_to_it)]
    return np.log2(np.array(bit, np.float64)).astype(np.int64)


def _smallest_last(edges: tuple[np.ndarray, np.ndarray], count: int, colors: int) -> np.ndarray:
    layer = np.zeros(count, np.int64)
    alive = np.ones(count, bool)
    a, b = edges
    for step in range(count):
        degree = np.bincount(a, minlength=count)
        gone = alive & (degree < colors)
        if not gone.any():
            gone = alive.copy()
        layer[gone] = step
        alive &= ~gone
        if not alive.any():
            break
        kept = alive[a] & alive[b]
        a, b = a[kept], b[kept]
    return np.argsort(-layer, kind="stable")
