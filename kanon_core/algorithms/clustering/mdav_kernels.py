"""MDAV's loop on an index: the centroid of the remaining records, and groups at the two far ends."""

from typing import NamedTuple

import numpy as np

from kanon_core.algorithms.clustering.nearest.index_kernels import BUILT, LEAVES, SIZE, WORK, Index, aim
from kanon_core.algorithms.clustering.nearest.search_kernels import farthest, leaf_squares, take_nearest
from kanon_core.base.compiled import by_reference, kernel


@by_reference
class Centroid(NamedTuple):
    """The centroid of the remaining records, from running sums, and the reference centroid of the radii."""

    total: np.ndarray  # float64 (p,), sums of values
    counts: np.ndarray  # int64 (V,), records of each code
    mean: np.ndarray  # float64 (p,)
    shares: np.ndarray  # float64 (V,)
    terms: np.ndarray  # float64 (V,), what a code adds to the squared distance from the centroid
    greatest: np.ndarray  # float64 (q,), the greatest term of each attribute
    old_shares: np.ndarray  # float64 (V,), shares of the reference centroid; its means are `Index.center`
    due: np.ndarray  # int64 (1,), nodes that may be visited before the radii are computed anew


def new_centroid(ix: Index) -> Centroid:
    """Return the centroid's sums over all records, in record order."""
    p, codes, attributes = len(ix.center), len(ix.terms), len(ix.weights)
    numbers, shares = np.zeros(p), (np.zeros(codes), np.zeros(codes))
    # Summed one by one, as `subtract` subtracts; + 0.0 makes a sum of values -0 positive.
    total = np.add.accumulate(ix.numeric, axis=0)[-1] + 0.0
    counts = np.bincount(ix.codes.ravel(), minlength=codes).astype(np.int64, copy=False)
    due = np.zeros(1, np.int64)
    return Centroid(total, counts, numbers, *shares, np.zeros(attributes), np.zeros(codes), due)


@kernel
def subtract(ix: Index, centroid: Centroid, i: int) -> None:
    """Subtract record i from the sums."""
    for j in range(ix.numeric.shape[1]):
        centroid.total[j] -= ix.numeric[i, j]
    for j in range(ix.codes.shape[1]):
        centroid.counts[ix.codes[i, j]] -= 1


@kernel
def settle(ix: Index, centroid: Centroid) -> None:
    """Compute means, shares and terms from the sums: term = w/2 (1 - 2 share + sum of squared shares)."""
    n = ix.counts[SIZE]
    for j in range(centroid.mean.shape[0]):
        centroid.mean[j] = centroid.total[j] / n
    for j in range(ix.weights.shape[0]):
        concentration = 0.0
        for code in range(ix.starts[j], ix.starts[j + 1]):
            share = centroid.counts[code] / n
            centroid.shares[code] = share
            concentration += share * share
        centroid.greatest[j] = -np.inf
        for code in range(ix.starts[j], ix.starts[j + 1]):
            term = 0.5 * ix.weights[j] * (1.0 - 2.0 * centroid.shares[code] + concentration)
            centroid.terms[code] = term
            if centroid.counts[code]:
                centroid.greatest[j] = max(centroid.greatest[j], term)


@kernel
def measure_radii(ix: Index, centroid: Centroid) -> None:
    """Make the centroid the reference centroid: compute every record's radius and every node's reach."""
    leaves = ix.counts[LEAVES]
    for j in range(centroid.mean.shape[0]):
        ix.center[j] = centroid.mean[j]
    for code in range(centroid.shares.shape[0]):
        centroid.old_shares[code] = centroid.shares[code]
    block, cells, squares, radius, reach = ix.block, ix.cells, ix.squares, ix.radius, ix.reach
    for leaf in range(leaves):
        leaf_squares(block, cells, leaf, centroid.mean, centroid.terms, squares)
        outermost = 0.0
        for lane in range(ix.filled[leaf]):
            radius[leaf, lane] = np.sqrt(max(0.0, squares[lane]))
            outermost = max(outermost, radius[leaf, lane])
        reach[leaves - 1 + leaf] = outermost
    for node in range(leaves - 2, -1, -1):
        reach[node] = max(reach[2 * node + 1], reach[2 * node + 2])
    ix.counts[WORK] += leaves
    centroid.due[0] = 2 * leaves


@kernel
def drift(ix: Index, centroid: Centroid) -> float:
    """Return an upper bound of the distance between the centroid and the reference centroid."""
    square, weight, size = 0.0, 0.0, 0.0
    for j in range(centroid.mean.shape[0]):
        square += (centroid.mean[j] - ix.center[j]) ** 2
        size += abs(centroid.mean[j]) + abs(ix.center[j])
    for j in range(ix.weights.shape[0]):
        weight += ix.weights[j]
        for code in range(ix.starts[j], ix.starts[j + 1]):
            square += 0.5 * ix.weights[j] * (centroid.shares[code] - centroid.old_shares[code]) ** 2
    return float(np.sqrt(square) + 1e-7 * (ix.reach[0] + np.sqrt(weight)) + 1e-12 * size)


@kernel
def farthest_from_centroid(ix: Index, centroid: Centroid) -> int:
    """Return the remaining record farthest from the centroid of the remaining records."""
    settle(ix, centroid)
    if centroid.due[0] <= 0:
        measure_radii(ix, centroid)
    before = ix.counts[WORK]
    found = farthest(ix, centroid.mean, centroid.terms, centroid.greatest, drift(ix, centroid))
    centroid.due[0] -= ix.counts[WORK] - before
    return found


@kernel
def take(ix: Index, centroid: Centroid, pivot: int, squares: np.ndarray, members: np.ndarray) -> None:
    """Move a pivot and its k - 1 nearest records from the index and the sums into `members` (k,)."""
    take_nearest(ix, pivot, squares, members)
    for i in members:
        subtract(ix, centroid, i)


@kernel
def form_last(
    ix: Index, centroid: Centroid, k: int, made: int, squares: np.ndarray, sequence: np.ndarray
) -> int:
    """Form the last groups of fewer than 3k records: one around the farthest record if 2k are left, and the
    rest."""
    if ix.counts[SIZE] >= 2 * k:
        pivot = farthest_from_centroid(ix, centroid)
        take(ix, centroid, pivot, squares, sequence[made * k : (made + 1) * k])
        made += 1
    place = made * k
    for i in range(ix.leaf_of.shape[0]):
        if ix.leaf_of[i] >= 0:
            sequence[place] = i
            place += 1
    return made


@kernel
def form_groups(
    ix: Index, centroid: Centroid, k: int, made: int, squares: np.ndarray, sequence: np.ndarray, budget: int
) -> int:
    """Form groups until about `budget` nodes were visited, the index is half empty or fewer than 3k records
    are left; if fewer than 3k are left at the start, form the last groups. Return the number of groups.

    Group g is `sequence[g k : (g + 1) k]`; `made` groups exist already.
    """
    if ix.counts[SIZE] < 3 * k:
        return form_last(ix, centroid, k, made, squares, sequence)
    stop = ix.counts[WORK] + budget
    while ix.counts[SIZE] >= 3 * k and 2 * ix.counts[SIZE] >= ix.counts[BUILT] and ix.counts[WORK] < stop:
        r = farthest_from_centroid(ix, centroid)
        take(ix, centroid, r, squares, sequence[made * k : (made + 1) * k])
        aim(ix, r)
        s = farthest(ix, ix.numeric[r], ix.terms, ix.weights, np.inf)
        take(ix, centroid, s, squares, sequence[(made + 1) * k : (made + 2) * k])
        made += 2
    return made
