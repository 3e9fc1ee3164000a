"""Measures of what the data can be used for: the worked example of each, slow definitions, cancelling."""

from __future__ import annotations

import dataclasses
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.metrics import UTILITIES
from kanon_core.metrics.utility.base import read_counts, read_shares
from kanon_core.metrics.utility.models import features
from kanon_core.metrics.utility.workload import Choices, Itemsets, Ranges, drawn
from tests.contracts.tables import table_of as contract_table
from tests.helpers import release_of, table_of


def quasi(**columns) -> kc.Table:
    """A table whose columns all are quasi-identifiers."""
    table = table_of(**columns)
    return table.with_schema(table.schema.with_roles(dict.fromkeys(columns, "quasi_identifier")))


def measured(metric: kc.Metric, table: kc.Table, groups):
    return metric.measure(table, release_of(table, groups))


def recoded(table: kc.Table, recoding: str) -> kc.Table:
    return table.with_schema(table.schema.with_recodings(dict.fromkeys(table.schema.names, recoding)))


def test_means_of_intervals():
    assert measured(kc.MeanChange(), quasi(x=[20, 30, 40]), [0, 0, 0]).total == 0
    # [0, 10] twice and [10, 10]: mean 20/3 instead of 10/3, σ = 10 √2 / 3
    found = measured(kc.MeanChange(), quasi(x=[0, 0, 10, 10]), [0, 0, 1, 1])
    assert found.total == 0
    uneven = quasi(x=[0, 0, 10], y=[1, 1, 1])
    found = measured(kc.MeanChange(), uneven, [0, 0, 0])
    assert found.attributes == {"x": pytest.approx((5 - 10 / 3) / (10 * np.sqrt(2) / 3)), "y": 0}
    assert found.total == pytest.approx(found.attributes["x"] / 2)
    assert measured(kc.MeanChange(), uneven, [-1, -1, -1]).attributes == {"x": 1, "y": 0}
    assert measured(kc.MeanChange(), uneven, [-1, 0, 0]).total == pytest.approx(found.total)


def test_variances_and_quantiles_of_means():
    table = recoded(quasi(x=[1, 3, 5, 7]), "mean")
    assert measured(kc.VarianceChange(), table, [0, 0, 1, 1]).total == pytest.approx(0.2)
    assert measured(kc.VarianceChange(), table, [0] * 4).total == 1
    table = recoded(quasi(x=[0, 10]), "mean")
    assert measured(kc.QuantileChange(), table, [0, 0]).total == pytest.approx(20 / 9 / 5)


def test_correlations_of_means():
    rng = np.random.default_rng(0)
    x = rng.normal(size=40)
    table = recoded(quasi(x=x, y=x + rng.normal(size=40), z=rng.normal(size=40)), "mean")
    groups = np.argsort(np.argsort(x)) // 5
    shown = table.frame.groupby(groups).transform("mean")
    apart = (shown.corr() - table.frame.corr()).abs().to_numpy()
    found = measured(kc.CorrelationChange(), table, groups)
    assert found.total == pytest.approx(apart[np.triu_indices(3, 1)].mean())
    assert found.attributes["x"] == pytest.approx(apart[0, 1:].mean())
    assert np.isnan(measured(kc.CorrelationChange(), quasi(x=[1, 2, 3]), [0, 0, 0]).total)


def test_shares_of_sets():
    table = quasi(c=["a", "a", "a", "b"])
    assert measured(kc.ShareChange(), table, [0] * 4).total == pytest.approx(0.25)
    assert measured(kc.ShareChange(), recoded(table, "mode"), [0] * 4).total == pytest.approx(0.25)
    assert measured(kc.ShareChange(), table, [0, 0, 0, -1]).total == pytest.approx(0.25)
    assert measured(kc.ShareChange(), table, [-1] * 4).total == 1


@pytest.mark.parametrize("recoding", ["generalize", "mode"])
def test_shares_are_spread_evenly(recoding):
    table = recoded(quasi(c=list("abca") + [None, None]), recoding)
    release = release_of(table, [0, 0, 1, 1, 2, -1])
    shares = read_shares(table["c"], release["c"].cells).toarray()
    expected = {"generalize": [[0.5, 0.5, 0, 0], [0.5, 0, 0.5, 0]], "mode": [[1, 0, 0, 0], [1, 0, 0, 0]]}
    assert shares.tolist() == [*expected[recoding], [0, 0, 0, 1]]
    held = release.held
    assert held.tolist() == [2, 2, 1]
    assert read_counts(table["c"], release["c"].cells, held) == pytest.approx(held @ shares)


def test_the_count_of_its_example():
    table = quasi(age=[20, 21, 29])
    table = table.with_schema(table.schema.with_kinds({"age": "numeric"}))
    (published,) = release_of(table, [0, 0, 0]).published
    asked = Ranges(table["age"], published.cells, np.array([20.0, 29.0]), np.array([21.0, 40.0]))
    assert asked.answer(np.arange(2)).tolist() == [[pytest.approx(0.2)], [pytest.approx(0.1)]]
    assert asked.true(np.arange(2)).tolist() == [[True, True, False], [False, False, True]]


def test_lengths_sets_and_items_count_as_what_they_may_be():
    table = quasi(x=[0.0, 0.5, 4.0, np.nan], c=["a", "b", "c", "d"], t=["p;q", "p;q", "p;r", "p"])
    kinds = {"x": "numeric", "c": "categorical", "t": "items"}
    table = table.with_schema(table.schema.with_kinds(kinds))
    x, c, t = (column.cells for column in release_of(table, [0, 0, 0, 1]).published)
    every = np.arange(2)
    ranges = Ranges(table["x"], x, np.array([0.0, 3.0]), np.array([1.0, 9.0]))
    assert ranges.answer(every).tolist() == [[0.25, 0], [0.25, 0]]
    choices = Choices(table["c"], c, np.packbits([[1, 0, 0, 1], [0, 1, 1, 0]], axis=1))
    assert choices.answer(every) == pytest.approx(np.array([[1 / 3, 1], [2 / 3, 0]]))
    assert choices.true(every).tolist() == [[True, False, False, True], [False, True, True, False]]
    itemsets = Itemsets(table["t"], t, [np.array([0]), np.array([1, 0])])
    assert itemsets.answer(every).tolist() == [[1, 1], [0, 0]]
    assert itemsets.true(every).tolist() == [[True] * 4, [True, True, False, False]]


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 40), st.sampled_from([0.05, 0.3, 1.0]), st.integers(0, 5))
def test_conditions_are_satisfied_by_about_their_share(n, share, seed):
    rng = np.random.default_rng(seed)
    table = quasi(x=rng.normal(size=n), c=rng.choice(list("abc"), n))
    table = table.with_schema(table.schema.with_kinds({"x": "numeric", "c": "categorical"}))
    for published in release_of(table, np.zeros(n, int)).published:
        part = drawn(table[published.attribute.name], published.cells, share, 20, rng)
        counts = part.true(np.arange(20)).sum(axis=1)
        assert (counts >= share * n - 1).all() and (counts >= 1).all()
        if isinstance(part, Ranges):
            assert (counts <= share * n + 1).all()


def test_the_workload_is_shown_and_does_not_depend_on_the_order_of_records():
    table = contract_table("composite", 40)
    groups = np.arange(40) // 4
    metric = kc.QueryError(queries=200)
    found = measured(metric, table, groups)
    assert found.details["queries"] == 200 and found.details["median error"] <= 1
    assert set(found.attributes) == set(table.schema.names)
    order = np.random.default_rng(1).permutation(40)
    other = kc.Table.from_frame(table.frame.iloc[order], table.schema)
    assert measured(metric, other, groups[order]).total == pytest.approx(found.total)
    assert measured(dataclasses.replace(metric, seed=1), table, groups).total != found.total


def wanted_codes(part: Choices, query: int) -> np.ndarray:
    """0 or 1 for each label, read bit by bit."""
    return np.array(
        [part.packed[query][code // 8] >> (7 - code % 8) & 1 for code in range(len(part.column.labels))]
    )


def plain_share(part, query: int, cell: int) -> float:
    """Return the share of a cell's values that satisfy a query, as the metric defines it in words."""
    cells = part.cells
    if isinstance(part, Ranges):
        low, high, a, b = cells.low[cell], cells.high[cell], part.low[query], part.high[query]
        return float(a <= low <= b) if low == high else max(0.0, min(high, b) - max(low, a)) / (high - low)
    start, end = cells.starts[cell : cell + 2]
    if isinstance(part, Itemsets):
        return float(set(part.wanted[query].tolist()) <= set(cells.items[start:end].tolist()))
    return float(np.mean(wanted_codes(part, query)[cells.codes[start:end]]))


def plain_truth(part, query: int, record: int) -> bool:
    column = part.column
    if isinstance(part, Ranges):
        return bool(part.low[query] <= column.values[record] <= part.high[query])
    if isinstance(part, Itemsets):
        own = column.items[column.starts[record] : column.starts[record + 1]]
        return set(part.wanted[query].tolist()) <= set(own.tolist())
    return bool(wanted_codes(part, query)[column.codes[record]])


def test_the_error_is_the_mean_over_queries_counted_one_by_one(monkeypatch):
    """Groups of 3 to 9 records, and suppressed ones, which are not there; queries that nobody satisfies have
    the floor of n / 1000."""
    rng, parts = np.random.default_rng(4), []

    def kept(*arguments):
        parts.append(drawn(*arguments))
        return parts[-1]

    monkeypatch.setattr("kanon_core.metrics.utility.queries.drawn", kept)
    sets = [";".join(rng.choice(list("pqrs"), rng.integers(1, 4), replace=False)) for _ in range(40)]
    table = quasi(x=rng.normal(size=40), c=rng.choice(list("abcd"), 40), t=sets)
    table = table.with_schema(
        table.schema.with_kinds({"x": "numeric", "c": "categorical", "t": "items"}).with_quasi(
            ["x", "c", "t"]
        )
    )
    groups = np.repeat([0, 1, 2, 3, 4, 5, -1], [3, 4, 5, 6, 8, 9, 5])
    release = release_of(table, groups)
    found = kc.QueryError(queries=60, attributes=3).measure(table, release)
    errors, truths = [], []
    for query in range(60):
        truths.append(sum(all(plain_truth(part, query, r) for part in parts) for r in range(40)))
        shares = (np.prod([plain_share(part, query, int(g)) for part in parts]) for g in groups if g >= 0)
        errors.append(abs(sum(shares) - truths[-1]) / max(truths[-1], 40 / 1000))
    assert 0 in truths and max(truths) > 1
    assert found.total == pytest.approx(np.mean(errors))
    assert found.details["median error"] == pytest.approx(np.median(errors))
    assert found.details["mean true count"] == pytest.approx(np.mean(truths))


def test_counts_are_exact_where_nothing_is_hidden_and_gone_where_all_is():
    table = contract_table("composite", 40)
    for attributes in (1, 3, 9):
        metric = kc.QueryError(queries=100, attributes=attributes)
        assert measured(metric, table, np.arange(40)).total == pytest.approx(0, abs=1e-12)
        gone = measured(metric, table, np.full(40, -1))
        assert gone.total <= 1 and gone.notes


def people(n: int = 600) -> kc.Table:
    """Somebody is ill from 50 years on; the city says nothing."""
    rng = np.random.default_rng(2)
    age = rng.integers(0, 100, n)
    table = table_of(age=age, city=rng.choice(list("xyz"), n), ill=np.where(age >= 50, "yes", "no"))
    roles = {"age": "quasi_identifier", "city": "quasi_identifier", "ill": "sensitive"}
    return table.with_schema(table.schema.with_roles(roles).with_kinds({"age": "numeric"}))


def test_a_model_learns_from_the_release_what_it_still_tells():
    table = people()
    age = table.frame["age"].to_numpy()
    by_age = np.argsort(np.argsort(age, kind="stable"), kind="stable") // 20
    fine, coarse, same = (
        measured(kc.ModelLoss(), table, groups) for groups in (by_age, np.zeros(600, int), np.arange(600))
    )
    assert same.total == 0
    assert fine.details["trained on the originals"] > 0.97 and abs(fine.total) < 0.1
    assert coarse.details["trained on the release"] == pytest.approx(coarse.details["baseline"], abs=0.05)
    assert (
        coarse.total == coarse.details["trained on the originals"] - coarse.details["trained on the release"]
    )
    assert (fine.details["records to learn from"], fine.details["records to test on"]) == (400, 200)
    gone = measured(kc.ModelLoss(), table, np.where(age < 90, 0, -1))
    assert gone.details["records to learn from"] < 400
    assert np.isnan(measured(kc.ModelLoss(), table, np.full(600, -1)).total)


def test_errors_of_samples_are_stated_and_kept():
    """At least 17 of 20 workloads of 150 queries lie within their error of the mean over 20,000 queries. The
    error covers at least 19 of 20."""
    table = people()
    table = table.with_schema(table.schema.with_roles({"ill": "quasi_identifier"}))
    groups = np.arange(600) // 6
    many = measured(kc.QueryError(20_000, seed=99), table, groups)
    assert "20,000 random queries on up to 2 columns" in many.notes[0]
    few = [measured(kc.QueryError(150, seed=seed), table, groups) for seed in range(20)]
    assert sum(abs(found.total - many.total) <= found.error for found in few) >= 17
    assert all(0 < many.error < found.error for found in few)
    assert set(few[0].attribute_errors) == set(few[0].attributes)
    assert measured(kc.QueryError(1), table, groups).error == 0


def test_a_model_says_what_it_learned_from(monkeypatch):
    table, groups = people(), np.zeros(600, int)
    found = measured(kc.ModelLoss(), table, groups)
    assert found.notes == ("Trained on 400 and tested on 200 records, drawn with seed 0.",)
    # Two proportions of 200 records: never more than 2 √(1/200) apart by chance.
    assert 0 < found.error <= 2 * np.sqrt(1 / 200)
    assert measured(kc.ModelLoss(), table, np.arange(600)).error == 0
    monkeypatch.setattr("kanon_core.metrics.utility.models._RECORDS_AT_MOST", 300)
    few = measured(kc.ModelLoss(), table, groups)
    assert few.notes[1] == "They are a sample of 300 of 600 records." and few.error > found.error


def test_a_cell_of_thousands_of_labels_takes_no_more_room_than_its_labels():
    table = quasi(word=[f"w{i:05}" for i in range(3_000)], x=np.arange(3_000.0))
    table = table.with_schema(table.schema.with_kinds({"word": "text"}))
    release = release_of(table, np.arange(3_000) // 2)
    shares = read_shares(table["word"], release["word"].cells)
    assert shares.shape == (1_500, 3_000) and shares.nnz == 3_000
    assert shares.sum(axis=1) == pytest.approx(np.ones(1_500))


def test_queries_for_thousands_of_labels_are_drawn_in_little_room():
    labels = [f"w{i:05}" for i in range(10_000)]
    table = quasi(word=labels, x=np.arange(10_000.0))
    table = table.with_schema(table.schema.with_kinds({"word": "text"}))
    release = release_of(table, np.arange(10_000) // 2)
    shown = next(p for p in release.published if p.attribute.name == "word")
    tracemalloc.start()
    part = drawn(table["word"], shown.cells, 0.3, 1_000, np.random.default_rng(0))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 60e6
    assert (part.true(np.arange(20)).sum(axis=1) == 3_000).all()


def test_only_the_records_that_teach_and_test_become_features():
    table = contract_table("composite", 40)
    release = release_of(table, np.append(np.arange(36) // 4, [-1] * 4))
    rows = np.array([39, 3, 3, 17])
    for some, every in zip(
        features(table, release, rows), features(table, release, np.arange(40)), strict=True
    ):
        assert np.array_equal(some, every[rows], equal_nan=True) and len(some) == 4


def test_a_model_predicts_numbers_too():
    table = people()
    table = table.with_schema(table.schema.with_roles({"age": "other", "ill": "quasi_identifier"}))
    found = measured(kc.ModelLoss("age"), table, np.zeros(600, int))
    assert found.details["trained on the originals"] > 0.6
    assert abs(found.details["baseline"]) < 0.05


@pytest.mark.parametrize(
    ("target", "said"),
    [("city", "“city” cannot be predicted"), ("name", "500 classes"), ("one", "does not vary")],
)
def test_what_cannot_be_predicted(target, said):
    n = 500
    table = table_of(city=["a", "b"] * (n // 2), name=[f"n{i}" for i in range(n)], one=np.ones(n))
    roles = {"city": "quasi_identifier", "name": "sensitive", "one": "other"}
    table = table.with_schema(table.schema.with_roles(roles).with_kinds({"name": "text", "one": "numeric"}))
    found = measured(kc.ModelLoss(target), table, np.zeros(n, int))
    assert np.isnan(found.total) and said in found.notes[0]


def test_the_area_of_its_example():
    table = quasi(lat=[35.68, 35.69, 35.0], lon=[139.76, 139.77, 139.0])
    table = table.with_schema(table.schema.with_kinds({"lat": "latitude", "lon": "longitude"}))
    found = measured(kc.MapArea(), table, [0, 0, -1])
    assert found.total == pytest.approx(1.004277, abs=1e-6)
    assert found.details["total area (km²)"] == pytest.approx(2 * found.total)
    assert found.details["mean diagonal (km)"] == pytest.approx(1.432, abs=1e-3)
    assert np.isnan(found.records[2]) and kc.MapArea().text(found.total) == "1.004 km²"


@pytest.mark.parametrize("cls", [cls for cls in UTILITIES if issubclass(cls, kc.Utility)])
def test_whatever_the_tick_raises_stops_the_work(cls):
    class Stopped(Exception):
        pass

    def stop(fraction, note=""):
        assert fraction is None or 0 <= fraction <= 1
        raise Stopped

    table = next(
        t
        for t in map(contract_table, ("composite", "mixed", "places", "three numbers", "purchases"))
        if not cls().unsuitable(t)
    )
    groups = np.zeros(len(table), int)
    with pytest.raises(Stopped):
        cls().evaluate(table, release_of(table, groups), stop)
