"""Compiled loop of the greedy matching."""

import numpy as np

from kanon_core.base.compiled import kernel


@kernel
def extend(
    distances: np.ndarray,
    used: np.ndarray,
    order: np.ndarray,
    free: np.ndarray,
    targets: np.ndarray,
    start: int,
    stop: int,
) -> int:
    """Match the records order[start:stop], in order, with their nearest free targets; return the end.

    A target y is free for x if ``free[y]`` and not ``used[x, y]``; ties go to the lowest number. The end is
    before ``stop`` only at a record without a free target.
    """
    n = distances.shape[0]
    for place in range(start, stop):
        x = order[place]
        best = -1
        for y in range(n):
            if free[y] and not used[x, y] and (best < 0 or distances[x, y] < distances[x, best]):
                best = y
        if best < 0:
            return place
        targets[x] = best
        free[best] = False
    return stop
