"""`kanon audit`: any file, what it keeps, how cells count, what fails, and its repair."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.cli import main
from kanon_core.cli.auditing import SHORT

WARDS = (
    'age,sex,diagnosis\n"[20, 29]",F,flu\n"[20, 29]",F,gout\n"[30, 39]",*,flu\n"[30, 39]",M,flu\n'
    '"[30, 39]",M,ok\n20-29,F,ok\n'
)
ORIGINAL = "age,sex,diagnosis\n20,F,flu\n21,F,gout\n30,M,flu\n31,M,flu\n32,M,ok\n25,F,ok\n50,M,ok\n"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("wards.csv").write_text(WARDS, "utf-8")
    Path("original.csv").write_text(ORIGINAL, "utf-8")
    return tmp_path


def said(words: str, capsys) -> tuple[int, str, str]:
    code = main(words.split())
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def test_each_model_is_asked_for_by_its_own_flag(here, capsys):
    assert set(SHORT) == {"l", "c", "alpha", "t", "beta", "delta"}
    words = "audit wards.csv --qi age,sex -k 2 --l 2 --c 3 --alpha 0.9 --t 0.9 --beta 9 --delta 9"
    code, out, err = said(words, capsys)
    assert code == 1 and "distinct ℓ-diversity: does not hold." in out
    assert "reached: ℓ = 1 (requested: ℓ = 2)" in out and "reached: no c (requested: c = 3, ℓ = 2)" in out
    assert "(requested: α = 0.9, k = 2)" in out and "t-closeness: " in out and "(requested: δ = 9)" in out
    assert "has intervals in 2 notations: [a, b] (first in row 1) and a-b (first in row 6)" in err
    assert "not requested" in out and "entropy ℓ-diversity  " in out
    code, out, _ = said("audit wards.csv --qi age --l 1", capsys)
    assert code == 0 and "k-anonymity:" not in out and "k-anonymity  " in out
    assert said("audit wards.csv --qi age --l x", capsys)[0] == 2


def test_how_cells_count_is_said_and_changed(here, capsys):
    code, out, _ = said("audit wards.csv --qi age,sex", capsys)
    assert code == 1 and "rows: 3, 6\n" in out and "they count as values of their own" in out
    words = "audit wards.csv --qi age,sex --counting-missing any --counting-equal meant"
    code, out, _ = said(words, capsys)
    assert code == 0 and "they fit every value" in out and "Cells with the same meaning are equal" in out
    assert "one of “own”, “any”, “out”" in said(f"{words} --counting-missing some", capsys)[2]


def test_an_original_is_named_behind_the_file(here, capsys):
    code, out, err = said("audit wards.csv original.csv --qi age,sex --sensitive diagnosis -k 2", capsys)
    assert code == 1 and "k-anonymity: does not hold." in out and "agreement with the original: holds." in out
    assert "Weaker models than k-anonymity hold at k = 2 or more: k-concealment, " in out
    assert "k-concealment (weaker than k-anonymity)" in out
    words = "audit wards.csv original.csv --qi age,sex --sensitive diagnosis -k 2 --guarantees kconcealment"
    code, out, _ = said(words, capsys)
    assert code == 0 and "k-concealment: holds." in out and "k-anonymity  " in out
    assert "k-map" in out and "δ-presence" in out and "The file has 6 rows and the original 7 records" in err
    code, out, _ = said(
        "audit wards.csv original.csv --qi age,sex --guarantees kmap,deltapresence --kmap-k 2"
        " --deltapresence-high 1",
        capsys,
    )
    assert (
        code == 0
        and "reached: k = 3 (requested: k = 2)" in out
        and "the probability that a person is in the table" in out
    )
    assert (
        "7 rows, but the original has 6 records"
        in said("audit original.csv wards.csv --qi age,sex", capsys)[2]
    )


def test_the_default_is_k_anonymity_alone_and_beside_an_original(here, capsys):
    """Rows of which each could be two records', and no two of which are equal: k-concealment, no
    k-anonymity."""
    Path("o.csv").write_text("age,zip\n20,a\n30,b\n35,a\n40,c\n", "utf-8")
    Path("r.csv").write_text('age,zip\n"[20, 35]",a\n"[20, 36]",a\n"[30, 40]",*\n"[29, 40]",*\n', "utf-8")
    for original in ("", "o.csv"):
        code, out, _ = said(f"audit r.csv {original} --qi age,zip -k 2", capsys)
        assert code == 1 and out.startswith("k-anonymity: does not hold.")
        assert "reached: k = 1 (requested" in out
    assert "at k = 2 or more: k-concealment, (1,k)-anonymity" in out
    assert said("audit r.csv o.csv --qi age,zip -k 2 --guarantees kconcealment", capsys)[0] == 0
    assert said("audit r.csv o.csv --qi age,zip --l 1 -k 2", capsys)[0] == 2  # nothing sensitive to ask of
    Path("even.csv").write_text('age,zip\n"[20, 40]",*\n' + '"[20, 40]",*\n' * 3, "utf-8")
    code, out, _ = said("audit even.csv o.csv --qi age,zip -k 4", capsys)
    assert code == 0 and "Weaker than" not in out


def test_a_file_of_stars_alone_has_a_sentence_of_its_own(here, capsys):
    Path("o.csv").write_text("age,zip,d\n1,2,a\n2,3,b\n3,4,a\n", "utf-8")
    Path("stars.csv").write_text("age,zip,d\n*,*,a\n*,*,b\n*,*,a\n", "utf-8")
    for original in ("", " o.csv"):
        code, out, _ = said(f"audit stars.csv{original} --qi age,zip", capsys)
        assert code == 0 and "All quasi-identifiers are suppressed in every row (3 rows)" in out
        assert "reached: no row to judge (requested: k = 2)" in out and "k = 0" not in out
    Path("gaps.csv").write_text("age,zip,d\n1,*,a\n,3,b\n3,*,a\n", "utf-8")
    code, out, _ = said("audit gaps.csv --qi age,zip --counting-missing out", capsys)
    assert code == 1 and "k-anonymity: does not hold. No row can be judged" in out


def test_of_many_rows_the_first_are_listed_and_all_are_written(here, capsys):
    Path("o.csv").write_text("age,d\n" + "".join(f"{age},a\n" for age in range(20, 50)), "utf-8")
    Path("r.csv").write_text("age,d\n" + "".join(f"{age},a\n" for age in range(60, 90)), "utf-8")
    code, out, _ = said("audit r.csv o.csv --qi age", capsys)
    numbers = "rows: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 20 more; "
    assert code == 1 and out.count(f"{numbers}--failing FILE writes all of them\n") == 2
    code, out, _ = said("audit r.csv o.csv --qi age --failing all.csv", capsys)
    assert code == 1 and out.count(f"{numbers}all of them are in all.csv\n") == 2
    rows = pd.read_csv("all.csv")
    for name in ("k-anonymity", "agreement with the original"):
        assert rows[rows["fails"] == name]["number"].tolist() == list(range(1, 31))


def test_a_repair_that_is_none_names_the_way_out(here, capsys):
    how = "original.csv --qi age,sex --sensitive diagnosis -k 2"
    words = f"audit wards.csv {how} --guarantees kconcealment --kconcealment-k 5 --repair merge --out x.csv"
    code, _, err = said(words, capsys)
    assert code == 2 and "Request k-anonymity instead, which is stronger and can be repaired" in err
    code, _, err = said(f"audit wards.csv {how} --repair merge --out x.csv", capsys)
    assert code == 1 and "Repaired: " in err and Path("x.csv").exists()
    Path("wrong.csv").write_text(WARDS.replace("[20, 29]", "[60, 69]"), "utf-8")
    code, _, err = said(f"audit wrong.csv {how} --repair merge --out y.csv", capsys)
    assert (
        code == 1 and "The repaired file still fails: agreement with the original. Do not hand it over" in err
    )
    assert "Anonymize the original again" in err


def test_what_fails_is_written_and_repaired_with_its_recipe(here, capsys):
    words = "audit wards.csv --qi age,sex -k 2 --failing failing.csv --repair suppress --out out.csv"
    code, _, err = said(f"{words} --recipe out.json", capsys)
    assert code == 1 and "Repaired: 2 of 6 rows (33.3 %) are left out." in err
    assert "The repaired file was checked: all requested guarantees hold." in err
    rows = pd.read_csv("failing.csv")
    assert rows["number"].tolist() == [3, 6] and set(rows["fails"]) == {"k-anonymity"}
    assert len(pd.read_csv("out.csv")) == 4 and said("audit out.csv --qi age,sex -k 2", capsys)[0] == 0
    assert main(["run", "out.json", "wards.csv", "--out", "again.csv", "--despite", "ours"]) == 0
    assert Path("again.csv").read_bytes() == Path("out.csv").read_bytes()
    recipe = kc.Recipe.from_json(Path("out.json").read_text("utf-8"))
    assert isinstance(recipe.algorithm, kc.Repair)


def test_mistakes_get_one_sentence(here, capsys):
    for words, why in (
        ("audit wards.csv --repair suppress", "--repair needs --out"),
        ("audit wards.csv --out x.csv", "--repair needs --out"),
        ("audit wards.csv --qi age --repair melt --out x.csv", "way"),
        ("audit wards.csv --qi age --guarantees kmap", "only be checked against the original"),
        ("audit wards.csv --qi age --failing wards.csv", "is an input"),
        ("audit wards.csv --qi age --repair merge --out x.txt", "must end in"),
    ):
        code, out, err = said(words, capsys)
        assert code == 2 and why in err and not out and not Path("x.csv").exists()
