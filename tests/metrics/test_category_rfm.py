"""Recency, frequency and monetary value by product: by hand, and where there is nothing to measure."""

from __future__ import annotations

import numpy as np
import pytest

import kanon_core as kc
from kanon_core.base.errors import UnsuitableError
from kanon_core.metrics.utility.category_rfm import category_kept, category_rfm
from tests.algorithms.histories.test_purchases import customers_of, frame_of, table_of
from tests.metrics.test_rfm import FRAME
from tests.risk.test_attacks import release_of

GROUPS = [0, 0, 1, 1, -1, -1]
"""A and B on [1; 3] January at [1; 3], [1; 2] pieces; A and B on [5; 7] January at 2, [1; 4] pieces; the
others are left out."""


def test_by_hand():
    """A is bought on 1, 5 and 11 January for 2, 2 and 5; B on 3, 7 and 2 January for 3, 8 and 9."""
    table = table_of(FRAME)
    found = category_rfm(table, release_of(table, GROUPS)).set_index("category")
    assert found.loc["A"].tolist()[:3] == [0, 3, 9] and found.loc["B"].tolist()[:3] == [4, 3, 20]
    # Each cell is half an A: 4 · 1/2 records, and the middles 2 · 1.5 and 2 · 2.5 of two cells each.
    for name in "AB":
        assert found.loc[name].tolist()[3:] == [5, 2, 2 * (3 + 5) / 2]
    kept = category_kept(table, release_of(table, GROUPS))
    assert kept["recency"].error == pytest.approx((5 + 1) / (2 * 10))
    assert kept["frequency"].error == pytest.approx((1 + 1) / 6)
    assert kept["monetary"].error == pytest.approx((1 + 12) / 29)
    assert all(np.isnan(each.order) for each in kept.values())  # both are published alike


def test_what_is_published_as_it_is_is_kept():
    table = table_of(frame_of(customers_of([9, 8, 7, 6])))
    kept = category_kept(table, release_of(table, np.arange(30)))
    assert all(each.error == pytest.approx(0) for each in kept.values())
    assert kept["monetary"].order == pytest.approx(1)


def test_of_nothing_everything_is_lost():
    table = table_of(FRAME)
    found = category_rfm(table, release_of(table, [-1] * 6))
    assert found["frequency after"].tolist() == [0, 0] and found["recency after"].tolist() == [10, 10]
    kept = category_kept(table, release_of(table, [-1] * 6))
    assert kept["frequency"].error == 1 and kept["monetary"].error == 1


def test_categories_take_the_place_of_products():
    table = table_of(FRAME)
    known = kc.CategoryMap((("A", "both"), ("B", "both")))
    mapped = table.with_schema(table.schema.with_categories({"product": known}))
    found = category_rfm(mapped, release_of(mapped, GROUPS))
    assert found["category"].tolist() == ["both"]
    assert found.iloc[0].tolist()[1:] == [0, 6, 29, 5, 4, 16]


def test_missing_products_are_no_category():
    """The last record names no product, and shares a set of A and missing with the one before."""
    frame = FRAME.assign(product=[*FRAME["product"][:-1], None])
    table = table_of(frame)
    release = release_of(table, [0, 0, 1, 1, 2, 2])
    found = category_rfm(table, release).set_index("category")
    assert found.index.tolist() == ["A", "B"] and found["frequency"].sum() == len(frame) - 1
    assert found["frequency after"].sum() == pytest.approx(len(frame) - 1)


def test_without_prices_or_products_it_says_why():
    table = table_of(FRAME)
    for name, why in (("price", "named as a price"), ("product", "of categories for products")):
        changed = table.with_schema(table.schema.with_roles({name: "other"}))
        with pytest.raises(UnsuitableError, match=why):
            category_rfm(changed, release_of(changed, GROUPS))
