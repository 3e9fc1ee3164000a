"""`kanon attack` on tables whose rows are single records, and `kanon judge --previous`."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.cli import main
from kanon_core.risk.tables import TABLE_ATTACKS
from tests.findings.cases import AGES


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with ages.csv."""
    monkeypatch.chdir(tmp_path)
    Path("ages.csv").write_bytes(AGES)
    return tmp_path


@pytest.mark.deep
def test_attacks_on_rows_are_those_of_python(here, capsys):
    words = "attack sample:people-100 --algorithm mdav --k 3,5 --seed 1 --out found.csv"
    assert main(words.split()) == 0
    out = capsys.readouterr().out
    table = kc.read_table("sample:people-100")
    for k in (3, 5):
        for found in kc.attack(table, kc.anonymize(table, kc.MDAV(), k, seed=1)):
            assert f"k = {k}, {found.title}: {found.sentence}" in out
    read = pd.read_csv("found.csv")
    assert read["attack"].tolist() == [cls.__name__ for cls in TABLE_ATTACKS] * 2
    assert (read["right"] <= read["tried"]).all() and (read["low"] <= read["rate"]).all()


def test_their_options_and_targets_are_flags(here, capsys):
    words = "attack sample:people-100 --algorithm mdav --k 5 --targets 20 --attacks attributeinference"
    assert main(f"{words} --attributeinference-rule nearest".split()) == 0
    assert "Tried on 20 of 80 records" in capsys.readouterr().out


def test_mistakes_are_a_sentence(here, capsys):
    for words, said in (
        ("attack sample:people-100 --algorithm mdav --k 5 --attacks bestguess", "no attack “bestguess”"),
        ("attack sample:people-100 --algorithm mdav --k 5 --targets 0", "at least 1"),
        ("attack sample:people-100 --algorithm mdav --k 5 --targets some", "at least 1"),
        ("attack sample:people-100 --algorithm mdav --k 500", "500"),
        ("judge ages.csv --algorithm mdav --k 3 --previous none.csv", "none.csv"),
        ("judge ages.csv --algorithm mdav --k 3 --previous ages.csv --added 3-1", "--added must be"),
    ):
        assert main(words.split()) == 2
        assert said in capsys.readouterr().err.splitlines()[-1]


def test_earlier_files_are_judged_beside_a_release(here, capsys):
    words = "ages.csv --algorithm mdav --k 2 --seed 3"
    assert main(f"anonymize {words} --out old.csv".split()) == 0
    capsys.readouterr()
    main(f"judge {words} --previous old.csv".split())
    assert (
        "previous releases: An attacker who knows all quasi-identifiers of one person"
        in capsys.readouterr().out
    )
    Path("old.csv").write_bytes(b"\n".join(Path("old.csv").read_bytes().split(b"\n")[:-2]) + b"\n")
    for more, who in (("", "1 record"), (" --added 1-2", "2 records")):
        main(f"judge {words} --previous old.csv{more}".split())
        shown = capsys.readouterr().out
        assert "knows everybody's quasi-identifiers and has all 2 releases" in shown
        assert (
            "that this person was added after the earlier releases" in shown
            and f"of {who} drawn from" in shown
        )
    main(f"judge {words}".split())
    assert "previous releases" not in capsys.readouterr().out
