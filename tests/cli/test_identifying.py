"""`kanon describe` with which columns identify and who is singled out."""

from __future__ import annotations

import pandas as pd
import pytest

from kanon_core.cli import main

ROWS = "age,sex,code,illness\n30,F,a1,flu\n30,M,a2,flu\n41,F,a3,gout\n30,F,a4,flu\n"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.csv").write_text(ROWS)
    return tmp_path


def lines(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def test_columns_and_pairs_are_ranked_whatever_their_roles(here, capsys):
    assert main(["describe", "people.csv", "--identifying", "--quasi", "age", "--sensitive", "illness"]) == 0
    shown = capsys.readouterr().out
    assert "Columns that distinguish records" in shown
    found = lines(shown)
    assert ["code", "4", "100", "%", "100", "%", "4", "other"] in found
    assert ["age", "+", "sex", "3", "75", "%", "83.3", "%", "2", "quasi-identifier,", "other"] in found
    assert "All values are different, as in identifiers: “code”." in shown and "code +" not in shown


def test_single_columns_alone(here, capsys):
    assert main(["describe", "people.csv", "--identifying", "--largest-set", "1"]) == 0
    assert " + " not in capsys.readouterr().out


def test_who_is_singled_out_is_said_and_written_without_cells(here, capsys):
    words = "describe people.csv --uniques --quasi age,sex --singled-out singled.csv"
    assert main(words.split()) == 0
    shown = capsys.readouterr().out
    assert (
        "2 of 4 records (50 %) are singled out by a combination of up to 2 values that no other has." in shown
    )
    assert ["age", "1", "25", "%"] in lines(shown) and ["sex", "50", "%"] in lines(shown)
    written = pd.read_csv(here / "singled.csv")
    assert written["record"].tolist() == [2, 3] and written["columns"].tolist() == ["sex", "age"]
    assert "flu" not in (here / "singled.csv").read_text()


def test_people_are_counted_where_a_column_names_them(here, capsys):
    (here / "bought.csv").write_text("who,item\nx,milk\nx,milk\ny,tea\nz,tea\n")
    assert (
        main(["describe", "bought.csv", "--identifying", "--uniques", "--person", "who", "--quasi", "item"])
        == 0
    )
    shown = capsys.readouterr().out
    assert "Columns that distinguish people" in shown and "1 of 3 people (33.3 %)" in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--identifying --largest-set 9", "from 1 to 4"),
        ("--uniques --largest-set none", "from 1 to 10"),
        ("--uniques --singled-out singled.txt", "must end in"),
        ("--uniques --singled-out people.csv", "is an input"),
        ("--uniques --sensitive age,sex,code,illness", "No column is a quasi-identifier"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence(here, capsys, words, said):
    assert main(f"describe people.csv {words}".split()) == 2
    assert said in capsys.readouterr().err and not (here / "singled.txt").exists()
