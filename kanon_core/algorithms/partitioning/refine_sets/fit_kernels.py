"""Find the group that fits a record, and the items that the members of a group share (`refine_sets`)."""

import numpy as np

from kanon_core.algorithms.partitioning.refine_sets.state_kernels import (
    SHARED,
    STAMP,
    TOP,
    Groups,
    State,
    share,
    write,
)
from kanon_core.base.compiled import kernel
from kanon_core.base.copying_kernels import copy


@kernel
def marked(state: State, items: np.ndarray) -> int:
    """Mark these items, and no others, with a new stamp, which is returned."""
    state.groups.made[STAMP] += 1
    stamp = state.groups.made[STAMP]
    for i in items:
        state.mark[i] = stamp
    return int(stamp)


@kernel
def shared(groups: Groups, g: int) -> np.ndarray:
    """The items that group g shares."""
    return groups.letters[groups.begin[g] : groups.begin[g] + groups.count[g]]


@kernel
def best_group(state: State, r: int) -> int:
    """The listed group that shares most, all of it with record r, at least the block."""
    sets, groups, mark = state.sets, state.groups, state.mark
    own = sets.items[sets.starts[r] : sets.starts[r + 1]]
    stamp, best, found_ = marked(state, own), 0, -1
    for i in own:
        g = groups.listed[i]
        while g >= 0:
            count = groups.count[g]
            if count > best:
                holds = True
                for p in range(groups.begin[g], groups.begin[g] + count):
                    if mark[groups.letters[p]] != stamp:
                        holds = False
                        break
                if holds:
                    best, found_ = count, g
            g = groups.next[g]
    return found_


@kernel
def tighten(state: State, g: int) -> None:
    """Let group g share all that its members share, if that is more. Cost: up to the items of its members."""
    sets, groups, word = state.sets, state.groups, state.word
    r = groups.head[g]
    m = sets.starts[r + 1] - sets.starts[r]
    copy(sets.items, sets.starts[r], m, word, 0)
    r = groups.after[r]
    while r >= 0 and m > groups.count[g]:
        kept, a, q, end = 0, 0, sets.starts[r], sets.starts[r + 1]
        while a < m and q < end:
            x, y = word[a], sets.items[q]
            if x == y:
                word[kept] = x
                kept += 1
            a += x <= y
            q += y <= x
        m = kept
        r = groups.after[r]
    if m > groups.count[g]:
        write(state, SHARED, g, groups.begin[g], groups.count[g])
        begin = groups.made[TOP]
        copy(word, 0, m, groups.letters, begin)
        groups.made[TOP] += m
        share(state, g, begin, m)
