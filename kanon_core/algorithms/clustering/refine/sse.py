"""Lowering the sum of squared errors of any partition: the search behind `Refine(loss="sse")`."""

from __future__ import annotations

import numpy as np

from kanon_core.base.anytime import Limits


def refine_sse(
    points: tuple[np.ndarray, ...], labels: np.ndarray, k: int, seed: int = 0, limits: Limits | None = None
) -> tuple[np.ndarray, int, float, float]:
    """Lower the SSE of a partition; return the labels, the steps done, and the SSE before and after (≥ 0).

    SSE = Σ over groups of Σ over pairs d² / size, which is Σ over records of the squared distance to the
    group's center, with d²(a, b) = Σ (x_a − x_b)² + Σ w [c_a ≠ c_b]; ``points`` are numbers float64 (n, p),
    codes int32 (n, q), weights float64 (q,).

    ``labels`` int64 (n): groups of at least k records, −1 = suppressed (left alone). The labels returned (0,
    1, … in order of first occurrence) never have a larger SSE; their groups have k … 2k − 1 records. The
    search ends at its limits, or when it has long found nothing better and then no move or swap lowers the
    SSE; only such single changes are tried for k above 200, none above 1,000. Same inputs and steps give the
    same labels.

    Raises ValueError if k < 1 or a group has fewer than k records. Cost: the first round takes about n · 15
    µs, later ones up to a hundred times as long and more; memory O(n), and 0.3 to 30 MB for the region at
    work.

    The search [ours]: a region, the groups nearest to a random record, is regrouped by simulated annealing
    (Kirkpatrick, Gelatt, Vecchi, Science 220, 1983) as if there were no other records; the new groups replace
    the old ones if their loss is lower, or higher by a trifle, so that the search does not stick. Rounds
    visit all records; each is more thorough than the one before.
    """
    from kanon_core.algorithms.clustering.refine.sse_kernels import search

    return search(points, np.asarray(labels, np.int64), k, seed, limits or Limits())
