"""Means of groups: exact sums, whatever the order."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.covers.recoding import in_decimals, means_of
from kanon_core.table.writers import write_frame

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


def test_means_of_decimals_are_decimals():
    """One step beside 4864700.2 is written with 16 digits; so is a third, which has no end."""
    beside = np.nextafter(4864700.2, 0)
    assert in_decimals(np.array([beside, -beside, 30.0, 0.0])).tolist() == [4864700.2, -4864700.2, 30, 0]
    assert in_decimals(np.array([1 / 3, 2**53 - 1.0])).tolist() == [0.333333333333333, 2**53 - 1]
    frame = pd.DataFrame({"pay": [0.1, 0.2, 0.3, 0.7, 0.7, 0.7, 1 / 3, 1 / 3, 1 / 3]})
    table = kc.Table.from_frame(frame)
    table = table.with_schema(table.schema.with_quasi(["pay"]).with_recodings({"pay": "mean"}))
    release = kc.anonymize(table, kc.Sorting(), 3, seed=1)
    assert sorted(set(release.to_frame()["pay"])) == [0.2, 1 / 3, 0.7]
    assert all(verdict.holds for verdict in kc.audit(table, release))


def test_whole_numbers_stay_whole_as_modes_and_masked_but_not_as_means():
    frame = pd.DataFrame({"age": [30, 30, 31, 50, 50, 50]})
    table = kc.Table.from_frame(frame)
    table = table.with_schema(table.schema.with_quasi(["age"]))
    for recoding, shown in (("mode", "30\n30\n30\n"), ("median", "30.0\n30.0\n30.0\n")):
        asked = table.with_schema(table.schema.with_recodings({"age": recoding}))
        made = kc.anonymize(asked, kc.Sorting(), 3, seed=1).to_frame()
        assert write_frame(made, "csv").decode().startswith("age\n" + shown)
    for masking in (kc.Noise(share=100), kc.Rounding(base=20), kc.Swapping(), kc.TopBottomCoding(share=50)):
        assert kc.mask(table, masking, 1).to_frame()["age"].dtype == np.int64
    halves = kc.Table.from_frame(pd.DataFrame({"x": [1.5, 3.0, 4.0, 9.0]}))
    assert kc.mask(halves, kc.Rounding(base=2), 1).to_frame()["x"].tolist() == [2.0, 4.0, 4.0, 10.0]
    assert kc.mask(halves, kc.Rounding(base=2), 1).to_frame()["x"].dtype == np.float64


def test_whole_numbers_of_16_digits_stay_whole_as_ends_medians_and_means():
    """As 1,000,000 does: “1000000000000000.0” reads like a number that was rounded."""
    start = 2 * 10**15 + 1
    frame = pd.DataFrame({"x": [start + 2 * i for i in range(6)], "y": [*range(5), None]})
    table = kc.Table.from_frame(frame)
    table = table.with_schema(table.schema.with_quasi(["x"]).with_roles({"y": "other"}))
    for recoding in ("generalize", "mean", "median"):
        own = table.with_schema(table.schema.with_recodings({"x": recoding}))
        made = kc.anonymize(own, kc.Sorting(), 3, seed=1).to_frame()[["x"]]
        cells = write_frame(made, "csv").decode().split("\n")[1:7]
        low, high = f"[{start}, {start + 4}]", f"[{start + 6}, {start + 10}]"
        expected = [f'"{low}"', f'"{high}"'] if recoding == "generalize" else [str(start + 2), str(start + 8)]
        assert sorted(set(cells)) == expected
