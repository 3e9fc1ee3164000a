"""Sorting in kernels: what numpy's stable sort gives, compiled and not."""

from __future__ import annotations

import numpy as np
import pytest

from kanon_core.base import sorting_kernels
from kanon_core.base.sorting_kernels import order, smallest, smallest_of


def some_keys():
    rng = np.random.default_rng(5)
    for n in (0, 1, 2, 15, 16, 17, 33, 100, 1000):
        yield rng.normal(size=n)
        yield rng.integers(0, 4, n).astype(float)
        yield np.arange(n, dtype=float)
        yield np.arange(n, 0.0, -1.0)
        yield np.full(n, 3.0)


def test_the_order_is_that_of_a_stable_sort():
    for keys in some_keys():
        kept = keys.copy()
        assert (order(keys) == np.argsort(keys, kind="stable")).all()
        assert (keys == kept).all()


@pytest.mark.parametrize("rounds", [100, 1])
def test_the_smallest_is_that_of_a_sort_however_many_rounds_it_gets(monkeypatch, rounds):
    monkeypatch.setattr(sorting_kernels, "ROUNDS", rounds)
    for keys in some_keys():
        kept, ordered = keys.copy(), np.sort(keys)
        for at in {0, len(keys) // 4, len(keys) // 2, len(keys) - 1} if len(keys) else ():
            assert smallest.function(keys, at) == ordered[at]
            assert smallest(keys, at) == ordered[at]
        assert (keys == kept).all()


@pytest.mark.parametrize("rounds", [100, 1])
def test_keys_with_weights_are_selected_from_as_if_they_were_repeated(monkeypatch, rounds):
    monkeypatch.setattr(sorting_kernels, "ROUNDS", rounds)
    rng = np.random.default_rng(6)
    for keys in some_keys():
        weight = rng.integers(1, 5, len(keys))
        ordered = np.sort(np.repeat(keys, weight))
        for at in {0, len(ordered) // 3, len(ordered) // 2, len(ordered) - 1} if len(keys) else ():
            assert smallest_of.function(keys, weight, at) == ordered[at]
            assert smallest_of(keys, weight, at) == ordered[at]
