"""Find the records that fit each published row: all pairs of classes in bounded portions, or along given
runs."""

from typing import NamedTuple

import numpy as np

from kanon_core.base.compiled import by_reference, kernel


@by_reference
class Fit(NamedTuple):
    """a attributes, u classes of equal originals, v classes of equal published rows; the attribute that rules
    out most first.

    A value is a rank among the column's numbers (−1 = missing), or a code. A cell holds the values low …
    high, and if ``first`` is not −1 only those of them that are among the ``size`` ascending ``members`` from
    there.
    """

    values: np.ndarray  # int32 (a, u)
    low: np.ndarray  # int32 (a, v)
    high: np.ndarray  # int32 (a, v)
    gaps: np.ndarray  # bool (a, v), the cell also holds missing numbers
    first: np.ndarray  # int64 (a, v)
    size: np.ndarray  # int64 (a, v)
    holes: np.ndarray  # bool (a,), some cell has members
    members: np.ndarray  # int32


@kernel
def among(members: np.ndarray, first: int, size: int, value: int) -> bool:
    """Return whether a value is one of the ascending members[first : first + size]; size ≥ 1."""
    end = first + size
    while end - first > 1:
        middle = (first + end) // 2
        if members[middle] <= value:
            first = middle
        else:
            end = middle
    return bool(members[first] == value)


@kernel
def count_by_owner(
    fit: Fit,
    start: int,
    begin: np.ndarray,
    end: np.ndarray,
    of: np.ndarray,
    owner: np.ndarray,
    counts: np.ndarray,
) -> None:
    """Add to counts[row − start, person] the records of each person that fit a row, for the rows that
    ``counts`` (rows, people) has from ``start`` on.

    Run i says that only records ``begin[i]`` … ``end[i]`` − 1 may fit row ``of[i]`` (ascending). ``owner``
    (records), −1 = no person.
    """
    for i in range(np.searchsorted(of, start), np.searchsorted(of, start + len(counts))):
        row = of[i]
        fits = owner[begin[i] : end[i]] >= 0
        for a in range(len(fit.values)):
            values = fit.values[a, begin[i] : end[i]]
            low, high, gaps, first = fit.low[a, row], fit.high[a, row], fit.gaps[a, row], fit.first[a, row]
            for j in range(len(fits)):
                fits[j] &= ((low <= values[j]) & (values[j] <= high)) | (gaps & (values[j] < 0))
            if first >= 0:
                for j in range(len(fits)):
                    fits[j] = fits[j] and among(fit.members, first, fit.size[a, row], values[j])
        for j in range(len(fits)):
            if fits[j]:
                counts[row - start, owner[begin[i] + j]] += 1


@kernel
def keep_missing(gaps: np.ndarray, rows: np.ndarray, count: int) -> int:
    """Keep those of rows[:count] whose cell holds missing numbers; returns how many are left."""
    left = 0
    for place in range(count):
        v = rows[place]
        rows[left] = v
        left += gaps[v]
    return left


@kernel
def keep_between(low: np.ndarray, high: np.ndarray, value: int, rows: np.ndarray, count: int) -> int:
    """Keep those of rows[:count] with low ≤ value ≤ high; returns how many are left."""
    left = 0
    for place in range(count):
        v = rows[place]
        rows[left] = v
        left += (low[v] <= value) & (value <= high[v])
    return left


@kernel
def keep_members(
    first: np.ndarray, size: np.ndarray, members: np.ndarray, value: int, rows: np.ndarray, count: int
) -> int:
    """Keep those of rows[:count] whose set holds the value; returns how many are left."""
    left = 0
    for place in range(count):
        v = rows[place]
        if first[v] < 0 or among(members, first[v], size[v], value):
            rows[left] = v
            left += 1
    return left


@kernel
def begin(
    components: np.ndarray,
    component: int,
    same: bool,
    low: np.ndarray,
    high: np.ndarray,
    value: int,
    rows: np.ndarray,
) -> int:
    """Fill rows with those of this component (if not same: of another) whose first interval holds the value;
    returns how many."""
    count = 0
    for v in range(len(components)):
        rows[count] = v
        count += ((components[v] == component) == same) & (
            (value < 0) | ((low[v] <= value) & (value <= high[v]))
        )
    return count


@kernel
def scan(
    fit: Fit,
    components: np.ndarray,
    same: bool,
    originals: np.ndarray,
    rows: np.ndarray,
    start: int,
    budget: int,
    per_original: np.ndarray,
    per_row: np.ndarray,
    edges: np.ndarray,
) -> tuple[int, int]:
    """Find the row classes that fit each original class from ``start`` on; returns the next class and the
    edges found.

    Only pairs of the same component count (if not same: only the others): ``components`` int32 (u + v,).
    ``originals`` int64 (u,) and ``rows`` int64 (v,) are the sizes of the classes; ``per_original`` (u,) and
    ``per_row`` (v,) receive how many records fit. Pairs go to ``edges`` int32 (m, 2). It stops after about
    `budget` comparisons, or when the edges of the next class might not fit into ``edges``.
    """
    attributes, last = fit.values.shape
    total, found = fit.low.shape[1], 0
    chosen = np.empty(total, np.int32)
    while start < last and budget > 0 and found + total <= len(edges):
        count = begin(
            components[last:], components[start], same, fit.low[0], fit.high[0], fit.values[0, start], chosen
        )
        budget -= total
        for a in range(attributes):
            budget -= count
            value = fit.values[a, start]
            if value < 0:
                count = keep_missing(fit.gaps[a], chosen, count)
            else:
                if a:
                    count = keep_between(fit.low[a], fit.high[a], value, chosen, count)
                if fit.holes[a]:
                    count = keep_members(fit.first[a], fit.size[a], fit.members, value, chosen, count)
        for place in range(count):
            v = chosen[place]
            per_original[start] += rows[v]
            per_row[v] += originals[start]
            edges[found, 0], edges[found, 1] = start, last + v
            found += 1
        start += 1
    return start, found
