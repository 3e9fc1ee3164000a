"""The nearest and farthest pairs of a column."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.base.errors import UnsuitableError
from kanon_core.distances import DISTANCES
from kanon_core.distances.extremes import extremes
from tests.distances.cases import CASES
from tests.helpers import table_of


@pytest.mark.deep
@pytest.mark.parametrize("cls", DISTANCES, ids=lambda cls: cls.__name__)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_no_pair_is_nearer_or_farther(cls, data):
    case = data.draw(CASES[cls])
    table, values = case.table, case.values
    present = {value for value in values if value is not None}
    found = extremes(table, table.schema.names[0], case.distance)
    assert found.compared == found.distinct == len(present)
    apart = sorted(case.plain(a, b) for a, b in combinations(sorted(present, key=str), 2))
    assert [d for *_, d in found.nearest] == pytest.approx(apart[:3], rel=1e-6, abs=1e-6)
    assert [d for *_, d in found.farthest] == pytest.approx(apart[::-1][:3], rel=1e-6, abs=1e-6)
    for a, b, d in (*found.nearest, *found.farthest):
        assert values[a] != values[b] and d == pytest.approx(
            case.plain(values[a], values[b]), rel=1e-6, abs=1e-6
        )


def test_of_many_words_some_are_compared_and_of_long_ones_few():
    short = table_of(kc.Schema((kc.Attribute("x", kind="text"),)), x=[f"word {i}" for i in range(1_000)])
    found = extremes(short, "x", kc.Levenshtein())
    assert (found.compared, found.distinct) == (400, 1_000)
    long = table_of(kc.Schema((kc.Attribute("x", kind="text"),)), x=[f"{i:03d}" * 3_000 for i in range(100)])
    found = extremes(long, "x", kc.Levenshtein())
    assert 2 <= found.compared < 60


def test_of_many_numbers_all_are_looked_at():
    rng = np.random.default_rng(0)
    values = np.append(rng.permutation(2_000) * 10.0, 5.0)
    found = extremes(
        table_of(kc.Schema((kc.Attribute("x", kind="numeric"),)), x=values), "x", kc.Absolute("none")
    )
    assert found.compared == 2_001
    assert [d for *_, d in found.nearest] == [5, 5, 10]
    assert [d for *_, d in found.farthest] == [19_990, 19_985, 19_980]


def test_a_column_that_does_not_suit_is_refused():
    with pytest.raises(UnsuitableError, match="“x” is categorical"):
        extremes(table_of(x=["a", "b"]), "x", kc.Absolute())


def test_a_column_without_pairs_has_none():
    for values in ([None, None], ["a", "a"]):
        table = kc.Table.from_frame(
            pd.DataFrame({"x": pd.Series(values, dtype=object)}), kc.Schema((kc.Attribute("x"),))
        )
        assert extremes(table, "x", kc.Discrete()).nearest == ()
        assert extremes(table, "x", kc.Levenshtein()).farthest == ()
    numbers = table_of(kc.Schema((kc.Attribute("x", kind="numeric"),)), x=[np.nan, np.nan])
    assert extremes(numbers, "x", kc.Absolute()).nearest == ()


def test_sets_are_parted_as_in_the_whole_column_though_few_of_them_are_compared():
    cells = ["x;y"] * 9_000 + [f"foo{i}, bar{i % 7}" for i in range(500)]
    schema = kc.Schema((kc.Attribute("s", kind="items"),))
    found = extremes(kc.Table.from_frame(pd.DataFrame({"s": cells}), schema), "s", kc.Jaccard())
    assert found.compared < found.distinct == 501
    assert {apart for *_, apart in found.nearest} == {1.0}
