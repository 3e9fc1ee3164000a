"""Counts that were made apart add up by equal keys."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kanon_core.scale.auditing.adding import added, runs


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(1, 4)), max_size=12))
def test_equal_keys_are_added(rows):
    expected: dict[tuple[int, int], int] = {}
    for one, other, count in rows:
        expected[one, other] = expected.get((one, other), 0) + count
    keys = np.array([row[:2] for row in rows], np.uint64).reshape(-1, 2)
    different, counts = added(keys, np.array([row[2] for row in rows], np.int64))
    assert dict(zip(map(tuple, different.tolist()), counts.tolist(), strict=True)) == expected
    assert different.tolist() == sorted(different.tolist())
    assert len(runs(different)) == len(different)
