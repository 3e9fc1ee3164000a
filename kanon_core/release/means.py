"""Means of groups that do not depend on the order of their members."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

DIGITS = 15
"""Of a published mean."""
_SUMMED_AT_MOST = 2.0**960
_SMALLER = 2.0**-64


def means_of(sets: np.ndarray, values: np.ndarray, count: int) -> np.ndarray:
    """float64 (count): the mean of each set's values, NaN where it has none.

    ``values`` float64 without NaN, set by set; ``sets`` int64: the set of each, ascending from 0 to count −
    1. The sum of a set is exact and then rounded (`math.fsum`), so that the mean is the same whatever the
    order of its values, and whatever other sets there are. Cost O(n), about 0.1 µs a value.

    >>> means_of(np.array([0, 0, 0, 2]), np.array([1e20, 5.0, -1e20, 0.1]), 3).tolist()
    [1.6666666666666667, nan, 0.1]
    """
    counts = np.bincount(sets, minlength=count)
    scale = _scales(sets, values, count)
    plain = (values if scale is None else values * scale[sets]).tolist()
    ends = [0, *np.cumsum(counts).tolist()]
    sums = np.fromiter((math.fsum(plain[start:end]) for start, end in pairwise(ends)), np.float64, count)
    means = np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
    return means if scale is None else means / scale


def in_decimals(means: np.ndarray) -> np.ndarray:
    """Return the means with 15 digits, float64 (m): as many as any decimal keeps when it is read, so that
    the mean of decimals is the decimal that it is, and not one beside it. Means of 10^15 and more stay as
    they are.

    >>> in_decimals(np.array([4864700.199999999, 1 / 3, np.nan])).tolist()
    [4864700.2, 0.333333333333333, nan]
    """
    short = np.fromiter((float(f"{mean:.{DIGITS}g}") for mean in means.tolist()), np.float64, len(means))
    return np.where(np.abs(means) < 10.0**DIGITS, short, means)


def _scales(sets: np.ndarray, values: np.ndarray, count: int) -> np.ndarray | None:
    """float64 (count): what the values of each set are multiplied by, so that their sum stays within the
    range of floating-point numbers; None where all do."""
    if float(np.abs(values).max(initial=0.0)) <= _SUMMED_AT_MOST:
        return None
    largest = np.zeros(count)
    np.maximum.at(largest, sets, np.abs(values))
    return np.where(largest > _SUMMED_AT_MOST, _SMALLER, 1.0)
