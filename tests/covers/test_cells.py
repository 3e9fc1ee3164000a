"""The values that a published cell allows, one by one."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from kanon_core.covers.cells import Intervals, ValueSets
from tests.helpers import table_of


def test_an_interval_allows_what_lies_in_it_and_what_is_missing_beside_it():
    column = table_of(x=[1.0, 2.0, np.nan])["x"]
    low, high = np.array([1.0, np.nan, 0.0]), np.array([3.0, np.nan, 0.0])
    cells = Intervals(low, high, np.array([False, False, True]))
    values = np.array([0.0, 1.0, 3.0, 3.5, np.nan])
    expected = [[False, True, True, False, False], [False] * 4 + [True], [True, *[False] * 3, True]]
    for cell, allowed in enumerate(expected):
        assert cells.hold(column, np.full(5, cell), values).tolist() == allowed


@pytest.mark.parametrize("labels", [2, 8, 9, 20, 64, 65, 300])
def test_a_set_allows_its_members(labels):
    rng = np.random.default_rng(labels)
    column = table_of(c=pd.Series([f"v{i:03}" for i in range(labels)]))["c"]
    sets = [np.flatnonzero(rng.random(labels) < 0.3) for _ in range(40)] + [np.zeros(0, np.int64)]
    starts = np.concatenate([[0], np.cumsum([len(one) for one in sets])]).astype(np.int64)
    cells = ValueSets(starts, np.concatenate(sets).astype(np.int32))
    cell, values = rng.integers(0, len(sets), 500), rng.integers(0, labels, 500)
    expected = [bool(value in sets[one]) for one, value in zip(cell, values, strict=True)]
    assert cells.hold(column, cell, values).tolist() == expected
