"""Compiled loops of two-opt: shorten a tour by reversing one part at a time."""

import numpy as np

from kanon_core.base.compiled import kernel, uncompiled_twin

TRIFLE = 1e-7
"""Largest gain, in units of the largest distance, that is ignored as a rounding error."""


@kernel
def best_reversal(along: np.ndarray, step: np.ndarray) -> tuple[int, int]:
    """Return the first and last position of the part whose reversal shortens the tour most; (−1, −1) if none.

    Reversing positions i + 1 … j gains d(i, i + 1) + d(j, j + 1) − d(i, j) − d(i + 1, j + 1), cyclically.
    Ties go to the lowest (i, j).
    """
    n = step.shape[0]
    best, first, last = TRIFLE, -1, -1
    for i in range(n - 2):
        ahead, here, following = step[i], along[i], along[i + 1]
        for j in range(i + 2, n - 1):
            gain = ahead + step[j] - here[j] - following[j + 1]
            if gain > best:
                best, first, last = gain, i + 1, j
        if i:
            gain = ahead + step[n - 1] - here[n - 1] - following[0]
            if gain > best:
                best, first, last = gain, i + 1, n - 1
    return first, last


def _best_reversal_at_once(along: np.ndarray, step: np.ndarray) -> tuple[int, int]:
    """Do the work of `best_reversal` on whole arrays."""
    n = len(step)
    if n < 3:
        return -1, -1
    gains = step[:, None] + step - along - np.roll(np.roll(along, -1, axis=0), -1, axis=1)
    gains[np.tri(n, k=1, dtype=bool)] = 0.0
    gains[0, n - 1] = 0.0
    i, j = divmod(int(gains.argmax()), n)
    return (i + 1, j) if gains[i, j] > TRIFLE else (-1, -1)


@kernel
def turn(row: np.ndarray, first: int, last: int) -> None:
    """Reverse row[first … last]."""
    while first < last:
        row[first], row[last] = row[last], row[first]
        first += 1
        last -= 1


@kernel
def shorten(along: np.ndarray, step: np.ndarray, tour: np.ndarray, passes: int) -> bool:
    """Reverse, up to ``passes`` times, the part of a tour that shortens it most; return whether more may
    help.

    ``along`` float64 (n, n): distances between cities in tour order, updated after every reversal, so that a
    pass reads memory in order; ``step`` float64 (n): the distance from each position to the next; ``tour``
    int64 (n). A pass costs O(n²).
    """
    n = step.shape[0]
    for _ in range(passes):
        first, last = best_reversal(along, step)
        if first < 0:
            return False
        turn(tour, first, last)
        low, high = first, last
        while low < high:
            for c in range(n):
                along[low, c], along[high, c] = along[high, c], along[low, c]
            low += 1
            high -= 1
        for row in along:
            turn(row, first, last)
        for place in range(first - 1, last + 1):
            step[place] = along[place, place + 1 if place + 1 < n else 0]
    return True


@uncompiled_twin(shorten)
def shorten_at_once(along: np.ndarray, step: np.ndarray, tour: np.ndarray, passes: int) -> bool:
    """Do the work of `shorten` on whole arrays."""
    for _ in range(passes):
        first, last = _best_reversal_at_once(along, step)
        if first < 0:
            return False
        part = slice(first, last + 1)
        tour[part] = tour[part][::-1].copy()
        along[part] = along[part][::-1].copy()
        along[:, part] = along[:, part][:, ::-1].copy()
        places = np.arange(first - 1, last + 1)
        step[places] = along[places, (places + 1) % len(step)]
    return True
