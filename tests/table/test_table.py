"""Tables: encoding, missing values, misfits, digests, points."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.background.compiling import tiny
from kanon_core.base.errors import InputError, SchemaError
from kanon_core.distances.mixed import points_of, unit_columns_of
from kanon_core.table.reading import read_table
from kanon_core.table.schema import Attribute, Schema
from kanon_core.table.table import Table
from tests.contracts.tables import table_of


def small() -> pd.DataFrame:
    return pd.DataFrame({"x": [1.0, 2.0, np.nan, 4.0], "c": ["b", None, "a", "b"], "d": ["x"] * 4})


def test_missing_is_a_value_of_its_own():
    table = Table.from_frame(small())
    assert table["x"].missing.tolist() == [False, False, True, False]
    assert table["c"].labels == ("a", "b", "(missing)")
    assert table["c"].codes.tolist() == [1, 2, 0, 1]


def test_a_frame_is_never_modified_and_its_index_is_ignored():
    frame = small().set_index(pd.Index([7, 7, 7, 7]))
    copy = frame.copy()
    table = Table.from_frame(frame)
    pd.testing.assert_frame_equal(frame, copy)
    assert table["c"].codes.tolist() == [1, 2, 0, 1]


def test_a_table_needs_records():
    for frame in [pd.DataFrame(), pd.DataFrame({"a": []}), pd.DataFrame(index=range(3))]:
        with pytest.raises(InputError, match="no records"):
            Table.from_frame(frame)


def test_something_else_than_a_frame_is_refused():
    with pytest.raises(SchemaError, match="DataFrame"):
        Table.from_frame([1, 2, 3])


def test_a_schema_of_other_columns_is_refused():
    with pytest.raises(SchemaError, match="“y” that the table does not have"):
        Table.from_frame(pd.DataFrame({"x": [1]}), Schema((Attribute("y"),)))


def test_misfits_are_counted_with_examples_unless_private():
    frame = pd.DataFrame({"age": ["30", "n/a?", " 41 ", "old"]})
    public = Table.from_frame(frame, Schema((Attribute("age", kind="numeric"),)))
    assert public["age"].values[[0, 2]].tolist() == [30.0, 41.0]
    assert public.misfits["age"].count == 2
    assert public.misfits["age"].rows == (2, 4)
    assert public.misfits["age"].examples == ("n/a?", "old")
    private = public.with_schema(public.schema.with_roles({"age": "sensitive"}))
    assert private.misfits["age"].count == 2
    assert private.misfits["age"].examples == ()


def test_latitude_95_and_infinity_do_not_fit():
    schema = Schema((Attribute("lat", kind="latitude"), Attribute("x", kind="numeric")))
    table = Table.from_frame(pd.DataFrame({"lat": [35.0, 95.0], "x": [np.inf, 1.0]}), schema)
    assert table.misfits["lat"].rows == (2,)
    assert table.misfits["x"].rows == (1,)


@pytest.mark.parametrize(
    "times",
    [
        ("2020-03-01T10:00:00+01:00", "2020-07-01T10:00:00+02:00"),
        ("2020-03-01T09:00:00", "2020-07-01T10:00:00+02:00"),
        ("2020-03-01 10:00 +0100", "2020-07-01 08:00Z"),
    ],
)
def test_times_of_different_offsets_are_one_column_in_utc(times):
    table = read_table("when,x\n{},1\n{},2\n".format(*times).encode())
    assert table.schema["when"].kind == "datetime" and not table.misfits
    expected = pd.to_datetime(["2020-03-01 09:00", "2020-07-01 08:00"])
    assert table["when"].values.tolist() == [stamp.timestamp() for stamp in expected]


def test_dates_before_1900_keep_their_distance():
    schema = Schema((Attribute("d", kind="datetime"),))
    table = Table.from_frame(pd.DataFrame({"d": ["1799-12-30", "1799-12-31", "2020-01-01", None]}), schema)
    values = table["d"].values
    assert values[1] - values[0] == 86_400
    assert np.isnan(values[3])
    assert table.misfits == {}


def test_every_cell_counts_also_one_that_does_not_fit_its_kind():
    schema = Schema((Attribute("s", "sensitive", "numeric"),))
    one = Table.from_frame(pd.DataFrame({"s": ["5", "x", "y"]}), schema)
    other = Table.from_frame(pd.DataFrame({"s": ["5", "a", "b"]}), schema)
    assert one["s"].values.tolist()[0] == other["s"].values.tolist()[0] == 5
    assert one.data_digest != other.data_digest


def test_different_frames_have_different_digests():
    for one, other in [
        ({"a": [1]}, {"a": [1.0]}),
        ({"a": [1]}, {"b": [1]}),
        ({"a": ["x", "y"]}, {"a": ["y", "x"]}),
        ({"a": [2**53]}, {"a": [2**53 + 1]}),
        ({"a": [True, 1, "1"]}, {"a": ["1", 1, True]}),
        ({"a": ["1", "2"], "b": ["3", "4"]}, {"a": ["1", "3"], "b": ["2", "4"]}),
        ({"a": [None, "x"]}, {"a": ["", "x"]}),
    ]:
        assert (
            Table.from_frame(pd.DataFrame(one)).data_digest
            != Table.from_frame(pd.DataFrame(other)).data_digest
        )


def test_equal_frames_have_equal_digests_under_any_schema():
    table = Table.from_frame(small())
    assert table.data_digest == Table.from_frame(small()).data_digest
    other = table.with_schema(table.schema.with_roles({"d": "sensitive"}))
    assert other.data_digest == table.data_digest
    assert other.digest != table.digest


def test_the_digest_is_found_with_ticks_once_and_is_the_same():
    frame = pd.DataFrame({"x": np.arange(120_000.0), "c": [f"cell, {i}" for i in range(120_000)]})
    noted = []
    table = Table.from_frame(frame)
    assert table.find_digest(lambda fraction, note="": noted.append((fraction, note))) == table.data_digest
    assert table.data_digest == Table.from_frame(frame).data_digest
    assert noted == [(0.0, "digest of x"), *[(0.5, "digest of c")] * 5]
    table.find_digest(lambda fraction, note="": noted.append((fraction, note)))
    assert len(noted) == 6


def test_one_cell_in_a_large_table_changes_the_digest():
    frame = pd.DataFrame({"x": np.zeros(600_000), "c": ["a"] * 600_000})
    other = frame.copy()
    other.loc[599_999, "x"] = 1e-300
    assert Table.from_frame(frame).data_digest != Table.from_frame(other).data_digest
    other = frame.copy()
    other.loc[300_001, "c"] = "b"
    assert Table.from_frame(frame).data_digest != Table.from_frame(other).data_digest


def test_minus_zero_is_written_as_zero():
    schema = Schema((Attribute("x", kind="numeric"),))
    values = Table.from_frame(pd.DataFrame({"x": [-0.0, 1.0]}), schema)["x"].values
    assert not np.signbit(values[0])


def test_one_long_cell_costs_no_more_than_itself():
    frame = pd.DataFrame({"note": ["short"] * 20_000 + ["x" * 1_000_000]})
    assert Table.from_frame(frame)["note"].labels[-1] == "x" * 1_000_000


def test_whole_numbers_without_an_exact_float_do_not_fit():
    table = Table.from_frame(pd.DataFrame({"x": [2**53 + 1, 5]}), Schema((Attribute("x", kind="numeric"),)))
    assert table.misfits["x"].rows == (1,)


def test_mixed_cells_are_told_apart_by_their_text():
    table = Table.from_frame(pd.DataFrame({"c": [True, 1, "1", 1.0]}), Schema((Attribute("c"),)))
    assert table["c"].labels == ("1", "True")
    assert table["c"].codes.tolist() == [1, 0, 0, 0]


@pytest.mark.parametrize("values", [[1e308, -1e308, 1.7e308], [4e-323, 1e-322, 0.0], [1e160, 1.0, 2.0]])
def test_numbers_that_cannot_be_compared_are_said(values):
    table = Table.from_frame(pd.DataFrame({"x": values}))
    assert not table["x"].comparable
    for algorithm in kc.ALGORITHMS:
        with pytest.raises(
            kc.UnsuitableError, match="Column “x” has numbers that are too large or too close"
        ):
            kc.anonymize(table, algorithm(), 2)


def test_points_are_z_scored_and_a_mismatch_counts_two():
    table = Table.from_frame(pd.DataFrame({"x": [1.0, 2.0, 3.0], "c": ["a", "b", "a"]}))
    points = points_of(table)
    assert points.numeric[:, 0].tolist() == [-1.0, 0.0, 1.0]
    assert points.weights.tolist() == [2.0]


def test_weights_multiply_squared_distances():
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0], "c": ["a", "b", "a"]})
    schema = Schema.infer(frame).with_weights({"x": 4.0, "c": 3.0})
    points = points_of(Table.from_frame(frame, schema))
    assert points.numeric[:, 0].tolist() == [-2.0, 0.0, 2.0]
    assert points.weights.tolist() == [6.0]


def test_a_missing_number_lies_at_the_mean_and_mismatches():
    points = points_of(Table.from_frame(pd.DataFrame({"x": [1.0, np.nan, 3.0]})))
    assert points.numeric[1, 0] == 0.0
    assert points.codes[:, 0].tolist() == [0, 1, 0]


def test_a_kilometer_is_a_kilometer_in_both_directions():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"lat": 60 + rng.normal(0, 0.01, 500), "lon": 10 + rng.normal(0, 0.05, 500)})
    numeric = points_of(Table.from_frame(frame)).numeric
    per_degree_lat = np.ptp(numeric[:, 0]) / np.ptp(frame["lat"])
    per_degree_lon = np.ptp(numeric[:, 1]) / np.ptp(frame["lon"])
    assert per_degree_lon / per_degree_lat == pytest.approx(np.cos(np.radians(frame["lat"].mean())))


def test_constant_and_all_missing_columns_stay_finite():
    schema = Schema((Attribute("x", kind="numeric"), Attribute("m", kind="numeric"), Attribute("c")))
    table = Table.from_frame(
        pd.DataFrame({"x": [5.0, 5.0], "m": [np.nan, np.nan], "c": [None, None]}), schema
    )
    assert np.isfinite(points_of(table).numeric).all()
    assert unit_columns_of(table).numeric[:, 0].tolist() == [0.0, 0.0]


def test_only_changed_kinds_are_encoded_again():
    table = Table.from_frame(small())
    other = table.with_schema(table.schema.with_roles({"d": "other"}))
    assert other["x"].values is table["x"].values
    assert [c.attribute.name for c in other.quasi] == ["x", "c"]


def test_samples_are_read_by_name_with_their_schema():
    table = read_table("sample:people-100")
    assert len(table) == 100
    assert table.schema["condition"].role == "sensitive"
    assert table.reading == {"sample": "people-100"}
    with pytest.raises(InputError, match="no sample"):
        read_table("sample:none")


def test_some_records_are_a_table_of_their_own_that_reads_its_cells_as_the_whole_does():
    sets = ["a;b"] * 20 + ["c, d", "e, f", "g, h", "c, f", "e"]
    frame = pd.DataFrame({"n": range(25), "s": sets, "c": list("xy" * 12) + ["z"]})
    table = Table.from_frame(frame, Schema.infer(frame).with_kinds({"s": "items"}))
    few = table.some(np.arange(20, 25))
    assert few.schema.names == ("n", "s", "c") and len(few) == 5
    assert few["s"].labels == ("c, d", "c, f", "e", "e, f", "g, h")
    assert few["n"].range == (20.0, 24.0) and few["c"].labels == ("x", "y", "z")
    flags = np.arange(25) > 22
    assert table.some(flags, ["c", "n"]).frame.to_dict("list") == {"c": ["y", "z"], "n": [23, 24]}
    assert table.schema["s"].delimiter == ""


@pytest.mark.parametrize("cls", kc.ALGORITHMS, ids=lambda cls: cls.__name__)
def test_the_frame_is_not_copied_for_an_algorithm(cls):
    """The table in its keyed order has the encoded columns; its frame is made when somebody asks for it."""
    for table in map(dataclasses.replace, [*tiny._tables(), table_of("goods")]):
        algorithm = tiny._little(cls)
        if not algorithm.unsuitable(table, 3):
            kc.anonymize(table, algorithm, 3, seed=4)
            seen, records = table.ordered(4)
            assert "frame" not in vars(seen) and len(seen) == len(table)
            again = kc.Table.from_frame(table.frame.iloc[records], table.schema)
            pd.testing.assert_frame_equal(seen.frame.reset_index(drop=True), again.frame)
            assert "frame" in vars(seen) and seen.frame is seen.frame
            other = seen.with_schema(seen.schema.with_weights({seen.schema.names[0]: 2.0}))
            assert len(other) == len(table) and other.data_digest == again.data_digest
            return
    raise AssertionError("no table for it")
