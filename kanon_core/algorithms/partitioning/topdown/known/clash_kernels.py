"""Compiled search for items to suppress so that k records share every small combination."""

from kanon_core.algorithms.partitioning.topdown.known.shelf_kernels import (
    CLASHES,
    GONE,
    PLACE,
    RECORD,
    SEEN,
    SLOT,
    Shelf,
)
from kanon_core.base.compiled import inlined, kernel


@inlined
def _remove(shelf: Shelf, at: int) -> None:
    """Suppress occurrence `at`, and mark the items beside it, which may have become rare."""
    shelf.kept[at] = False
    shelf.made[GONE] += 1
    record = shelf.owner[at]
    for i in range(shelf.starts[record], shelf.starts[record + 1]):
        shelf.changed[0, shelf.slot[i]] = True
        shelf.changed[1, shelf.slot[i]] = True


@kernel
def _drop_rare(shelf: Shelf, a: int, k: int) -> bool:
    """Suppress item a if fewer than k records publish it; return whether that is so."""
    found = 0
    for j in range(shelf.held_at[a], shelf.held_at[a + 1]):
        found += shelf.kept[shelf.held[j]]
    for j in range(shelf.held_at[a], shelf.held_at[a + 1]):
        if found < k and shelf.kept[shelf.held[j]]:
            _remove(shelf, shelf.held[j])
    return found < k


@inlined
def _note(shelf: Shelf, first: int, second: int, third: int) -> bool:
    """Store a clash if there is room; return whether there was."""
    at = shelf.made[CLASHES]
    if at == len(shelf.clash):
        return False
    shelf.clash[at, 0] = first
    shelf.clash[at, 1] = second
    if shelf.clash.shape[1] > 2:
        shelf.clash[at, 2] = third
    shelf.made[CLASHES] += 1
    return True


@kernel
def beside_items(shelf: Shelf, a: int, before: bool) -> tuple[int, int]:
    """Count in `beside` the published items in records that publish item a or might (`fits`): all, or those
    after a. Return slots and work."""
    seen = 0
    work = 0
    for j in range(shelf.held_at[a], shelf.held_at[a + 1]):
        at = shelf.held[j]
        if not (shelf.kept[at] or shelf.fits[at]):
            continue
        begin = shelf.starts[shelf.owner[at]] if before else at + 1
        end = shelf.starts[shelf.owner[at] + 1]
        work += end - begin
        for i in range(begin, end):
            b = shelf.slot[i]
            if shelf.kept[i] and b != a:
                if shelf.beside[b] == 0:
                    shelf.seen[seen] = b
                    seen += 1
                shelf.beside[b] += 1
    return seen, work


@kernel
def _pairs(shelf: Shelf, a: int, k: int) -> tuple[bool, int]:
    """Store the clashes of item a with one item after it; return whether there was room, and work."""
    seen, work = beside_items(shelf, a, False)
    rare = False
    for i in range(seen):
        rare |= shelf.beside[shelf.seen[i]] < k
    room = True
    if rare:
        for j in range(shelf.held_at[a], shelf.held_at[a + 1]):
            at = shelf.held[j]
            if shelf.kept[at] and room:
                for i in range(at + 1, shelf.starts[shelf.owner[at] + 1]):
                    if shelf.kept[i] and shelf.beside[shelf.slot[i]] < k:
                        room = room and _note(shelf, at, i, -1)
    empty(shelf, seen)
    return room, work


@kernel
def fill(shelf: Shelf, a: int, before: bool) -> tuple[int, int]:
    """Put the published occurrences in records that publish item a or might (`fits`) into the bucket, by
    slot; only those after a unless ``before``. Return slots and work. `beside` holds the number per slot
    until `empty`."""
    seen, work = beside_items(shelf, a, before)
    total = 0
    for i in range(seen):
        shelf.bucket_at[shelf.seen[i]] = total
        total += shelf.beside[shelf.seen[i]]
    for j in range(shelf.held_at[a], shelf.held_at[a + 1]):
        at = shelf.held[j]
        if shelf.kept[at] or shelf.fits[at]:
            begin = shelf.starts[shelf.owner[at]] if before else at + 1
            for i in range(begin, shelf.starts[shelf.owner[at] + 1]):
                b = shelf.slot[i]
                if shelf.kept[i] and b != a:
                    shelf.bucket[shelf.bucket_at[b]] = i
                    shelf.bucket_at[b] += 1
    return seen, 2 * work


@kernel
def empty(shelf: Shelf, seen: int) -> None:
    """Reset the counts of `fill`."""
    for i in range(seen):
        shelf.beside[shelf.seen[i]] = 0


@inlined
def place_of(shelf: Shelf, a: int, near: int) -> int:
    """Return the occurrence of item a in the record of occurrence `near`."""
    low = shelf.starts[shelf.owner[near]]
    high = shelf.starts[shelf.owner[near] + 1]
    while low < high:
        middle = (low + high) // 2
        if shelf.slot[middle] < a:
            low = middle + 1
        else:
            high = middle
    return int(low)


@kernel
def thirds(shelf: Shelf, a: int, b: int) -> tuple[int, int]:
    """Count in `second` the published items after b in records that publish a and b; return slots and
    work."""
    seen = 0
    work = 0
    for j in range(shelf.bucket_at[b] - shelf.beside[b], shelf.bucket_at[b]):
        at = shelf.bucket[j]
        work += 4
        if not shelf.kept[place_of(shelf, a, at)]:
            continue
        end = shelf.starts[shelf.owner[at] + 1]
        work += end - at
        for i in range(at + 1, end):
            if shelf.kept[i]:
                c = shelf.slot[i]
                if shelf.second[c] == 0:
                    shelf.also[seen] = c
                    seen += 1
                shelf.second[c] += 1
    return seen, work


@kernel
def _triples(shelf: Shelf, a: int, b: int, k: int) -> tuple[bool, int]:
    """Store the clashes of items a and b with one item after b; return whether there was room, and work. At
    least k records publish a and b, because pairs are resolved first."""
    seen, work = thirds(shelf, a, b)
    rare = False
    for i in range(seen):
        rare |= shelf.second[shelf.also[i]] < k
    room = True
    if rare:
        for j in range(shelf.bucket_at[b] - shelf.beside[b], shelf.bucket_at[b]):
            at = shelf.bucket[j]
            if room:
                one = place_of(shelf, a, at)
                for i in range(at + 1, shelf.starts[shelf.owner[at] + 1]):
                    if shelf.kept[i] and shelf.second[shelf.slot[i]] < k:
                        room = room and _note(shelf, one, at, i)
    for i in range(seen):
        shelf.second[shelf.also[i]] = 0
    return room, work


@kernel
def collect(shelf: Shelf, k: int, size: int, most: int) -> bool:
    """Store the clashes of ``size`` occurrences in the changed slots until `most` work is done or no room is
    left; return whether there was room.

    Items that fewer than k records publish are suppressed at once. ``made[SLOT]`` is s at the end.
    """
    work = 0
    room = True
    while shelf.made[SLOT] < shelf.beside.size and work < most and room:
        a = shelf.made[SLOT]
        work += 1
        if shelf.made[SEEN] == 0:
            changed = shelf.changed[size - 2, a]
            shelf.changed[size - 2, a] = False
            if not changed or _drop_rare(shelf, a, k):
                shelf.made[SLOT] += 1
                continue
            if size == 2:
                room, done = _pairs(shelf, a, k)
            else:
                shelf.made[SEEN], done = fill(shelf, a, False)
            work += done
        while room and shelf.made[PLACE] < shelf.made[SEEN] and work < most:
            room, done = _triples(shelf, a, shelf.seen[shelf.made[PLACE]], k)
            work += done
            shelf.made[PLACE] += 1
        if not room:
            shelf.changed[size - 2, a] = True
        if not room or shelf.made[PLACE] == shelf.made[SEEN]:
            empty(shelf, shelf.made[SEEN])
            shelf.made[SEEN] = 0
            shelf.made[PLACE] = 0
            shelf.made[SLOT] += room
    return room


@kernel
def link(shelf: Shelf, size: int) -> None:
    """List the clashes of each occurrence. Cost O(t + clashes)."""
    clashes = shelf.made[CLASHES]
    shelf.degree[:] = 0
    for c in range(clashes):
        for j in range(size):
            shelf.degree[shelf.clash[c, j]] += 1
    total = 0
    for i in range(shelf.degree.size):
        shelf.near_at[i] = total
        total += shelf.degree[i]
    shelf.near_at[-1] = total
    for c in range(clashes):
        for j in range(size):
            i = shelf.clash[c, j]
            shelf.near[shelf.near_at[i]] = c
            shelf.near_at[i] += 1
    for i in range(shelf.degree.size, 0, -1):
        shelf.near_at[i] = shelf.near_at[i - 1]
    shelf.near_at[0] = 0


@kernel
def settle(shelf: Shelf, size: int, most: int) -> None:
    """Suppress, record by record from ``made[RECORD]`` on, the occurrence with the most open clashes, the
    rarest on ties, until none is open or `most` work is done."""
    work = 0
    while shelf.made[RECORD] < shelf.starts.size - 1 and work < most:
        begin = shelf.starts[shelf.made[RECORD]]
        end = shelf.starts[shelf.made[RECORD] + 1]
        work += 1 + end - begin
        worst = -1
        for i in range(begin, end):
            if shelf.degree[i] > 0 and (worst < 0 or shelf.degree[i] > shelf.degree[worst]):
                worst = i
        if worst < 0:
            shelf.made[RECORD] += 1
            continue
        _remove(shelf, worst)
        for j in range(shelf.near_at[worst], shelf.near_at[worst + 1]):
            c = shelf.near[j]
            if shelf.clash[c, 0] >= 0:
                for i in range(size):
                    shelf.degree[shelf.clash[c, i]] -= 1
                shelf.clash[c, 0] = -1
                work += 1
