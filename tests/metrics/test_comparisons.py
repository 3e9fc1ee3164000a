"""Comparisons by measures of utility: the numbers of a card are those of the originals and of the release."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.metrics import UTILITIES
from kanon_core.metrics.base import compared
from kanon_core.metrics.comparisons import PAIRS_AT_MOST, Comparison
from kanon_core.metrics.utility.workload import frequent
from tests.contracts.tables import FRAMES
from tests.contracts.test_metrics import PARTITIONS, released, with_class
from tests.helpers import looped, release_of, table_of
from tests.metrics.test_utility import people, quasi, recoded


def found(metric: kc.Metric, table: kc.Table, groups) -> Comparison:
    release = release_of(table, groups)
    return compared(metric, table, release, metric.measure(table, release))


def numbers(comparison: Comparison) -> dict[str, tuple[str, str]]:
    return {pair.name: (pair.was, pair.now) for pair in comparison.pairs}


@pytest.mark.parametrize("cls", UTILITIES, ids=lambda cls: cls.__name__)
@looped("name", tuple(FRAMES))
@looped("partition", tuple(PARTITIONS))
def test_every_measure_of_utility_has_a_picture_and_a_sentence(cls, name, partition):
    if cls is kc.ModelLoss and (name, partition) not in {("mixed", "threes"), ("composite", "one group")}:
        return  # it takes longest
    table, release = with_class(name), released(name, partition, with_class)
    measured = cls().score(table, release)
    if measured.total != measured.total:
        return
    shown = compared(cls(), table, release, measured)
    assert 1 <= len(shown.pairs) <= PAIRS_AT_MOST and math.isfinite(shown.size)
    assert shown.sentence.endswith(".") and "{" not in shown.sentence.replace("{}", "")
    for pair in shown.pairs:
        assert pair.name and pair.was and pair.now
        assert math.isfinite(pair.before) and pair.low <= pair.high
    if not measured.total and not measured.error:
        assert all(
            pair.before == pytest.approx(pair.after) for pair in shown.pairs if pair.after == pair.after
        )


def test_the_direction_of_every_measure_of_utility_is_that_of_the_page():
    assert {cls.direction for cls in UTILITIES} == {"lower"}


def test_a_mean_rises_and_a_standard_deviation_falls():
    table = quasi(x=[0, 0, 10], y=[1, 1, 1])
    mean = found(kc.MeanChange(), table, [0, 0, 0])
    assert numbers(mean) == {"x": ("3.33", "5.00"), "y": ("1", "1")}
    assert "“x” changes most: it rises from 3.33 to 5.00, by 0.3536 σ." in mean.sentence
    assert "On average over 2 columns: 0.1768 σ." in mean.sentence
    assert mean.pairs[0].high - mean.pairs[0].low == pytest.approx(2 * np.std([0, 0, 1]))
    spread = found(kc.VarianceChange(), recoded(quasi(x=[1, 3, 5, 7]), "mean"), [0, 0, 1, 1])
    assert numbers(spread) == {"x": ("2.236", "2")}
    assert "it falls from 2.236 to 2, the variance by 20.00 %." in spread.sentence
    assert "On average" not in spread.sentence
    gone = found(kc.MeanChange(), table, [-1, -1, -1])
    assert gone.sentence.startswith("Nothing is published of “x”.") and math.isnan(gone.pairs[0].after)


def test_a_change_that_rounding_hides_is_said_to_be_one():
    groups = [0, 0, 0, *range(1, 10_001)]
    hidden = found(kc.ShareChange(), quasi(c=["a", "a", "b"] + ["a", "b"] * 5_000), groups)
    assert hidden.sentence == "“c” changes most, by less than the last digit shown."
    assert hidden.pairs[0].was == hidden.pairs[0].now and hidden.size > 0


def test_dates_levels_and_times_are_written_as_such():
    days = pd.to_datetime(["2024-01-01", "2024-01-02", "2024-01-02", "2024-01-04"])
    table = quasi(day=days)
    moved = found(kc.QuantileChange(), table, [0, 0, 0, 0])
    assert moved.pairs[1].was == "2024-01-02" and moved.pairs[1].name == "50 % are lower"
    assert found(kc.VarianceChange(), table, [0, 0, 0, 0]).pairs[0].was == "1.09 days"


def test_shares_correlations_and_counts():
    shares = found(kc.ShareChange(), quasi(c=["a", "a", "a", "b"]), [0] * 4)
    assert numbers(shares) == {"a": ("75.0 %", "50.0 %"), "b": ("25.0 %", "50.0 %")}
    assert "25.00 % of the records count for another value" in shares.sentence
    table = quasi(x=[0.0, 1, 2, 3], y=[0.0, 1, 2, 3], z=[1.0, 0, 0, 1])
    pairs = found(kc.CorrelationChange(), table, [0, 0, 0, 0])
    assert pairs.pairs[0].name in {"with y", "with x"}
    assert (pairs.pairs[0].before, pairs.pairs[0].after) == (pytest.approx(1), 0)
    counts = found(kc.QueryError(queries=50), quasi(c=["a", "a", "a", "b"]), [0] * 4)
    assert numbers(counts) == {"a": ("3", "2"), "b": ("1", "2")}


def test_a_model_is_compared_with_none():
    model = found(kc.ModelLoss(), people(), np.zeros(600, int))
    right, without = model.pairs
    assert right.before > 0.97 and (without.before, without.after) == (without.before, without.before)
    assert right.was in model.sentence and right.now in model.sentence and without.was in model.sentence
    assert model.size == pytest.approx((right.before - right.after) / (right.before - without.before))


def test_nothing_changed():
    for cls in (kc.MeanChange, kc.ShareChange):
        same = found(cls(), quasi(x=[1.0, 2, 3, 4], c=list("abcd")), np.arange(4))
        assert same.sentence == "The release and the original table give the same result." and same.size == 0


def test_ranges_hold_every_value_once():
    table = quasi(x=[1, 1, 1, 1, 2, 3, 4, 5], c=list("aabbbccd"), t=["p;q", "p", "", "q", "p", "r", "p", "q"])
    kinds = {"x": "numeric", "c": "categorical", "t": "items"}
    table = table.with_schema(table.schema.with_kinds(kinds))
    release = release_of(table, np.arange(8))
    for name, told in {"x": ["1", "2", "[3, 5]"], "c": ["b", "a", "c"], "t": ["p", "q", "r"]}.items():
        names, part = frequent(table[name], release[name].cells, 3)
        truth = part.true(np.arange(len(names))).sum(axis=1)
        assert names == told and (name != "x" or truth.sum() == 8)
        assert part.answer(np.arange(len(names))) @ release.held == pytest.approx(truth)


def test_an_empty_column_has_no_ranges():
    table = table_of(x=[np.nan, np.nan], y=[1.0, 2.0])
    table = table.with_schema(table.schema.with_kinds({"x": "numeric"}))
    names, part = frequent(table["x"], release_of(table, [0, 0])["x"].cells, 4)
    assert names == [] and part.true(np.arange(0)).shape == (0, 2)
