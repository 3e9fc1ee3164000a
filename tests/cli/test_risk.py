"""`kanon risk`: attackers by what they know, before and after, in a population."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from kanon_core.cli import main

PEOPLE = "age,sex,w\n20,F,10\n20,F,30\n31,M,5\n40,M,\n40,M,8\n59,F,1\n"
TOWN = "sex,age\n" + "".join(f"{sex},{age}\n" for sex in "FM" for age in range(20, 60))


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("people.csv").write_text(PEOPLE, "utf-8")
    Path("town.csv").write_text(TOWN, "utf-8")


def said(words: str, capsys) -> tuple[int, str, str]:
    code = main(words.split())
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def test_a_table_as_it_stands(here, capsys):
    code, out, err = said("risk people.csv --qi age,sex --threshold 0.33 --fewer 2,3", capsys)
    table, counts = out.split("\n\n")
    lines = table.splitlines()
    assert code == 0 and lines[0].split("  ")[0] == "attacker" and "records above 0.33" in lines[0]
    assert lines[1].split() == ["Prosecutor", "66.7", "%", "100", "%", "6", "(100", "%)"]
    assert "A few known items: No quasi-identifier holds item sets" in table
    assert counts.splitlines() == [
        "2 of 6 records have an anonymity set smaller than 2.",
        "6 of 6 records have an anonymity set smaller than 3.",
    ]
    assert "Roles and kinds were guessed" not in err


def test_before_and_after_by_algorithm_and_by_recipe(here, capsys):
    words = "risk people.csv --qi age,sex --attackers prosecutor,everybody --threshold 0.4"
    code, out, _ = said(f"{words} --algorithm mdav --k 3 --seed 1 --out r.csv", capsys)
    few = "2 of 6 records have an anonymity set smaller than 2 in the original, and 0 of 6 in the release."
    assert code == 0 and few in out
    assert pd.read_csv("r.csv")["above"].tolist() == [6, 0, 6, 0]
    made = "anonymize people.csv --qi age,sex --algorithm mdav --k 3 --seed 1 --out o.csv --identifier w"
    assert said(f"{made} --recipe made.json", capsys)[0] == 0
    words = "risk people.csv --recipe made.json --attackers prosecutor,everybody --threshold 0.4"
    assert said(words, capsys)[:2] == (0, out)


def test_the_population_by_table_by_size_and_by_weights(here, capsys):
    words = "risk people.csv --qi age,sex --attackers journalist --threshold 0.2"
    code, out, _ = said(f"{words} --population town.csv", capsys)
    assert code == 0 and "Journalist" in out and "66.7 %" in out
    for model in ("pitman", "zayatz", "fraction"):
        code, out, _ = said(f"{words} --population-size 6000 --population-model {model}", capsys)
        assert code == 0 and out.splitlines()[1].split()[1] != "66.7"
    _, out, _ = said(f"{words} --roles w=sampling_weight", capsys)
    assert "1 record (number 4) has no such weight" in out
    Path("people.csv").write_text(PEOPLE.replace("40,M,\n", "40,M,2\n"), "utf-8")
    _, out, _ = said(f"{words} --roles w=sampling_weight", capsys)
    assert "Journalist" in out and "100 %" in out  # the woman of 59 stands for herself alone


@pytest.mark.parametrize(
    "words, reason",
    [
        ("--threshold 2", "risk threshold must be a number above 0 and below 1"),
        ("--threshold x", "risk threshold must be"),
        ("--attackers burglar", "no attacker “burglar”"),
        ("--population town.csv --population-size 99", "but not both"),
        ("--population-size 5", "The population (5 people) must be at least as large as the table (6)"),
        ("--population-size many", "--population-size must be a whole number"),
        ("--population-model guess --population-size 99", "one of “pitman”, “zayatz”, “fraction”"),
        ("--population nowhere.csv", "nowhere.csv"),
        ("--fewer 1", "--fewer must be whole numbers of 2 or more"),
    ],
)
def test_what_is_refused_is_a_sentence(here, capsys, words, reason):
    code, out, err = said(f"risk people.csv --qi age,sex {words}", capsys)
    assert code == 2 and reason in err and not out and "Traceback" not in err
