"""Tables that have little to measure, or too much: every metric gives a number in range, or says why there is
none."""

from __future__ import annotations

import functools
import math

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.metrics import METRICS, UTILITIES
from tests.helpers import looped, release_of, table_of

N = 12
COLUMNS = {
    "a number without a value": (pd.Series([None] * N, dtype="float64"), "numeric"),
    "a category without a value": (pd.Series([None] * N, dtype="object"), "categorical"),
    "a date without a value": (pd.Series([pd.NaT] * N), "datetime"),
    "sets without items": ([[] for _ in range(N)], "items"),
    "one number": ([7.5] * N, "numeric"),
    "one category": (["same"] * N, "categorical"),
    "huge numbers": (np.where(np.arange(N) % 2, 1e300, -1e300), "numeric"),
    "tiny numbers": (np.arange(N) * 5e-324, "numeric"),
}
GROUPS = {
    "one": np.zeros(N, int),
    "fours": np.arange(N) // 4,
    "some suppressed": np.where(np.arange(N) < 3, -1, 0),
    "all suppressed": np.full(N, -1),
}

each_metric = pytest.mark.parametrize("cls", [*METRICS, *UTILITIES], ids=lambda cls: cls.__name__)
each_column = looped("what", tuple(COLUMNS))
each_groups = looped("groups", tuple(GROUPS))


@functools.cache
def with_class(what: str) -> kc.Table:
    """The named column alone as quasi-identifier, and classes to predict."""
    values, kind = COLUMNS[what]
    schema = kc.Schema(
        (
            kc.Attribute("x", kind=kind),
            kc.Attribute("ill", role="sensitive"),
            kc.Attribute("who", role="person"),
        )
    )
    return table_of(schema, x=values, ill=list("ab") * (N // 2), who=[f"p{i}" for i in range(N)])


@functools.cache
def released(what: str, groups: str) -> kc.Release:
    """The release of the named column by the named groups."""
    return release_of(with_class(what), GROUPS[groups])


@pytest.mark.filterwarnings("error")
@each_metric
@each_column
@each_groups
def test_a_number_in_range_or_why_not(cls, what, groups):
    found = cls().score(with_class(what), released(what, groups))
    if math.isnan(found.total):
        # Of no published record there is no mean size, no area and no model.
        assert found.notes or groups == "all suppressed"
        assert cls().text(found.total) == "not defined"
    else:
        assert cls.low - 1e-9 <= found.total <= cls.high + 1e-9
        assert not math.isnan(found.error)
    assert all(note.endswith(".") for note in found.notes)


@each_metric
def test_a_table_of_one_record(cls):
    table = with_class("one number")
    one = kc.Table.from_frame(table.frame.iloc[:1], table.schema)
    found = cls().score(one, release_of(one, [0]))
    assert found.notes if math.isnan(found.total) else cls.low <= found.total <= cls.high


def test_where_nothing_varies_the_loss_is_0_and_does_not_count():
    table = table_of(x=[3.0] * 4, y=[1.0, 2.0, 3.0, 4.0])
    schema = table.schema.with_roles(dict.fromkeys("xy", "quasi_identifier")).with_kinds(
        dict.fromkeys("xy", "numeric")
    )
    table = table.with_schema(schema)
    loss = kc.ILD().measure(table, release_of(table, [0, 0, 1, 1]))
    assert loss.attributes == {"x": 0.0, "y": pytest.approx(0.2)} and loss.total == pytest.approx(0.2)
    for p in (1.0, math.inf):
        assert kc.ILD(p=p).measure(table, release_of(table, [0, 0, 1, 1])).total == pytest.approx(0.2)


def test_words_of_10_000_letters():
    words = ["a" * 10_000, "a" * 9_999 + "b", "b" * 10_000, "a" * 5_000]
    schema = kc.Schema((kc.Attribute("w", kind="text", distance=kc.Levenshtein(), recoding="mode"),))
    table = table_of(schema, w=words)
    loss = kc.ILD("schema").measure(table, release_of(table, [0, 0, 1, 1]))
    # Of each group the first in text order: 5,000 times a, and 10,000 times a; 5,000 apart.
    squares = [1, 10_000, 5_000, 9_999, 5_000, 10_000]
    assert loss.details["I(A)"] == 2 * sum(d * d for d in squares)
    assert loss.details["I(Â)"] == 8 * 5_000**2
    many = kc.Schema((kc.Attribute("w", kind="text", distance=kc.DamerauLevenshtein()),))
    rng = np.random.default_rng(0)
    table = table_of(many, w=["".join(rng.choice(list("abc"), 10_000)) for _ in range(60)])
    frame = kc.score(table, release_of(table, np.arange(60) // 3), [kc.ILD(), kc.NCP()])
    loss_row, penalty = frame[frame["part"] == "total"].itertuples()
    assert math.isnan(loss_row.value) and "would take about" in loss_row.note and "aaa" not in loss_row.note
    assert penalty.value > 0 and penalty.note == ""


def test_a_distance_that_lacks_a_value_is_told_as_the_reason():
    for distance in (
        kc.Graph([("a", "b", 1)]),
        kc.GivenMatrix([("a", 0, 1), ("b", 1, 0)]),
        kc.Tree({"a": "b"}),
    ):
        table = table_of(kc.Schema((kc.Attribute("t", distance=distance),)), t=["a", "b", "z", "z"])
        (row,) = kc.score(table, release_of(table, [0, 0, 1, 1]), [kc.ILD()]).itertuples()
        assert math.isnan(row.value) and "lacks 1 of its values (“z”)" in row.note
