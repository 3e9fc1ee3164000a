"""RFMChange: recency, frequency and monetary value by hand, and on histories."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.metrics.utility.rfm import rfm
from tests.algorithms.histories.test_purchases import customers_of, frame_of, table_of
from tests.risk.test_attacks import release_of

FRAME = pd.DataFrame(
    {
        "customer": ["a", "b", "a", "b", "a", "c"],
        "day": pd.to_datetime(
            ["2011-01-01", "2011-01-03", "2011-01-05", "2011-01-07", "2011-01-11", "2011-01-02"]
        ),
        "product": list("ABABAB"),
        "price": [1.0, 3.0, 2.0, 2.0, 5.0, 9.0],
        "quantity": [2, 1, 1, 4, 1, 1],
    }
)


def test_by_hand():
    """a and b publish two records each: [1; 3] and [5; 7] January, prices [1; 3] and 2, quantities [1; 2] and
    [1; 4]."""
    table = table_of(FRAME)
    release = release_of(table, [0, 0, 1, 1, -1, -1])
    people = rfm(table, release)
    assert people["recency"].tolist() == [0, 4, 9] and people["recency after"].tolist() == [5, 5, 10]
    assert people["frequency"].tolist() == [3, 2, 1] and people["frequency after"].tolist() == [2, 2, 0]
    assert people["monetary"].tolist() == [9, 11, 9]
    assert people["monetary after"].tolist() == [2 * 1.5 + 2 * 2.5] * 2 + [0]
    measured = kc.RFMChange().measure(table, release)
    spreads = [np.std([0, 4, 9]), np.std([3, 2, 1]), np.std([9, 11, 9])]
    errors = [(5 + 1 + 1) / 3, (1 + 0 + 1) / 3, (1 + 3 + 9) / 3]
    assert measured.total == pytest.approx(np.mean([e / s for e, s in zip(errors, spreads, strict=True)]))
    assert measured.details["frequency rank correlation"] == pytest.approx(np.sqrt(3) / 2)
    assert measured.details["records left out"] == pytest.approx(2 / 6)
    assert measured.details["people left out"] == pytest.approx(1 / 3)


def test_what_is_published_as_it_is_changes_nothing():
    table = table_of(frame_of(customers_of([5, 4, 3, 2])))
    measured = kc.RFMChange().measure(table, release_of(table, np.arange(14)))
    assert measured.total == 0
    assert all(value == pytest.approx(1) for name, value in measured.details.items() if "rank" in name)


def test_of_several_pseudonyms_the_longest_history_is_the_person_s():
    table = table_of(frame_of(customers_of([40, 9, 8, 8, 3, 2, 2, 2])))
    release = kc.anonymize(table, kc.PurchaseHistories(grouping="similar"), k=2)
    assert release.bearers.several
    people = rfm(table, release)
    for person in range(len(people)):
        lengths = np.bincount(release.bearers.numbers[release.bearers.numbers >= 0])
        own = lengths[release.bearers.owner == person]
        assert people["frequency after"][person] == (own.max() if len(own) else 0)


def test_without_prices_or_people_it_says_nothing():
    table = table_of(FRAME)
    for roles, why in (
        ({"price": "other"}, "named as a price"),
        ({"customer": "other"}, "identifies the person"),
    ):
        changed = table.with_schema(table.schema.with_roles(roles))
        assert any(why in reason for reason in kc.RFMChange().unsuitable(changed))
        measured = kc.RFMChange().measure(changed, release_of(changed, [0, 0, 1, 1, -1, -1]))
        assert np.isnan(measured.total) and any(why in note for note in measured.notes)
