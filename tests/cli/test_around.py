"""The lines around a table, and apostrophes before texts like formulas, on the command line."""

from __future__ import annotations

from pathlib import Path

import kanon_core as kc
from kanon_core.cli import main
from kanon_core.report import command_line, release_bytes, script

ROWS = "".join(f"{30 + i},{'fm'[i % 2]},{'=1+1' if i < 3 else '-'}\n" for i in range(6))
TABLE = "age,sex,remark\n" + ROWS


def made(words: str) -> int:
    return main(
        f"{words} --algorithm mdav --k 3 --seed 1 --quasi age,sex --sensitive remark --keep=-".split()
    )


def test_lines_are_skipped_as_said_and_the_recipe_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("plain.csv").write_text(TABLE)
    Path("people.csv").write_text(f"x\ny,1\n{TABLE}end\n")
    assert made("anonymize plain.csv --out a.csv") == 0
    said = "--skip 2 --skip-end 1"
    assert made(f"anonymize people.csv --keep=- --out b.csv --recipe r.json {said}") == 0
    assert Path("a.csv").read_bytes() == Path("b.csv").read_bytes()
    assert main(["run", "r.json", "people.csv", "--out", "c.csv"]) == 0
    assert Path("c.csv").read_bytes() == Path("b.csv").read_bytes()
    table = kc.read_table("people.csv", skip=2, skip_end=1)
    words = command_line(kc.anonymize(table, kc.MDAV(), 3, seed=1), "people.csv")
    assert "--skip=2" in words and "--skip-end=1" in words
    assert made("anonymize people.csv --out d.csv --skip two") == 2
    assert "“skip” must be a whole number from 0 on." in capsys.readouterr().err


def test_what_is_left_out_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("people.csv").write_text(f"Survey 2020,,\n{TABLE}Source: us,,\n")
    assert made("anonymize people.csv --keep=- --out a.csv") == 0
    told = capsys.readouterr().err
    assert "line 1." in told and "line 9." in told


def test_apostrophes_are_told_and_can_be_left_out(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("people.csv").write_text(TABLE)
    assert made("anonymize people.csv --keep=- --out a.csv") == 0
    assert (
        "3 cells have a leading apostrophe, because a spreadsheet could run them as formulas. For programs"
        in capsys.readouterr().err
    )
    assert Path("a.csv").read_text().count(",'=1+1") == 3 and ",-\n" in Path("a.csv").read_text()
    assert made("anonymize people.csv --keep=- --out b.csv --plain-cells") == 0
    assert "3 cells have no leading apostrophe" in capsys.readouterr().err
    assert Path("b.csv").read_text() == Path("a.csv").read_text().replace("'", "")
    assert made("anonymize people.csv --keep=- --out c.xlsx") == 0
    assert "apostrophe" not in capsys.readouterr().err
    for released in ("a.csv", "b.csv", "c.xlsx"):
        words = f"audit {released} people.csv --k 3 --quasi age,sex --sensitive remark --keep=-"
        assert main(words.split()) == 0, capsys.readouterr()
    schema = (
        kc.read_table("people.csv", keep=("-",))
        .schema.with_quasi(["age", "sex"])
        .with_roles({"remark": "sensitive"})
    )
    release = kc.anonymize(kc.read_table("people.csv", schema, keep=("-",)), kc.MDAV(), 3, seed=1)
    assert release_bytes(release, plain=True) == Path("b.csv").read_bytes()
    assert "--plain-cells" in command_line(release, "people.csv", plain=True)
    assert "plain=True" in script(release, "people.csv", plain=True)


def test_a_repair_tells_its_apostrophes(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("ages.csv").write_text("age,city\n20,=Bern\n20,=Bern\n30,Basel\n30,Basel\n40,Bonn\n", "utf-8")
    words = "audit ages.csv --quasi age,city -k 2 --repair suppress --out fit.csv"
    assert main(words.split()) == 1
    assert "2 cells have a leading apostrophe" in capsys.readouterr().err
    assert "'=Bern" in Path("fit.csv").read_text("utf-8")
