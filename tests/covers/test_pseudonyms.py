"""Pseudonyms from sums of hashes: which histories are equal, what parts of a table add up to, and who gets
which number."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.covers.pseudonyms import (
    equal_histories,
    history_sums,
    names_of,
    names_taken,
    numbers_that_are_names,
    row_hashes,
)

NONE = np.zeros(0, np.int64)
COLUMNS = [
    kc.Attribute("who", "person"),
    kc.Attribute("age", kind="numeric", recoding="median"),
    kc.Attribute("day", kind="datetime"),
    kc.Attribute("city"),
    kc.Attribute("paid", "sensitive", "numeric"),
    kc.Attribute("shop", "other"),
]


def visits(people: int, seed: int) -> kc.Table:
    rng = np.random.default_rng(seed)
    who = np.repeat(np.arange(people), rng.integers(1, 5, people))
    n = len(who)
    frame = pd.DataFrame(
        {
            "who": [f"p{i}" for i in who],
            "age": rng.integers(20, 30, n),
            "day": np.datetime64("2024-01-01", "us") + rng.integers(0, 9, n).astype("timedelta64[D]"),
            "city": pd.Series(rng.choice(["Rome", "Oslo"], n), dtype="str").mask(rng.random(n) < 0.1),
            "paid": rng.choice([-0.0, 0.0, 1.5, np.nan], n),
            "shop": rng.choice(["a", "b"], n),
        }
    )
    return kc.Table.from_frame(frame, kc.Schema(tuple(COLUMNS)))


def hashed(frame: pd.DataFrame, seed: int) -> np.ndarray:
    """The hashes of the rows of a published frame, or of a part of it."""
    cells = frame.drop(columns="who")
    return row_hashes((pd.factorize(cells[name], use_na_sentinel=False) for name in cells), seed)


@given(st.lists(st.tuples(st.integers(-1, 4), st.integers(0, 3)), max_size=40), st.integers(0, 99))
def test_sums_are_equal_where_histories_are(pairs, seed):
    numbers, rows = np.array([*pairs, (-1, 0)], np.int64).T
    numbers[numbers >= 0] = pd.factorize(numbers[numbers >= 0])[0]
    sums = history_sums(numbers, row_hashes([(rows, ["a", "b", "c", "d"])], seed))
    _, found = np.unique(sums, axis=0, return_inverse=True)
    assert len(sums) == numbers.max(initial=-1) + 1
    expected = equal_histories(numbers, rows)
    assert np.array_equal(found[:, None] == found, expected[:, None] == expected)


def test_whoever_holds_all_rows_of_a_person_finds_the_sums_alone():
    """A part of what is published, in another order, gives its people the sums that they have in the whole;
    all sums together give the names."""
    release = kc.anonymize(visits(60, 1), kc.PurchaseHistories(), 3, seed=5)
    frame, names = release.publish(), []
    persons = np.unique(frame["who"])
    sums = np.zeros((len(persons), 2), np.uint64)
    for part in (persons[:20], persons[20:]):
        own = frame[frame["who"].isin(part)].sample(frac=1, random_state=2)
        sums[np.isin(persons, part)] = history_sums(np.searchsorted(part, own["who"]), hashed(own, 5))
    names = names_of(sums, 5, NONE)
    rows = [frame[frame["who"] == one].drop(columns="who") for one in persons]
    histories = [tuple(sorted(map(str, own.itertuples(index=False)))) for own in rows]
    given = sorted(zip(histories, persons.astype(np.int64).tolist(), strict=True))
    assert sorted(zip(histories, names.tolist(), strict=True)) == given
    assert len(set(histories)) > 3


def test_the_sums_of_another_seed_or_lane_are_others():
    rows = [(np.arange(50), [f"row {i}" for i in range(50)])]
    one, other = row_hashes(rows, 1), row_hashes(rows, 2)
    assert len(np.unique(np.concatenate([one, other]))) == 200


def test_sums_are_taken_modulo_2_to_the_64():
    rows = np.array([[2**64 - 1, 1], [2, 2**63], [0, 2**63]], np.uint64)
    assert history_sums(np.array([0, 0, 0]), rows).tolist() == [[1, 1]]
    assert history_sums(np.array([-1, -1, -1]), rows).shape == (0, 2)


def test_names_follow_the_sums_and_not_the_people():
    sums = np.array([[5, 1], [3, 9], [5, 0], [3, 9]], np.uint64)
    names = names_of(sums, 8, NONE)
    assert len(set(names.tolist())) == 4 and ((names >= 100_000_000) & (names < 1_000_000_000)).all()
    assert np.array_equal(
        names_of(np.array([[3, 9], [3, 9], [5, 0], [5, 1]], np.uint64), 8, NONE), names[[1, 3, 2, 0]]
    )
    assert not np.array_equal(np.sort(names_of(sums, 9, NONE)), np.sort(names))
    without = names_of(sums, 8, names[:2])
    assert len(set(without.tolist())) == 4 and not np.isin(without, names[:2]).any()


def test_the_order_of_people_and_records_tells_nothing():
    """People with equal histories who swap them, and all records in another order: the same rows."""
    table = visits(30, 4)
    one = kc.anonymize(table, kc.PurchaseHistories(), 3, seed=2)
    order = np.random.default_rng(0).permutation(len(table))
    turned = kc.Table.from_frame(table.frame.iloc[order].reset_index(drop=True), table.schema)
    cover = one.cover.renumbered(np.argsort(order))
    other = kc.Release.of(turned, cover, one.recipe)
    assert other.publish().equals(one.publish())


@pytest.mark.parametrize("kind", ["categorical", "numeric"])
def test_numbers_of_nine_digits_are_taken(kind):
    who = [123456789, 12345678, 1234567890, 999999999, 123456789]
    schema = kc.Schema((kc.Attribute("who", "person", kind), kc.Attribute("x", kind="numeric")))
    table = kc.Table.from_frame(pd.DataFrame({"who": who, "x": range(5)}), schema)
    assert names_taken(table).tolist() == [123456789, 999999999]
    assert numbers_that_are_names(str(one) for one in who).tolist() == [123456789, 999999999]
