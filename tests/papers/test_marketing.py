"""Measures of marketing beside U: rows are what the metrics measure, checks count every k."""

from __future__ import annotations

import pytest

import kanon_core as kc
from kanon_core.metrics.utility.category_rfm import category_kept
from kanon_core.papers import Row, Source
from kanon_core.papers.marketing import (
    ALL,
    BY_CATEGORY,
    BY_PRODUCT,
    MEASURED,
    marketing_checks,
    marketing_part,
)
from kanon_core.papers.purchases import PurchaseTables
from tests.papers.test_purchase_tables import small


def test_rows_are_what_the_metrics_measure():
    table = small()
    rows = list(PurchaseTables(largest_k=3, proposed=5).rows(Source(table, "ours")))
    by = {(row.part.table, *row.place.values()): row.mean for row in rows}
    for k in (2, 3):
        release = kc.anonymize(table.in_given_order(), kc.PurchaseHistories(), k)
        kept = category_kept(table, release)
        for name in ("recency", "frequency", "monetary"):
            assert by[BY_PRODUCT, k, name] == pytest.approx(kept[name].error)
        assert by[BY_PRODUCT, k, "U"] == kc.PurchaseUtility().measure(table, release).total
        assert by[BY_PRODUCT, k, "people's ΔRFM"] == pytest.approx(
            kc.RFMChange().measure(table, release).total
        )
        # Dates, prices and pieces are published alike: people keep what they keep, categories or not.
        assert by[BY_CATEGORY, k, "people's ΔRFM"] == pytest.approx(by[BY_PRODUCT, k, "people's ΔRFM"])
        assert by[BY_CATEGORY, k, ALL] < by[BY_PRODUCT, k, ALL]
    assert all(row.printed is None for row in rows if row.part.table in (BY_PRODUCT, BY_CATEGORY))


def rows_of(by: str, values: dict[int, float], utility: dict[int, float]) -> list[Row]:
    part = marketing_part(next(iter(PurchaseTables(largest_k=2).tasks(Source(small(), "")))).part, by)
    return [
        Row(part, {"k": k, "measured": name}, (utility[k] if name == "U" else value,))
        for k, value in values.items()
        for name in MEASURED
    ]


def test_checks_can_say_yes_and_no():
    utility = {2: 0.1, 3: 0.2, 5: 0.3}
    agreeing = rows_of(BY_PRODUCT, {2: 0.4, 3: 0.5, 5: 0.9}, utility)
    better = rows_of(BY_CATEGORY, {2: 0.1, 3: 0.2, 5: 0.3}, utility)
    found = list(marketing_checks([*agreeing, *better]))
    assert len(found) == 6 and all(check.holds and not check.must for check in found)
    assert "3 of 3 pairs" in found[0].sentence
    assert "at 3 of 3 k; the error changes by -0.600 to -0.300." in found[-1].sentence
    falling = rows_of(BY_CATEGORY, {2: 0.9, 3: 0.6, 5: 0.0}, utility)
    found = list(marketing_checks([*agreeing, *falling]))
    assert not any(check.holds for check in found[:4]) and "0 of 3 pairs" in found[0].sentence
    assert not found[-1].holds and "at 1 of 3 k" in found[-1].sentence
    assert list(marketing_checks([])) == []


def test_a_table_without_prices_has_no_such_part():
    table = small(price="other")
    parts = {row.part.table for row in PurchaseTables(largest_k=2).rows(Source(table, ""))}
    assert "table 9" in parts and not parts & {BY_PRODUCT, BY_CATEGORY}
