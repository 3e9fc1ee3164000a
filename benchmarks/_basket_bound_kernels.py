"""Greatest number of items that groups of k could show: for each record, the largest subset that k records
have."""

import numpy as np

from kanon_core.base.compiled import kernel

ONE = np.uint64(1)


@kernel
def ones(x: np.uint64) -> int:
    """Number of bits that are 1."""
    x = x - ((x >> ONE) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int(np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56)))


@kernel
def overlaps(
    starts: np.ndarray, items: np.ndarray, first: np.ndarray, holders: np.ndarray, r: int, where: np.ndarray
) -> np.ndarray:
    """The records that share items with record r, as bits: which of them each has, uint64 (records,
    words)."""
    total = 0
    for q in range(starts[r], starts[r + 1]):
        total += first[items[q] + 1] - first[items[q]]
    bits = np.zeros((total, (starts[r + 1] - starts[r] + 63) // 64), np.uint64)
    met = np.empty(total, np.int64)
    count = 0
    for q in range(starts[r], starts[r + 1]):
        a = q - starts[r]
        for p in range(first[items[q]], first[items[q] + 1]):
            s = holders[p]
            if where[s] < 0:
                where[s] = count
                met[count] = s
                count += 1
            bits[where[s], a // 64] |= ONE << np.uint64(a % 64)
    for c in range(count):
        where[met[c]] = -1
    return bits[:count]


@kernel
def reachable(bits: np.ndarray, rows: np.ndarray, allowed: np.ndarray, k: int) -> int:
    """The most items of ``allowed`` that k of the rows have each: no set of k of them is larger."""
    histogram = np.zeros(64 * len(allowed) + 1, np.int64)
    for c in rows:
        size = 0
        for w in range(len(allowed)):
            size += ones(bits[c, w] & allowed[w])
        histogram[size] += 1
    size, seen = len(histogram) - 1, 0
    while size > 0:
        seen += histogram[size]
        if seen >= k:
            break
        size -= 1
    return size


@kernel
def share_any(bits: np.ndarray, rows: np.ndarray, items: np.ndarray) -> bool:
    """Return whether all the rows have one of the ``items``."""
    for w in range(len(items)):
        word = items[w]
        for c in rows:
            word &= bits[c, w]
            if word == 0:
                break
        if word:
            return True
    return False


@kernel
def largest(
    bits: np.ndarray,
    rows: np.ndarray,
    allowed: np.ndarray,
    tried: np.ndarray,
    size: int,
    best: int,
    k: int,
    left: np.ndarray,
) -> int:
    """The larger of ``best`` and ``size`` + the most of the allowed items that k of the rows have together.

    Branch and bound, the most frequent item first. Rows that share an item ``tried`` before were looked at
    then, with that item. ``left`` (1,) counts down the nodes, and below 0 it gives up.
    """
    left[0] -= 1
    width = 64 * len(allowed)
    often = np.zeros(width, np.int64)
    for c in rows:
        for w in range(len(allowed)):
            word = bits[c, w] & allowed[w]
            while word:
                low = word & (~word + ONE)
                often[64 * w + ones(low - ONE)] += 1
                word ^= low
    rest = np.zeros(len(allowed), np.uint64)
    count = 0
    for a in range(width):
        if often[a] == len(rows):
            size += 1
            often[a] = 0
        elif often[a] >= k:
            rest[a // 64] |= ONE << np.uint64(a % 64)
            count += 1
    best = max(best, size)
    if size + min(count, reachable(bits, rows, rest, k)) <= best:
        return best
    for a in np.argsort(-often)[:count]:
        if size + count <= best or left[0] < 0:
            break
        word, bit = a // 64, ONE << np.uint64(a % 64)
        rest[word] &= ~bit
        count -= 1
        having = np.empty(often[a], np.int64)
        m = 0
        for c in rows:
            if bits[c, word] & bit:
                having[m] = c
                m += 1
        if not share_any(bits, having, tried):
            best = largest(bits, having, rest.copy(), tried.copy(), size + 1, best, k, left)
        tried[word] |= bit
    return best


@kernel
def bounds(
    starts: np.ndarray,
    items: np.ndarray,
    first: np.ndarray,
    holders: np.ndarray,
    k: int,
    begin: int,
    end: int,
    nodes: int,
) -> np.ndarray:
    """For records begin … end − 1 the size of the largest subset that k records have, int64; at least that
    where the search would take more than ``nodes`` nodes."""
    found = np.zeros(end - begin, np.int64)
    where = np.full(len(starts) - 1, -1, np.int64)
    for r in range(begin, end):
        bits = overlaps(starts, items, first, holders, r, where)
        if len(bits) < k:
            continue
        length = starts[r + 1] - starts[r]
        allowed = np.zeros(bits.shape[1], np.uint64)
        for a in range(length):
            allowed[a // 64] |= ONE << np.uint64(a % 64)
        rows = np.arange(len(bits))
        found[r - begin] = reachable(bits, rows, allowed, k)
        if k > 2:
            left = np.array([nodes])
            size = largest(bits, rows, allowed, np.zeros_like(allowed), 0, 0, k, left)
            if left[0] >= 0:
                found[r - begin] = size
    return found
