"""Annealing of one region: moves, swaps, dissolved and new groups, accepted by the Metropolis rule."""

from __future__ import annotations

import numpy as np

from kanon_core.algorithms.clustering.refine.region_kernels import (
    Region,
    empty,
    move,
    move_change,
    swap,
    swap_change,
)
from kanon_core.base.compiled import kernel
from kanon_core.base.random_kernels import below, draw

REGROUP_EVERY = 50
"""One proposal in this many dissolves or creates a group; the others move or swap single records."""
LEVELS = 1024
QUANTILES = np.cumsum(1.0 / np.arange(LEVELS, 0, -1))
"""Expected order statistics of 1,024 exponential variates (Rényi), which replace −ln(u) of Metropolis."""
NEVER = 1e300
STAGES = 64
COOLING = 0.946
"""Temperatures of one annealing, and the factor between them: down to 3 % of the first, then 0."""


def cooled(heat: float, proposals: int, most: int) -> tuple[np.ndarray, int, int]:
    """Return the temperatures of an annealing of about ``proposals``, the proposals at each, and the number
    of temperatures per step.

    A temperature is repeated if it has more than ``most`` proposals, the limit of one step.
    """
    stage = -(-proposals // STAGES)
    parts = -(-stage // most)
    stages = np.empty(STAGES)
    for at in range(STAGES - 1):
        stages[at] = heat
        heat *= COOLING
    stages[-1] = 0.0
    share = -(-stage // parts)
    return np.repeat(stages, parts), share, max(1, most // share)


@kernel
def put_back(region: Region, moved: np.ndarray, home: np.ndarray, count: int) -> None:
    """Undo ``count`` moves in reverse order."""
    for step in range(count - 1, -1, -1):
        move(region, moved[step], home[step])


@kernel
def dissolve(region: Region, a: int, k: int, limit: float, moved: np.ndarray, home: np.ndarray) -> bool:
    """Move every member of group a to its best neighboring group with room, if the SSE changes by less than
    limit; otherwise change nothing. Return whether the group was dissolved.

    ``moved`` and ``home`` (2k,) are scratch.
    """
    near, size, sums, pairs = region.near, region.size, region.sums, region.pairs
    change = -pairs[a] / size[a]
    count = 0
    while size[a] > 0:
        x = region.members[a, size[a] - 1]
        best, target = NEVER, -1
        for y in near[x]:
            b = region.group[y]
            if b != a and size[b] < 2 * k - 1:
                cost = (pairs[b] + sums[b, x]) / (size[b] + 1) - pairs[b] / size[b]
                if cost < best:
                    best, target = cost, b
        change += best
        if change >= limit:
            put_back(region, moved, home, count)
            return False
        moved[count], home[count] = x, a
        count += 1
        move(region, x, target)
    empty(region, a)
    return True


@kernel
def found(region: Region, x: int, k: int, limit: float, moved: np.ndarray, home: np.ndarray) -> bool:
    """Make a new group of x and its nearest records in groups above k, if the SSE changes by less than limit;
    otherwise change nothing. Return whether the group was made.

    ``moved`` and ``home`` (2k,) are scratch.
    """
    size = region.size
    fresh = -1
    for g in range(size.shape[0]):
        if size[g] == 0:
            fresh = g
            break
    if fresh < 0 or size[region.group[x]] <= k:
        return False
    change = 0.0
    count = 0
    for step in range(-1, region.near.shape[1]):
        y = x if step < 0 else region.near[x, step]
        a = region.group[y]
        if a == fresh or size[a] <= k:
            continue
        change += move_change(region, y, fresh)
        moved[count], home[count] = y, a
        count += 1
        move(region, y, fresh)
        if count == k:
            break
    if count == k and change < limit:
        return True
    put_back(region, moved, home, count)
    empty(region, fresh)
    return False


@kernel
def anneal(
    region: Region, k: int, temperatures: np.ndarray, proposals: int, quantiles: np.ndarray, state: np.ndarray
) -> None:
    """Make ``proposals`` random proposals at each temperature (in squared distances); 0 accepts only
    decreases.

    A proposal draws a record x and a near record y: x moves to y's group if sizes stay within k … 2k − 1, or
    swaps with a random member of it; one proposal in ``REGROUP_EVERY`` dissolves x's group or makes a new one
    around x. It is accepted if the SSE changes by less than the temperature × a random exponential quantile.
    About 30 ns per proposal, O(r) more for an accepted one.
    """
    near, group, size = region.near, region.group, region.size
    r, m = near.shape
    moved = np.empty(2 * k, np.int64)
    home = np.empty(2 * k, np.int64)
    for temperature in temperatures:
        for turn in range(proposals):
            bits = draw(state)
            x = below(bits, r)
            y = near[x, below(bits << np.uint64(32), m)]
            a, b = group[x], group[y]
            if a == b:
                continue
            bits = draw(state)
            limit = temperature * quantiles[np.int64(bits & np.uint64(LEVELS - 1))]
            coin = (bits >> np.uint64(10)) & np.uint64(1) == np.uint64(1)
            if turn % REGROUP_EVERY == 0:
                if coin:
                    dissolve(region, a, k, limit, moved, home)
                else:
                    found(region, x, k, limit, moved, home)
            elif coin and size[a] > k and size[b] < 2 * k - 1:
                if move_change(region, x, b) < limit:
                    move(region, x, b)
            else:
                z = region.members[b, below(bits, size[b])]
                if swap_change(region, x, z) < limit:
                    swap(region, x, z)
