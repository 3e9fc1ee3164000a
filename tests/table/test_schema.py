"""Roles, kinds and their guesses."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.base.errors import SchemaError
from kanon_core.table.schema import Attribute, Schema


def kinds(frame: pd.DataFrame) -> dict[str, str]:
    return {a.name: a.kind for a in Schema.infer(frame)}


def roles(frame: pd.DataFrame) -> dict[str, str]:
    return {a.name: a.role for a in Schema.infer(frame)}


def test_kinds_are_guessed_from_names_and_values():
    n = 40
    frame = pd.DataFrame(
        {
            "age": range(n),
            "sex": ["F", "M"] * (n // 2),
            "Lat": np.linspace(30, 40, n),
            "home_longitude": np.linspace(130, 140, n),
            "visited": ["2020-01-02", "1899/12/31"] * (n // 2),
            "birthday": ["31.12.1899", "01.02.2003"] * (n // 2),
            "when": pd.to_datetime(["2020-01-02"] * n),
            "remark": [f"a rather long remark number {i}" for i in range(n)],
            "member": [True, False] * (n // 2),
            "zip": ["00123", "00987"] * (n // 2),
        }
    )
    assert kinds(frame) == {
        "age": "numeric",
        "sex": "categorical",
        "Lat": "latitude",
        "home_longitude": "longitude",
        "visited": "datetime",
        "birthday": "datetime",
        "when": "datetime",
        "remark": "text",
        "member": "categorical",
        "zip": "categorical",
    }


def test_degrees_out_of_range_are_plain_numbers():
    assert kinds(pd.DataFrame({"lat": [35.0, 95.0], "lon": [139.0, 181.0]})) == {
        "lat": "numeric",
        "lon": "numeric",
    }


def test_a_second_place_is_plain_numbers():
    frame = pd.DataFrame({"start_lat": [35.0], "start_lon": [139.0], "end_lat": [36.0], "end_lon": [140.0]})
    assert list(kinds(frame).values()) == ["latitude", "longitude", "numeric", "numeric"]


def test_words_that_merely_contain_lat_or_id_are_no_places_or_identifiers():
    frame = pd.DataFrame(
        {"flat": [1, 2, 3], "longing": [1, 2, 3], "a long way": [1, 2, 3], "width": [1, 2, 3]}
    )
    assert set(kinds(frame).values()) == {"numeric"}
    assert set(roles(frame).values()) == {"quasi_identifier"}


def test_roles_are_guessed_and_doubt_protects():
    n = 30
    frame = pd.DataFrame(
        {
            "person_id": range(n),
            "name": [f"N{i}" for i in range(n)],
            "disease": ["flu", "none"] * (n // 2),
            "town": ["A", "B", "C"] * (n // 3),
            "height": np.linspace(150, 190, n),
        }
    )
    assert roles(frame) == {
        "person_id": "identifier",
        "name": "identifier",
        "disease": "sensitive",
        "town": "quasi_identifier",
        "height": "quasi_identifier",
    }


def test_names_of_people_are_withheld_whatever_else_the_column_is_called():
    for name in [
        "income_tax_number",
        "diagnosis_patient_id",
        "hiv_patient_name",
        "病名番号",
        "religion_member_email",
        "userName",
        "fullname",
        "address",
        "ip",
        "phone",
        "patient",
    ]:
        assert roles(pd.DataFrame({name: [f"v{i}" for i in range(15)]})) == {name: "identifier"}


def test_an_identifying_name_is_withheld_even_when_it_repeats():
    assert roles(pd.DataFrame({"name": ["Ann", "Bob"] * 20, "bill_id": [1, 2] * 20})) == {
        "name": "identifier",
        "bill_id": "identifier",
    }


def test_ages_of_patients_are_no_identifiers():
    frame = pd.DataFrame({"patient age": [30, 31] * 20, "customer income": [1.5, 2.5] * 20})
    assert roles(frame) == {"patient age": "quasi_identifier", "customer income": "sensitive"}


def test_whole_numbers_that_are_all_missing_are_numbers():
    frame = pd.DataFrame({"x": pd.Series([None, None], dtype="Int64")})
    assert Schema.infer(frame)["x"].kind == "numeric"
    assert kc.Table.from_frame(frame)["x"].missing.all()


def test_numbers_too_long_for_a_float_are_categories():
    assert kinds(pd.DataFrame({"x": [2**53 + 1, 1]})) == {"x": "categorical"}


def test_what_does_not_fit_is_refused_with_the_column():
    for change, says in [
        (lambda s: s.with_roles({"no": "other"}), "no column “no”"),
        (lambda s: s.with_roles({"a": "boss"}), "role of column “a”"),
        (lambda s: s.with_kinds({"a": "color"}), "kind of column “a”"),
        (lambda s: s.with_weights({"a": -1}), "weight of column “a”"),
        (lambda s: s.with_weights({"a": float("nan")}), "weight of column “a”"),
        (lambda s: s.with_recodings({"b": "mean"}), "has no mean"),
        (lambda s: s.with_kinds({"a": "latitude", "c": "latitude"}), "all have the kind latitude"),
    ]:
        schema = Schema((Attribute("a", kind="numeric"), Attribute("b"), Attribute("c", kind="numeric")))
        with pytest.raises(SchemaError, match=says):
            change(schema)


def test_a_kind_without_the_recoding_falls_back():
    schema = Schema((Attribute("a", kind="numeric", recoding="mean"),))
    assert schema.with_kinds({"a": "categorical"})["a"].recoding == "generalize"
    assert schema.with_kinds({"a": "datetime"})["a"].recoding == "mean"


def test_repeated_names_are_refused():
    with pytest.raises(SchemaError, match="more than once"):
        Schema((Attribute("a"), Attribute("a")))


def test_quasi_identifiers_can_be_named_exactly():
    schema = Schema((Attribute("a"), Attribute("b"), Attribute("c", role="sensitive")))
    chosen = schema.with_quasi(["b", "c"])
    assert [a.role for a in chosen] == ["other", "quasi_identifier", "quasi_identifier"]


def test_json_round_trip_and_refusal():
    schema = Schema((Attribute("α, β", "sensitive", "numeric", 2.0, "median"), Attribute("<b>")))
    assert Schema.from_json(schema.to_json()) == schema
    for wrong in (None, 3, [{"name": "a", "colour": "red"}], [1], "abc"):
        with pytest.raises(SchemaError):
            Schema.from_json(wrong)
