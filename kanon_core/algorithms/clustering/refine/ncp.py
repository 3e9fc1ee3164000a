"""Local search on the normalized certainty penalty: the search behind `Refine(loss="ncp")`."""

from __future__ import annotations

import numpy as np

from kanon_core.base.anytime import Limits
from kanon_core.distances.mixed import UnitColumns


def refine_ncp(
    columns: UnitColumns, labels: np.ndarray, k: int, seed: int = 0, limits: Limits | None = None
) -> tuple[np.ndarray, int, float, float]:
    """Lower the NCP of a partition; return the labels, the steps done, and the NCP before and after (0..1).

    NCP is the mean, over the records in groups and the attributes (weighted), of: width of the group's
    interval / range of the column; (distinct values − 1) / (domain − 1). A group that holds missing and
    present numbers costs 1 in that attribute, a group of missing ones only 0.

    ``labels`` int64 (n): groups of at least k records, −1 = suppressed (left alone). The labels returned (0,
    1, … in order of first occurrence) never cost more; their groups have k … 2k − 1 records. The search ends
    at its limits, or when no move of a single record lowers the NCP. Same inputs and steps give the same
    labels.

    Raises ValueError if a group has fewer than k records. Cost: about n log n up to the first rounds of moves
    (finding neighbors is most of it: nothing improves before); the last check of all moves is up to n · n /
    k. Memory O(n · (attributes + neighbors)).

    The search [ours]: groups are grown from the densest records on, each time by the record that widens them
    least (after Byun et al., DASFAA 2007), and replace the given ones if they cost less; records move and
    change places between neighboring groups; neighborhoods of a few groups are taken apart and formed anew
    (for k up to 250).
    """
    from kanon_core.algorithms.clustering.refine.ncp_kernels import search

    return search(columns, labels, k, seed, limits or Limits())
