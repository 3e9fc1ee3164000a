"""The digest of rows: sums that merge, and what they tell apart."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.table.rowdigest import digest_like, digest_of_sums, row_digest, sums_of_cells
from tests.helpers import looped

WORDS = pd.Series(["Rome", None, "Oslo", "Rome"], dtype="str")
BIG = 2**53


def digest(**columns: object) -> str:
    table = kc.Table.from_frame(pd.DataFrame(columns))
    return row_digest(table, table.schema, True)


def same(cells: object, other: object) -> bool:
    return digest(x=cells, y=range(4)) == digest(x=other, y=range(4))


@looped(
    "cells, other",
    [
        ([0.0, 1.5, None, 2.0], [-0.0, 1.5, np.nan, 2.0]),
        (WORDS, WORDS.astype(object)),
        (WORDS, WORDS.astype("category")),
        ([1, 2, 3, 4], np.array([1, 2, 3, 4], np.uint8)),
        ([1.0, 2.0, None, 4.5], pd.array([1.0, 2.0, None, 4.5], "Float64")),
        ([1, 2, 3, 4], pd.array([1, 2, 3, 4], "Int64")),
        ([True, False, True, True], ["True", "False", "True", "True"]),
        (pd.to_datetime(["2020-01-01"] * 4), pd.to_datetime(["2020-01-01"] * 4).as_unit("s")),
    ],
)
def test_how_cells_are_held_does_not_count(cells, other):
    assert same(cells, other)


@looped(
    "cells, other",
    [
        ([1, 2, 3, 4], [1.0, 2.0, 3.0, 4.0]),
        ([1, 2, 3, 4], ["1", "2", "3", "4"]),
        ([1, 2, 3, 4], [1, 2, 4, 3]),
        ([1.0, None, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0]),
        ([None, "a", "b", "c"], ["", "a", "b", "c"]),
        ([None, "a", "b", "c"], ["None", "a", "b", "c"]),
        ([BIG, 2, 3, 4], [BIG + 1, 2, 3, 4]),
        ([-BIG, 2, 3, 4], [-BIG - 1, 2, 3, 4]),
        (np.array([2**63, 2, 3, 4], np.uint64), np.array([2**63 + 1, 2, 3, 4], np.uint64)),
        (pd.to_datetime(["2020-01-01"] * 4), ["2020-01-01 00:00:00"] * 4),
    ],
)
def test_other_cells_and_types_do(cells, other):
    assert not same(cells, other)


def test_names_and_their_columns_count():
    one = digest(x=[1, 2], y=[3, 4])
    assert len({one, digest(x=[1, 2], z=[3, 4]), digest(x=[3, 4], y=[1, 2]), digest(y=[3, 4], x=[1, 2])}) == 4
    assert digest(x=[1, 2], y=[3, 3]) != digest(x=[1, 1], y=[3, 3])


def test_parts_add_up_in_any_order():
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"a": rng.integers(0, 5, 99), "b": rng.random(99), "c": rng.choice(["x", "y"], 99)})
    turned = frame.iloc[rng.permutation(99)]
    parts = [turned[:0], turned[:40], turned[40:41], turned[41:]]
    merged = np.sum([sums_of_cells(part) for part in parts], axis=0, dtype=np.uint64)
    assert (merged == sums_of_cells(frame)).all()
    table = kc.Table.from_frame(frame)
    types = {"a": "whole", "b": "number", "c": "text"}
    assert digest_of_sums(True, types, 99, merged) == row_digest(table, table.schema, True)


def test_equal_rows_count_as_often_as_they_are_there():
    found = {digest(x=[1] * ones + [2] * (6 - ones)) for ones in range(7)}
    assert len(found) == 7


def test_roles_say_which_columns_are_covered():
    frame = pd.DataFrame({"who": ["a", "b"], "name": ["A", "B"], "age": [3, 4], "w": [1.0, 2.5]})
    schema = kc.Schema.infer(frame).with_roles(
        {"who": "person", "name": "identifier", "w": "sampling_weight"}
    )
    table = kc.Table.from_frame(frame, schema)
    found = {named: row_digest(table, schema, named) for named in (True, False)}
    for name, covered in {
        "who": (True, True),
        "age": (True, True),
        "name": (True, False),
        "w": (True, False),
    }.items():
        other = kc.Table.from_frame(frame.assign(**{name: frame[name].iloc[::-1].to_numpy()}), schema)
        differ = tuple(row_digest(other, schema, named) != found[named] for named in (True, False))
        assert differ == covered, name
    assert row_digest(kc.Table.from_frame(frame[["age"]]), schema, False) == ""


def test_it_is_found_once_for_a_table_and_ticks(monkeypatch):
    table, noted = kc.Table.from_frame(pd.DataFrame({"x": ["a", "b"], "y": [1, 2]})), []
    first = row_digest(table, table.schema, True, lambda fraction, note="": noted.append(note))
    assert noted == ["digest of x", "digest of x", "digest of y"]
    other = table.with_schema(table.schema.with_weights({"y": 2.0}))
    monkeypatch.setattr("kanon_core.table.rowdigest.sums_of_cells", None)
    assert row_digest(table, table.schema, True) == row_digest(other, other.schema, True) == first
    with pytest.raises(TypeError):
        row_digest(table, table.schema.with_roles({"x": "identifier"}), False)


def test_a_digest_of_a_frame_as_a_whole_is_found_as_such():
    table = kc.Table.from_frame(pd.DataFrame({"x": ["a", "b"], "y": [1, 2]}))
    assert digest_like(table.data_digest, table, table.schema) == table.data_digest
    named = row_digest(table, table.schema, True)
    assert digest_like(named, table, table.schema) == named
