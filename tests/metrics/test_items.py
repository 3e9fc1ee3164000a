"""Losses of item sets: worked values of the paper, and the difference between the two kinds of NCP."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.metrics.loss.items import item_counts
from tests.helpers import release_of
from tests.release.test_item_release import FINAL, partitioned, shared, table_of
from tests.table.test_items import DRUGS


def test_figure_6_loses_8_of_28_items_by_either_measure_of_its_own():
    release = release_of(table_of(DRUGS), FINAL)
    fast = kc.SuppressedItems().measure(release.table, release)
    exact = kc.NCP().measure(release.table, release)
    assert fast.total == pytest.approx(8 / 28) and fast.attributes == {"drugs": fast.total}
    assert 9 * fast.total == pytest.approx(2.571429, abs=1e-6)
    assert exact.records.sum() == pytest.approx(2.183333, abs=1e-6)
    assert fast.records.tolist() == pytest.approx(exact.records.tolist())
    assert exact.attributes["drugs"] == pytest.approx(exact.total)


def test_the_example_in_the_words_of_the_metric():
    release = release_of(table_of(["a,b,d", "a,d"]), [0, 0])
    assert kc.SuppressedItems().measure(release.table, release).total == pytest.approx(1 / 5)
    assert kc.NCP().measure(release.table, release).total == pytest.approx(1 / 6)


@pytest.mark.deep
@settings(max_examples=100, deadline=None, derandomize=True)
@given(partitioned())
def test_both_losses_by_counting(case):
    sets, groups, _ = case
    table = table_of([",".join(held) for held in sets])
    release = release_of(table, groups)
    kept = [shared(sets, np.flatnonzero(groups == group)) if group >= 0 else set() for group in groups]
    total = sum(map(len, sets))
    fast, exact = (one.measure(table, release) for one in (kc.SuppressedItems(), kc.NCP(constant=True)))
    assert fast.total == pytest.approx(1 - sum(map(len, kept)) / total if total else 0)
    for i, (own, shown) in enumerate(zip(sets, kept, strict=True)):
        lost = 1 - len(shown) / len(own) if own else 0
        assert fast.records[i] == pytest.approx(lost)
        assert exact.records[i] == pytest.approx(1 if groups[i] < 0 else lost)
    had, published = item_counts(table["drugs"], release.published[0])
    for item, label in enumerate(table["drugs"].labels):
        assert had[item] == sum(label in own for own in sets)
        assert published[item] == sum(label in shown for shown in kept)


@settings(max_examples=50, deadline=None, derandomize=True)
@given(st.lists(st.permutations("abcde"), min_size=2, max_size=10), st.integers(1, 4))
def test_the_two_agree_when_all_records_have_as_many_items(orders, size):
    table = table_of([",".join(order[:size]) for order in orders])
    release = release_of(table, np.arange(len(orders)) // 2)
    fast, exact = (metric().measure(table, release).total for metric in (kc.SuppressedItems, kc.NCP))
    assert fast == pytest.approx(exact)


def test_several_columns_of_sets_count_item_by_item():
    frame = pd.DataFrame({"drugs": ["a,b", "a,b"], "tags": ["x,y,z", "u"], "age": [30, 40]})
    schema = table_of(["a"]).schema.attributes[0]
    attributes = (
        schema,
        kc.Attribute("tags", kind="items", delimiter=","),
        kc.Attribute("age", kind="numeric"),
    )
    table = kc.Table.from_frame(frame, kc.Schema(attributes))
    measured = kc.SuppressedItems().measure(table, release_of(table, [0, 0]))
    assert measured.attributes == {"drugs": 0.0, "tags": 1.0}
    assert measured.total == pytest.approx(4 / 8)
    assert measured.records.tolist() == pytest.approx([3 / 5, 1 / 3])


def test_without_item_sets_nothing_is_lost():
    table = kc.Table.from_frame(pd.DataFrame({"x": [1, 2]}))
    measured = kc.SuppressedItems().measure(table, release_of(table, [-1, -1]))
    assert measured.total == 0 and measured.attributes == {} and measured.records.tolist() == [0, 0]


@pytest.mark.deep
@settings(max_examples=100, deadline=None, derandomize=True)
@given(partitioned())
def test_the_spread_by_summing_over_records_and_items(case):
    sets, groups, _ = case
    table = table_of([",".join(held) for held in sets])
    labels = table["drugs"].labels
    has = np.array([[label in held for label in labels] for held in sets], float).reshape(len(sets), -1)
    centers = [has[groups == group].mean(axis=0) if group >= 0 else has.mean(axis=0) for group in groups]
    lost = ((has - np.array(centers).reshape(has.shape)) ** 2).sum(axis=1)
    whole = ((has - has.mean(axis=0)) ** 2).sum() if len(labels) else 0.0
    measured = kc.ILSSDM().measure(table, release_of(table, groups))
    expected = lost / whole if whole > 1e-12 else np.zeros(len(sets))
    assert measured.records == pytest.approx(expected, abs=1e-12)
    assert measured.total == measured.attributes["drugs"] == pytest.approx(expected.sum())


def test_the_spread_of_item_sets():
    """Two pairs of equal baskets keep everything in their groups, lose half of two items' spread across
    them."""
    table = table_of(["a,x", "a,x", "b,x", "b,x"])
    assert kc.ILSSDM().measure(table, release_of(table, [0, 0, 1, 1])).total == pytest.approx(0)
    assert kc.ILSSDM().measure(table, release_of(table, [0, 1, 0, 1])).total == pytest.approx(1)
    assert kc.ILSSDM().measure(table, release_of(table, [-1, -1, 0, 0])).total == pytest.approx(0.5)
    same = table_of(["a", "a"])
    assert kc.ILSSDM().measure(same, release_of(same, [0, 0])).total == 0
