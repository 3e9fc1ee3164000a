"""Compiled search for suppressed items that can be restored, because others were suppressed later."""

from kanon_core.algorithms.partitioning.topdown.known.clash_kernels import (
    beside_items,
    empty,
    fill,
    place_of,
    thirds,
)
from kanon_core.algorithms.partitioning.topdown.known.shelf_kernels import GONE, PLACE, SEEN, SLOT, Shelf
from kanon_core.base.compiled import kernel


@kernel
def _gone(shelf: Shelf, a: int, k: int) -> tuple[int, int]:
    """Mark in `fits` the suppressed occurrences of item a without a clash with a single item; return their
    number, and work."""
    lost = 0
    for j in range(shelf.held_at[a], shelf.held_at[a + 1]):
        lost += not shelf.kept[shelf.held[j]]
    if lost == 0 or lost == shelf.held_at[a + 1] - shelf.held_at[a]:
        return 0, 1
    seen, work = beside_items(shelf, a, True)
    lost = 0
    for j in range(shelf.held_at[a], shelf.held_at[a + 1]):
        at = shelf.held[j]
        if not shelf.kept[at]:
            fits = True
            record = shelf.owner[at]
            work += shelf.starts[record + 1] - shelf.starts[record]
            for i in range(shelf.starts[record], shelf.starts[record + 1]):
                fits = fits and (not shelf.kept[i] or shelf.beside[shelf.slot[i]] >= k)
            shelf.fits[at] = fits
            lost += fits
    empty(shelf, seen)
    return lost, work


@kernel
def _unfit(shelf: Shelf, a: int, b: int, k: int) -> int:
    """Unmark the occurrences that clash with item b and one after it; return work."""
    seen, work = thirds(shelf, a, b)
    for j in range(shelf.bucket_at[b] - shelf.beside[b], shelf.bucket_at[b]):
        at = shelf.bucket[j]
        own = place_of(shelf, a, at)
        if shelf.fits[own]:
            work += shelf.starts[shelf.owner[at] + 1] - at
            for i in range(at + 1, shelf.starts[shelf.owner[at] + 1]):
                if shelf.kept[i] and shelf.second[shelf.slot[i]] < k:
                    shelf.fits[own] = False
    for i in range(seen):
        shelf.second[shelf.also[i]] = 0
    return work


@kernel
def _return(shelf: Shelf, a: int) -> None:
    """Publish the marked occurrences."""
    for j in range(shelf.held_at[a], shelf.held_at[a + 1]):
        at = shelf.held[j]
        if shelf.fits[at]:
            shelf.fits[at] = False
            shelf.kept[at] = True
            shelf.made[GONE] -= 1


@kernel
def give_back(shelf: Shelf, k: int, m: int, most: int) -> None:
    """Restore occurrences without a clash, slot by slot from the last one on, until `most` work is done.
    ``made[SLOT]`` is s at the end.

    This only adds records to published combinations, so results for earlier slots stay valid.
    """
    work = 0
    while shelf.made[SLOT] < shelf.beside.size and work < most:
        a = shelf.beside.size - 1 - shelf.made[SLOT]
        work += 1
        if shelf.made[SEEN] == 0:
            lost, done = _gone(shelf, a, k)
            work += done
            if lost and m > 2:
                shelf.made[SEEN], done = fill(shelf, a, True)
                work += done
        while shelf.made[PLACE] < shelf.made[SEEN] and work < most:
            work += _unfit(shelf, a, shelf.seen[shelf.made[PLACE]], k)
            shelf.made[PLACE] += 1
        if shelf.made[PLACE] == shelf.made[SEEN]:
            empty(shelf, shelf.made[SEEN])
            _return(shelf, a)
            shelf.made[SEEN] = 0
            shelf.made[PLACE] = 0
            shelf.made[SLOT] += 1
