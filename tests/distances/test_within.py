"""Sums of distances within groups, against all pairs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.base.errors import KanonError
from kanon_core.distances.manhattan import Beyond, ManhattanPoints, manhattan_points, pair_distances
from kanon_core.distances.within import sums_within
from tests.helpers import table_of

numbers = st.one_of(st.floats(-1e6, 1e6), st.integers(0, 2).map(float), st.just(np.nan))


def grouped(labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    order = np.argsort(labels, kind="stable")
    order = order[labels[order] >= 0]
    return order, np.append(0, np.cumsum(np.unique(labels[order], return_counts=True)[1]))


@settings(deadline=None, max_examples=80)
@given(st.lists(st.tuples(numbers, numbers, st.integers(0, 3), st.integers(-1, 4)), min_size=1, max_size=25))
def test_they_equal_the_sums_over_pairs(rows):
    numeric = np.array([row[:2] for row in rows], np.float64)
    codes = np.array([row[2:3] for row in rows], np.int32)
    labels = np.array([row[3] for row in rows])
    points = ManhattanPoints(numeric, codes, np.array([2.5]))
    everybody = np.arange(len(rows))
    pairs = pair_distances(points, everybody[:, None], everybody)
    together = (labels[:, None] == labels) & (labels >= 0)
    expected = (pairs * together).sum(axis=1)
    found = sums_within(points, *grouped(labels))
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert (found >= 0).all()


def test_equal_records_are_exactly_nothing_apart():
    points = manhattan_points(table_of(x=[0.1] * 7 + [3.3] * 5, c=list("a" * 7 + "b" * 5)).quasi)
    assert sums_within(points, np.arange(12), np.array([0, 7, 12])).tolist() == [0.0] * 12


def test_many_values_in_many_groups():
    """More (group, value) pairs than are counted in one array."""
    rng = np.random.default_rng(5)
    codes = rng.integers(0, 2_000, (1_000, 1)).astype(np.int32)
    codes[::2] = codes[1::2] * (rng.random((500, 1)) < 0.5)
    points = ManhattanPoints(np.zeros((1_000, 0)), codes, np.array([1.0]))
    found = sums_within(points, np.arange(1_000), np.arange(0, 1_001, 2))
    assert found.tolist() == np.repeat(codes[::2, 0] != codes[1::2, 0], 2).astype(float).tolist()


def test_matrices_are_summed_value_by_value():
    """Hours 23, 1, 12 and 1: apart 2, 11 and 2; 11, 0 and 11 – halves of the circle are 12 long."""
    table = kc.Table.from_frame(
        pd.DataFrame({"hour": [23, 1, 12, 1, 5]}),
        kc.Schema((kc.Attribute("hour", kind="cyclic", weight=6.0, period=24.0),)),
    )
    found = sums_within(manhattan_points(table.quasi), np.arange(5), np.array([0, 4, 5]))
    assert (found * 2).tolist() == [15.0, 13.0, 33.0, 13.0, 0.0]


def test_places_have_no_closed_form():
    codes, nothing, none = np.zeros((3, 0), np.int32), np.zeros((3, 0)), np.zeros(0, np.int64)
    beyond = Beyond(codes, np.zeros(0), none, none, np.zeros(0), np.eye(3), 1.0)
    points = ManhattanPoints(nothing, nothing.astype(np.int32), np.zeros(0), beyond)
    with pytest.raises(KanonError, match="only pair by pair"):
        sums_within(points, np.arange(3), np.array([0, 3]))
