"""State of the compiled search for items to suppress so that k records share every small combination.

Items that k or more records of a group have get slots, numbered group by group, from the rarest on. An
occurrence is an item of a record; those of a record are adjacent, in ascending order of slots. Two or three
occurrences of a record clash if some, but fewer than k, records of the group publish these items together.
One of them must be suppressed, because the number of these records can only fall.
"""

from typing import NamedTuple

import numpy as np

from kanon_core.base.compiled import by_reference, kernel
from kanon_core.base.sorting_kernels import order

SLOT, PLACE, SEEN, CLASHES, GONE, RECORD = range(6)


@by_reference
class Shelf(NamedTuple):
    """r records of t occurrences in s slots. Occurrences of record i are ``starts[i]:starts[i + 1]``, those
    of slot j are ``held[held_at[j]:held_at[j + 1]]``. ``made`` is indexed by the constants above."""

    starts: np.ndarray  # int64 (r + 1,)
    slot: np.ndarray  # int32 (t,)
    owner: np.ndarray  # int32 (t,), the record
    held: np.ndarray  # int32 (t,)
    held_at: np.ndarray  # int64 (s + 1,)
    kept: np.ndarray  # bool (t,), still published
    changed: np.ndarray  # bool (2, s), to check for pairs and triples: a record with the item has lost one
    clash: np.ndarray  # int32 (c, m), the occurrences of each clash
    degree: np.ndarray  # int32 (t,), open clashes of each occurrence
    near_at: np.ndarray  # int64 (t + 1,), the clashes of occurrence i are
    near: np.ndarray  # int32 (c · m,), near[near_at[i]:near_at[i + 1]]; −1 = resolved
    beside: np.ndarray  # int32 (s,), scratch, zeros between uses
    second: np.ndarray  # int32 (s,), scratch, zeros between uses
    seen: np.ndarray  # int32 (s,), slots beside the current one
    also: np.ndarray  # int32 (s,), scratch
    bucket: np.ndarray  # int32, occurrences beside the current slot, by their slot
    bucket_at: np.ndarray  # int64 (s,), end of each slot in the bucket
    fits: np.ndarray  # bool (t,), scratch
    made: np.ndarray  # int64 (6,)


@by_reference
class Occurrences(NamedTuple):
    """The tokens of n records; those of record i are ``tokens[starts[i]:starts[i + 1]]``."""

    starts: np.ndarray  # int64 (n + 1,)
    tokens: np.ndarray  # int32 (t,)
    kept: np.ndarray  # bool (t,)
    tally: np.ndarray  # int64 (different tokens,), scratch, zeros between uses


@kernel
def often(given: Occurrences, records: np.ndarray, ends: np.ndarray, k: int) -> None:
    """Set `kept` of each occurrence in these records, sorted by group, groups ending at ``ends``: whether k
    or more of the group have its token. Cost O(occurrences)."""
    starts, tokens, kept, count = given.starts, given.tokens, given.kept, given.tally
    first = 0
    for end in ends:
        for j in range(first, end):
            for i in range(starts[records[j]], starts[records[j] + 1]):
                count[tokens[i]] += 1
        for j in range(first, end):
            for i in range(starts[records[j]], starts[records[j] + 1]):
                kept[i] = count[tokens[i]] >= k
        for j in range(first, end):
            for i in range(starts[records[j]], starts[records[j] + 1]):
                count[tokens[i]] = 0
        first = end


@kernel
def _ranked(given: Occurrences, members: np.ndarray) -> np.ndarray:
    """Return a group's distinct kept tokens, rarest first, ties by token, as count · width + token."""
    starts, tokens, kept, count = given.starts, given.tokens, given.kept, given.tally
    most = 0
    for r in members:
        most += starts[r + 1] - starts[r]
    found = np.empty(min(count.size, most), np.int64)
    seen = 0
    for r in members:
        for i in range(starts[r], starts[r + 1]):
            if kept[i]:
                if count[tokens[i]] == 0:
                    found[seen] = tokens[i]
                    seen += 1
                count[tokens[i]] += 1
    keys = np.empty(seen)
    for s in range(seen):
        keys[s] = found[s] + count[found[s]] * count.size
    by = order(keys)
    for s in range(seen):
        found[s] = int(keys[by[s]])
    return found[:seen]


@kernel
def lay_out(
    given: Occurrences, records: np.ndarray, ends: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the kept occurrences of these records (see `often`): the start of each record, the slot and the
    record of each, the occurrences by slot and the start of each slot, and their positions among the given
    ones. Cost O(occurrences)."""
    starts, tokens, kept, count = given.starts, given.tokens, given.kept, given.tally
    begins = np.zeros(records.size + 1, np.int64)
    for j in range(records.size):
        begins[j + 1] = begins[j]
        for i in range(starts[records[j]], starts[records[j] + 1]):
            begins[j + 1] += kept[i]
    total = begins[-1]
    slot, owner, held = np.empty(total, np.int32), np.empty(total, np.int32), np.empty(total, np.int32)
    row_of, places, place_of = np.empty(total, np.int32), np.empty(total, np.int64), np.empty(total, np.int64)
    held_at, cursor = np.zeros(total + 1, np.int64), begins[:-1].copy()
    slots, first = 0, 0
    for end in ends:
        ranked = _ranked(given, records[first:end])
        for s in range(ranked.size):
            often_, token = divmod(ranked[s], count.size)
            held_at[slots + s + 1] = held_at[slots + s] + often_
            count[token] = held_at[slots + s]
        for j in range(first, end):
            for i in range(starts[records[j]], starts[records[j] + 1]):
                if kept[i]:
                    at = count[tokens[i]]
                    count[tokens[i]] += 1
                    row_of[at] = j
                    place_of[at] = i
        for s in range(slots, slots + ranked.size):
            count[ranked[s - slots] % count.size] = 0
            for b in range(held_at[s], held_at[s + 1]):
                at = cursor[row_of[b]]
                cursor[row_of[b]] += 1
                slot[at] = s
                owner[at] = row_of[b]
                places[at] = place_of[b]
                held[b] = at
        slots += ranked.size
        first = end
    return begins, slot, owner, held, held_at[: slots + 1].copy(), places
