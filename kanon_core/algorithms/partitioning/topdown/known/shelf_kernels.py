"""State of the compiled search for the items that must go so that a few known items point to nobody.

Items of a group that k or more of its records have stand in slots, numbered group by group, from the rarest
on. An occurrence is an item of a record; those of a record stand side by side, slots rising. Two or three
occurrences of a record clash when some, but fewer than k records of the group publish these items together:
one of them must go, as numbers of records can only fall.
"""

from typing import NamedTuple

import numpy as np

SLOT, PLACE, SEEN, CLASHES, GONE, RECORD = range(6)


class Shelf(NamedTuple):
    """r records of t occurrences in s slots. Occurrences of record i are ``starts[i]:starts[i + 1]``, those
    of slot j are ``held[held_at[j]:held_at[j + 1]]``. ``made`` is indexed by the constants above."""

    starts: np.ndarray  # int64 (r + 1,)
    slot: np.ndarray  # int32 (t,)
    owner: np.ndarray  # int32 (t,), the record
    held: np.ndarray  # int32 (t,)
    held_at: np.ndarray  # int64 (s + 1,)
    kept: np.ndarray  # bool (t,), still published
    changed: (
        np.ndarray
    )  # bool (2, s), to be looked at for pairs and for triples, because a record with the item has lost one
    clash: np.ndarray  # int32 (c, m), the occurrences of each clash
    degree: np.ndarray  # int32 (t,), open clashes of each occurrence
    near_at: np.ndarray  # int64 (t + 1,), of each occurrence the clashes …
    near: np.ndarray  # int32 (c · m,), … near[near_at[i]:near_at[i + 1]]; −1 = settled
    beside: np.ndarray  # int32 (s,), scratch, zeros between uses
    second: np.ndarray  # int32 (s,), scratch, zeros between uses
    seen: np.ndarray  # int32 (s,), slots that stand beside the one looked at
    also: np.ndarray  # int32 (s,), scratch
    bucket: np.ndarray  # int32, occurrences that stand beside the slot looked at, by their slot
    bucket_at: np.ndarray  # int64 (s,), where those of a slot end in the bucket
    fits: np.ndarray  # bool (t,), scratch
    made: np.ndarray  # int64 (6,)
