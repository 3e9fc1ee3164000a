"""Lowering the sum of squared errors of any partition: the search behind `Refine(loss="sse")`."""

from __future__ import annotations

import numpy as np

from kanon_core.base.anytime import Limits


def refine_sse(
    points: tuple[np.ndarray, ...], labels: np.ndarray, k: int, seed: int = 0, limits: Limits | None = None
) -> tuple[np.ndarray, int, float, float]:
    """Lower the SSE of a partition; return the labels, the steps done, and the SSE before and after (≥ 0).

    SSE = Σ over groups of Σ over pairs d² / size, which is Σ over records of the squared distance to the
    group's center, with d²(a, b) = Σ (x_a − x_b)² + Σ w [c_a ≠ c_b]; ``numeric`` float64 (n, p), ``codes``
    int32 (n, q), ``weights`` float64 (q,).

    ``labels`` int64 (n): groups of at least k records, −1 = suppressed (left alone). The labels returned (0,
    1, … in order of first occurrence) never have a larger SSE; their groups have k … 2k − 1 records: cutting
    up a larger group raises no SSE. The search ends when ``seconds`` are over, looked at between steps (a few
    ms each) only, after ``steps`` steps, or when it has long found nothing better and then no move or swap
    lowers the SSE; only such single changes are tried for k above 200, none above 1,000, where one step would
    take too long. Same inputs and steps give the same labels, whatever the clock said. ``tick`` is called at
    least every 0.2 s; what it raises ends the search.

    Raises ValueError if k < 1 or a group has fewer than k records. Cost: the first round over n records takes
    about n · 15 µs, later ones up to a hundred times as long and more; memory O(n), and 0.3 to 30 MB for the
    region at work.

    The search [ours, on the principle of 004 §3]: a region, the groups nearest to a random record, is
    regrouped by simulated annealing (Kirkpatrick, Gelatt, Vecchi, Science 220, 1983) as if there were no
    other records, with moves, swaps, dissolved and founded groups; the region's new groups replace the old
    ones if their loss is lower, or higher by a trifle, so that the search does not stick. Rounds visit all
    records; each round is more thorough than the one before.
    """
    from kanon_core.algorithms.clustering.refine.sse_kernels import search

    return search(points, np.asarray(labels, np.int64), k, seed, limits or Limits())
