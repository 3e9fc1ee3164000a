"""State of the compiled top-down pass: records, clusters, hierarchies, and the counts of each cluster.

A cluster is a run of `order`. Counts are stored in slots, one per cluster and useful token, so that memory
grows with the table and not with clusters times vocabulary.
"""

from typing import NamedTuple

import numpy as np

from kanon_core.algorithms.partitioning.constraints_kernels import Rule
from kanon_core.algorithms.partitioning.mondrian_cuts_kernels import span
from kanon_core.base.arrays import filled
from kanon_core.base.compiled import by_reference, inlined, kernel

CLUSTERS, CUTS, SLOTS, LISTED, SUPPRESSED, ROUND, ATTRIBUTE, NEXT, KEPT, LIMIT, ALL = range(11)
REFUSED = -1


@by_reference
class Trees(NamedTuple):
    """The hierarchies of all columns that have one; nodes are numbered tree by tree, each in preorder."""

    leaf: np.ndarray  # int32 (tokens,), the node of each token, -1 = none
    parent: np.ndarray  # int32 (nodes,), a root is its own parent
    end: np.ndarray  # int32 (nodes,), one past the last node below each
    spread: np.ndarray  # int64 (nodes,), values below each; 0 for a single value, without loss


@by_reference
class Limits(NamedTuple):
    """Limits on a run: the least size of a cluster, the most records to suppress, whether numbers are cut at
    the middle of their interval instead of the median, whether the lowest token among items of equal gain is
    the pivot, and the rule for sensitive values."""

    k: int
    suppressed: int
    midpoint: bool
    lowest: bool
    rule: Rule


@by_reference
class Records(NamedTuple):
    """n records of p numbers, c categories and s item sets, the latter two as tokens, which no two columns
    share.

    Records may have any order; ``record`` holds their numbers in the table. Record r has
    ``tokens[starts[r]:starts[r + 1]]``: one for each of its ``singles`` (categories, then sensitive values,
    which are counted but never cut), then its items, unordered within each column. Attributes are numbers
    first, then categories, then item sets; ``weight`` (attributes): their weights in the loss; ``turn``: the
    attributes in column order.
    """

    numeric: np.ndarray  # float64 (n, p), scaled to 0..1, missing = -1
    starts: np.ndarray  # int64 (n + 1,)
    tokens: np.ndarray  # int32 (t,)
    first: np.ndarray  # int64 (counted columns + 1,), the first token of each, and the number of tokens
    column: np.ndarray  # int32 (tokens,), the counted column of each
    categories: int
    singles: int
    # float64 (c + s,): distinct values − 1 (at least 1), values of a hierarchy, or items per record (1 if
    # there are none)
    scale: np.ndarray
    weight: np.ndarray  # float64 (p + c + s,)
    turn: np.ndarray  # int64 (p + c + s,)
    trees: Trees
    record: np.ndarray  # int32 (n,), place of each in the table
    unit: int  # units of the whole range: integer sums are exact in any order


@by_reference
class Work(NamedTuple):
    """State of a run. Cluster c is ``order[start[c]:end[c]]``; its slots are ``token[at[c]:at[c] +
    slots[c]]`` and so on.

    A slot holds a token's frequency in the cluster, and, for items, the records that had it when the cluster
    was made (``listed[list_at:list_at + list_size]``; those whose ``place`` is outside the run have left),
    and the number of items that all records with it share (``shared``; 0 = unknown, −1 = refused as pivot).
    Items of every record, or of fewer than k, have no slot. Only the first ``watched[c]`` slots are updated;
    the others are items that at most ``bar[c]`` records have (`frequencies_kernels`). ``made`` is indexed by
    the constants above.
    """

    order: np.ndarray  # int32 (n,)
    place: np.ndarray  # int32 (n,), inverse of order
    start: np.ndarray  # int64 (m,)
    end: np.ndarray
    low: np.ndarray  # float64 (m, p)
    high: np.ndarray
    lows: np.ndarray  # int64 (m, p), records with the lowest number
    highs: np.ndarray
    kinds: np.ndarray  # int64 (m, singles), distinct values
    node: np.ndarray  # int32 (m, c), the lowest node above all values, -1 = no hierarchy
    common: np.ndarray  # int64 (m, s), items of every record
    closed: np.ndarray  # bool (m, attributes)
    at: np.ndarray  # int64 (m,)
    slots: np.ndarray  # int64 (m,)
    watched: np.ndarray  # int64 (m,)
    bar: np.ndarray  # int32 (m, s), by item set column
    wait: np.ndarray  # int32 (m,), pivot choices until the watched items are chosen again
    token: np.ndarray  # int32
    often: np.ndarray  # int32
    shared: np.ndarray  # int32
    list_at: np.ndarray  # int64
    list_size: np.ndarray  # int32
    listed: np.ndarray  # int32
    open: np.ndarray  # int64 (attributes, m), clusters that may still be cut in the attribute
    opened: np.ndarray  # int64 (attributes,), their numbers
    cuts: np.ndarray  # int64 (cuts, 8): round, attribute, pivot, cluster, new cluster, start, middle, end
    spread: np.ndarray  # int64 (p,), sum over clusters of size times extent in units
    # int64 (c + s,): sum of size times (distinct - 1) or values of the node, or of size times common items
    units: np.ndarray
    amount: np.ndarray  # int32 (tokens,), scratch, zeros between uses
    seen: np.ndarray  # int32 (2 tokens,), scratch
    spot: np.ndarray  # int64 (tokens,), scratch, -1 between uses
    made: np.ndarray  # int64 (11,)


def new_work(records: Records, k: int, most_suppressed: int) -> Work:
    """Return work with all records in one uncounted cluster; memory O(tokens + records · attributes)."""
    n, p = records.numeric.shape
    m, tokens = n // k + 1, int(records.first[-1])
    sets = len(records.first) - 1 - records.singles
    items = len(records.tokens) - n * records.singles
    values = int(min(n * records.singles, m * records.first[records.singles]))
    slots = 2 * (values + items // k) + tokens
    attributes = p + records.categories + sets
    work = Work(
        order=np.arange(n, dtype=np.int32),
        place=np.arange(n, dtype=np.int32),
        closed=np.zeros((m, attributes), np.bool_),
        node=np.full((m, records.categories), -1, np.int32),
        spot=np.full(tokens, -1, np.int64),
        **filled(np.float64, 0, low=(m, p), high=(m, p)),
        **filled(
            np.int64,
            0,
            start=m,
            end=m,
            at=m,
            slots=m,
            watched=m,
            opened=attributes,
            open=(attributes, m),
            made=11,
        ),
        **filled(np.int64, 0, lows=(m, p), highs=(m, p), kinds=(m, records.singles), common=(m, sets)),
        **filled(np.int64, 0, list_at=slots, cuts=(m + most_suppressed, 8)),
        **filled(np.int64, 0, spread=p, units=records.categories + sets),
        **filled(np.int32, 0, token=slots, often=slots, shared=slots, list_size=slots, listed=2 * items),
        **filled(np.int32, 0, bar=(m, sets), wait=m, amount=tokens, seen=2 * tokens),
    )
    work.end[0] = n
    work.made[ALL] = n
    return work


def regroup(records: Records, work: Work) -> Records:
    """Return the records sorted by cluster in memory; `work` is updated."""
    numeric, starts, tokens, record = _regrouped(records, work)
    return records._replace(numeric=numeric, starts=starts, tokens=tokens, record=record)


@kernel
def _regrouped(records: Records, work: Work) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return numbers, starts, tokens and record numbers sorted by cluster; renumber `work`."""
    numeric = np.empty_like(records.numeric)
    starts = np.zeros_like(records.starts)
    tokens = np.empty_like(records.tokens)
    record = np.empty_like(records.record)
    for i in range(work.order.size):
        r = work.order[i]
        record[i] = records.record[r]
        for a in range(numeric.shape[1]):
            numeric[i, a] = records.numeric[r, a]
        into = starts[i]
        for j in range(records.starts[r], records.starts[r + 1]):
            tokens[into] = records.tokens[j]
            into += 1
        starts[i + 1] = into
    for i in range(work.made[LISTED]):
        work.listed[i] = work.place[work.listed[i]]
    for i in range(work.order.size):
        work.order[i] = i
        work.place[i] = i
    return numeric, starts, tokens, record


@kernel
def above(trees: Trees, node: int, leaf: int) -> int:
    """Return the lowest node above a node (-1 = none yet) and a leaf."""
    if node < 0:
        return leaf
    while leaf < node or leaf >= trees.end[node]:
        node = trees.parent[node]
    return node


@inlined
def extent(records: Records, low: float, high: float) -> int:
    """Return the width of a numeric interval in units."""
    return int(np.rint(span(low, high) * records.unit))


@inlined
def charge(trees: Trees, node: int, kinds: int) -> int:
    """Return a record's loss by its cluster's values, in units of `Records.scale` (set-valued paper, eq. 7);
    without a hierarchy (node -1), the number of other values."""
    return kinds - 1 if node < 0 else trees.spread[node]


@inlined
def within(work: Work, c: int, r: int) -> bool:
    """Return whether record r is in cluster c."""
    return bool(work.start[c] <= work.place[r] < work.end[c])


@kernel
def measure_numbers(records: Records, work: Work, c: int, a: int) -> None:
    """Compute the lowest and highest number of cluster c in numeric attribute a, and their frequencies."""
    low = np.inf
    high = -np.inf
    lows = 0
    highs = 0
    for i in range(work.start[c], work.end[c]):
        x = records.numeric[work.order[i], a]
        if x < low:
            low = x
            lows = 0
        if x > high:
            high = x
            highs = 0
        lows += x == low
        highs += x == high
    work.low[c, a] = low
    work.high[c, a] = high
    work.lows[c, a] = lows
    work.highs[c, a] = highs
