"""Round ends on their way: schema, recipe, command line, files and the price."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.cli import main
from kanon_core.report import release_bytes
from kanon_core.report.command import command_line
from kanon_core.report.script import script
from kanon_core.table.differences import applied, differences
from tests.contracts.tables import ROUND_ENDS, table_of
from tests.helpers import looped, release_of


@pytest.fixture
def table() -> kc.Table:
    return table_of("round ends")


def attribute(kind: str, step: object, recoding: str = "generalize") -> kc.Attribute:
    return kc.Attribute("x", kind=kind, recoding=recoding, round_to=step)  # type: ignore[arg-type]


@looped(
    "kind, step",
    [
        *(("numeric", step) for step in ("0", "-5", "nan", "inf", "month", "500 m", "1,5", "ten", "0x10")),
        *(("numeric", step) for step in ("1e-151", "1e151", "1.2345678901234567", "²", "5 5", 5, None)),
        *(("datetime", step) for step in ("10", "week", "Month", "30 m", "0")),
        *(("latitude", step) for step in ("0 m", "-3 m", "m", "day", "5 km", "nan m")),
    ],
)
def test_steps_that_are_none_are_refused_in_a_sentence(kind, step):
    with pytest.raises(kc.SchemaError, match=r"step .* column “x” must be a text: auto.*\.$"):
        attribute(kind, step)


@looped("kind", ["categorical", "text", "items"])
def test_what_has_no_intervals_has_no_round_ends(kind):
    with pytest.raises(
        kc.SchemaError, match=f"“x” has the kind {kind} .* only numbers and dates that are generalized"
    ):
        attribute(kind, "10")


@looped("recoding", ["mean", "median", "mode"])
def test_aggregates_have_no_round_ends(recoding):
    with pytest.raises(
        kc.SchemaError, match=f"the recoding {recoding}, but only numbers and dates that are generalized"
    ):
        attribute("numeric", "10", recoding)


def test_a_column_that_becomes_something_else_loses_its_step(table):
    def step(schema: kc.Schema) -> str:
        return schema["age"].round_to

    schema = table.schema.with_round_ends({"age": " 5 "}).with_quasi(["age"])
    assert step(schema) == "5"
    assert step(schema.with_kinds({"age": "latitude"})) == "5"
    assert step(schema.with_kinds({"age": "datetime"})) == step(schema.with_kinds({"age": "text"})) == ""
    assert step(schema.with_recodings({"age": "mean"})) == ""
    assert step(schema.with_recodings({"age": "generalize"})) == "5"


def test_differences_carry_steps(table):
    plain = table.schema.with_round_ends(dict.fromkeys(ROUND_ENDS, ""))
    change = differences(plain, table.schema)
    assert change.round_ends == ROUND_ENDS and applied(plain, change) == table.schema
    back = differences(table.schema, plain.with_recodings({"age": "mean"}).with_kinds({"born": "text"}))
    assert applied(table.schema, back)["age"].round_to == applied(table.schema, back)["born"].round_to == ""


def test_recipes_keep_the_step_and_older_ones_are_read(table):
    recipe = kc.anonymize(table, kc.Mondrian(), k=3).recipe
    assert kc.Recipe.from_json(recipe.to_json()) == recipe
    told = json.loads(recipe.to_json())
    assert {entry["name"]: entry["round_to"] for entry in told["schema"]} == ROUND_ENDS
    for entry in told["schema"]:
        del entry["round_to"]
    read = kc.Recipe.from_json(json.dumps(told))
    assert read.schema == table.schema.with_round_ends(dict.fromkeys(ROUND_ENDS, ""))
    assert "round_to" not in read.to_json()
    assert kc.repeat(table, recipe).publish().equals(kc.repeat(table, recipe).publish())


def test_every_published_end_is_round_and_every_cell_true(table):
    release = kc.anonymize(table, kc.MDAV(), k=3, seed=1)
    assert all(verdict.holds for verdict in kc.audit(table, release))
    frame = release.publish()
    assert frame["x"].str.fullmatch(r"\[-?\d*0, -?\d*0\]").all()
    assert frame["born"].str.fullmatch(r"\[\d{4}-\d\d-01, \d{4}-\d\d-01\]").all()


def test_k_concealment_is_counted_on_the_rounded_cells(table):
    release = kc.anonymize(table, kc.Greedy(), k=3, seed=1)
    exact = table.with_schema(table.schema.with_round_ends(dict.fromkeys(ROUND_ENDS, "")))
    before = kc.anonymize(exact, kc.Greedy(), k=3, seed=1)
    assert (release.consistency().matches >= before.consistency().matches).all()
    assert (release.consistency().rows >= before.consistency().rows).all()
    assert all(verdict.holds for verdict in kc.audit(table, release))


def test_classes_that_become_alike_are_one():
    frame = pd.DataFrame({"age": [21, 22, 23, 24]})
    table = kc.Table.from_frame(frame, kc.Schema((kc.Attribute("age", kind="numeric", round_to="10"),)))
    release = release_of(table, [0, 0, 1, 1])
    assert release.class_sizes.tolist() == [4]
    assert release.publish()["age"].unique().tolist() == ["[20, 30]"]


def test_the_price_by_hand():
    frame = pd.DataFrame({"age": [20, 28, 31, 60], "sex": list("fmfm")})
    schema = kc.Schema((kc.Attribute("age", kind="numeric", round_to="10"), kc.Attribute("sex")))
    release = release_of(kc.Table.from_frame(frame, schema), [0, 0, 1, 1])
    (age,) = kc.round_ends(release)
    assert (age.column, age.step) == ("age", "10")
    assert age.before == pytest.approx((8 + 29) / 2 / 40)  # [20, 28] and [31, 60] of 20–60
    assert age.after == pytest.approx((10 + 30) / 2 / 40)  # [20, 30] and [30, 60]
    assert age.exact == 1.0  # 20 and 60 were round
    assert age.sentence == (
        "Round ends of “age”: step 10. The certainty penalty (0 % = exact values) is 50.00 % with round ends"
        " and 46.25 % without. For 100.0 % of the published records, an end of the interval is still a value"
        " of its records."
    )


def test_the_price_of_suppressed_records_and_of_no_round_ends():
    frame = pd.DataFrame({"age": [21, 28, 31, 59]})
    schema = kc.Schema((kc.Attribute("age", kind="numeric", round_to="10"),))
    release = release_of(kc.Table.from_frame(frame, schema), [0, 0, -1, -1])
    (age,) = kc.round_ends(release)
    assert age.before == pytest.approx((2 * 7 / 38 + 2) / 4) and age.exact == 0
    exact = kc.Table.from_frame(frame, schema.with_round_ends({"age": ""}))
    assert kc.round_ends(release_of(exact, [0, 0, -1, -1])) == ()


def test_a_penalty_is_at_most_1(table):
    wide = table.with_schema(table.schema.with_round_ends({"age": "1000", "x": "1000", "born": "year"}))
    scores = kc.score(wide, kc.anonymize(wide, kc.MDAV(), k=3), [kc.NCP()])
    penalties = scores.loc[scores["part"] == "attribute"].set_index("name")["value"]
    assert penalties["age"] <= 1 and penalties["x"] == 1


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    """A folder with ages.csv: age, born, city; 23 records."""
    monkeypatch.chdir(tmp_path)
    frame = table_of("round ends").frame[["age", "born"]].assign(city=list("ab") * 11 + ["a"])
    frame.to_csv("ages.csv", index=False)
    return tmp_path


def test_a_file_keeps_its_verdicts(here):
    table = kc.read_table("ages.csv")
    schema = table.schema.with_quasi(table.schema.names).with_round_ends({"age": "0.1", "born": "month"})
    table = table.with_schema(schema)
    release = kc.anonymize(table, kc.Mondrian(), k=3, seed=1)
    data = release_bytes(release, "csv")
    released = kc.read_table(data)
    released = released.with_schema(released.schema.with_quasi(released.schema.names))
    (standing,) = kc.audit_file(data, released, [kc.KAnonymity(3)])
    assert standing.holds and standing.found == release.class_sizes.min()
    beside = {verdict.guarantee: verdict for verdict in kc.audit_uploaded(kc.read_release(data, table), 3)}
    assert beside["agreement with the original"].holds and beside["k-anonymity"].found == standing.found


def test_commands_and_scripts_say_the_steps(here, capsys):
    words = "anonymize ages.csv --quasi age,born,city --kinds age=numeric,born=datetime --algorithm mondrian"
    assert main(f"{words} --k 3 --seed 1 --out out.csv --round-ends age=auto,born=month".split()) == 0
    shown = capsys.readouterr().out
    assert "Round ends of “age”: step " in shown and "Round ends of “born”: step month" in shown
    table = kc.read_table("ages.csv")
    schema = table.schema.with_quasi(["age", "born", "city"]).with_round_ends(
        {"age": "auto", "born": "month"}
    )
    release = kc.anonymize(table.with_schema(schema), kc.Mondrian(), k=3, seed=1)
    assert Path("out.csv").read_bytes() == release_bytes(release, "csv")
    line = command_line(release, "ages.csv")
    assert "--round-ends=age=auto,born=month" in line
    text = script(release, "ages.csv")
    assert '.with_round_ends({"age": "auto", "born": "month"})' in text
    exec(compile(text, "script", "exec"), {})
    assert Path("ages-k3.csv").read_bytes() == release_bytes(release, "csv")


@looped("steps", ["age=0", "age=month", "born=10", "city=10", "nobody=10", "age", "age=-5", "age=nan"])
def test_commands_refuse_what_is_no_step(steps, here, capsys):
    words = "anonymize ages.csv --quasi age,born,city --algorithm mondrian --k 3 --out out.csv --round-ends"
    assert main([*words.split(), steps]) == 2
    shown = capsys.readouterr().err
    assert shown.strip().endswith(".") and "Traceback" not in shown and not Path("out.csv").exists()


def test_an_automatic_step_does_not_depend_on_the_order_of_records():
    ages, groups = np.arange(40) ** 2, np.arange(40) // 4
    order, found = np.random.default_rng(5).permutation(40), []
    for taken in (np.arange(40), order):
        schema = kc.Schema((kc.Attribute("age", kind="numeric", round_to="auto"),))
        release = release_of(kc.Table.from_frame(pd.DataFrame({"age": ages[taken]}), schema), groups[taken])
        found.append(kc.round_ends(release)[0])
    # the widths are 24 g + 9 for g = 0 … 9; their median is 117, and a quarter of it 29.25
    assert [rounded.step for rounded in found] == ["20", "20"]
    assert found[0].after == pytest.approx(found[1].after)
