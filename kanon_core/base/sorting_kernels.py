"""Sorting inside kernels. numba's own sorts and selections take 3 to 7 s each to compile; these, a quarter of
one.

Keys are float64 without NaN: whole numbers below 2^53 are exact in it, and one type is compiled once.
"""

import numpy as np

from kanon_core.base.compiled import inlined, kernel

RUN = 16
"""Keys that are sorted by insertion before runs are merged."""
ROUNDS = 100
"""Rounds of a selection after which it sorts instead: no order of keys makes it quadratic."""


@kernel
def order(keys: np.ndarray) -> np.ndarray:
    """int64 (n,): the places of the keys in ascending order, equal ones in the order given. Cost O(n log n).

    Runs of `RUN` keys are sorted by insertion, then merged two by two (Knuth, The Art of Computer
    Programming, volume 3, section 5.2.4).
    """
    n = keys.size
    by, into = np.empty(n, np.int64), np.empty(n, np.int64)
    for i in range(n):
        j = i
        while j % RUN > 0 and keys[by[j - 1]] > keys[i]:
            by[j] = by[j - 1]
            j -= 1
        by[j] = i
    width = RUN
    while width < n:
        for start in range(0, n, 2 * width):
            a, b = start, min(start + width, n)
            middle, end = b, min(start + 2 * width, n)
            for i in range(start, end):
                if b >= end or (a < middle and keys[by[a]] <= keys[by[b]]):
                    into[i] = by[a]
                    a += 1
                else:
                    into[i] = by[b]
                    b += 1
        by, into = into, by
        width *= 2
    return by


@inlined
def times(weight: np.ndarray, i: int) -> int:
    """Return how often the i-th key counts: once where no weights are given."""
    if weight.size > 0:
        return int(weight[i])
    return 1


@kernel
def smallest(keys: np.ndarray, at: int) -> float:
    """Return the key with ``at`` keys before it in ascending order. Cost O(n) as a rule, O(n log n) at
    most."""
    return smallest_of(keys, np.empty(0, np.int64), at)


@kernel
def smallest_of(keys: np.ndarray, weight: np.ndarray, at: int) -> float:
    """Return the same as `smallest`, where each key occurs as often as its weight says, int64 (n), 1 or more;
    none = once.

    Selection by three parts around the middle one of three keys (Hoare's Find): below, equal and above.
    """
    left, often = keys.copy(), weight.copy()
    count = keys.size
    for _ in range(ROUNDS):
        a, b, c = left[0], left[count // 2], left[count - 1]
        pivot = max(min(a, b), min(max(a, b), c))
        below = same = 0
        for i in range(count):
            below += times(often, i) * (left[i] < pivot)
            same += times(often, i) * (left[i] == pivot)
        if below <= at < below + same:
            return float(pivot)
        kept, low = 0, at < below
        for i in range(count):
            if (left[i] < pivot) if low else (left[i] > pivot):
                left[kept] = left[i]
                if often.size > 0:
                    often[kept] = often[i]
                kept += 1
        at -= 0 if low else below + same
        count = kept
    by = order(left[:count])
    i = 0
    while times(often, by[i]) <= at:
        at -= times(often, by[i])
        i += 1
    return float(left[by[i]])
