"""Mondrian by the median, and all cuts Mondrian may make, on lists."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

from kanon_core.distances.mixed import UnitColumns

Cut = tuple[list[int], list[int]]


def _extents(columns: UnitColumns, part: list[int]) -> list[float]:
    found = []
    for a, weight in enumerate(columns.numeric_weights):
        values = _numbers(columns, part, a)
        width = 1.0 if min(values) < 0 <= max(values) else max(values) - min(values)
        found.append(float(weight) * width)
    for a, weight in enumerate(columns.code_weights):
        step = float(weight) / max(int(columns.domains[a]) - 1, 1) if columns.domains[a] > 1 else 0.0
        found.append(step * (len({int(columns.codes[r, a]) for r in part}) - 1))
    return found


def _numbers(columns: UnitColumns, part: list[int], a: int) -> list[float]:
    """Values, −1 for missing."""
    values = [float(columns.numeric[r, a]) for r in part]
    return [-1.0 if math.isnan(value) else value for value in values]


def sort_keys(columns: UnitColumns, part: list[int], attribute: int) -> list[float]:
    """Values, or ranks of the categories by frequency in the part, then code."""
    p = len(columns.numeric_weights)
    if attribute < p:
        return _numbers(columns, part, attribute)
    codes = [int(columns.codes[r, attribute - p]) for r in part]
    often = Counter(codes)
    ranked = sorted(often, key=lambda code: (-often[code], code))
    return [float(ranked.index(code)) for code in codes]


def _split(part: list[int], keys: list[float], edge: float, ties: int) -> Cut:
    left, right = [], []
    for record, key in zip(part, keys, strict=True):
        goes = key < edge or (key == edge and ties > 0)
        ties -= key == edge
        (left if goes else right).append(record)
    return left, right


def median_cut(part: list[int], keys: list[float], k: int, whole: bool) -> Cut | None:
    """The allowed cut nearest to the middle; missing values are set apart first."""
    n = len(part)
    if k <= sum(key < 0 for key in keys) <= n - k:
        return _split(part, keys, -1.0, n)
    middle = sorted(keys)[n // 2]
    below = sum(key < middle for key in keys)
    if not whole:
        return _split(part, keys, middle, n // 2 - below)
    upper = below + sum(key == middle for key in keys)
    allowed = [size for size in (below, upper) if k <= size <= n - k]
    if not allowed:
        return None
    size = min(allowed, key=lambda size: (abs(size - n // 2), -size))
    return _split(part, keys, middle, n if size == upper else 0)


def mondrian(columns: UnitColumns, n: int, k: int, strict: bool, rows: int = 0) -> list[list[int]]:
    """The groups of Mondrian with cuts at the median; parts of at most ``rows`` records are not cut."""

    def grow(part: list[int]) -> Iterator[list[int]]:
        extents = _extents(columns, part)
        for attribute in sorted(range(len(extents)), key=lambda a: -extents[a]):
            if len(part) < 2 * k or len(part) <= rows or extents[attribute] <= 0:
                break
            whole = strict or attribute >= len(columns.numeric_weights)
            halves = median_cut(part, sort_keys(columns, part, attribute), k, whole)
            if halves:
                yield from grow(halves[0])
                yield from grow(halves[1])
                return
        yield sorted(part)

    return list(grow(list(range(n))))


def allowed_cuts(columns: UnitColumns, part: list[int], k: int, strict: bool) -> Iterator[tuple[int, Cut]]:
    """Every cut of the part that Mondrian may make, with its attribute; the smaller side has k records or
    more."""
    for attribute, extent in enumerate(_extents(columns, part)):
        if extent <= 0:
            continue
        keys = sort_keys(columns, part, attribute)
        by = sorted(range(len(part)), key=lambda i: keys[i])
        whole = strict or attribute >= len(columns.numeric_weights)
        for size in range(k, len(part) - k + 1):
            if not whole or keys[by[size - 1]] != keys[by[size]]:
                yield attribute, ([part[i] for i in by[:size]], [part[i] for i in by[size:]])
