"""Compiled count of how many records publish some items together."""

from typing import NamedTuple

import numpy as np

from kanon_core.base.compiled import by_reference, kernel

SLOT, LEAST = range(2)


@by_reference
class Count(NamedTuple):
    """Sets of items, and which sets have each item. Set i is ``items[starts[i]:starts[i + 1]]``, in no order;
    item j is in the sets ``owners[owner_at[j]:owner_at[j + 1]]``, and the items of more sets come first.
    ``made`` is indexed by the constants above.
    """

    starts: np.ndarray  # int64 (sets + 1,)
    items: np.ndarray  # int32
    owner_at: np.ndarray  # int64 (items + 1,)
    owners: np.ndarray  # int32
    weight: np.ndarray  # int64 (sets,), records that publish each set
    doubtful: np.ndarray  # bool (sets,), fewer than k publish it, and none of its combinations has failed
    failing: np.ndarray  # bool (sets,)
    among: np.ndarray  # int64 (items,), scratch, zeros between uses
    third: np.ndarray  # int64 (items,), scratch, zeros between uses
    asked: np.ndarray  # bool (items,), scratch, false between uses
    stamp: np.ndarray  # int32 (sets,), the item by which the set was last visited
    made: np.ndarray  # int64 (2,), item to look at next, least number met


@kernel
def _fails(count: Count, s: int, number: int, k: int) -> None:
    """Record that `number` records publish some items of doubtful set s."""
    if number < count.made[LEAST]:
        count.made[LEAST] = number
    if number < k:
        count.failing[s] = True
        count.doubtful[s] = False


@kernel
def _alone(count: Count, a: int, k: int) -> bool:
    """Return whether a doubtful set has item a; those fail whose item too few records publish."""
    records = 0
    doubtful = False
    for j in range(count.owner_at[a], count.owner_at[a + 1]):
        s = count.owners[j]
        records += count.weight[s]
        doubtful |= count.doubtful[s]
        count.stamp[s] = a
    if doubtful:
        doubtful = False
        for j in range(count.owner_at[a], count.owner_at[a + 1]):
            if count.doubtful[count.owners[j]]:
                _fails(count, count.owners[j], records, k)
                doubtful |= count.doubtful[count.owners[j]]
    return doubtful


@kernel
def _together(count: Count, a: int, k: int) -> int:
    """Count item a with each one after it; those after it in a set that is still doubtful stay in `asked`.
    Returns work."""
    work = 0
    for j in range(count.owner_at[a], count.owner_at[a + 1]):
        s = count.owners[j]
        work += count.starts[s + 1] - count.starts[s]
        for i in range(count.starts[s], count.starts[s + 1]):
            count.among[count.items[i]] += count.weight[s]
    for j in range(count.owner_at[a], count.owner_at[a + 1]):
        s = count.owners[j]
        for i in range(count.starts[s], count.starts[s + 1]):
            if count.doubtful[s] and count.items[i] > a:
                _fails(count, s, count.among[count.items[i]], k)
    for j in range(count.owner_at[a], count.owner_at[a + 1]):
        s = count.owners[j]
        for i in range(count.starts[s], count.starts[s + 1]):
            count.among[count.items[i]] = 0
            count.asked[count.items[i]] |= count.doubtful[s] and count.items[i] > a
    return 3 * work


@kernel
def _with_third(count: Count, a: int, b: int, k: int) -> int:
    """Count items a and b with each one after b. Returns work."""
    work: int = count.owner_at[b + 1] - count.owner_at[b]
    for j in range(count.owner_at[b], count.owner_at[b + 1]):
        s = count.owners[j]
        if count.stamp[s] == a:
            for i in range(count.starts[s], count.starts[s + 1]):
                count.third[count.items[i]] += count.weight[s]
            work += 3 * (count.starts[s + 1] - count.starts[s])
    for j in range(count.owner_at[b], count.owner_at[b + 1]):
        s = count.owners[j]
        if count.stamp[s] == a and count.doubtful[s]:
            for i in range(count.starts[s], count.starts[s + 1]):
                if count.doubtful[s] and count.items[i] > b:
                    _fails(count, s, count.third[count.items[i]], k)
    for j in range(count.owner_at[b], count.owner_at[b + 1]):
        s = count.owners[j]
        if count.stamp[s] == a:
            for i in range(count.starts[s], count.starts[s + 1]):
                count.third[count.items[i]] = 0
    return work


@kernel
def count_combinations(count: Count, k: int, m: int, most: int) -> None:
    """Count the combinations of at most m items that doubtful sets hold, until `most` work is done;
    ``made[SLOT]`` is the number of items at the end."""
    work = 0
    while count.made[SLOT] < count.among.size and work < most:
        a = count.made[SLOT]
        work += 1 + count.owner_at[a + 1] - count.owner_at[a]
        if _alone(count, a, k) and m > 1:
            work += _together(count, a, k)
            for j in range(count.owner_at[a], count.owner_at[a + 1]):
                s = count.owners[j]
                for i in range(count.starts[s], count.starts[s + 1]):
                    b = count.items[i]
                    if count.asked[b]:
                        count.asked[b] = False
                        if m > 2:
                            work += _with_third(count, a, b, k)
        count.made[SLOT] += 1
