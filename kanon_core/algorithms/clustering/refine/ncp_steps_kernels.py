"""All steps of a search on the NCP behind one entry: what they share is compiled once."""

from typing import NamedTuple

import numpy as np

from kanon_core.algorithms.clustering.refine.ncp_build_kernels import rebuild
from kanon_core.algorithms.clustering.refine.ncp_groups_kernels import Groups, fill
from kanon_core.algorithms.clustering.refine.ncp_moves_kernels import Clock, Nearby, dissolve, polish, sweep
from kanon_core.base.compiled import by_reference, kernel

FILL, SWEEP, DISSOLVE, REBUILD, POLISH, NOTHING = range(6)


@by_reference
class Search(NamedTuple):
    """What a search works on: labels (n,), the groups with which it begins; spare: empty groups, spare[0]
    their number; dice (1,): the state of its random numbers."""

    groups: Groups
    nearby: Nearby
    clock: Clock
    labels: np.ndarray
    spare: np.ndarray
    dice: np.ndarray


@kernel
def step(search: Search, task: int, at: int, k: int, work: int) -> tuple[int, float]:
    """Do about `work` of a task; returns where to go on and what was saved; of REBUILD, tries and
    successes."""
    groups, nearby, clock = search.groups, search.nearby, search.clock
    if task == FILL:
        return fill(groups, search.labels, at, work), 0.0
    if task == SWEEP:
        return sweep(groups, nearby, clock, at, k, work)
    if task == DISSOLVE:
        return dissolve(groups, nearby, clock, at, k, work)
    if task == REBUILD:
        tries, wins = rebuild(groups, nearby, clock, search.spare, search.dice, k, work)
        return tries, float(wins)
    if task == POLISH:
        return polish(groups, clock, at, k, work)
    return groups.label.size, 0.0
