"""The groups of a search in `refine_sets`: members, shared items, and a journal that can undo changes."""

from typing import NamedTuple

import numpy as np

from kanon_core.base.compiled import by_reference, kernel
from kanon_core.base.copying_kernels import copy

MOVED, SHARED, LEFT, FOUNDED = 0, 1, 2, 3
TOP, FREE, SHOWN, WRITTEN, STAMP, SHORT, LONGEST, EFFORT = range(8)
SPARE = 128  # groups beyond n // k that may be opened between two commits


@by_reference
class Baskets(NamedTuple):
    """n records of item sets, and for each item the records that have it.

    The last item of each record is `width` + its block, so that groups, which share it, stay in one block.
    Groups 0 … b − 1 are those of the b blocks: they share nothing else, and only they may be empty.
    """

    starts: np.ndarray  # int64 (n + 1,)
    items: np.ndarray  # int32, ascending in each record
    first: np.ndarray  # int64 (width + b + 1,)
    holders: np.ndarray  # int32, ascending for each item
    width: int
    blocks: int
    k: int


@by_reference
class Groups(NamedTuple):
    """Members as linked lists; the shared items of group g are letters[begin[g] : begin[g] + count[g]].

    A group is listed under its rarest shared item, `key` (−1 = not listed).
    """

    of: np.ndarray  # int32 (n,), the group of each record
    after: np.ndarray  # int32 (n,), next member, −1 = none
    before: np.ndarray  # int32 (n,)
    head: np.ndarray  # int32 (groups,), first member
    size: np.ndarray  # int64 (groups,)
    begin: np.ndarray  # int64 (groups,)
    count: np.ndarray  # type: ignore[assignment]  # int64 (groups,); hides tuple.count
    key: np.ndarray  # int32 (groups,)
    next: np.ndarray  # int32 (groups,), in the list of the key
    previous: np.ndarray  # int32 (groups,)
    listed: np.ndarray  # int32 (items,), first group of each key
    letters: np.ndarray  # int32
    free: np.ndarray  # int64 (groups,), unused groups
    made: np.ndarray  # int64 (8,): the counters above


@by_reference
class State(NamedTuple):
    """Records, groups, the journal and scratch."""

    sets: Baskets
    groups: Groups
    journal: np.ndarray  # int32 (lines, 4): the change, its group or record, the old value, and the amount
    mark: np.ndarray  # int64 (items,), the last stamp of an item
    inside: np.ndarray  # int64 (n,), the same for records
    held: np.ndarray  # int64 (groups,), zeros between uses
    touched: np.ndarray  # int64 (groups,)
    order: np.ndarray
    bucket: np.ndarray
    donors: np.ndarray  # int64 (groups,)
    word: np.ndarray  # int32 (longest,)
    leaving: np.ndarray  # int32 (n,)
    goal: np.ndarray  # int64 (n,)
    pool: np.ndarray  # int64 (n,), the records of dissolved groups


@kernel
def resize(state: State, g: int, step: int) -> None:
    """Change the size of group g by step; `SHORT` counts the block groups of 1 … k − 1 members."""
    groups, k = state.groups, state.sets.k
    if g < state.sets.blocks:
        groups.made[SHORT] -= 0 < groups.size[g] < k
        groups.made[SHORT] += 0 < groups.size[g] + step < k
    groups.size[g] += step


@kernel
def put(state: State, r: int, g: int) -> None:
    """Move record r to group g without a journal entry."""
    groups = state.groups
    old, a, b = int(np.int64(groups.of[r])), groups.before[r], groups.after[r]
    if a >= 0:
        groups.after[a] = b
    else:
        groups.head[old] = b
    if b >= 0:
        groups.before[b] = a
    h = groups.head[g]
    groups.after[r], groups.before[r] = h, -1
    if h >= 0:
        groups.before[h] = r
    groups.head[g] = r
    groups.of[r] = g
    resize(state, old, -1)
    resize(state, g, 1)
    groups.made[SHOWN] += groups.count[g] - groups.count[old]


@kernel
def unlist(groups: Groups, g: int) -> None:
    """Remove group g from the list of its key."""
    if groups.key[g] >= 0:
        a, b = groups.previous[g], groups.next[g]
        if a >= 0:
            groups.next[a] = b
        else:
            groups.listed[groups.key[g]] = b
        if b >= 0:
            groups.previous[b] = a
        groups.key[g] = -1


@kernel
def enlist(state: State, g: int) -> None:
    """List group g under its rarest shared item."""
    sets, groups = state.sets, state.groups
    rarest, least = -1, len(sets.holders) + 1
    for p in range(groups.begin[g], groups.begin[g] + groups.count[g]):
        i = groups.letters[p]
        if sets.first[i + 1] - sets.first[i] < least:
            rarest, least = i, sets.first[i + 1] - sets.first[i]
    h = groups.listed[rarest]
    groups.key[g], groups.next[g], groups.previous[g] = rarest, h, -1
    if h >= 0:
        groups.previous[h] = g
    groups.listed[rarest] = g


@kernel
def share(state: State, g: int, begin: int, count: int) -> None:
    """Set the shared items of group g to letters[begin : begin + count]."""
    groups = state.groups
    unlist(groups, g)
    groups.made[SHOWN] += groups.size[g] * (count - groups.count[g])
    groups.begin[g], groups.count[g] = begin, count
    enlist(state, g)


@kernel
def write(state: State, what: int, who: int, was: int, old: int) -> None:
    """Add a line to the journal."""
    line = state.journal[state.groups.made[WRITTEN]]
    line[0], line[1], line[2], line[3] = what, who, was, old
    state.groups.made[WRITTEN] += 1


@kernel
def move(state: State, r: int, g: int) -> None:
    """Move record r to group g, with a journal entry."""
    write(state, MOVED, r, state.groups.of[r], 0)
    put(state, r, g)


@kernel
def leave(state: State, g: int) -> None:
    """Unlist a group that is or will be empty; `commit` frees it."""
    write(state, LEFT, g, 0, 0)
    unlist(state.groups, g)


@kernel
def found(state: State, word: np.ndarray, count: int) -> int:
    """Return a new, listed group that shares the word."""
    groups = state.groups
    groups.made[FREE] -= 1
    g = groups.free[groups.made[FREE]]
    write(state, FOUNDED, g, 0, 0)
    begin = groups.made[TOP]
    copy(word, 0, count, groups.letters, begin)
    groups.made[TOP] += count
    share(state, g, begin, count)
    return int(g)


@kernel
def undo(state: State, line: int) -> None:
    """Undo all changes since ``line`` of the journal."""
    groups = state.groups
    for at in range(groups.made[WRITTEN] - 1, line - 1, -1):
        what, who, was = state.journal[at, 0], int(np.int64(state.journal[at, 1])), state.journal[at, 2]
        if what == MOVED:
            put(state, state.journal[at, 1], int(np.int64(was)))
        elif what == SHARED:
            share(state, who, int(np.int64(was)), int(np.int64(state.journal[at, 3])))
        elif what == LEFT:
            enlist(state, who)
        else:
            unlist(groups, who)
            groups.count[who] = 0
            groups.free[groups.made[FREE]] = who
            groups.made[FREE] += 1
    groups.made[WRITTEN] = line


@kernel
def commit(state: State) -> None:
    """Accept all changes: clear the journal, and free the unlisted groups."""
    groups = state.groups
    for at in range(groups.made[WRITTEN]):
        if state.journal[at, 0] == LEFT:
            g = state.journal[at, 1]
            groups.count[g] = 0
            groups.free[groups.made[FREE]] = g
            groups.made[FREE] += 1
    groups.made[WRITTEN] = 0


@kernel
def compact(state: State) -> None:
    """Remove letters that no group shares, if half of the room is used; only between two changes."""
    groups = state.groups
    if 2 * groups.made[TOP] < len(groups.letters):
        return
    kept = groups.letters[: groups.made[TOP]].copy()
    top = 0
    for g in range(len(groups.head)):
        if groups.key[g] >= 0:
            begin, count = groups.begin[g], groups.count[g]
            copy(kept, begin, count, groups.letters, top)
            groups.begin[g] = top
            top += count
    groups.made[TOP] = top
