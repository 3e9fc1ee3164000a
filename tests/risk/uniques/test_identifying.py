"""Distinction and separation: by definition, by hand, in people, of releases, of many columns."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.risk.uniques import columnsets as room
from tests.helpers import release_of, table_of
from tests.oracles import uniques as oracle


def by_columns(found: kc.Identifying) -> dict[tuple[str, ...], kc.ColumnSet]:
    return {one.columns: one for one in found.sets}


def test_five_records_by_hand():
    """Age tells three values and 8 of 10 pairs apart, sex and state together four and 9 of 10."""
    table = table_of(
        age=[20, 30, 40, 20, 40],
        sex=["female", "female", "female", "male", "male"],
        state=["CA", "CA", "TX", "NY", "CA"],
    )
    found = by_columns(kc.identifying(table))
    age, both = found[("age",)], found["sex", "state"]
    assert (age.values, age.distinction, age.separation) == (3, 0.6, 0.8)
    assert (both.values, both.distinction, both.separation) == (4, 0.8, 0.9)
    assert both.unique == 3


@pytest.mark.parametrize("people", [False, True])
def test_every_set_is_that_of_the_definition(people):
    for seed in range(12):
        rng = np.random.default_rng(seed)
        n, columns = int(rng.integers(2, 40)), int(rng.integers(1, 5))
        values = rng.integers(0, rng.integers(2, 12), (n, columns)).astype(float)
        values[rng.random(values.shape) < 0.1] = np.nan
        frame = pd.DataFrame(values, columns=[f"column {i}" for i in range(columns)])
        who = rng.integers(0, n // 2 + 1, n)
        schema = kc.Schema.infer(frame.assign(who=who)).with_roles({"who": "person"})
        table = kc.Table.from_frame(frame.assign(who=who), schema) if people else kc.Table.from_frame(frame)
        owners = who.tolist() if people else list(range(n))
        found = kc.identifying(table, 3)
        assert found.subjects == len(set(owners)) and found.unit == ("people" if people else "records")
        for one in found.sets:
            cells = frame[list(one.columns)].fillna(-1).itertuples(index=False, name=None)
            rows = list(cells)
            assert one.values == len(set(rows)) and one.unique == oracle.alone(rows, owners)
            assert one.distinction == pytest.approx(oracle.distinction(rows, owners))
            assert one.separation == pytest.approx(oracle.separation(rows, owners))
        ranks = [(-one.distinction, -one.separation, len(one.columns)) for one in found.sets]
        assert ranks == sorted(ranks)


def test_a_column_that_is_all_different_is_named_and_not_combined():
    table = table_of(number=range(30), sex=list("FM") * 15, town=list("abc") * 10, one=["x"] * 30)
    found = kc.identifying(table, 3)
    assert found.all_different == ("number",) and found.sets[0].columns == ("number",)
    several = {one.columns for one in found.sets if len(one.columns) > 1}
    assert several == {("sex", "town")}
    assert "“number”" in found.notes[0] and "identifies one of the records" in found.notes[0]


def test_sets_with_a_part_that_is_all_different_are_left_out():
    table = table_of(a=[0, 0, 1, 1], b=[0, 1, 0, 1], c=[0, 0, 0, 1])
    several = {one.columns for one in kc.identifying(table, 3).sets if len(one.columns) > 1}
    assert several == {("a", "b"), ("a", "c"), ("b", "c")}


def test_identifiers_are_counted_by_themselves():
    table = table_of(name=["Ann", "Bob", "Bob", "Eve"], age=[30, 30, 41, 41])
    schema = table.schema.with_roles({"name": "identifier", "age": "quasi_identifier"})
    found = kc.identifying(table.with_schema(schema))
    assert {one.columns for one in found.sets} == {("name",), ("age",)}


def test_of_many_columns_those_with_most_values_are_combined(monkeypatch):
    monkeypatch.setattr(room, "SETS", 4)
    found = kc.identifying(
        table_of(a=[0, 0, 1, 1, 2, 2], b=[0, 1] * 3, c=[0, 1, 2, 3, 3, 3], d=[1, 1, 2, 2, 2, 2])
    )
    assert found.left_out == ("d",)
    assert {one.columns for one in found.sets if len(one.columns) > 1} == {("a", "b"), ("a", "c"), ("b", "c")}
    assert {one.columns for one in found.sets if len(one.columns) == 1} == {("a",), ("b",), ("c",), ("d",)}
    assert found.notes == (
        "There are too many sets of columns to count. The columns with the fewest different values are"
        " counted only by themselves: “d”.",
    )


def test_of_people_ones_own_records_do_not_count():
    """x has two equal records: nobody else has milk, and no pair of records of different people is equal."""
    table = table_of(
        kc.Schema((kc.Attribute("who", "person"), kc.Attribute("item", "quasi_identifier"))),
        who=["x", "x", "y", "z", None],
        item=["milk", "milk", "bread", "tea", "tea"],
    )
    (one,) = kc.identifying(table).sets
    assert (one.values, one.distinction, one.separation, one.unique, one.all_different) == (3, 1, 1, 3, True)


def test_of_a_release_the_published_cells_count():
    table = table_of(age=[20, 21, 30, 31], sex=list("FMFM"))
    release = release_of(table, [0, 0, 1, 1])
    found = by_columns(kc.identifying(release))
    assert (found[("age",)].values, found[("age",)].unique) == (2, 0)
    assert found[("age",)].separation == pytest.approx(4 / 6) and found[("sex",)].values == 1
    none = kc.identifying(release_of(table, [-1, -1, -1, -1]))
    assert [(one.values, one.distinction, one.unique) for one in none.sets] == [(0, 0, 0)] * 2


def test_one_record_and_item_sets():
    (one,) = kc.identifying(table_of(age=[30])).sets
    assert (one.distinction, one.separation, one.unique) == (1, 1, 1)
    table = kc.read_table(b"age,basket\n30,a|b\n30,b|a\n30,a\n41,\n")
    schema = table.schema.with_kinds({"basket": "items"})
    found = by_columns(kc.identifying(table.with_schema(schema)))
    assert found[("basket",)].values == 3


def test_the_sentence_says_counts_and_who():
    found = kc.identifying(table_of(age=[30, 30, 41], sex=list("FMF")))
    one = by_columns(found)[("age",)]
    assert found.sentence(one) == (
        "age: 2 different values. 1 of 3 records (33.3 %) has a value that no other has; two records drawn at"
        " random differ in 66.7 % of cases."
    )


@pytest.mark.parametrize("most", [0, 5, True, 1.5])
def test_sizes_that_make_no_sense_are_refused(most):
    with pytest.raises(kc.OptionError, match="from 1 to 4"):
        kc.identifying(table_of(age=[30, 31]), most)


class Stop(Exception):
    pass


def test_it_ticks_before_each_set_and_stops_where_the_tick_says():
    table = table_of(a=[0, 0, 1], b=[0, 1, 1], c=[1, 1, 0])
    seen: list[float] = []
    kc.identifying(table, 2, lambda share, note="": seen.append(share))
    assert len(seen) == 3 + 3 and seen == sorted(seen) and seen[-1] < 1

    def tick(share, note=""):
        if share >= 0.1:
            raise Stop

    with pytest.raises(Stop):
        kc.identifying(table, 2, tick)


def test_adult_before_any_role_is_set(kanon_data):
    table = kc.read_table(kanon_data / "adult" / "adult.data")
    found = kc.identifying(table)
    assert len(found.sets) == 15 + 105 and not found.all_different
    frame = table.frame
    first = found.sets[0]
    assert "column_3" in first.columns  # fnlwgt, with 21,648 different values
    assert first.values == len(frame.groupby(list(first.columns), dropna=False))
