"""The item sets found by `refine_sets`, each with the records that have all its items."""

from typing import NamedTuple

import numpy as np

from kanon_core.algorithms.partitioning.refine_sets.fit_kernels import marked
from kanon_core.algorithms.partitioning.refine_sets.open_kernels import forecast
from kanon_core.algorithms.partitioning.refine_sets.state_kernels import State
from kanon_core.base.compiled import by_reference, kernel
from kanon_core.base.copying_kernels import copy
from kanon_core.base.random_kernels import below, draw

SAMPLE = 100  # most records that are examined to draw the next item of a set
FAVOR = 4  # weight in that draw of spare records that could gain by the next item
SETS, ENTRIES, LETTERS, WORK = range(4)


@by_reference
class Store(NamedTuple):
    """Set x is letters[begin[x] : begin[x] + count[x]]; its records are records[start[x] : start[x] +
    held[x]]."""

    begin: np.ndarray  # int64 (sets,)
    count: np.ndarray  # type: ignore[assignment]  # int64 (sets,); hides tuple.count
    start: np.ndarray  # int64 (sets,)
    held: np.ndarray  # int32 (sets,)
    letters: np.ndarray  # int32
    records: np.ndarray  # int32 (entries,)
    table: np.ndarray  # int32 (a power of 2,), hash table of sets, −1 = empty
    made: np.ndarray  # int64 (4,): sets, entries, letters, and work done, in records examined
    place: np.ndarray  # int32 (items,), position in the current record, −1 = not in it
    often: np.ndarray  # int64 (2, longest)
    path: np.ndarray  # int32 (longest,)
    having: np.ndarray  # int32 (n,), the records that have the path
    best: np.ndarray  # int32 (n,), those of the best set of the path


@kernel
def slot(store: Store, word: np.ndarray) -> int:
    """Return the first slot of the hash table for these items, in any order."""
    total = np.uint64(0)
    for i in word:
        x = (np.uint64(i) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        x ^= x >> np.uint64(29)
        x *= np.uint64(0xBF58476D1CE4E5B9)
        total += x ^ (x >> np.uint64(32))
    return int(np.int64((total ^ (total >> np.uint64(31))) & np.uint64(len(store.table) - 1)))


@kernel
def remember(state: State, store: Store, word: np.ndarray, having: np.ndarray) -> None:
    """Add a set and the records that have it, unless it is stored or no room is left."""
    made, stamp, at = store.made, marked(state, word), slot(store, word)
    while store.table[at] >= 0:
        x = store.table[at]
        same = store.count[x] == len(word) and store.held[x] == len(having)
        if same:
            for p in range(store.begin[x], store.begin[x] + len(word)):
                if state.mark[store.letters[p]] != stamp:
                    same = False
                    break
        if same:
            return
        at = (at + 1) & (len(store.table) - 1)
    x, entry, letter = made[SETS], made[ENTRIES], made[LETTERS]
    if (
        x == len(store.begin)
        or entry + len(having) > len(store.records)
        or letter + len(word) > len(store.letters)
    ):
        return
    store.table[at] = x
    store.begin[x], store.count[x], store.start[x], store.held[x] = letter, len(word), entry, len(having)
    copy(word, 0, len(word), store.letters, letter)
    copy(having, 0, len(having), store.records, entry)
    made[SETS], made[ENTRIES], made[LETTERS] = x + 1, entry + len(having), letter + len(word)


@kernel
def wanting(state: State, random: np.ndarray) -> int:
    """Return a random record, by its number of items, that does not show all of them, or, after 5 tries,
    any."""
    sets, groups = state.sets, state.groups
    r = 0
    for _ in range(5):
        r = sets.holders[below(draw(random), len(sets.holders))]
        if groups.count[groups.of[r]] < sets.starts[r + 1] - sets.starts[r]:
            break
    return int(r)


@kernel
def begin_path(state: State, store: Store, r: int, random: np.ndarray) -> int:
    """Start a path with the rarer of two random items of record r, and its block; return how many records
    have both."""
    sets, having = state.sets, store.having
    lo, length = sets.starts[r], sets.starts[r + 1] - sets.starts[r] - 1
    i = sets.items[lo + below(draw(random), length)]
    j = sets.items[lo + below(draw(random), length)]
    if sets.first[j + 1] - sets.first[j] < sets.first[i + 1] - sets.first[i]:
        i = j
    block = sets.items[lo + length]
    for a in range(length):
        store.place[sets.items[lo + a]] = a
    store.place[i] = -1
    store.path[0], store.path[1] = i, block
    m = 0
    for p in range(sets.first[i], sets.first[i + 1]):
        s = sets.holders[p]
        if sets.items[sets.starts[s + 1] - 1] == block:
            having[m] = s
            m += 1
    store.made[WORK] += sets.first[i + 1] - sets.first[i]
    return m


@kernel
def extend(state: State, store: Store, r: int, count: int, m: int, random: np.ndarray) -> tuple[int, int]:
    """Add to the path the items that all its m records share, and draw one of r's other items (−1 = none),
    weighted by frequency; return the new count and the item."""
    sets, groups, place, path = state.sets, state.groups, store.place, store.path
    lo, length = sets.starts[r], sets.starts[r + 1] - sets.starts[r] - 1
    often, weight = store.often[0], store.often[1]
    often[:length] = 0
    weight[:length] = 0
    step = max(m // SAMPLE, 1)
    for c in range(below(draw(random), step), m, step):
        s = store.having[c]
        g = groups.of[s]
        w = FAVOR if groups.count[g] <= count and groups.size[g] > sets.k else 1
        for q in range(sets.starts[s], sets.starts[s + 1]):
            a = place[sets.items[q]]
            if a >= 0:
                often[a] += 1
                weight[a] += w
    total = 0
    for a in range(length):
        if often[a] == m:
            path[count] = sets.items[lo + a]
            place[path[count]] = -1
            count += 1
            weight[a] = 0
        elif often[a] < (sets.k if step == 1 else 1):
            weight[a] = 0
        total += weight[a]
    pick = below(draw(random), max(total, 1))
    for a in range(length):
        pick -= weight[a]
        if pick < 0:
            return count, sets.items[lo + a]
    return count, -1


@kernel
def keep_with(state: State, store: Store, m: int, item: int) -> int:
    """Keep, of the m records that have the path, those with the item; return how many."""
    sets, having = state.sets, store.having
    kept = 0
    for c in range(m):
        s = having[c]
        for q in range(sets.starts[s], sets.starts[s + 1]):
            if sets.items[q] >= item:
                if sets.items[q] == item:
                    having[kept] = s
                    kept += 1
                break
    return kept


@kernel
def explore(state: State, store: Store, r: int, random: np.ndarray) -> tuple[int, int, float]:
    """Follow a random path of growing subsets of record r that k records have, and store them all.

    Return the numbers of items and records of the subset with the best `forecast` (path[:items],
    best[:records]), and the forecast.
    """
    sets, path = state.sets, store.path
    if sets.starts[r + 1] - sets.starts[r] < 2:
        return 0, 0, -1.0
    m = begin_path(state, store, r, random)
    count, most, items, records = 2, -1.0, 0, 0
    while m >= sets.k:
        count, item = extend(state, store, r, count, m, random)
        remember(state, store, path[:count], store.having[:m])
        expected = forecast(state, store.having[:m], count)
        if expected > most:
            most, items, records = expected, count, m
            copy(store.having, 0, m, store.best, 0)
        store.made[WORK] += 2 * m
        if item < 0:
            break
        path[count] = item
        store.place[item] = -1
        count += 1
        m = keep_with(state, store, m, item)
    for q in range(sets.starts[r], sets.starts[r + 1] - 1):
        store.place[sets.items[q]] = -1
    return items, records, most
