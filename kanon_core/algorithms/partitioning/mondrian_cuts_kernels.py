"""Records and parts of the compiled Mondrian, and cuts in one attribute: at the median, or of least loss."""

from typing import NamedTuple

import numpy as np

from kanon_core.base.arrays import filled
from kanon_core.base.compiled import by_reference, kernel
from kanon_core.base.sorting_kernels import order, smallest_of, times
from kanon_core.distances.mixed import UnitColumns

ALL = 1 << 62
EDGE = 16  # a cut for gain leaves 1/16 of the records on each side if possible


@by_reference
class Records(NamedTuple):
    """n records of p numeric and q categorical attributes. With strict median cuts, and only then, a record
    may stand for several equal ones."""

    numeric: np.ndarray  # float64 (n, p), scaled to 0..1, missing = -1
    values: np.ndarray  # int64 (n, q), numbers that no two attributes share, 0..v-1
    width: np.ndarray  # float64 (p,), weight of the attribute in the NCP
    step: np.ndarray  # float64 (q,), that weight / (domain - 1)
    sensitive: np.ndarray  # int64 (n, columns), values as numbered by the rule
    weight: np.ndarray  # int64 (n,), frequencies; (0,) if all are 1


@by_reference
class Work(NamedTuple):
    """State of a run: parts are runs of `order`; parts that may still be cut are on a stack.

    `done`: parts that are groups; `cuts`: attribute (categorical ones from p on), start, middle, end.
    """

    order: np.ndarray  # int64 (n,)
    stack: np.ndarray  # int64 (m, 2), start and end
    done: np.ndarray  # int64 (m, 2)
    cuts: np.ndarray  # int64 (m, 4)
    made: np.ndarray  # int64 (3,), parts on the stack, groups, cuts
    often: np.ndarray  # int64 (v,), scratch, zeros between uses
    seen: np.ndarray  # int64 (v,), scratch
    stamp: np.ndarray  # int64 (1,), scratch: the last mark used in `seen`


def new_records(
    unit: UnitColumns, sensitive: np.ndarray, weight: np.ndarray | None = None
) -> tuple[Records, int]:
    """Return the records of numbers scaled to 0..1 and codes below their domains, and the number of values;
    ``weight``: frequencies, None = 1."""
    starts = np.concatenate(([0], np.cumsum(unit.domains))).astype(np.int64)
    present = np.ascontiguousarray(np.where(np.isnan(unit.numeric), -1.0, unit.numeric))
    values = np.ascontiguousarray(unit.codes + starts[:-1], np.int64)
    step = np.where(unit.domains > 1, unit.code_weights / np.maximum(unit.domains - 1, 1), 0.0)
    width = unit.numeric_weights.astype(np.float64)
    often = np.empty(0, np.int64) if weight is None else weight
    return Records(present, values, width, step, sensitive, often), int(starts[-1])


def new_work(n: int, values: int, k: int, total: int | None = None) -> Work:
    """Return the work with all n records, which stand for ``total`` (None = n), in one part."""
    m = min(n, (n if total is None else total) // k) + 1
    arrays = filled(np.int64, 0, stack=(m, 2), done=(m, 2), cuts=(m, 4), often=values, seen=values, stamp=1)
    arrays["stack"][0, 1] = n
    return Work(order=np.arange(n, dtype=np.int64), made=np.array([1, 0, 0]), **arrays)


@kernel
def span(low: float, high: float) -> float:
    """Return the width of a numeric interval; 1 if it mixes missing (-1) and present values."""
    if low < 0.0 <= high:
        return 1.0
    return high - low


@kernel
def sort_keys(records: Records, work: Work, part: np.ndarray, attribute: int) -> np.ndarray:
    """Return the sort keys of a part: numbers, or ranks of categories by frequency in it."""
    p = records.width.size
    keys = np.empty(part.size)
    if attribute < p:
        for i in range(part.size):
            keys[i] = records.numeric[part[i], attribute]
        return keys
    column = records.values[:, attribute - p]
    kinds = np.empty(part.size, np.int64)
    count = 0
    for r in part:
        if work.often[column[r]] == 0:
            kinds[count] = column[r]
            count += 1
        work.often[column[r]] += times(records.weight, r)
    amounts = np.empty(count)
    for i in range(count):
        amounts[i] = kinds[i] - work.often[kinds[i]] * work.often.size
    by = order(amounts)
    for i in range(count):
        work.often[kinds[by[i]]] = i
    for i in range(part.size):
        keys[i] = work.often[column[part[i]]]
    for i in range(count):
        work.often[kinds[i]] = 0
    return keys


@kernel
def beside_the_middle(
    n: int, k: int, middle: float, before: float, below: int, same: int
) -> tuple[float, int]:
    """Return the cut just above or just below the middle key: the one nearer to the middle that leaves k keys
    on both sides, as `median_cut` does. Of the n keys, ``same`` equal the middle key and ``below`` are less,
    the greatest of them ``before``."""
    upper = below + same
    if k <= upper <= n - k and not (k <= below and n // 2 - below < upper - n // 2):
        return middle, same
    if k <= below <= n - k:
        return before, n
    return 0.0, 0


@kernel
def median_cut(keys: np.ndarray, k: int, strict: bool) -> tuple[float, int]:
    """Return the `middle_cut` of records of frequency 1."""
    return middle_cut(keys, np.empty(0, np.int64), k, strict)


@kernel
def middle_cut(keys: np.ndarray, weight: np.ndarray, k: int, strict: bool) -> tuple[float, int]:
    """Return the cut nearest to the middle: the last key of the left side, and the number of records with it
    that go left, all if strict; ``weight`` int64: frequencies, empty = 1.

    Missing values (-1) are cut off first if both sides keep k. (0, 0) = no cut is allowed.
    """
    n, missing = 0, 0
    for i in range(keys.size):
        n += times(weight, i)
        missing += times(weight, i) * (keys[i] < 0)
    if k <= missing <= n - k:
        return -1.0, missing
    middle = smallest_of(keys, weight, n // 2)
    below, same, before = 0, 0, -np.inf
    for i in range(keys.size):
        same += times(weight, i) * (keys[i] == middle)
        if keys[i] < middle:
            below += times(weight, i)
            before = max(before, keys[i])
    if not strict:
        if n // 2 > below:
            return middle, n // 2 - below
        return before, n
    return beside_the_middle(n, k, middle, before, below, same)


@kernel
def running_loss(
    records: Records, work: Work, part: np.ndarray, by: np.ndarray, backwards: bool, into: np.ndarray
) -> None:
    """Write the loss (size times NCP) of the first i + 1 records in the order `by`, or the last, into[i]."""
    n = by.size
    p = records.width.size
    low = np.full(p, np.inf)
    high = np.full(p, -np.inf)
    work.stamp[0] += 1
    mark = work.stamp[0]
    kinds = 0.0
    for step in records.step:
        kinds -= step
    for i in range(n):
        r = part[by[n - 1 - i if backwards else i]]
        for a in range(records.step.size):
            if work.seen[records.values[r, a]] != mark:
                work.seen[records.values[r, a]] = mark
                kinds += records.step[a]
        total = kinds
        for a in range(p):
            x = records.numeric[r, a]
            low[a] = min(low[a], x)
            high[a] = max(high[a], x)
            total += records.width[a] * span(low[a], high[a])
        into[i] = total * (i + 1)


@kernel
def gainful_cut(
    records: Records, work: Work, part: np.ndarray, keys: np.ndarray, k: int, strict: bool
) -> tuple[float, float, int]:
    """Return the cut of least loss: the loss, the last key of the left side, the number with it that go
    left."""
    n = keys.size
    by = order(keys)
    first, last = np.empty(n), np.empty(n)
    running_loss(records, work, part, by, False, first)
    running_loss(records, work, part, by, True, last)
    best = np.inf
    at = 0
    for least in (max(k, n // EDGE), k):
        for i in range(least, n - least + 1):
            if strict and keys[by[i - 1]] == keys[by[i]]:
                continue
            loss = first[i - 1] + last[n - i - 1]
            if loss < best:
                best = loss
                at = i
        if at > 0:
            break
    if at == 0:
        return best, 0.0, 0
    edge = keys[by[at - 1]]
    if strict:
        return best, edge, ALL
    same = 0
    while same < at and keys[by[at - 1 - same]] == edge:
        same += 1
    return best, edge, same


@kernel
def divide(part: np.ndarray, keys: np.ndarray, edge: float, same: int) -> int:
    """Move records with keys below `edge`, and the first `same` equal to it, left; return their number."""
    right = np.empty(part.size, np.int64)
    left = 0
    rest = 0
    for i in range(part.size):
        goes = keys[i] < edge
        if keys[i] == edge and same > 0:
            same -= 1
            goes = True
        if goes:
            part[left] = part[i]
            left += 1
        else:
            right[rest] = part[i]
            rest += 1
    for i in range(rest):
        part[left + i] = right[i]
    return left
