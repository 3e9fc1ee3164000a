"""Compiled loops of MIL: one judgement, and the scan (MIL paper, Algorithm 1).

Paper symbols: D_i, D_{i+1} are two neighboring groups, x the record at their boundary, n and m the numbers of
the other records. A group stores the sum of (record − anchor), where the anchor is one of its values, instead
of its mean: x − mean = (x − anchor) − sum / size then avoids cancellation.
"""

import numpy as np

from kanon_core.base.compiled import kernel

TOLERANCE = 1e-12
GIVE, TAKE = 0, 1  # (a) the last record of D_i goes to D_{i+1}; (b) the first record of D_{i+1} goes to D_i
STEP, BOUNDARY, PAIR, MOVED, JUDGEMENTS, MOVES, DONE = range(7)  # places in `state`


@kernel
def judge(from_mean: float, size: int, to_mean: float, others: int) -> tuple[float, float]:
    """Return the change of the loss, X, if a record moves from a group of `size` to one of `others`, and the
    larger term of X.

    from_mean and to_mean are the record less the mean of its group (itself included) and of the other group:
    X = −size / (size − 1) · from_mean² + others / (others + 1) · to_mean² is formula (7), −X is (8). O(1).
    """
    left = size / (size - 1) * from_mean * from_mean
    joined = others / (others + 1) * to_mean * to_mean
    return joined - left, max(joined, left)


@kernel
def prepare(x: np.ndarray, sizes: np.ndarray, anchors: np.ndarray, sums: np.ndarray) -> None:
    """Fill in each group's anchor, its first value, and the sum of its values less the anchor. O(n)."""
    start = 0
    for i in range(sizes.size):
        anchors[i] = x[start]
        sums[i] = 0.0
        for j in range(start, start + sizes[i]):
            sums[i] += x[j] - anchors[i]
        start += sizes[i]


@kernel
def scan(
    x: np.ndarray,
    k: int,
    sizes: np.ndarray,
    anchors: np.ndarray,
    sums: np.ndarray,
    state: np.ndarray,
    budget: int,
    seen: np.ndarray,
) -> None:
    """Continue Algorithm 1 for `budget` steps: a judgement, or skipping a group of exactly k records.

    x (n) ascending; sizes (g), anchors, sums describe the groups and are updated. state (7): STEP (GIVE or
    TAKE), BOUNDARY (position of the first record of D_{i+1}), PAIR (i), MOVED (since the scan began at the
    first pair), JUDGEMENTS, MOVES, DONE. If `seen` has `budget` rows, each judgement of this call fills one:
    i, GIVE or TAKE, X with the paper's sign, and 1 for a move.
    """
    if sizes.size < 2:
        state[DONE] = 1
    first = state[JUDGEMENTS]
    while budget > 0 and not state[DONE]:
        budget -= 1
        i, gives = state[PAIR], state[STEP] == GIVE
        giver, taker = (i, i + 1) if gives else (i + 1, i)
        moved = False
        if sizes[giver] > k:
            at = state[BOUNDARY] - 1 if gives else state[BOUNDARY]
            from_anchor, to_anchor = x[at] - anchors[giver], x[at] - anchors[taker]
            from_mean = from_anchor - sums[giver] / sizes[giver]
            to_mean = to_anchor - sums[taker] / sizes[taker]
            change, scale = judge(from_mean, sizes[giver], to_mean, sizes[taker])
            moved = change < -TOLERANCE * scale
            if seen.shape[0]:
                row = state[JUDGEMENTS] - first
                seen[row, 0], seen[row, 1] = i, state[STEP]
                seen[row, 2], seen[row, 3] = change if gives else -change, moved
            state[JUDGEMENTS] += 1
        if moved:
            sums[giver] -= from_anchor
            sums[taker] += to_anchor
            sizes[giver] -= 1
            sizes[taker] += 1
            state[BOUNDARY] += -1 if gives else 1
            state[MOVES] += 1
            state[MOVED] = 1
        elif gives:
            state[STEP] = TAKE
        else:
            state[STEP] = GIVE
            state[BOUNDARY] += sizes[i + 1]
            state[PAIR] = i + 1
            if i + 2 == sizes.size:
                state[DONE] = 1 - state[MOVED]
                state[BOUNDARY], state[PAIR], state[MOVED] = sizes[0], 0, 0
