"""Assignment of records to the existing groups, in `refine_sets`, by chains of moves, one record per group.

With fixed shared sets, a record may be in any group that shares a subset of it, and each group needs k. If
records move along A → B → … → Z, one out of each group, only the sizes of A and Z change, and the gain is
|shared by Z| − |shared by A|. So only reachability matters: the assignment is optimal if no group with more
than k reaches one that shares more (a transportation problem: Ford & Fulkerson 1962). Groups that share most
come first; groups visited in an unsuccessful search are not visited again.
"""

import numpy as np

from kanon_core.algorithms.partitioning.refine_sets.state_kernels import Baskets, Groups
from kanon_core.base.compiled import kernel

FITS = 16  # most pairs of a group and a record that fits it, as a multiple of the records
TEST = 4  # effort of testing whether a record fits a group; following a pair costs 1
MOST_EFFORT = 15_000_000  # approximate effort of one assignment, a tenth of a second; half of it for fits
UNSEEN, SPENT = -1, -2


@kernel
def list_fits(
    sets: Baskets, groups: Groups, order: np.ndarray, fits: np.ndarray, first: np.ndarray, mark: np.ndarray
) -> int:
    """List the records that fit each group, in the given order, until room or effort is used up; those of
    group g are fits[first[0, g] : first[1, g]]. Return the effort."""
    effort = made = 0
    for g in order:
        key = groups.key[g]
        if g < sets.blocks or key < 0 or effort >= MOST_EFFORT // 2:
            continue
        effort += TEST * (sets.first[key + 1] - sets.first[key])
        for p in range(groups.begin[g], groups.begin[g] + groups.count[g]):
            mark[groups.letters[p]] = g
        first[0, g] = made
        for p in range(sets.first[key], sets.first[key + 1]):
            r, has = sets.holders[p], 0
            for q in range(sets.starts[r], sets.starts[r + 1]):
                has += mark[sets.items[q]] == g
            if has == groups.count[g] and made < len(fits):
                fits[made] = r
                made += 1
        first[1, g] = made
    return effort


@kernel
def assign(
    sets: Baskets, groups: Groups, order: np.ndarray, fits: np.ndarray, work: np.ndarray, mark: np.ndarray
) -> None:
    """Move records (only `of` and `size`) along chains while more items are shown.

    ``order``: the groups, those that share most first. ``work`` int64 (5, groups), ``mark`` int64 (items,) −1
    and ``fits`` are scratch. A chain is searched backwards from its end: ``work`` holds both ends of each
    group's list of fits, the next group of the chain, the record that moves there, and the groups visited.
    """
    first, onward, via, queue = work[:2], work[2], work[3], work[4]
    of, size, count = groups.of, groups.size, groups.count
    effort = list_fits(sets, groups, order, fits, first, mark)
    for target in order:
        while first[0, target] < first[1, target] and onward[target] == UNSEEN and effort < MOST_EFFORT:
            queue[0], met, at, g = target, 1, 0, -1
            onward[target] = target
            while at < met and g < 0:
                b = queue[at]
                at += 1
                effort += first[1, b] - first[0, b]
                for p in range(first[0, b], first[1, b]):
                    h = of[fits[p]]
                    if onward[h] == UNSEEN:
                        onward[h], via[h] = b, fits[p]
                        queue[met] = h
                        met += 1
                        if size[h] > sets.k and count[h] < count[target]:
                            g = h
                            break
            if g >= 0:
                size[g] -= 1
                size[target] += 1
            gained = g >= 0
            while gained and g != target:
                of[via[g]] = onward[g]
                g = onward[g]
            for a in range(met):
                onward[queue[a]] = UNSEEN if gained else SPENT
