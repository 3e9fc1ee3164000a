"""Roles kept in a file, roles as papers use them, and what changed in words."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.base.errors import InputError, KanonError, OptionError, SchemaError
from kanon_core.cli import main
from kanon_core.table.changes import changes_said
from kanon_core.table.differences import applied, differences
from kanon_core.table.presets import naming_values, preset_of, preset_text, with_preset
from kanon_core.table.rolesets import ROLE_SETS, fitting, role_set
from kanon_core.table.schema import ROLES, Attribute, Schema
from tests.contracts.tables import table_of

ADULT = (
    "39, State-gov, 77516, Bachelors, 13, Never-married, Adm-clerical, Not-in-family, White, Male, 2174, 0,"
    " 40, United-States, <=50K\n"
    "50, ?, 83311, HS-grad, 9, Divorced, Sales, Husband, Black, Female, 0, 0, 13, Cuba, >50K\n"
) * 3
EIGHT = ["age", "workclass", "education-num", "marital-status", "occupation", "race", "sex", "native-country"]


def named(header: str) -> kc.Table:
    return kc.read_table(f"{header}\n{ADULT}".encode())


# Sets of roles


def test_every_set_fits_a_table_of_its_own_columns():
    assert len({one.name for one in ROLE_SETS}) == len(ROLE_SETS)
    for one in ROLE_SETS:
        frame = pd.DataFrame({names[-1]: [1, 2] for names in one.columns} | {"more": [3, 4]})
        table = one.given_to(kc.Table.from_frame(frame))
        assert table.schema["more"].role == "identifier" and table.schema.names == tuple(frame)
        assert [(a.kind, a.role, a.recoding) for a in table.schema][:-1] == list(one.columns.values())
        assert one.title and one.about and role_set(one.name.upper()) is one
    assert role_set("adult") is None


def test_adult_without_names_is_known_by_its_values_and_gets_them():
    table = kc.read_table(ADULT.encode())
    assert [one.name for one in fitting(table)] == ["adult-8", "adult-15", "adult-2"]
    eight = role_set("adult-8").given_to(table)
    assert [a.name for a in eight.schema.quasi_identifiers] == EIGHT
    assert [a.name for a in eight.schema.of_role("sensitive")] == ["salary-class"]
    assert len(eight.schema.of_role("identifier")) == 6 and eight.schema["age"].kind == "numeric"
    assert kc.read_table(ADULT.encode(), **eight.reading).data_digest == eight.data_digest
    two = role_set("adult-2").given_to(table)
    assert [(a.name, a.recoding) for a in two.schema.quasi_identifiers] == [
        ("marital-status", "mode"),
        ("capital-gain", "mean"),
    ]


@pytest.mark.parametrize(
    "header",
    [
        "age,workclass,fnlwgt,education,education.num,marital.status,occupation,relationship,race,sex,"
        "capital.gain,capital.loss,hours.per.week,native.country,income",
        "Age,Workclass,fnlwgt,education,educational-num,marital_status,occupation,relationship,race,gender,"
        "capital_gain,capital_loss,hours_per_week,native_country,class",
    ],
)
def test_adult_under_the_names_that_others_give_it(header):
    table = named(header)
    assert [one.name for one in fitting(table)] == ["adult-8", "adult-15", "adult-2"]
    assert role_set("adult-8").given_to(table).schema.names == tuple(header.split(","))


def test_other_tables_are_left_alone():
    other = ADULT.replace("Male", "M").replace("Female", "F")
    assert not fitting(kc.read_table(other.encode())) and not fitting(kc.read_table("sample:people-100"))
    with pytest.raises(OptionError, match="“census-13” need the columns AFNLWGT, AGI"):
        role_set("census-13").given_to(kc.read_table("sample:four"))


def test_the_real_tables_are_known(kanon_data):
    for file, sets, quasi in (
        ("adult/adult.data", ["adult-8", "adult-15", "adult-2"], 8),
        ("casc/CASCrefmicrodata.csv", ["census-13"], 13),
        ("casc/Tarragona.csv", ["tarragona-13"], 13),
    ):
        table = kc.read_table(kanon_data / file)
        assert [one.name for one in fitting(table)] == sets
        known = fitting(table)[0].given_to(table)
        assert len(known.quasi) == quasi and not known.misfits


def test_the_command_line_takes_sets_and_files_of_roles(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "adult.data").write_text(ADULT)
    table = role_set("adult-8").given_to(kc.read_table("adult.data"))
    schema = table.schema.with_roles({"race": "sensitive"})
    assert main(["describe", "adult.data", "--roles=adult-8,race=sensitive"]) == 0
    first = capsys.readouterr().out
    assert first.count("quasi_identifier") == 7 and first.count("sensitive") == 2 and "column_" not in first
    (tmp_path / "roles.json").write_text(preset_text(schema))
    assert main(["describe", "adult.data", "--roles=roles.json", f"--names={','.join(schema.names)}"]) == 0
    assert capsys.readouterr().out == first
    for word, said in (
        ("adult-9", "“adult-9” must be a column, an equals sign and its role"),
        ("no.json", "no.json"),
    ):
        assert main(["describe", "adult.data", f"--roles={word}"]) == 2
        assert said in capsys.readouterr().err


# Files of roles


@pytest.mark.parametrize("name", ["mixed", "round ends", "grouped"])
def test_a_file_of_roles_brings_everything_back(name):
    table = table_of(name)
    plain = Schema(tuple(Attribute(a.name) for a in table.schema))
    assert with_preset(plain, preset_of(preset_text(table.schema))) == table.schema
    recipe = kc.anonymize(table, kc.Mondrian(), k=2, seed=1).recipe
    assert preset_of(recipe.to_json().encode()) == table.schema


def test_no_value_of_the_data_is_in_the_file_unless_it_says_so():
    frame = pd.DataFrame(
        {"age": [31, 77, 31, 77], "town": ["Lyon", "Rome", "Lyon", "Rome"], "x": list("abab")}
    )
    table = kc.Table.from_frame(frame)
    text = preset_text(table.schema.with_weights({"age": 2}))
    assert not any(value in text for value in ("77", "Lyon", "Rome")) and not naming_values(table.schema)
    tree = kc.Hierarchy((("Lyon", "Europe"), ("Rome", "Europe"), ("Europe", "*")))
    edges = kc.Graph((("a", "b", 1.0),))
    told = table.schema.with_hierarchies({"town": tree}).with_distances({"x": edges})
    assert naming_values(told) == ("town", "x") and "Lyon" in preset_text(told)
    assert naming_values(told.with_distances({"x": kc.Discrete()})) == ("town",)
    ordered = table.schema.with_kinds({"x": "ordinal"}).with_orders({"x": ("b", "a")})
    assert naming_values(ordered) == ("x",)


def test_columns_that_only_one_of_both_has():
    now = Schema((Attribute("age"), Attribute("city", "sensitive")))
    known = Schema((Attribute("zip", "other"), Attribute("age", "other", "numeric")))
    assert with_preset(now, known) == Schema(
        (Attribute("age", "other", "numeric"), Attribute("city", "sensitive"))
    )
    with pytest.raises(SchemaError, match="the roles of other columns"):
        with_preset(now, Schema((Attribute("zip"),)))


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\xff\x00",
        "[]",
        "{}",
        "3",
        '{"schema": 3}',
        '{"schema": {"name": "age"}}',
        "[" * 100_000,
        "age,role",
    ],
)
def test_other_files_are_refused(text):
    with pytest.raises(InputError, match="not a file of roles"):
        preset_of(text)


@pytest.mark.parametrize(
    "entry", [{"name": "age", "role": "king"}, {"name": 3, "roles": "x"}, "age", {"name": "a", "weight": -1}]
)
def test_a_file_with_what_no_column_can_be_is_refused(entry):
    with pytest.raises(KanonError):
        preset_of(json.dumps({"schema": [entry]}))


# What changed


def test_every_change_is_said():
    table = table_of("mixed")
    rng = np.random.default_rng(5)
    for _ in range(60):
        chosen = rng.choice(table.schema.names, 2, replace=False)
        role, weight = str(rng.choice(list(ROLES))), float(rng.integers(0, 9))
        try:
            after = table.schema.with_roles(dict.fromkeys(chosen, role)).with_weights({chosen[0]: weight})
        except SchemaError:
            continue
        said = changes_said(table.schema, after)
        assert bool(said) == (after != table.schema)
        change = differences(table.schema, after)
        assert applied(table.schema, change) == after
        for name in change.roles:
            assert any(line.startswith("role of") and name in line for line in said)
        assert any(line.startswith(f"weight of {chosen[0]}: ") for line in said) == bool(change.weights)


def test_changes_read_as_a_sentence():
    old = Schema((Attribute("column_1"), Attribute("sex", "other"), Attribute("n", kind="numeric")))
    tree = kc.Hierarchy((("F", "*"), ("M", "*")))
    new = Schema(
        (
            Attribute("age", "other", weight=2.5),
            Attribute("sex", hierarchy=tree, distance=kc.Hamming()),
            Attribute("n", kind="numeric", recoding="mean"),
        )
    )
    assert changes_said(old, new) == (
        "column_1 renamed to age",
        "role of age: quasi-identifier → other",
        "role of sex: other → quasi-identifier",
        "weight of age: 1 → 2.5",
        "recoding of n: generalize → mean",
        f"distance of sex: default for categorical → {kc.Hamming.title}",
        "value hierarchy of sex: none → given",
    )
    rounded = new.with_recodings({"n": "generalize"}).with_round_ends({"n": "10"})
    assert changes_said(new, rounded)[-1] == "round ends of n: none → “10”"
    assert changes_said(new, new) == ()
