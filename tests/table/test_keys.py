"""Whole numbers that are equal where what they stand for is: against numpy's own, and sets one by one."""

from __future__ import annotations

import numpy as np
import pytest

from kanon_core.table.columns.keys import counted_below, distinct, numbered, order_of, paired, tallied
from kanon_core.table.columns.set_arrays import bit_flags, set_keys


def drawn(seed: int, low: int, high: int, n: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(low, high, n)


CASES = [
    np.zeros(0, np.int64),
    np.array([0]),
    np.array([-1]),
    drawn(1, -1, 40, 500),
    drawn(2, 0, 3, 257).astype(np.int32),
    drawn(3, -(2**62), 2**62, 256),
    np.array([2**63 - 1, -(2**63), 0, 2**63 - 1]),
    np.repeat(np.array([2**54, 2**55 - 1, -(2**55)]), 85),
]


@pytest.mark.parametrize("keys", CASES, ids=len)
def test_the_order_is_that_of_a_stable_sort(keys):
    assert order_of(keys).tolist() == np.argsort(keys, kind="stable").tolist()
    assert order_of(keys).dtype == np.int64


@pytest.mark.parametrize("keys", [case for case in CASES if case.dtype == np.int64], ids=len)
def test_different_keys_are_those_of_numpy(keys):
    found, place = np.unique(keys, return_inverse=True)
    assert [part.tolist() for part in numbered(keys)] == [found.tolist(), place.tolist()]
    found, counts = np.unique(keys, return_counts=True)
    assert [part.tolist() for part in tallied(keys)] == [found.tolist(), counts.tolist()]
    if (keys >= 0).all():
        assert distinct(keys).tolist() == found.tolist()


def test_how_many_are_below():
    ordered, keys = np.sort(drawn(4, 0, 300, 200)), drawn(5, -10, 320, 300)
    assert counted_below(ordered, keys).tolist() == [int((ordered < key).sum()) for key in keys]


def test_pairs_are_numbered_in_their_order():
    key, part = drawn(6, 0, 9, 200), drawn(7, 0, 5, 200)
    pairs = sorted(set(zip(key.tolist(), part.tolist(), strict=True)))
    expected = [pairs.index(pair) for pair in zip(key.tolist(), part.tolist(), strict=True)]
    assert paired(key, part).tolist() == expected


@pytest.mark.parametrize("width", [3, 8, 9, 33, 64, 65, 200])
def test_equal_sets_have_equal_keys(width):
    rng = np.random.default_rng(width)
    sets = [np.flatnonzero(rng.random(width) < 2 / width) for _ in range(300)]
    sets += [np.array([width - 1]), np.zeros(0, np.int64), np.arange(width)]
    starts = np.concatenate([[0], np.cumsum([len(one) for one in sets])]).astype(np.int64)
    members = np.concatenate(sets).astype(np.int32)
    first = {one: place for place, one in enumerate(dict.fromkeys(map(tuple, sets)))}
    assert set_keys(starts, members).tolist() == [first[tuple(one)] for one in sets]
    if width <= 64:
        assert bit_flags(starts, members).tolist() == [sum(1 << int(m) for m in one) for one in sets]
