"""A box tree over the records that are not assigned yet, for exact nearest and farthest queries.

The tree is complete: node `i` has the children `2i + 1` and `2i + 2`, and each of its `leaves` (a power of
two) holds at most `LANES` records, stored attribute by attribute so that a leaf's distances are vectorized.
Every node knows the box of its records (numeric ranges, first and last category code, a 64-bit set of codes),
their lowest record number and their greatest distance from a reference centroid. Deleting records shrinks all
four.

Results are exactly those of a scan over all records, ties to the lowest record number included: bounds are
summed in the same order as distances, and rounding is monotone, so the computed bound of a box is never on
the wrong side of the computed distance of a record in it.

Small kernels in inner loops take arrays, not the index: unpacking the index counts references.
"""

from typing import NamedTuple

import numpy as np

from kanon_core.base.compiled import by_reference, inlined, kernel

LANES = 32


@by_reference
class Index(NamedTuple):
    """The records (n), the leaves (L), the nodes (2L - 1), all codes (V), and the state of a search.

    p numeric and q categorical attributes; no two categorical attributes share a code.
    """

    numeric: np.ndarray  # float64 (n, p)
    codes: np.ndarray  # int32 (n, q)
    weights: np.ndarray  # float64 (q,), squared distance of a mismatch
    starts: np.ndarray  # int64 (q + 1,), the first code of each attribute
    counts: np.ndarray  # int64 (5,), see the places below
    order: np.ndarray  # int64 (n,), the tree's records, each leaf's side by side
    keys: np.ndarray  # float64 (n,)
    leaf_of: np.ndarray  # int64 (n,), -1 when the record is no longer in the tree
    block: np.ndarray  # float64 (L, p, LANES)
    cells: np.ndarray  # int32 (L, q, LANES)
    record: np.ndarray  # int64 (L, LANES)
    filled: np.ndarray  # int64 (L,), records in the leaf
    stale: np.ndarray  # bool (L,), the node must be computed again
    center: np.ndarray  # float64 (p,), numeric part of the reference centroid
    radius: np.ndarray  # float64 (L, LANES), distances from the reference centroid, inf when unknown
    reach: np.ndarray  # float64 (2L - 1,), greatest radius in the node
    lowest: np.ndarray  # int64 (2L - 1,), lowest record number in the node, n when it is empty
    box: np.ndarray  # float64 (2L - 1, 2, p), least and greatest values
    ends: np.ndarray  # int32 (2L - 1, 2, q), least and greatest codes
    seen: np.ndarray  # int64 (2L - 1, q), bit `code % 64` of every code present
    terms: np.ndarray  # float64 (V,), the squared distance that each code adds from record counts[AIM]
    squares: np.ndarray  # float64 (LANES,)
    stack: np.ndarray  # int64 (128,)
    bounds: np.ndarray  # float64 (128,)


# Places in `counts`: records now, leaves, records when it was built, nodes visited, the record of `terms`.
SIZE, LEAVES, BUILT, WORK, AIM = range(5)


def new_index(numeric: np.ndarray, codes: np.ndarray, weights: np.ndarray) -> Index:
    """Return an index with room for all n ≥ 1 records; `build_kernels.build` fills it."""
    (n, p), q = numeric.shape, codes.shape[1]
    leaves = leaf_count(n)
    nodes = 2 * leaves - 1
    starts = np.concatenate([[0], np.cumsum(codes.max(axis=0).astype(np.int64) + 1)]).astype(np.int64)
    records = np.ascontiguousarray(numeric, np.float64), (codes + starts[:-1]).astype(np.int32)
    counts = np.array([n, leaves, n, 0, -1], np.int64)
    lists = np.arange(n), np.empty(n), np.zeros(n, np.int64)
    lanes = np.zeros((leaves, p, LANES)), np.zeros((leaves, q, LANES), np.int32)
    of_leaves = np.zeros((leaves, LANES), np.int64), np.zeros(leaves, np.int64), np.zeros(leaves, np.bool_)
    reference = np.zeros(p), np.zeros((leaves, LANES))
    of_nodes = np.zeros(nodes), np.zeros(nodes, np.int64), np.zeros((nodes, 2, p))
    of_codes = np.zeros((nodes, 2, q), np.int32), np.zeros((nodes, q), np.int64)
    terms = np.repeat(np.asarray(weights, np.float64), np.diff(starts))
    scratch = terms, np.zeros(LANES), np.zeros(128, np.int64), np.zeros(128)
    state = np.ascontiguousarray(weights, np.float64), starts, counts
    return Index(*records, *state, *lists, *lanes, *of_leaves, *reference, *of_nodes, *of_codes, *scratch)


def leaf_count(n: int) -> int:
    """Return the least power of two of leaves that gives each at most `LANES` of n records."""
    return 1 << max(0, -(-n // LANES) - 1).bit_length()


@inlined
def before(d: float, i: int, e: float, j: int) -> bool:
    """Return whether (d, i) comes before (e, j): the shorter distance, then the lower record number."""
    return d < e or (d == e and i < j)


@kernel
def summarize(ix: Index, leaf: int, building: bool) -> None:
    """Compute a leaf's node and the nodes above it, until a node does not change.

    While building, a node is computed after its right child.
    """
    lowest, reach, box, ends, seen = ix.lowest, ix.reach, ix.box, ix.ends, ix.seen
    node = ix.counts[LEAVES] - 1 + leaf
    filled, n = ix.filled[leaf], ix.leaf_of.shape[0]
    summarize_records(ix.block[leaf], ix.cells[leaf], filled, box[node], ends[node], seen[node])
    lowest[node], reach[node] = n, 0.0
    for lane in range(filled):
        lowest[node] = min(lowest[node], ix.record[leaf, lane])
        reach[node] = max(reach[node], ix.radius[leaf, lane])
    while node > 0 and not (building and node % 2 == 1):
        node = (node - 1) // 2
        changed = summarize_children(lowest, reach, box, ends, seen, node, n)
        if not changed and not building:
            return


@kernel
def summarize_records(
    block: np.ndarray, cells: np.ndarray, filled: int, box: np.ndarray, ends: np.ndarray, seen: np.ndarray
) -> None:
    """Compute box, extreme codes and code set of the first `filled` lanes; an empty box is (inf, -inf)."""
    for j in range(block.shape[0]):
        low, high = np.inf, -np.inf
        for lane in range(filled):
            value = block[j, lane]
            low, high = min(low, value), max(high, value)
        box[0, j], box[1, j] = low, high
    for j in range(cells.shape[0]):
        first = last = cells[j, 0]
        codes = np.int64(0)
        for lane in range(filled):
            code = cells[j, lane]
            first, last = min(first, code), max(last, code)
            codes |= np.int64(1) << np.int64(code & 63)
        ends[0, j], ends[1, j], seen[j] = first, last, codes


@kernel
def summarize_children(
    lowest: np.ndarray,
    reach: np.ndarray,
    box: np.ndarray,
    ends: np.ndarray,
    seen: np.ndarray,
    node: int,
    n: int,
) -> bool:
    """Compute an inner node from its non-empty children; return whether anything changed."""
    a, b = 2 * node + 1, 2 * node + 2
    if lowest[a] == n:
        a = b
    elif lowest[b] == n:
        b = a
    number, radius = min(lowest[a], lowest[b]), max(reach[a], reach[b])
    changed = number != lowest[node] or radius != reach[node]
    lowest[node], reach[node] = number, radius
    for j in range(box.shape[2]):
        low, high = min(box[a, 0, j], box[b, 0, j]), max(box[a, 1, j], box[b, 1, j])
        changed |= low != box[node, 0, j] or high != box[node, 1, j]
        box[node, 0, j], box[node, 1, j] = low, high
    for j in range(seen.shape[1]):
        first, last = min(ends[a, 0, j], ends[b, 0, j]), max(ends[a, 1, j], ends[b, 1, j])
        codes = seen[a, j] | seen[b, j]
        changed |= first != ends[node, 0, j] or last != ends[node, 1, j] or codes != seen[node, j]
        ends[node, 0, j], ends[node, 1, j], seen[node, j] = first, last, codes
    return bool(changed)


@kernel
def remove(ix: Index, i: int) -> None:
    """Remove record i from its leaf; call `refresh` before the next search."""
    record, block, cells = ix.record, ix.block, ix.cells
    leaf = ix.leaf_of[i]
    lane, end = 0, ix.filled[leaf] - 1
    while record[leaf, lane] != i:
        lane += 1
    record[leaf, lane] = record[leaf, end]
    ix.radius[leaf, lane] = ix.radius[leaf, end]
    for j in range(block.shape[1]):
        block[leaf, j, lane] = block[leaf, j, end]
    for j in range(cells.shape[1]):
        cells[leaf, j, lane] = cells[leaf, j, end]
    ix.filled[leaf] = end
    ix.stale[leaf] = True
    ix.counts[SIZE] -= 1


@kernel
def refresh(ix: Index, i: int) -> None:
    """Update the nodes above record i, which was just removed."""
    leaf = ix.leaf_of[i]
    ix.leaf_of[i] = -1
    if ix.stale[leaf]:
        ix.stale[leaf] = False
        summarize(ix, leaf, False)


@kernel
def aim(ix: Index, i: int) -> None:
    """Set `terms` for record i: 0 for its own codes, the attribute's weight for others."""
    last = ix.counts[AIM]
    for j in range(ix.weights.shape[0]):
        if last >= 0:
            ix.terms[ix.codes[last, j]] = ix.weights[j]
    for j in range(ix.weights.shape[0]):
        ix.terms[ix.codes[i, j]] = 0.0
    ix.counts[AIM] = i
