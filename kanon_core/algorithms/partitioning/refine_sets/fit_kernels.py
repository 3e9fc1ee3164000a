"""Compiled search for the group that fits a record, and for the shared items of a group (`refine_sets`)."""

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
    """Mark these items, and no others, with a new stamp; return the stamp."""
    state.groups.made[STAMP] += 1
    stamp = state.groups.made[STAMP]
    for i in items:
        state.mark[i] = stamp
    return int(stamp)


@kernel
def shared(groups: Groups, g: int) -> np.ndarray:
    """Return the items that group g shares."""
    return groups.letters[groups.begin[g] : groups.begin[g] + groups.count[g]]


@kernel
def best_group(state: State, r: int) -> int:
    """Return the listed group that shares most among those whose shared items record r has."""
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
    """Extend the shared items of group g to all that its members share. Cost: up to its members' items."""
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
