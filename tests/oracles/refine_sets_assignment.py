"""The best assignment of records to given shared sets, as a linear program (its corners are whole
numbers)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import linprog

Basket = frozenset[int]


def common(labels: np.ndarray, sets: Sequence[Basket], group: int) -> Basket:
    """Return the items that all members of the group have; none if it has no members."""
    members = [sets[r] for r in np.flatnonzero(labels == group)]
    return frozenset.intersection(*members) if members else frozenset()


def best_assignment(
    labels: np.ndarray, sets: Sequence[Basket], known: Sequence[Basket], blocks: np.ndarray, k: int
) -> int:
    """The most items shown when each record goes to a group of its block whose known set it has, and each
    keeps k (or what it has)."""
    sizes = np.bincount(labels, minlength=len(known))
    block = {group: blocks[labels == group][0] for group in np.flatnonzero(sizes)}
    pairs = [
        (r, group)
        for r, own in enumerate(sets)
        for group in block
        if block[group] == blocks[r] and known[group] <= own
    ]
    records, groups = np.array(pairs).T
    gain = np.array([len(known[group]) for group in groups])
    once = (np.arange(len(sets))[:, None] == records).astype(float)
    filled = (np.array(list(block))[:, None] == groups).astype(float)
    least = np.minimum(k, sizes[list(block)])
    found = linprog(-gain, A_ub=-filled, b_ub=-least, A_eq=once, b_eq=np.ones(len(sets)), method="highs")
    return round(-found.fun)
