"""Ordinal and cyclic columns: their guess, their order, and what they refuse."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.base.lists import join_pairs
from kanon_core.cli import main
from kanon_core.guarantees.files.written import file_values
from kanon_core.report.command import command_line
from kanon_core.report.script import script
from kanon_core.table.differences import applied, differences
from kanon_core.table.domain import Domain
from kanon_core.table.kinds import guessed_order, guessed_period, order_word
from tests.helpers import looped, release_of


def column(kind: str, values: list[object], **about: object) -> kc.Table:
    schema = kc.Schema((kc.Attribute("x", kind=kind, **about),))  # type: ignore[arg-type]
    return kc.Table.from_frame(pd.DataFrame({"x": values}), schema)


@looped(
    "labels, order",
    [
        (["high", "low", "medium"], ["low", "medium", "high"]),
        (["XL", "S", "M"], ["S", "M", "XL"]),
        (["A", "C", "B+"], ["C", "B+", "A"]),
        (["20-29", "<20", "100+", "30-39"], ["<20", "20-29", "30-39", "100+"]),
        (["grade 10", "grade 9"], ["grade 9", "grade 10"]),
        (["Masters", "HS-grad", "11th", "Doctorate"], ["11th", "HS-grad", "Masters", "Doctorate"]),
        (["Tue", "Sun", "Mon"], ["Mon", "Tue", "Sun"]),
        (["b", "a", "10 c"], ["10 c", "a", "b"]),
    ],
)
def test_orders_are_guessed(labels, order):
    assert list(guessed_order(labels)) == order


@looped(
    "name, low, high, period",
    [
        ("hour", 0, 23, 24),
        ("month", 1, 12, 12),
        ("wind_direction", 0, 350, 360),
        ("bearing", -170, 170, 360),
        ("weekday", 1, 7, 7),
        ("x", 0, 23, 24),
        ("x", 0, 1000, 1000),
        ("hour", 0, 59, 60),
    ],
)
def test_periods_are_guessed(name, low, high, period):
    assert guessed_period(name, low, high) == period


def test_ordinal_values_are_published_by_ranks():
    """small, medium, large: an interval over two of three levels costs 1/2."""
    table = column("ordinal", ["small", "large", "medium", "medium", None])
    release = release_of(table, [0, 1, 0, 1, 1])
    assert release.to_frame()["x"].tolist() == [
        "[small, medium]",
        "[medium, large] or (missing)",
        "[small, medium]",
        "[medium, large] or (missing)",
        "[medium, large] or (missing)",
    ]
    assert kc.NCP().measure(table, release).records.tolist() == [0.5, 1, 0.5, 1, 1]


def test_the_median_is_a_level_the_lower_of_two():
    """The median of small and large is medium; that of medium and large, with nothing between, is medium."""
    table = column("ordinal", ["small", "large", "medium", "large"], recoding="median")
    assert release_of(table, [0, 0, 1, 1]).to_frame()["x"].tolist() == ["medium"] * 4


def test_a_given_order_counts_and_values_that_it_lacks_do_not_fit():
    table = column("ordinal", ["b", "a", "c", "odd"], order=("c", "a", "b", "never"))
    assert table["x"].values[:3].tolist() == [2, 1, 0] and np.isnan(table["x"].values[3])
    assert (table["x"].misfits.count, table["x"].misfits.examples) == (1, ("odd",))
    assert kc.NCP().measure(table, release_of(table, [0, 0, 0, 1])).records.tolist() == [2 / 3] * 3 + [0]


@looped(
    "about",
    [
        {"kind": "numeric", "order": ("a", "b")},
        {"kind": "ordinal", "order": ("a", "a")},
        {"kind": "ordinal", "order": ("a",)},
        {"kind": "ordinal", "order": "ab"},
        {"kind": "ordinal", "order": 7},
        {"kind": "ordinal", "order": (1, 2)},
        {"kind": "ordinal", "recoding": "mean"},
        {"kind": "ordinal", "round_to": "auto"},
        {"kind": "ordinal", "period": 7},
        {"kind": "cyclic", "period": -1},
        {"kind": "cyclic", "period": float("nan")},
        {"kind": "cyclic", "period": "24"},
        {"kind": "cyclic", "period": 24, "order": ("a", "b")},
        {"kind": "cyclic", "round_to": "10"},
        {"kind": "cyclic", "distance": kc.Absolute()},
    ],
)
def test_what_does_not_go_together_is_refused_in_a_sentence(about):
    with pytest.raises(kc.SchemaError, match=r"“x”.*\.$"):
        kc.Attribute("x", **about)


def test_a_schema_keeps_order_and_period_on_every_way():
    old = kc.Schema((kc.Attribute("size"), kc.Attribute("hour", kind="numeric"), kc.Attribute("wind")))
    new = old.with_kinds({"size": "ordinal", "hour": "cyclic", "wind": "cyclic"})
    new = new.with_orders({"size": ["<20", "20+"], "wind": list("NESW")}).with_periods({"hour": 24})
    assert kc.Schema.from_json(json.loads(json.dumps(new.to_json()))) == new
    assert applied(old, differences(old, new)) == new
    back = new.with_kinds({"size": "categorical", "hour": "numeric", "wind": "categorical"})
    assert back == old and "order" not in json.dumps(old.to_json())


def test_parts_of_a_table_are_encoded_as_the_whole():
    frame = pd.DataFrame({"x": ["low", "high", "medium", "low"], "h": [23, 0, 1, 22]})
    schema = kc.Schema((kc.Attribute("x", kind="ordinal"), kc.Attribute("h", kind="cyclic", period=24)))
    parts = [kc.Table.from_frame(part, schema) for part in (frame[:2], frame[2:])]
    whole = Domain.of(parts[0].columns).merged(Domain.of(parts[1].columns))
    assert Domain.from_json(json.loads(json.dumps(whole.to_json()))) == whole
    table = kc.Table.from_frame(frame[:2], schema, domain=whole)
    assert table["x"].values.tolist() == [0, 2] and table["x"].range == (0, 2)
    release = release_of(table, [0, 0])
    assert release.to_frame().iloc[0].tolist() == ["[low, high]", "[23, 0]"]
    with pytest.raises(kc.SchemaError, match="given domain"):
        kc.Table.from_frame(frame.assign(x="other"), schema, domain=whole)


@looped(
    "values, period, settled",
    [
        (["Sun", "Mon", "Tue"], 7.0, ("Mon", "Tue", "wed", "thu", "fri", "sat", "Sun")),
        (["23:50", "0:10", "7:00"], 24.0, ()),
        ([23, 1, 5], 0.0, ()),
    ],
)
def test_some_records_go_round_as_all_do(values, period, settled):
    """A period that was given to words says nothing and stands in nobody's way."""
    table = column("cyclic", values, period=period)
    some = table.some(np.array([0, 1]))
    assert some.schema["x"].order == settled and some["x"].circle.period == table["x"].circle.period


def test_sensitive_levels_of_a_file_keep_their_order():
    sensitive = kc.Attribute("x", "sensitive", "ordinal")
    values = file_values(sensitive, pd.Series(["low", "high", "medium", "NA"]), None)
    assert values.ordered and values.has_missing and values.codes.tolist() == [0, 2, 1, 3]
    odd = file_values(kc.Attribute("x", "sensitive", "cyclic", period=7.0), pd.Series(["1", "noon"]), None)
    assert not odd.ordered and odd.distinct == 2


def test_kinds_on_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = [f"{hour % 24},{size}" for hour in range(20, 28) for size in ("big", "tiny", "<5")]
    (tmp_path / "t.csv").write_text("at,size\n" + "\n".join(rows))
    columns = ["--quasi", "at,size", "--kinds", "at=cyclic,size=ordinal", "--periods", "at=24"]
    words = ["anonymize", "t.csv", *columns, "--k", "3"]
    order = join_pairs({"size": order_word(["<5", "tiny", "big"])})
    options = ["--algorithm", "mdav", "--out", "out.csv", "--recipe", "r.json"]
    assert main([*words, "--orders", order, *options]) == 0, capsys.readouterr().err
    recipe = kc.Recipe.from_json((tmp_path / "r.json").read_text("utf-8"))
    assert recipe.schema["size"].order == ("<5", "tiny", "big") and recipe.schema["at"].period == 24
    release = kc.anonymize(kc.read_table("t.csv", schema=recipe.schema), kc.MDAV(), 3, seed=1)
    assert "--periods=at=24.0" in command_line(release, "t.csv", "out.csv")
    assert ".with_orders(" in script(release, "t.csv", "out.csv")
    assert main([*words, "--orders", "size=[1", *options]) != 0
