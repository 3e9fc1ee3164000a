"""Hierarchies in what is exported and on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.cli import main
from kanon_core.report import command_line, release_bytes, script
from kanon_core.table.differences import applied, differences
from tests.report.test_export import check_both

TREE = kc.Hierarchy.of_paths(
    [("Paris", "France", "Europe"), ("Lyon", "France", "Europe"), ('<=1, "x', "Peru"), ("Lima", "Peru")]
)
TOWNS = ["Paris", "Lyon", '<=1, "x', "Lima"] * 5


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    """A folder with a table of towns, floors and ages, and a file of each hierarchy."""
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame({"town": TOWNS, "floor=": [str(i % 9) for i in range(20)], "age": range(30, 50)})
    frame.to_csv("people.csv", index=False)
    Path("towns.csv").write_text(TREE.to_csv())
    Path("floors.csv").write_text(kc.Hierarchy.of_intervals(range(9), (3, 6)).to_csv())
    return tmp_path


def table_of(**what) -> kc.Table:
    table = kc.read_table("people.csv")
    schema = table.schema.with_quasi(table.schema.names).with_kinds({"floor=": "categorical", "town": "text"})
    trees = {"town": kc.read_hierarchy("towns.csv"), "floor=": kc.read_hierarchy("floors.csv")}
    return table.with_schema(schema.with_hierarchies(trees | what))


WORDS = [
    "anonymize",
    "people.csv",
    "--quasi=town,floor=,age",
    "--kinds=town=text,floor==categorical",
    "--hierarchy=town=towns.csv",
    "--hierarchy=floor==floors.csv",
    "--algorithm=topdown",
    "--k=3",
]


def test_script_and_command_line_make_the_same_bytes(here):
    release = kc.anonymize(table_of(), kc.TopDown(), k=3)
    assert '("Paris", "France")' in script(release, "people.csv")
    assert "--hierarchy=" in command_line(release, "people.csv")
    check_both(release, "people.csv", here)


def test_files_are_named_once_for_each_column(here):
    assert main([*WORDS, "--out=r.csv", "--recipe=r.json"]) == 0
    release = kc.anonymize(table_of(), kc.TopDown(), k=3)
    assert Path("r.csv").read_bytes() == release_bytes(release)
    assert json.loads(Path("r.json").read_text())["schema"][0]["hierarchy"][0] == ["Paris", "France"]
    assert main(["run", "r.json", "people.csv", "--out=again.csv"]) == 0
    assert Path("again.csv").read_bytes() == Path("r.csv").read_bytes()


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("town=floors.csv", "“town” lacks values"),
        ("age=towns.csv", "“age” needs the kind categorical, text or items, not numeric"),
        ("town=missing.csv", "“missing.csv” cannot be opened"),
        ("town=[[1", "not valid JSON"),
        ('"town=[[""a""]]"', "pairs"),
        ("nobody=towns.csv", "no column “nobody”"),
        ("towns.csv", "equals sign"),
    ],
)
def test_mistakes_are_said_in_a_sentence(word, said, here, capsys):
    words = [one for one in WORDS if not one.startswith("--hierarchy=town")]
    assert main([*words, f"--hierarchy={word}", "--out=r.csv"]) == 2
    assert said in capsys.readouterr().err
    assert not Path("r.csv").exists()


def test_a_column_has_one_hierarchy(here, capsys):
    assert main([*WORDS, "--hierarchy=town=towns.csv", "--out=r.csv"]) == 2
    assert "“town” is given --hierarchy twice" in capsys.readouterr().err


def test_differences_hold_hierarchies_given_and_taken_away(here):
    grouped = table_of().schema
    bare = grouped.with_hierarchies({"town": None})
    for one, other in ((grouped, bare), (bare, grouped)):
        change = differences(one, other)
        assert set(change.hierarchies) == {"town"}
        assert applied(one, change) == other
