"""Nothing is released while it is undecided whose the records are; each answer leads to a right release."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.report.command import command_line
from kanon_core.report.script import script
from kanon_core.table.reading import starting_schema
from kanon_core.table.samples import SAMPLES
from kanon_core.table.schema import Attribute, Schema

ROWS = b"""age,city,diagnosis
7,30,A,hiv
7,30,A,hiv
7,30,A,hiv
8,40,B,ok
9,41,B,flu
10,42,B,ok
"""
"""The table of a customer with three visits; the column that says so is written before it."""

ID, WORD = b"customer_id," + ROWS, b"customer," + ROWS
TABLES = pytest.mark.parametrize(
    ("data", "name"), [(ID, "customer_id"), (WORD, "customer")], ids=["number", "word"]
)


def table(data: bytes, **roles: str) -> kc.Table:
    read = kc.read_table(data)
    return read.with_schema(read.schema.with_roles(roles))


@TABLES
def test_every_algorithm_stops_with_the_reason(data, name):
    undecided = table(data)
    assert undecided.schema[name].role == "undecided"
    for cls in kc.ALGORITHMS:
        with pytest.raises(kc.UnsuitableError) as reason:
            kc.anonymize(undecided, cls(), 3)
        said = str(reason.value)
        assert f"people of the 6 records: “{name}” (4 different values)" in said
        assert f"--roles {name}=person" in said and f'schema.with_roles({{"{name}": "person"}})' in said
        assert "Data page" in said and said.count("It is undecided") == 1
        assert not any(cell in said for cell in ("7", "8", "hiv", "flu"))
    with pytest.raises(kc.UnsuitableError, match="It is undecided"):
        list(kc.sweep(undecided, [kc.MDAV()], [2, 3]))


@TABLES
def test_a_file_is_not_judged_before_it_is_said(data, name):
    undecided = table(data)
    for guarantee in (kc.KAnonymity(3), kc.PersonKAnonymity(3), kc.LDiversity(l=2), kc.KMAnonymity(2, 1)):
        with pytest.raises(kc.UnsuitableError, match="It is undecided"):
            kc.audit_file(data, undecided, [guarantee])
    with pytest.raises(kc.UnsuitableError, match="It is undecided"):
        kc.read_release(data, undecided)


@TABLES
def test_a_person_is_counted_once(data, name):
    said = table(data, **{name: "person"})
    with pytest.raises(kc.UnsuitableError, match="6 records, 4 people"):
        kc.anonymize(said, kc.MDAV(), 3)
    release = kc.anonymize(said, kc.PurchaseHistories(), 2, seed=1)
    assert isinstance(release.guarantee, kc.PersonKAnonymity)
    shown = release.publish()
    assert all(verdict.holds for verdict in kc.audit(said, release))
    assert not set(shown[name].astype(str)) & {"7", "8", "9", "10"}
    # Three rows of one customer hide nobody: customer 7 shares each published row with another person.
    assert shown.groupby(["age", "city"])[name].nunique().min() >= 2


@TABLES
def test_every_record_is_another_person_s(data, name):
    said = table(data, **{name: "identifier"})
    release = kc.anonymize(said, kc.MDAV(), 3, seed=1)
    assert list(release.publish().columns) == ["age", "city", "diagnosis"]
    assert all(verdict.holds for verdict in kc.audit(said, release))


@TABLES
def test_no_persons_any_other_role(data, name):
    quasi = kc.anonymize(table(data, **{name: "quasi_identifier"}), kc.MDAV(), 3, seed=1).publish()
    assert (quasi.groupby([name, "age", "city"]).size() >= 3).all()
    other = kc.anonymize(table(data, **{name: "other"}), kc.MDAV(), 3, seed=1).publish()
    assert sorted(other[name]) == [7, 7, 7, 8, 9, 10]


def test_only_who_speaks_of_the_column_decides():
    schema = table(WORD).schema
    assert schema.with_roles({"diagnosis": "other"})["customer"].role == "undecided"
    assert schema.with_quasi(["age"])["customer"].role == "undecided"
    assert schema.with_kinds({"customer": "categorical"})["customer"].role == "undecided"
    assert schema.with_quasi(["age", "customer"])["customer"].role == "quasi_identifier"


def test_one_person_answers_for_all():
    data = b"customer_id,email,age\n1,a@x.org,30\n1,a@x.org,30\n2,b@x.org,41\n3,c@x.org,50\n"
    undecided = table(data)
    with pytest.raises(kc.UnsuitableError, match=r"“customer_id” .3 different values., “email” .3 diff"):
        kc.anonymize(undecided, kc.MDAV(), 2)
    said = undecided.schema.with_roles({"customer_id": "person"})
    assert [a.role for a in said] == ["person", "identifier", "quasi_identifier"]
    assert Schema((Attribute("a", "undecided"), Attribute("b", "person")))["a"].role == "identifier"
    half = undecided.schema.with_roles({"customer_id": "identifier"})
    with pytest.raises(kc.UnsuitableError, match=r"the people of the .* records: “email”"):
        kc.anonymize(undecided.with_schema(half), kc.MDAV(), 2)


def test_names_that_a_shell_or_python_reads_otherwise_are_quoted():
    frame = pd.DataFrame({"customer id,": ["x", "x", 'it"s'], "age": [1, 2, 3]})
    (said,) = kc.MDAV().unsuitable(kc.Table.from_frame(frame), 2)
    assert """--roles '"customer id,=person"'""" in said and 'with_roles({"customer id,": "person"})' in said
    one = kc.Table.from_frame(pd.DataFrame({"顧客ID": [5, 5, 5], "age": [1, 2, 3]}))
    assert "“顧客ID” (1 different value)" in kc.MDAV().unsuitable(one, 2)[0]


@pytest.mark.parametrize("role", ["identifier", "quasi_identifier", "other", "sensitive", "person"])
def test_recipes_scripts_and_command_lines_repeat_the_answer(role, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "visits.csv").write_bytes(ID)
    read = kc.read_table("visits.csv")
    said = read.with_schema(read.schema.with_roles({"customer_id": role}))
    algorithm = kc.PurchaseHistories() if role == "person" else kc.MDAV()
    release = kc.anonymize(said, algorithm, 3, seed=1)
    recipe = kc.Recipe.from_json(release.recipe.to_json())
    assert kc.repeat(read, recipe).publish().equals(release.publish())
    exec(script(release, "visits.csv"), {})
    (made,) = tmp_path.glob("visits*k3*.csv")
    before = made.read_bytes()
    made.unlink()
    from kanon_core.cli import main

    allowed = replace(release, recipe=replace(release.recipe, reasons={"a finding": "tested"}))
    assert main(command_line(allowed, "visits.csv").split()[3:]) == 0
    assert made.read_bytes() == before


def test_a_recipe_made_before_there_was_a_question_still_runs():
    read = kc.read_table(ID)
    said = read.with_schema(read.schema.with_roles({"customer_id": "identifier"}))
    kept = kc.anonymize(said, kc.MDAV(), 3, seed=1).recipe.to_json()
    roles = {entry["name"]: entry["role"] for entry in json.loads(kept)["schema"]}
    assert roles["customer_id"] == "identifier" and "undecided" not in kept
    assert len(kc.repeat(read, kc.Recipe.from_json(kept)).publish()) == 6


def test_nothing_is_undecided_in_our_samples():
    for sample in SAMPLES:
        reading = {"sample": sample.name}
        assert not starting_schema(pd.DataFrame(), reading).of_role("undecided"), sample.name


def test_an_answer_encodes_nothing_again():
    n = 1_000
    frame = pd.DataFrame({"patient": np.arange(n) // 3, "age": np.arange(n) % 90})
    undecided = kc.Table.from_frame(frame)
    said = undecided.with_schema(undecided.schema.with_roles({"patient": "person"}))
    assert said["patient"].values is undecided["patient"].values
