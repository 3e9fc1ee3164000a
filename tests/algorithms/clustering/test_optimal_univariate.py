"""Optimal univariate microaggregation against worked examples, brute force and the plain recurrence."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kanon_core.algorithms.base import Log, Run
from kanon_core.algorithms.clustering import univariate as optimal_univariate
from kanon_core.algorithms.clustering.univariate import OptimalUnivariate, optimal_groups, sorted_with_order
from kanon_core.base.errors import UnsuitableError
from kanon_core.distances.mixed import points_of
from kanon_core.table.distributions import DISTRIBUTIONS, distribution
from kanon_core.table.schema import Schema
from kanon_core.table.table import Table
from tests.helpers import looped
from tests.oracles import univariate as oracle

KINDS = {
    "normal": lambda rng, n: rng.normal(size=n),
    "ties": lambda rng, n: rng.integers(0, 4, n).astype(float),
    "offset": lambda rng, n: 1e9 + rng.normal(size=n) * 1e-3,
    "scales": lambda rng, n: rng.choice([0, 1e-8, 1e8, 1e15], n) + rng.normal(size=n),
    "huge": lambda rng, n: rng.normal(size=n) * 1e300,
    "tiny": lambda rng, n: rng.normal(size=n) * 1e-300,
    "heavy tails": lambda rng, n: np.exp(rng.normal(size=n) * 20) * rng.choice([-1, 1], n),
}


def table_of(values, **more) -> Table:
    frame = pd.DataFrame({"x": values, **more})
    kinds = {name: "numeric" if frame[name].dtype.kind == "f" else "categorical" for name in frame}
    return Table.from_frame(frame, Schema.infer(frame).with_kinds(kinds).with_quasi(frame.columns))


@pytest.mark.parametrize(
    ("values", "k", "labels", "loss"),
    [
        ([6, 2, 0.7, 1.1, 5, 1, 5.1], 3, [1, 0, 0, 0, 1, 0, 1], 1.546667),
        ([4, 5, 8, 18, 20, 23, 25, 25, 26, 96], 3, [0, 0, 0, 1, 1, 1, 1, 2, 2, 2], 3351.666667),
        (range(1, 11), 4, [0] * 5 + [1] * 5, 20.0),
        ([5.0], 1, [0], 0.0),
        ([2.0, 1.0], 1, [1, 0], 0.0),
        ([3.0, 3.0, 3.0], 2, [0, 0, 0], 0.0),
    ],
)
def test_worked_examples(values, k, labels, loss):
    found = optimal_groups(np.array(values, float), k)
    assert found.tolist() == labels
    assert float(oracle.exact_loss(values, found)) == pytest.approx(loss, abs=1e-6)


@pytest.mark.deep
@looped("kind", KINDS)
def test_equals_brute_force(kind):
    rng = np.random.default_rng(sum(map(ord, kind)))
    for n, k in itertools.product((1, 2, 3, 5, 8, 11), (1, 2, 3, 4)):
        if k <= n:
            values = KINDS[kind](rng, n)
            found = optimal_groups(values, k)
            least = oracle.least_loss(values, k)
            assert oracle.exact_loss(values, found) - least <= least / 10**12
            assert np.all(np.diff(found[np.argsort(values, kind="stable")]) >= 0)
            assert set(np.bincount(found)) <= set(range(k, 2 * k))


@pytest.mark.deep
@settings(deadline=None, max_examples=150)
@given(st.lists(st.floats(-1e6, 1e6, allow_subnormal=False), min_size=1, max_size=10), st.integers(1, 4))
def test_equals_brute_force_on_any_values(values, k):
    k = min(k, len(values))
    least = oracle.least_loss(values, k)
    assert oracle.exact_loss(values, optimal_groups(np.array(values), k)) - least <= least / 10**12


@looped("k", [2, 3, 7, 16, 50, 199, 200, 201])
def test_equals_the_plain_recurrence_and_beats_every_heuristic(k):
    for name in ("DS0", "DS1", "DS9", "DS12"):
        ascending = np.sort(distribution(name, seed=k, size=401).x.to_numpy())
        least = oracle.loss_of_sizes(ascending, np.bincount(optimal_groups(ascending, k)))
        plain = oracle.loss_of_sizes(ascending, oracle.plain_optimal_sizes(ascending, k))
        assert least == pytest.approx(plain, rel=1e-12)
        for heuristic in (oracle.mdav_sizes, oracle.vmdav_sizes):
            assert least <= oracle.loss_of_sizes(ascending, heuristic(ascending, k)) * (1 + 1e-12)


@pytest.mark.parametrize("calls", [1, 3, 10])
def test_stopping_and_going_on_changes_nothing(calls, monkeypatch):
    values = np.random.default_rng(5).normal(size=500)
    whole = optimal_groups(values, 4)
    monkeypatch.setattr(optimal_univariate, "_ENDS_PER_CALL", calls)
    assert np.array_equal(optimal_groups(values, 4), whole)


def test_a_far_outlier_costs_the_others_no_digits():
    near = np.sort(np.random.default_rng(1).normal(size=30))
    alone = optimal_groups(near, 3)
    for outliers in ([-3e12, -2e12, -1e12], [1e12, 2e12, 3e12]):
        labels = optimal_groups(np.concatenate([near, outliers]), 3)[:30]
        assert np.array_equal(labels - labels.min(), alone)


@pytest.mark.parametrize(
    "values",
    [
        np.random.default_rng(1).normal(size=5000),
        np.random.default_rng(2).integers(-3, 4, 5000) * 1.0,
        np.concatenate([[0.0], 1e9 + np.random.default_rng(3).random(5000)]),
        np.concatenate([[-1e300, 1e300], 1 + np.random.default_rng(4).random(300) * 1e-9]),
        np.array([0.0, -0.0, 0.0, -0.0, 5e-324, -5e-324]),
        np.array([1.0]),
    ],
    ids=["normal", "ties", "coarse keys", "one bucket", "zeros", "single"],
)
def test_the_sort_is_the_stable_sort(values):
    ascending, order = sorted_with_order(values)
    assert np.array_equal(order, np.argsort(values, kind="stable"))
    assert np.array_equal(ascending, np.sort(values))


def test_a_bucket_of_many_close_values_is_still_sorted():
    rng = np.random.default_rng(6)
    values = np.concatenate([[-1e300, 1e300], 1 + rng.integers(0, 40, 1 << 14) * 2.0**-52])
    assert np.array_equal(sorted_with_order(values)[1], np.argsort(values, kind="stable"))


def test_equal_values_stay_in_record_order():
    assert optimal_groups(np.array([1.0, 0, 1, 0, 1, 1]), 2).tolist() == [1, 0, 1, 0, 2, 2]


def test_what_the_tick_raises_passes_through():
    class Cancelled(BaseException):
        pass

    def tick(fraction, note=""):
        if fraction > 0.4:
            raise Cancelled

    with pytest.raises(Cancelled):
        optimal_groups(np.arange(10.0), 2, tick)


def test_progress_never_goes_back():
    fractions = []
    optimal_groups(
        np.random.default_rng(0).normal(size=3 << 20), 3, lambda fraction, note="": fractions.append(fraction)
    )
    assert len(fractions) > 6 and fractions == sorted(fractions) and fractions[-1] == 1.0


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_values_that_overflowed_are_refused_in_words(bad):
    with pytest.raises(UnsuitableError, match="too large"):
        optimal_groups(np.array([1.0, bad, 2.0]), 1)


def test_the_input_is_not_modified():
    values = np.random.default_rng(0).normal(size=50)
    before = values.copy()
    values.flags.writeable = False
    optimal_groups(values, 3)
    assert np.array_equal(values, before)


@looped("name", DISTRIBUTIONS)
def test_as_an_algorithm(name):
    table = table_of(distribution(name).x)
    run = Run(log=Log())
    cover = OptimalUnivariate().cover(table, 5, run)
    replayed = np.full(len(table), -1)
    (first, path), *groups = run.log.events
    for number, (_, what) in enumerate(groups):
        replayed[what["members"]] = number
    assert np.array_equal(replayed, cover.groups)
    assert cover.sizes.min() >= 5 and run.report["groups"] == len(cover.sizes) == len(groups)
    values = points_of(table).numeric[:, 0]
    assert first == "path" and path["losses"][-1] == pytest.approx(oracle.exact_loss(values, cover.groups))


def test_says_what_does_not_suit():
    algorithm, values = OptimalUnivariate(), [1.0, 2.0, 3.0]
    assert algorithm.unsuitable(table_of(values), 2) == []
    assert "2 quasi-identifiers" in algorithm.unsuitable(table_of(values, y=values), 2)[0]
    assert "missing" in algorithm.unsuitable(table_of([1.0, np.nan, 3.0]), 2)[0]
    assert "k = 4" in algorithm.unsuitable(table_of(values), 4)[0]
    words = pd.DataFrame({"color": ["red", "blue", "red"]})
    table = Table.from_frame(
        words, Schema.infer(words).with_kinds({"color": "categorical"}).with_quasi(["color"])
    )
    assert "“color” is categorical" in algorithm.unsuitable(table, 2)[0]
