"""`kanon mask`: a masked table, its recipe, and one sentence for every mistake."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kanon_core.cli import main
from kanon_core.table.readers import read_frame


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_masking_is_written_and_made_again_from_its_recipe(here, capsys):
    words = "mask sample:people-100 --masking swapping --range 10 --seed 3 --metrics ild --recipe r.json"
    assert main([*words.split(), "--out", "a.csv"]) == 0
    shown = capsys.readouterr().out
    assert (
        re.search("Information loss by distance +0.00 %", shown)
        and "No anonymity set is guaranteed: 100 of 100" in shown
    )
    assert "“latitude”, “longitude”, “age”, “sex” publish values other than those of the records." in shown
    assert main(["run", "r.json", "sample:people-100", "--metrics", "ild", "--out", "b.csv"]) == 0
    assert Path("a.csv").read_bytes() == Path("b.csv").read_bytes()
    assert len(read_frame("a.csv").frame) == 100


def test_what_a_masking_leaves_is_said_and_where_it_changes_nothing_nothing_is_written(here, capsys):
    Path("t.csv").write_text("age,sex\n" + "".join(f"{20 + i},{i % 2}\n" for i in range(60)))
    roles = "--kinds sex=numeric --quasi age,sex --out a.csv --masking"
    assert main(["mask", "t.csv", *roles.split(), "topbottomcoding"]) == 1
    said = capsys.readouterr().err
    assert "changes 0 of 60 published values of “sex” (0 %)" in said and "Nothing was written" in said
    assert main(["mask", "t.csv", *roles.split(), "swapping", "--range", "1", "--seed", "1"]) == 0
    said = capsys.readouterr().out
    assert "largest change of rank in “age” (requested: 0)" in said
    assert read_frame("a.csv").frame["age"].tolist() != read_frame("t.csv").frame["age"].tolist()
    Path("a.csv").unlink()
    assert main(["mask", "t.csv", *roles.split(), "rounding", "--base", "1"]) == 2
    assert "Rounding changes no value of these records" in capsys.readouterr().err
    assert main(["mask", "t.csv", *roles.split(), "noise", "--share", "150", "--seed", "1"]) == 0
    assert "of 60 values of “age” outside the range of the original values" in capsys.readouterr().out


def test_mistakes(here, capsys):
    for words, said in [
        ("--masking noise,rounding", "Name one masking; “noise,rounding” names several."),
        ("--masking blur", "choose from topbottomcoding, rounding, noise, swapping, sampling"),
        ("--masking noise --share 0", "0.1 to 1000"),
        ("--masking swapping --k 3", "--k"),
        ("", "--masking"),
    ]:
        assert main(["mask", "sample:people-100", "--out", "a.csv", *words.split()]) == 2
        last = capsys.readouterr().err.strip().splitlines()[-1]
        assert said in last and not Path("a.csv").exists()
