"""Sorting over many files is that of one machine: range by range, whatever the ranges and the ties."""

from __future__ import annotations

import contextlib
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.scale.fragments.ranking import in_ranges, ranks_of, splitters_of
from kanon_core.table.attribute import Attribute
from tests.scale.inside import Inside, Off
from tests.scale.manytables import CARRIED, DRAWN, STRAIGHT, Many, differences, over_files, published
from tests.scale.test_bytes import compare

SORTED = sorted(set(STRAIGHT) - {"goods"})
"""Maps of categories are refused, as the order of the records is not known in parts then."""


@pytest.mark.deep
@settings(max_examples=40)
@given(
    **DRAWN,
    quasi=st.lists(st.sampled_from(SORTED), min_size=1, max_size=4, unique=True),
    carried=st.lists(st.sampled_from(sorted(CARRIED)), min_size=1, max_size=2, unique=True),
    records=st.integers(2, 200),
    by=st.integers(0, 3),
    k=st.integers(2, 9),
    rows=st.integers(3, 60),
)
def test_the_rows_and_their_order_are_those_of_one_machine(seed, ends, quasi, carried, records, by, k, rows):
    """Ranges may be shorter than k, empty, or all one value."""
    many = Many.of(seed, ends, [*quasi, *carried], records)
    compare(many, kc.Sorting(by=tuple(quasi[::-1][:by])), k, rows)


@pytest.mark.deep
@pytest.mark.parametrize("share", [0.5, 1.0])
def test_one_value_in_half_of_all_rows_is_divided_like_any_other(tmp_path, share):
    """Equal records too, by where they stand."""
    ages = np.where(np.arange(240) < 240 * share, 30, np.arange(240))
    schema = kc.Schema((Attribute("age", "quasi_identifier", "numeric"),))
    many = Many(pd.DataFrame({"age": ages}), schema, (0, 100, 101, 240))
    compare(many, kc.Sorting(), 4, 30)
    engine = Inside()
    over_files(many.written(tmp_path / "source"), many, kc.Sorting(), 4, tmp_path / "out", 30, engine=engine)
    assert sum(stage == "Anonymize" for stage, _ in engine.done) == 8


def test_a_distance_that_says_an_order_is_refused(tmp_path):
    many = Many.of(1, (0.3, 0.6), ["job", "age", "lat", "lon", "born", "illness"], 90)
    source = many.written(tmp_path / "source")
    for name, distance in (
        ("job", kc.Tree()),
        ("lat", kc.GreatCircle()),
        ("born", kc.Calendar(part="hour")),
    ):
        other = replace(many, schema=many.schema.with_distances({name: distance}))
        with pytest.raises(kc.UnsuitableError, match=f"“{name}” comes from the distance chosen for it"):
            over_files(source, other, kc.Sorting(), 3, tmp_path / "out", 30)
    assert [path.name for path in tmp_path.iterdir()] == ["source"]
    compare(other, kc.Sorting(by=("age", "job")), 3, 30)


@pytest.mark.deep
@pytest.mark.parametrize(
    "algorithm", [kc.Sorting(), kc.Fragments(kc.OptimalConcealment(), 30)], ids=lambda a: a.title
)
def test_a_driver_that_ends_after_each_task_does_none_twice(tmp_path, algorithm):
    many = Many.of(5, (0.3, 0.7), ["age", "city", "gaps", "illness"], 130)
    source, done = many.written(tmp_path / "source"), list[tuple[str, int]]()
    while not (tmp_path / "out").exists():
        engine = Inside(stop_after=1)
        with contextlib.suppress(Off):
            over_files(source, many, algorithm, 4, tmp_path / "out", 30, engine=engine)
        done += engine.done
    at_once, turned = Inside(), Inside(turned=True)
    for engine, out in ((at_once, "at once"), (turned, "turned")):
        over_files(source, many, algorithm, 4, tmp_path / out, 30, engine=engine)
        assert differences(published(tmp_path / out), published(tmp_path / "out")) == []
    assert done == at_once.done and sorted(done) == sorted(turned.done)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=9), st.integers(1, 12))
def test_every_group_is_one_workers(sizes, k):
    starts = [0, *np.cumsum(sizes).tolist()]
    n = starts[-1]
    if n < k:
        return
    ranks = ranks_of(starts, k)
    assert [a for a, _ in ranks] == [0, *(b for _, b in ranks[:-1])] and ranks[-1][1] == n
    assert all(a % k == 0 for a, _ in ranks) and all(b - a >= k for a, b in ranks)
    most = max(sizes)
    assert all(b - a < most + 2 * k for a, b in ranks)


@given(
    st.lists(st.tuples(st.sampled_from([1.0, 2.0, np.nan]), st.integers(0, 3)), max_size=40),
    st.integers(2, 5),
)
def test_ranges_are_sorted_and_none_has_too_many(rows, ranges):
    if len(rows) < ranges:
        return
    keys = [np.array([a for a, _ in rows]), np.array([b for _, b in rows]), np.arange(len(rows))]
    splitters = splitters_of([{str(i): key for i, key in enumerate(keys)}], ranges)
    order, found = in_ranges(keys, splitters)
    assert order.tolist() == np.lexsort(keys[::-1]).tolist()
    assert (np.diff(found) >= 0).all() and np.bincount(found).max() <= -(-len(rows) // ranges)
