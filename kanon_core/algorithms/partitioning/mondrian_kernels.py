"""Compiled Mondrian: cut the records in two repeatedly while both sides keep k records."""

from typing import NamedTuple

import numpy as np

from kanon_core.algorithms.partitioning.constraints_kernels import Rule, keeps
from kanon_core.algorithms.partitioning.mondrian_cuts_kernels import (
    Records,
    Work,
    divide,
    gainful_cut,
    middle_cut,
    sort_keys,
    span,
)
from kanon_core.base.compiled import by_reference, kernel
from kanon_core.base.sorting_kernels import order, times

SAMPLE = 1 << 14  # records examined in the search for the best cut of a very large part


@by_reference
class Limits(NamedTuple):
    """Limits on the cuts: the least size of a part, whether equal numbers stay together, whether to cut by
    gain instead of at the median, and the rule for sensitive values."""

    k: int
    strict: bool
    gain: bool
    rule: Rule


@kernel
def extents(records: Records, work: Work, part: np.ndarray, into: np.ndarray) -> None:
    """Write the weighted NCP of the part in every attribute (p + q,)."""
    p = records.width.size
    for a in range(p):
        low = np.inf
        high = -np.inf
        for r in part:
            low = min(low, records.numeric[r, a])
            high = max(high, records.numeric[r, a])
        into[a] = records.width[a] * span(low, high)
    work.stamp[0] += 1
    for a in range(records.step.size):
        kinds = 0
        for r in part:
            if work.seen[records.values[r, a]] != work.stamp[0]:
                work.seen[records.values[r, a]] = work.stamp[0]
                kinds += 1
        into[p + a] = records.step[a] * (kinds - 1)


@kernel
def admits(rule: Rule, records: Records, part: np.ndarray, keys: np.ndarray, edge: float, same: int) -> bool:
    """Return whether both sides of a cut keep the rule."""
    if not rule.active:
        return True
    sides = np.zeros((2, rule.total.size), np.int64)
    left, right = 0, 0
    for i in range(part.size):
        goes = keys[i] < edge
        if keys[i] == edge and same > 0:
            same -= 1
            goes = True
        often = times(records.weight, part[i])
        left += often * goes
        right += often * (not goes)
        for value in records.sensitive[part[i]]:
            sides[0 if goes else 1, value] += often
    return keeps(rule, sides[0], left) and keeps(rule, sides[1], right)


@kernel
def choose(
    records: Records, work: Work, limits: Limits, part: np.ndarray, wide: np.ndarray, stride: int
) -> tuple[int, float, int]:
    """Return attribute, edge and number of ties of the cut of a part; attribute -1 = no cut is allowed.

    wide: the part's extents. Median: the widest attribute that allows a cut. Gain: the attribute of least
    loss, judged by every `stride`-th record. A cut whose sides violate the rule is not allowed.
    """
    k, rule = limits.k, limits.rule
    attribute, edge, same = -1, 0.0, 0
    best = np.inf
    sample = part[::stride].copy()
    weight = np.empty(min(part.size, records.weight.size), np.int64)
    for i in range(weight.size):
        weight[i] = records.weight[part[i]]
    for a in order(-wide):
        if wide[a] <= 0:
            break
        keys = sort_keys(records, work, part, a)
        whole = limits.strict or stride > 1 or a >= records.width.size
        if limits.gain:
            least = k // stride + (stride > 1)
            loss, cut, ties = gainful_cut(records, work, sample, keys[::stride].copy(), least, whole)
            if ties > 0 and loss < best and admits(rule, records, part, keys, cut, ties):
                best, attribute, edge, same = loss, a, cut, ties
        else:
            edge, same = middle_cut(keys, weight, k, whole)
            if same > 0 and admits(rule, records, part, keys, edge, same):
                return a, edge, same
    return attribute, edge, same


@kernel
def cut(records: Records, work: Work, limits: Limits, part: np.ndarray) -> tuple[int, int]:
    """Cut a part in two if allowed; return the attribute (-1 = not cut) and the left side's size."""
    size = 0
    for r in part:
        size += times(records.weight, r)
    if size < 2 * limits.k:
        return -1, 0
    wide = np.empty(records.width.size + records.step.size)
    extents(records, work, part, wide)
    stride = max(1, part.size // SAMPLE) if limits.gain else 1
    while stride > 0:
        attribute, edge, same = choose(records, work, limits, part, wide, stride)
        if attribute >= 0:
            left = divide(part, sort_keys(records, work, part, attribute), edge, same)
            if not limits.gain or limits.k <= left <= part.size - limits.k:
                return attribute, left
        stride = 1 if stride > 1 else 0
    return -1, 0


@kernel
def cut_parts(records: Records, work: Work, limits: Limits, budget: int) -> bool:
    """Cut parts until about `budget` records were visited; return True when every part is a group."""
    while work.made[0] > 0:
        if budget <= 0:
            return False
        work.made[0] -= 1
        start = work.stack[work.made[0], 0]
        end = work.stack[work.made[0], 1]
        budget -= end - start
        attribute, left = cut(records, work, limits, work.order[start:end])
        if attribute < 0:
            work.done[work.made[1], 0], work.done[work.made[1], 1] = start, end
            work.made[1] += 1
            continue
        middle, row, top = start + left, work.cuts[work.made[2]], work.made[0]
        row[0], row[1], row[2], row[3] = attribute, start, middle, end
        work.stack[top, 0], work.stack[top, 1] = middle, end
        work.stack[top + 1, 0], work.stack[top + 1, 1] = start, middle
        work.made[2] += 1
        work.made[0] += 2
    return True
