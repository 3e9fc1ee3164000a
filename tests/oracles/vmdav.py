"""V-MDAV by scanning every record, in numpy: the twin that the compiled kernels are compared with."""

from __future__ import annotations

import numpy as np

from tests.oracles.mdav import Centroid, squares_from_record


def vmdav(numeric: np.ndarray, codes: np.ndarray, weights: np.ndarray, k: int, gamma: float) -> np.ndarray:
    """Labels (n,) of V-MDAV's groups, numbered as they are made."""
    n = len(numeric)
    squares = np.array([squares_from_record(numeric, codes, weights, i) for i in range(n)])
    from_center = Centroid(numeric, codes, weights).squares()
    labels = np.full(n, -1)
    groups = 0
    while (labels < 0).sum() >= k:
        left = np.flatnonzero(labels < 0)
        seed = left[np.argmax(from_center[left])]
        others = left[left != seed]
        members = [seed, *others[np.argsort(squares[seed, others], kind="stable")][: k - 1]]
        while len(members) < 2 * k - 1:
            left = np.setdiff1d(np.flatnonzero(labels < 0), members)
            if not len(left):
                break
            nearness = squares[members][:, left].min(axis=0)
            candidate = left[np.argmin(nearness)]
            others = left[left != candidate]
            d_out = np.sqrt(squares[candidate, others].min()) if len(others) else np.inf
            if (not len(others) and gamma == 0) or not np.sqrt(nearness.min()) < gamma * d_out:
                break
            members.append(candidate)
        labels[members] = groups
        groups += 1
    placed = np.flatnonzero(labels >= 0)
    for i in np.flatnonzero(labels < 0):
        labels[i] = labels[placed[np.argmin(squares[i, placed])]]
    return labels
