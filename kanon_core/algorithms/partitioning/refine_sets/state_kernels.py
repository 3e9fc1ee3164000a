"""The groups at work in `refine_sets`: the members of each, the items they share, and a journal to take
changes back."""

from typing import NamedTuple

import numpy as np

from kanon_core.base.compiled import by_reference, kernel
from kanon_core.base.copying_kernels import copy

MOVED, SHARED, LEFT, FOUNDED = 0, 1, 2, 3
TOP, FREE, SHOWN, WRITTEN, STAMP, SHORT, LONGEST, EFFORT = range(8)
SPARE = 128  # groups that may be founded between two commits beyond n // k


@by_reference
class Baskets(NamedTuple):
    """n records of item sets, and for each item the records that have it.

    The last item of each record is the number of its block: items ≥ `width`, so that groups that share it
    stay in one block. The b blocks have a group each that shares nothing else, groups 0 … b − 1: they alone
    may be empty.
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
    """Records, groups, the journal and work space."""

    sets: Baskets
    groups: Groups
    journal: np.ndarray  # int32 (lines, 4): the change, its group or record, the old value, and the amount
    mark: np.ndarray  # int64 (items,), the stamp under which an item was marked last
    inside: np.ndarray  # int64 (n,), the same for records
    held: np.ndarray  # int64 (groups,), zeros between uses
    touched: np.ndarray  # int64 (groups,)
    order: np.ndarray
    bucket: np.ndarray
    donors: np.ndarray  # int64 (groups,)
    word: np.ndarray  # int32 (longest,)
    leaving: np.ndarray  # int32 (n,)
    goal: np.ndarray  # int64 (n,)
    pool: np.ndarray  # int64 (n,), the records of groups taken apart


@kernel
def resize(state: State, g: int, step: int) -> None:
    """Count a member more or less; `SHORT` counts the groups of blocks of 1 … k − 1 members."""
    groups, k = state.groups, state.sets.k
    if g < state.sets.blocks:
        groups.made[SHORT] -= 0 < groups.size[g] < k
        groups.made[SHORT] += 0 < groups.size[g] + step < k
    groups.size[g] += step


@kernel
def put(state: State, r: int, g: int) -> None:
    """Move record r to group g, without writing it down."""
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
    """Take group g out of the list of its key."""
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
    """Let group g share letters[begin : begin + count]."""
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
    """Move record r to group g."""
    write(state, MOVED, r, state.groups.of[r], 0)
    put(state, r, g)


@kernel
def leave(state: State, g: int) -> None:
    """Take an emptied group, or one to be emptied, off the lists; `commit` frees it."""
    write(state, LEFT, g, 0, 0)
    unlist(state.groups, g)


@kernel
def found(state: State, word: np.ndarray, count: int) -> int:
    """A new group that shall share the word; it is listed at once."""
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
    """Take back everything written since ``line``."""
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
    """Keep everything written: the groups that were left are free again."""
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
    """Between two changes: drop the letters that no group shares now, when half of the room is used."""
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
