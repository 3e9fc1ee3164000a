"""Means of groups: exact sums, whatever the order."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.release.means import means_of

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(st.lists(NUMBERS, max_size=8), min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_the_order_of_a_set_does_not_change_its_mean(groups, random):
    sets = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    turned = [random.sample(group, len(group)) for group in groups]
    one, other = (
        means_of(sets, np.array([*chain.from_iterable(each)], np.float64), len(groups))
        for each in (groups, turned)
    )
    assert one.tobytes() == other.tobytes()
    for group, mean in zip(groups, one.tolist(), strict=True):
        assert np.isnan(mean) == (not group)
        if group:
            alone = means_of(np.zeros(len(group), np.int64), np.array(group), 1)
            assert alone.tolist() == [mean]


@given(st.lists(st.floats(-1e100, 1e100), min_size=1, max_size=30))
def test_a_mean_is_rounded_from_the_exact_sum(values):
    found = means_of(np.zeros(len(values), np.int64), np.array(values), 1).item()
    assert found == float(sum(map(Fraction, values))) / len(values)


def test_sums_beyond_floating_point_numbers():
    assert means_of(np.zeros(3, np.int64), np.array([1.5e308, 1.5e308, -1.5e308]), 1).tolist() == [5e307]


def test_the_order_of_a_file_does_not_change_published_means():
    frame = pd.DataFrame({"pay": np.random.default_rng(5).normal(3e4, 9e3, 500), "x": np.arange(500) // 7})
    schema = kc.Schema.infer(frame).with_quasi(["pay", "x"]).with_recodings({"pay": "mean"})
    shown = [
        kc.anonymize(kc.Table.from_frame(each, schema), kc.Mondrian(), k=5, seed=2).publish()
        for each in (frame, frame[::-1].reset_index(drop=True))
    ]
    pd.testing.assert_frame_equal(*shown, check_exact=True)
