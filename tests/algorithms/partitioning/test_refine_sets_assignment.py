"""Refine for sets: records assigned to the groups there are as well as a linear program does."""

from __future__ import annotations

import numpy as np
import pytest

from tests.algorithms.partitioning.test_refine_sets import csr, halves, long_tailed
from tests.oracles import refine_sets as plain
from tests.oracles.refine_sets_assignment import best_assignment, common


@pytest.mark.deep
@pytest.mark.parametrize(("k", "size"), [(3, 60), (8, 600), (12, 600), (12, 60)])
def test_the_assignment_to_the_groups_there_are_is_the_best(k, size):
    """Against a linear program over the same shared sets; counted again, k and blocks kept, from groups that
    can do better."""
    from kanon_core.algorithms.partitioning.refine_sets.hunt_kernels import Hunt

    n = 600
    sets = long_tailed(n, k)
    blocks = np.arange(n) // size
    # Neighbors by popular items share something, but rarely all they could.
    popular = sorted(range(100), key=lambda item: -sum(item in own for own in sets))[:12]
    order = sorted(range(n), key=lambda r: (blocks[r], [item not in sets[r] for item in popular]))
    start = np.empty(n, np.int64)
    start[order] = halves(size, k)[np.arange(n) % size] + 1000 * blocks
    hunt = Hunt(*csr(sets), 100, blocks, np.unique(start, return_inverse=True)[1], k, 0)
    groups = hunt.state.groups
    known = [common(groups.of, sets, group) for group in range(len(groups.head))]
    shown, best = hunt.shown - n, best_assignment(groups.of, sets, known, blocks, k)
    hunt.assign()
    moved = groups.of
    groups = hunt.state.groups
    labels = groups.of.astype(np.int64)
    assert shown < best == sum(len(known[group]) for group in moved)
    assert best <= plain.shown(labels, sets) == hunt.shown - n
    assert np.bincount(labels)[np.unique(labels)].min() >= k
    assert all(len(set(blocks[labels == label])) == 1 for label in set(labels.tolist()))
