"""Compiled choice of the pivot, the item whose cut allows the most published items (set-valued paper,
§3.1)."""

from kanon_core.algorithms.partitioning.topdown.clusters_kernels import REFUSED, Records, Work, within
from kanon_core.algorithms.partitioning.topdown.frequencies_kernels import crowded, watch
from kanon_core.base.compiled import inlined, kernel


@kernel
def choose_pivot(records: Records, work: Work, c: int, column: int, k: int, spare: int, lowest: bool) -> int:
    """Return the slot of the pivot of cluster c among the items of a column; −1 = none.

    The pivot is the item of the largest δ. A cut that suppresses the records without the item is allowed if
    these are at most `spare`, and only if it raises the number of published items. Ties go to the item after
    whose cut the parts have more common items, then to the lowest token; with `lowest`, to the lowest token.
    """
    n = work.end[c] - work.start[c]
    common = work.common[c, column - records.singles]
    if crowded(work, c):
        watch(records, work, c, k, column, n - k)
    ties, most, frequency = gainful(records, work, c, column, k, spare)
    near = ties > 1 and not lowest and frequency >= n - frequency
    while work.watched[c] < work.slots[c]:
        least = min(n - k, most - common * n - 1)
        if near:
            least = min(least, n - frequency - 1)
        if work.bar[c, column - records.singles] <= least:
            break
        watch(records, work, c, k, column, least)
        ties, most, frequency = gainful(records, work, c, column, k, spare)
        near = ties > 1 and not lowest and frequency >= n - frequency
    if ties == 0:
        return -1
    found = frequent(records, work, c, column, n - frequency, ties) if near else 0
    return settle(records, work, c, column, k, ties, found, lowest)


@kernel
def gainful(records: Records, work: Work, c: int, column: int, k: int, spare: int) -> tuple[int, int, int]:
    """List the watched slots of the largest δ in `seen`; return their number, δ, and the frequency of the
    most frequent item."""
    n = work.end[c] - work.start[c]
    common = work.common[c, column - records.singles]
    best = 0
    most = common * n
    frequency = 0
    ties = 0
    for s in range(work.at[c], work.at[c] + work.watched[c]):
        f = work.often[s]
        if records.column[work.token[s]] != column:
            continue
        frequency = max(frequency, f)
        if f < best or work.shared[s] == REFUSED or (f > n - k and n - f > spare):
            continue
        gain = published(n, common, f, k)
        if gain > most:
            most = gain
            ties = 0
            best = f if f <= n - k else 0
        if gain == most and gain > common * n:
            work.seen[ties] = s
            ties += 1
    return ties, most, frequency


@inlined
def published(n: int, common: int, f: int, k: int) -> int:
    """Return δ, the published items of n records cut at an item of f (set-valued paper, eq. 5, with ≤)."""
    return common * n + f if f <= n - k else (common + 1) * f


@kernel
def settle(
    records: Records, work: Work, c: int, column: int, k: int, ties: int, near: int, lowest: bool
) -> int:
    """Return the slot to use of the `ties` first in `seen`; `near` frequent ones follow."""
    n = work.end[c] - work.start[c]
    common = work.common[c, column - records.singles]
    best = -1
    most = -1
    for i in range(ties):
        s = work.seen[i]
        f = work.often[s]
        kept = 0
        if ties > 1 and not lowest:
            suppress = f > n - k
            rest = 0 if suppress else common * (n - f)
            if near > 0 and not suppress:
                kept = afterwards(records, work, c, s, column, ties, near)
            else:
                if work.shared[s] == 0:
                    work.shared[s] = company(records, work, c, s, column)
                    forget_company(records, work, s)
                kept = work.shared[s] * f + rest
        if best < 0 or kept > most or (kept == most and work.token[s] < work.token[best]):
            most = kept
            best = s
    return best


@kernel
def frequent(records: Records, work: Work, c: int, column: int, least: int, ties: int) -> int:
    """Append the slots of a column's items of `least` records or more to the ties in `seen`; return how
    many."""
    found = 0
    for s in range(work.at[c], work.at[c] + work.watched[c]):
        if work.often[s] >= least and records.column[work.token[s]] == column:
            work.seen[ties + found] = s
            found += 1
    return found


@kernel
def afterwards(records: Records, work: Work, c: int, slot: int, column: int, ties: int, near: int) -> int:
    """Return Σ |common items| · |records| over the parts of cluster c after a cut at a slot's item. The
    `near` slots after the `ties` in `seen` are the items that all records without it might share."""
    n = work.end[c] - work.start[c]
    f = work.often[slot]
    rest = work.common[c, column - records.singles]
    work.shared[slot] = company(records, work, c, slot, column)
    for i in range(near):
        s = work.seen[ties + i]
        rest += work.often[s] - work.amount[work.token[s]] == n - f
    forget_company(records, work, slot)
    return int(work.shared[slot] * f + rest * (n - f))


@kernel
def company(records: Records, work: Work, c: int, slot: int, column: int) -> int:
    """Return how many items of the column all records with the slot's item have; `amount` is not reset."""
    f = work.often[slot]
    found = 0
    for i in range(work.list_at[slot], work.list_at[slot] + work.list_size[slot]):
        r = work.listed[i]
        if not within(work, c, r):
            continue
        for j in range(records.starts[r] + records.singles, records.starts[r + 1]):
            t = records.tokens[j]
            if records.column[t] == column:
                work.amount[t] += 1
                found += work.amount[t] == f
    return found


@kernel
def forget_company(records: Records, work: Work, slot: int) -> None:
    """Reset the counts of `company` to zero."""
    for i in range(work.list_at[slot], work.list_at[slot] + work.list_size[slot]):
        r = work.listed[i]
        for j in range(records.starts[r], records.starts[r + 1]):
            work.amount[records.tokens[j]] = 0
