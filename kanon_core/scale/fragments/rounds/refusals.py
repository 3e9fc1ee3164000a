"""Which items are refused as pivots of which clusters: their cut would have broken the rule on sensitive
values. They are kept from round to round as int64 (r, 2): the cluster, and the token."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kanon_core.algorithms.partitioning.topdown.clusters_kernels import REFUSED

if TYPE_CHECKING:
    from kanon_core.algorithms.partitioning.topdown.clusters_kernels import Work


def refuse(work: Work, counted: np.ndarray, refused: np.ndarray) -> None:
    """Refuse them in those clusters, int64, that were just counted."""
    if len(refused):
        slots, owner = _slots(work, counted)
        known = {(c, t) for c, t in refused.tolist()}
        held = zip(owner.tolist(), work.token[slots].tolist(), strict=True)
        work.shared[slots[[one in known for one in held]]] = REFUSED


def refused_in(work: Work, counted: np.ndarray, before: np.ndarray) -> np.ndarray:
    """Those after a round, in which these clusters were cut; ``before``: those that other clusters keep."""
    slots, owner = _slots(work, counted)
    now = work.shared[slots] == REFUSED
    others = before[~np.isin(before[:, 0], counted)]
    return np.concatenate([others, np.column_stack([owner[now], work.token[slots[now]]])]).astype(np.int64)


def _slots(work: Work, clusters: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The slots of these clusters, and the cluster of each, int64."""
    sizes = work.slots[clusters]
    ends = np.cumsum(sizes)
    slots = np.repeat(work.at[clusters] - ends + sizes, sizes) + np.arange(sizes.sum())
    return slots, np.repeat(clusters, sizes)
