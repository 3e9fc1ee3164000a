"""The command line: same results as from Python, one sentence for every mistake, nothing half written."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.algorithms import ALGORITHMS
from kanon_core.base.options import options_of
from kanon_core.base.words import printable
from kanon_core.cli import main
from kanon_core.cli.output import text_table
from kanon_core.cli.sweeping import ascending
from kanon_core.metrics import METRICS, UTILITIES
from kanon_core.report import release_bytes
from kanon_core.runs.sweeps import SweepPoint
from kanon_core.table.readers import read_frame
from tests.contracts.tables import table_of
from tests.helpers import looped, started

ROOT = Path(__file__).parents[2]


def run(words: str) -> int:
    """The exit code of the command line for these words, with blanks between."""
    return main(words.split())


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with people.csv: name, age, city, diagnosis; missing cells; 23 records."""
    monkeypatch.chdir(tmp_path)
    table_of("mixed").frame.to_csv("people.csv", index=False)
    return tmp_path


def refused(words: str | list[str], capsys) -> str:
    """The one sentence with which these words are refused."""
    before = sorted(path.name for path in Path().iterdir())
    assert main(words.split() if isinstance(words, str) else words) == 2
    shown = capsys.readouterr()
    lines = shown.err.strip().splitlines()
    assert "Traceback" not in shown.err and not shown.out
    assert lines and lines[-1].endswith(".")
    assert sorted(path.name for path in Path().iterdir()) == before
    return lines[-1]


def test_anonymize_writes_what_python_makes(here, capsys):
    words = "anonymize people.csv --quasi age,city --sensitive diagnosis --identifier name --weights age=2"
    assert main(f"{words} --recode age=mean --algorithm mdav --k 4 --seed 3 --out out.csv".split()) == 0
    shown = capsys.readouterr()
    table = kc.read_table("people.csv")
    schema = table.schema.with_roles({"name": "identifier", "diagnosis": "sensitive"})
    schema = schema.with_quasi(["age", "city"]).with_weights({"age": 2}).with_recodings({"age": "mean"})
    release = kc.anonymize(table.with_schema(schema), kc.MDAV(), k=4, seed=3)
    assert Path("out.csv").read_bytes() == release_bytes(release)
    assert "k-anonymity: holds" in shown.out and "guessed (" not in shown.err
    assert not list(here.glob(".*"))


def test_without_quasi_the_guessed_columns_are_said(here, capsys):
    assert run("anonymize people.csv --algorithm sorting --k 3 --out out.parquet --keep-order") == 0
    assert "Roles and kinds were guessed" in capsys.readouterr().err
    release = kc.anonymize(kc.read_table("people.csv"), kc.Sorting(), k=3)
    assert Path("out.parquet").read_bytes() == release_bytes(release, "parquet", shuffle=False)


def test_options_and_nested_options_are_flags(here):
    table_of("three numbers").frame.to_csv("points.csv", index=False)
    words = "anonymize points.csv --quasi=x --algorithm=MIL --k=3 --out=out.csv --recipe=recipe.json"
    assert main([*words.split(), "--start", "sorting", "--start-by=x", "--despite=a test"]) == 0
    recipe = kc.Recipe.from_json(Path("recipe.json").read_text("utf-8"))
    assert recipe.algorithm == kc.MIL(start=kc.Sorting(by=("x",)))


def test_run_repeats_a_recipe(here):
    assert run("anonymize people.csv --algorithm mdav --k 3 --out a.csv --recipe recipe.json") == 0
    assert main(["run", "recipe.json", "people.csv", "--out", "b.csv"]) == 0
    assert run("run recipe.json people.csv --out c.csv --keep-order") == 0
    assert Path("a.csv").read_bytes() == Path("b.csv").read_bytes() != Path("c.csv").read_bytes()


def test_run_says_when_the_recipe_is_of_another_version_or_other_data(here, capsys):
    assert run("anonymize people.csv --algorithm mdav --k 3 --out a.csv --recipe recipe.json") == 0
    recipe = json.loads(Path("recipe.json").read_text("utf-8"))
    Path("older.json").write_text(json.dumps({**recipe, "kanon": "0.0.1"}), "utf-8")
    capsys.readouterr()
    assert main(["run", "older.json", "people.csv", "--out", "b.csv"]) == 0
    assert "0.0.1" in capsys.readouterr().err
    frame = pd.read_csv("people.csv")
    frame.loc[0, "age"] = 99
    frame.to_csv("other.csv", index=False)
    assert "other data" in refused("run recipe.json other.csv --out c.csv", capsys)


def test_sweep_prints_and_writes_what_python_yields(here, capsys):
    words = (
        "sweep people.csv --quasi age --algorithms mdav,sorting --k 2-4,8,30 --metrics ilssdm,ncp --out"
        " rows.csv"
    )
    assert main(words.split()) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + 2 * 5
    rows = read_frame("rows.csv").frame
    assert list(rows.columns) == ["algorithm", "k", "ILSSDM", "NCP", "seconds", "problem", "notes"]
    assert rows["algorithm"].tolist() == ["MDAV"] * 5 + ["Sorting"] * 5
    assert rows["k"].tolist() == [2, 3, 4, 8, 30] * 2
    table = kc.read_table("people.csv")
    table = table.with_schema(table.schema.with_quasi(["age"]))
    points = kc.sweep(table, [kc.MDAV(), kc.Sorting()], [2, 3, 4, 8], [kc.ILSSDM(), kc.NCP()])
    expected = {(type(p.algorithm).__name__, p.k): (p.scores["ILSSDM"], p.scores["NCP"]) for p in points}
    found = {(r.algorithm, r.k): (r.ILSSDM, r.NCP) for r in rows.itertuples() if r.k < 30}
    assert found == expected
    assert rows.loc[rows["k"] == 30, "problem"].str.contains("30").all()


def test_audit_beside_the_original_counts_matches(here, capsys):
    pd.DataFrame({"age": [20, 30, 35, 40], "zip": ["a", "b", "a", "c"], "name": list("wxyz")}).to_csv(
        "o.csv", index=False
    )
    rows = {"age": ["[20, 35]", "[30, 40]", "[20, 35]", "[30, 40]"], "zip": ["a", "{b, c}", "a", "{b, c}"]}
    pd.DataFrame(rows).to_csv("r.csv", index=False)
    flags = ["--original", "o.csv", "--quasi", "age,zip", "--identifier", "name"]
    assert main(["audit", "r.csv", *flags]) == 0
    assert "k-anonymity: holds." in capsys.readouterr().out
    assert main(["audit", "r.csv", *flags, "--guarantees", "kconcealment"]) == 0
    assert "Every record has at least 2 rows that can be its own" in capsys.readouterr().out
    assert main(["audit", "r.csv", *flags, "--k", "3"]) == 1
    assert "k-anonymity: does not hold" in capsys.readouterr().out
    assert main(["audit", "r.csv", *flags, "--k", "3", "--guarantees", "kconcealment"]) == 1
    assert "k-concealment: does not hold" in (shown := capsys.readouterr().out)
    assert "\nrecords: 1, 2, 3, 4\n" in shown
    pd.DataFrame({**rows, "name": list("wxyz")}).to_csv("r.csv", index=False)
    assert main(["audit", "r.csv", *flags]) == 0
    assert "“name”, an identifier" in capsys.readouterr().err
    assert main(["audit", "r.csv", "--original", "nowhere.csv"]) == 2
    assert "nowhere.csv" in capsys.readouterr().err


def test_what_a_file_says_never_works_in_the_terminal(here, capsys):
    Path("map.csv").write_text("A\x1b[2J;x\nA\x1b[2J;y\n")
    said = refused("describe people.csv --categories city=map.csv", capsys)
    assert "A\\x1b[2J" in said and said.isprintable()


def test_audit_finds_the_records_below_k(here, capsys):
    Path("r.csv").write_text(
        "age,zip,x\n20,a,1\n20,a,2\n20,a,3\n[30],b,4\n[30],b,5\n31,b,6\n,,7\n,,8\n", "utf-8"
    )
    assert run("audit r.csv --quasi age,zip --k 2") == 1
    shown = capsys.readouterr().out
    assert "reached: k = 1 (requested: k = 2)" in shown
    assert "1 record shares" in shown and "rows: 6\n" in shown
    assert run("audit r.csv --qi zip -k 2") == 0
    assert "reached: k = 2" in capsys.readouterr().out
    assert run("audit r.csv --quasi age,zip --k 3") == 1
    assert "rows: 4, 5, 6, 7, 8" in capsys.readouterr().out


def test_audit_of_item_sets_of_which_an_attacker_knows_a_few(here, capsys):
    """Records 1 to 4 have four different sets, but any two of a, b, c are had by two of them; only {a, b, c}
    is had once."""
    Path("r.csv").write_text(
        'age,bag\n20,"{a, b}"\n20,"{a, b, c}"\n20,"{a, c}"\n20,"{b, c}"\n30,"{a}"\n30,"{a}"\n', "utf-8"
    )
    how = ["audit", "r.csv", "--quasi", "age,bag", "--kinds", "bag=items"]
    assert main(how) == 1
    assert "rows: 1, 2, 3, 4" in capsys.readouterr().out
    assert main([*how, "--known-items", "2"]) == 0
    assert "reached: k ≥ 2" in (shown := capsys.readouterr().out)
    assert "knows the single values and up to 2 items of a row finds at least 2" in shown
    assert main([*how, "--known-items", "3"]) == 1
    assert "reached: k ≤ 1" in (shown := capsys.readouterr().out) and "rows: 2\n" in shown
    assert "a whole number from 1 to 8" in refused([*how, "--known-items", "9"], capsys)
    assert "a whole number from 1 to 8" in refused([*how, "--known-items", "x"], capsys)
    assert "No quasi-identifier holds item sets" in refused(
        ["audit", "r.csv", "--quasi", "age", "--known-items", "2"], capsys
    )
    Path("r.csv").write_text('age,bag\n20,"{a, b}"\n20,"{a"\n', "utf-8")
    broken = [*how, "--item-delimiters", "bag={}", "--known-items", "2"]
    assert "1 cell that is not an item set" in refused(broken, capsys)


def test_audit_does_not_take_misfits_for_equal(here):
    Path("r.csv").write_text("age\n" + "1\n" * 20 + "one\ntwo\n", "utf-8")
    assert run("audit r.csv --quasi age --kinds age=numeric") == 1


@looped(
    "cells, achieved",
    [
        ("1.50 1.5", 1),
        ("-inf NA null 1e999 5 5", 1),
        ("007 7 007 7", 2),
        ("1,000 1000", 1),
        ("y y NA NA", 2),
    ],
)
def test_audit_compares_cells_as_they_are_written(cells, achieved, here, capsys):
    """Reading numbers would make 1.50 and 1.5 equal, and every infinite number missing."""
    Path("r.csv").write_text("x\n" + "".join(f'"{cell}"\n' for cell in cells.split()), "utf-8")
    assert main(["audit", "r.csv", "--quasi", "x"]) == (0 if achieved > 1 else 1)
    assert f"reached: k = {achieved} " in capsys.readouterr().out


@pytest.mark.parametrize("suffix", ["xlsx", "parquet"])
def test_audit_compares_stored_values(suffix, here, capsys):
    frame = pd.DataFrame({"x": [1.5, 1.5, float("inf"), -float("inf"), None, None]})
    frame.to_parquet("r.parquet") if suffix == "parquet" else frame.to_excel("r.xlsx", index=False)
    assert main(["audit", f"r.{suffix}", "--quasi", "x"]) == 1
    assert "rows: 3, 4" in capsys.readouterr().out


def test_audit_guesses_roles_from_typed_values(here, capsys):
    """A text that never repeats is taken for an identifier; ages that never repeat are none."""
    Path("r.csv").write_text("age\n" + "".join(f"{age}\n" for age in range(60, 0, -2)), "utf-8")
    assert main(["audit", "r.csv"]) == 1
    assert "30 records share" in capsys.readouterr().out


def test_audit_reads_the_file_as_it_was_said(here, capsys):
    Path("r.txt").write_bytes("é;?\né;x\nü;1\nü;1\n".encode("cp1252"))
    how = ["--header=no", "--delimiter=;", "--encoding=cp1252", "--missing=x,?", "--quasi=column_1,column_2"]
    assert main(["audit", "r.txt", *how]) == 0
    assert main(["audit", "r.txt", *how[:3], how[4]]) == 1


def test_every_verdict_is_said_with_the_columns_published_unchanged(here, capsys):
    words = "anonymize people.csv --quasi age --algorithm mdav --k 3 --out out.csv --recipe recipe.json"
    assert main([*words.split(), "--despite", "ours"]) == 0
    shown = capsys.readouterr().out
    table = kc.read_table("people.csv")
    table = table.with_schema(table.schema.with_quasi(["age"]))
    verdicts = kc.audit(table, kc.anonymize(table, kc.MDAV(), k=3))
    assert len(verdicts) > 1 and all(f"{v.guarantee}: holds. {v.sentence}" in shown for v in verdicts)
    assert "unchanged: “city” (other)" in shown
    assert main(["run", "recipe.json", "people.csv", "--out", "again.csv"]) == 0
    assert "unchanged: “city” (other)" in capsys.readouterr().out


def test_untyped_cells_are_kept_as_they_are_written(here):
    Path("n.csv").write_text("x,y\n" + "1.50,a\n1.5,a\n" * 3, "utf-8")
    words = "anonymize n.csv --typed no --quasi y --roles x=other --algorithm mdav --k 3 --out out.csv"
    assert main([*words.split(), "--keep-order", "--recipe=recipe.json"]) == 0
    assert Path("out.csv").read_text("utf-8") == Path("n.csv").read_text("utf-8")
    assert run("run recipe.json n.csv --out again.csv --keep-order") == 0
    assert Path("again.csv").read_bytes() == Path("out.csv").read_bytes()


def test_a_release_passes_its_audit_and_the_original_does_not(here):
    assert run("anonymize people.csv --quasi age,city --algorithm mdav --k 5 --out out.csv") == 0
    assert run("audit out.csv --quasi age,city --k 5") == 0
    assert run("audit people.csv --quasi age,city --k 5") == 1


def test_describe_shows_columns_and_misfits_but_no_private_cell(here, capsys):
    assert run("describe people.csv --kinds city=numeric,diagnosis=numeric --sensitive diagnosis") == 0
    shown = capsys.readouterr().out
    assert "23 records, 4 columns" in shown and "encoding 'utf-8'" in shown
    assert "identifier" in shown and "Oslo" in shown
    assert "flu" not in shown


def test_describe_makes_control_characters_visible(here, capsys):
    pd.DataFrame({"bad\x1b[31m\nname": [1, 2]}).to_parquet("odd.parquet")
    assert main(["describe", "odd.parquet"]) == 0
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "classes"), [("algorithms", ALGORITHMS), ("metrics", (*METRICS, *UTILITIES))]
)
def test_lists_come_from_the_declarations(command, classes, capsys):
    assert main([command]) == 0
    shown = capsys.readouterr().out
    assert all(cls.__name__.lower() in shown and cls.title in shown for cls in classes)


@looped("cls", [*METRICS, *UTILITIES])
def test_all_that_is_declared_of_a_metric(cls, capsys):
    assert main(["metrics", cls.__name__.lower()]) == 0
    shown = capsys.readouterr().out
    assert all(text in shown for text in (cls.title, cls.symbol, cls.sentence, cls.formula, cls.example))
    assert all(
        f"--{cls.__name__.lower()}-{o.name}" in shown and o.kind.help in shown for o in options_of(cls)
    )


def test_scores_are_those_of_python(here, capsys):
    words = (
        "anonymize people.csv --quasi age,city --sensitive diagnosis --identifier name --algorithm mdav --k 4"
    )
    names = (
        "--metrics ild,ncp,queryerror,classification,suppresseditems --ild-weights schema"
        " --queryerror-queries 40"
    )
    more = "--classification-target nobody --out out.csv --recipe recipe.json --scores scores.csv"
    assert main(f"{words} {names} {more}".split()) == 0
    shown = capsys.readouterr().out
    table = kc.read_table("people.csv")
    schema = table.schema.with_roles({"name": "identifier", "diagnosis": "sensitive"}).with_quasi(
        ["age", "city"]
    )
    table = table.with_schema(schema)
    chosen = [
        kc.ILD("schema"),
        kc.NCP(),
        kc.QueryError(40),
        kc.Classification("nobody"),
        kc.SuppressedItems(),
    ]
    expected = kc.score(table, kc.anonymize(table, kc.MDAV(), 4), chosen)
    read = pd.read_csv("scores.csv", dtype={"name": "str"})
    assert read["value"].to_numpy() == pytest.approx(expected["value"].to_numpy(), nan_ok=True)
    assert read["note"].fillna("").tolist() == expected["note"].tolist()
    assert f"{kc.ILD.title}   " in shown and "There is no column “nobody”" in shown
    assert f"{kc.QueryError.title}: queries 40, median error " in shown
    assert shown.count("not defined") == 2 and "of kind items, and the table has none." in shown
    again = f"run recipe.json people.csv --out b.csv {names} --scores again.csv"
    assert main(again.split()) == 0
    capsys.readouterr()
    again_read = pd.read_csv("again.csv")
    assert again_read["metric"].nunique() == 5
    assert Path("out.csv").read_bytes() == Path("b.csv").read_bytes()


def test_without_a_list_what_does_not_fit_is_said_below(here, capsys):
    assert main(ANONYMIZE.split()) == 0
    shown = capsys.readouterr().out
    assert "not defined" not in shown
    begin = "Not measured, because they do not apply"
    (line,) = (line for line in shown.splitlines() if line.startswith(begin))
    assert (
        "Purchase utility, Purchase cell width, Utility and safety" in line
        and "No column identifies" not in shown
    )
    assert line.endswith("gives the reason).")


def test_a_sweep_prints_k_in_order_whatever_order_points_come_in():
    def point(algorithm: kc.Algorithm, k: int) -> SweepPoint:
        return SweepPoint(algorithm, k, {}, 0.0)

    ks, both = [2, 3, 4, 5, 6], (kc.MDAV(), kc.Sorting())
    came = [point(algorithm, k) for k in (6, 2, 4, 3, 5) for algorithm in both]
    shown = list(ascending(iter(came), ks))
    assert len(shown) == 10
    assert [[p.k for p in shown if p.algorithm == one] for one in both] == [ks, ks]
    assert [p.k for p in ascending(iter(came[:4]), ks)] == [2, 2, 6, 6]  # stopped: what is there
    first = next(ascending(iter(came[:3]), ks))
    assert first.k == 2


def test_a_sweep_of_what_the_data_are_for_says_what_is_not_defined(here, capsys):
    words = (
        "sweep people.csv --quasi age --algorithms mdav --k 2,3 --metrics meanchange,maparea --out rows.csv"
    )
    assert main(words.split()) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + 2 + 1 and lines[-1].startswith("Area on the map needs quasi-identifiers")
    rows = pd.read_csv("rows.csv")
    assert rows["MapArea"].isna().all() and rows["MeanChange"].notna().all()
    assert rows["notes"].str.startswith("MapArea: Area on the map needs").all()


def test_samples_by_name(here, capsys):
    assert main(["describe", "sample:people-100"]) == 0
    assert "100 records" in capsys.readouterr().out
    assert "no sample" in refused("describe sample:nobody", capsys)


ANONYMIZE = "anonymize people.csv --algorithm mdav --k 3 --out out.csv"


@looped(
    "words, said",
    [
        ("", "COMMAND"),
        ("fly", "fly"),
        ("anonymize people.csv", "--algorithm"),
        (ANONYMIZE + " --colour red", "--colour"),
        (ANONYMIZE + " --gamma 0.2", "--gamma"),
        (ANONYMIZE.replace("mdav", "magic"), "magic"),
        (ANONYMIZE.replace("mdav", "mil --start magic"), "one of"),
        (ANONYMIZE.replace("k 3", "k 1"), "at least 2"),
        (ANONYMIZE.replace("k 3", "k three"), "at least 2"),
        (ANONYMIZE.replace("k 3", "k 2.5"), "at least 2"),
        (ANONYMIZE.replace("k 3", "k 24"), "24"),
        (ANONYMIZE + " --seed -1", "seed"),
        (ANONYMIZE + " --quasi nobody", "nobody"),
        (ANONYMIZE + " --l 2", "kanon anonymize --help"),
        (ANONYMIZE + " --quasi age --sensitive age", "two roles"),
        (ANONYMIZE + ' --quasi "age', "quotation mark"),
        (ANONYMIZE + " --roles age=king", "role"),
        (ANONYMIZE + " --roles age", "equals sign"),
        (ANONYMIZE + " --kinds age=numeric,age=text", "more than one kind"),
        (ANONYMIZE + " --weights age=heavy", "weight"),
        (ANONYMIZE + " --weights age=2000", "weight"),
        (ANONYMIZE + " --recode city=mean", "mean"),
        (ANONYMIZE + " --header maybe", "header"),
        (ANONYMIZE + " --encoding klingon", "encoding"),
        (ANONYMIZE + " --format docx", "docx"),
        (ANONYMIZE.replace("people", "nobody"), "nobody.csv"),
        (ANONYMIZE.replace("out.csv", "out.doc"), "out.doc"),
        (ANONYMIZE.replace("out.csv", "no/where/out.csv"), "folder"),
        (ANONYMIZE.replace("out.csv", "people.csv"), "input"),
        (ANONYMIZE.replace("out.csv", "../here/people.csv"), "input"),
        (ANONYMIZE + " --recipe people.csv", "input"),
        (ANONYMIZE + " --recipe out.csv", "input"),
        ("sweep people.csv --algorithms mdav --k 2-", "--k"),
        ("sweep people.csv --algorithms mdav --k 0-3", "--k"),
        ("sweep people.csv --algorithms mdav --k 2-999999999", "--k"),
        ("sweep people.csv --algorithms mdav --k 2 --metrics beauty", "beauty"),
        ("sweep people.csv --algorithms mdav --k 2 --seed -1", "seed"),
        (
            "sweep people.csv --algorithms mdav --k 2 --metrics ild --ild-power 3",
            "--ild-power must be a whole number from 1 to 2",
        ),
        ("sweep people.csv --algorithms mdav --k 2 --metrics ncp --ild-power 1", "--ild-power"),
        (ANONYMIZE + " --scores out.csv", "input"),
        (ANONYMIZE + " --scores people.csv", "input"),
        (ANONYMIZE + " --scores scores.doc", "scores.doc"),
        ("metrics beauty", "beauty"),
        ("sweep people.csv --algorithms mdav,magic --k 2", "magic"),
        ("sweep people.csv --algorithms sorting,mdav --k 2 --by=name,name", "different column names"),
        ("sweep people.csv --algorithms mdav --k 2 --out people.csv", "input"),
        ("audit people.csv --k 1", "at least 2"),
        ("audit people.csv --roles age=other,city=other,diagnosis=other", "quasi"),
        ("run people.csv people.csv --out out.csv", "recipe"),
        (ANONYMIZE + " --typed perhaps", "typed"),
        ("run nobody.json people.csv --out out.csv", "nobody.json"),
    ],
)
def test_every_mistake_gets_one_sentence(words, said, here, capsys):
    """Exit code 2, nothing written, the input as it was."""
    before = Path("people.csv").read_bytes()
    if "../here" in words:
        words = words.replace("here", here.name)
    assert said in refused(words, capsys)
    assert Path("people.csv").read_bytes() == before


def test_an_old_release_survives_a_failed_one(here, capsys, monkeypatch):
    Path("out.csv").write_text("old", "utf-8")
    refused("anonymize people.csv --algorithm mdav --k 24 --out out.csv", capsys)
    assert Path("out.csv").read_text("utf-8") == "old"

    def full(*arguments, **options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("kanon_core.base.infile.open", full, raising=False)
    assert "No space left" in refused(ANONYMIZE, capsys)
    assert Path("out.csv").read_text("utf-8") == "old"


def test_a_defect_is_told_without_its_message(here, capsys, monkeypatch):
    def broken(*arguments, **options):
        raise ValueError("Oslo")

    monkeypatch.setattr("kanon_core.cli.anonymizing.make", broken)
    sentence = refused(ANONYMIZE + " --quasi age", capsys)
    assert "defect" in sentence and "ValueError" in sentence and "Oslo" not in sentence


def test_an_interrupt_leaves_nothing_behind(here, capsys, monkeypatch):
    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("kanon_core.cli.anonymizing.release_bytes", interrupted)
    assert main(ANONYMIZE.split()) == 130
    assert [path.name for path in here.iterdir()] == ["people.csv"]
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="signals as on POSIX")
def test_a_real_interrupt_of_a_long_sweep(here):
    words = "sweep sample:people-5000 --algorithms sorting --k 2-5000 --out rows.csv"
    with started(words) as run:
        assert run.stdout.readline().startswith("algorithm")
        assert run.stdout.readline().startswith("Sorting")
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=60)
    assert run.returncode == 130
    assert said.strip().splitlines()[-1] == "Stopped; nothing was written."
    assert not Path("rows.csv").exists()


def test_further_guarantees_are_audited_when_they_are_asked_for(here, capsys):
    asked = [*ANONYMIZE.split(), "--quasi", "age,city", "--sensitive", "diagnosis", "--seed=1"]
    assert main([*asked, "--guarantees", "alphakanonymity", "--alphakanonymity-alpha", "1"]) == 0
    assert "(α, k)-anonymity: holds." in capsys.readouterr().out
    Path("out.csv").unlink()
    failing = [*asked, "--guarantees", "alphakanonymity", "--alphakanonymity-alpha", "0.1"]
    assert main(failing) == 1 and not Path("out.csv").exists()
    shown = capsys.readouterr()
    assert not shown.out and "(α, k)-anonymity: DOES NOT HOLD." in shown.err
    assert "Nothing was written, because a requested guarantee does not hold." in shown.err
    assert main([*failing, "--despite=agreed", "--recipe=recipe.json"]) == 1 and Path("out.csv").exists()
    shown = capsys.readouterr()
    assert "DOES NOT HOLD" in shown.out and "Released despite this: agreed" in shown.err
    assert [*json.loads(Path("recipe.json").read_text("utf-8"))["reasons"].values()] == ["agreed"]
    again = ["run", "recipe.json", "people.csv", "--out=again.csv", *failing[-4:]]
    assert main(again) == 1 and Path("again.csv").read_bytes() == Path("out.csv").read_bytes()
    assert "Released despite this: agreed" in capsys.readouterr().err
    assert "no guarantee “trust”" in refused([*asked, "--guarantees", "trust"], capsys)
    assert main(["guarantees"]) == 0
    shown = capsys.readouterr().out
    assert all(cls.name in shown and cls.meaning in shown for cls in kc.GUARANTEES)


def test_a_secret_seed_is_kept_in_the_recipe_and_never_shown(here, capsys, secrets):
    assert main([*ANONYMIZE.split(), "--recipe", "recipe.json"]) == 0
    shown = capsys.readouterr()
    seed = kc.Recipe.from_json(Path("recipe.json").read_bytes()).seed
    assert seed > 2**64 and str(seed) not in shown.out + shown.err
    assert "The secret seed is kept in “recipe.json”." in shown.err
    assert main(ANONYMIZE.split()) == 0
    assert "is not kept" in capsys.readouterr().err


def test_progress_is_drawn_on_a_terminal_only(here, capsys, monkeypatch):
    assert main(ANONYMIZE.split()) == 0
    assert "\r" not in capsys.readouterr().err
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert main([*ANONYMIZE.split(), "--seed=0"]) == 0
    drawn = capsys.readouterr().err
    assert "100 % done" in drawn and drawn.rstrip(" ").endswith("\x1b[K")


def test_help_and_version_are_no_mistakes(capsys):
    for words in ("--help", "--version", "anonymize --help", "sweep --algorithms=mil --help"):
        with pytest.raises(SystemExit) as done:
            main(words.split())
        assert done.value.code == 0
    assert "--start" in capsys.readouterr().out


def test_starting_is_quick_enough_to_be_used_by_hand(capsys):
    """No compiler is loaded to list the algorithms."""
    program = (
        "import sys; from kanon_core.cli import main; main(['algorithms']); print('numba' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.stdout.splitlines()[-1] == "False"


def test_text_tables_align_wide_characters():
    lines = text_table(("name", "n"), [("名前", 1), ("abc", 22)], right=(1,)).splitlines()
    assert lines == ["name   n", "名前   1", "abc   22"]
    assert printable("a\x1b\n\u202eb") == "a\\x1b\\n\\u202eb"


def test_a_release_for_few_known_items_is_audited_as_such(here, capsys):
    bags = ["a;b", "a", "a", "b", "b", "c", "a;c", "b;c", "a;b;c", "c"] * 3
    Path("bags.csv").write_text(
        "age,bag\n" + "".join(f"{20 + i % 4},{bag}\n" for i, bag in enumerate(bags)), "utf-8"
    )
    how = ["--quasi", "age,bag", "--kinds", "bag=items", "--k", "3"]
    made = ["anonymize", "bags.csv", *how, "--algorithm", "topdown", "--known-items", "2", "--out", "r.csv"]
    assert main([*made, "--recipe-out", "r.json"] if "--recipe-out" in made else made) == 0
    shown = capsys.readouterr().out
    assert "(k, kᵐ)-anonymity: holds." in shown and "can tell" in shown
    assert main(["audit", "r.csv", *how, "--known-items", "2"]) == 0
    assert "reached: k ≥ 3" in capsys.readouterr().out
    assert main(["audit", "r.csv", *how]) == 1  # whoever knows all items


def test_what_is_wrong_is_said_of_the_file(here, capsys):
    """Name, place and remedy: of a table, a recipe, roles, a hierarchy and a population."""
    (here / "ragged.csv").write_text("age,city\n20,Bern\n21,Basel,x\n")
    (here / "none.json").write_text("{}")
    (here / "tree.csv").write_text("Bern\n")
    (here / "whole.csv").write_text("age,city\n20,Bern\n21,Basel\n")
    algorithm = "--algorithm sorting --k 2 --out out.csv"
    for words, name, said in [
        (f"anonymize ragged.csv {algorithm}", "ragged.csv", "line 3 has 3. Separate"),
        (f"anonymize whole.csv {algorithm} --roles none.json", "none.json", "not a file of roles"),
        (f"anonymize whole.csv {algorithm} --hierarchy city=tree.csv", "tree.csv", "not a hierarchy"),
        ("run none.json whole.csv --out out.csv", "none.json", "not a recipe"),
        (f"anonymize whole.csv {algorithm} --encoding nope", "whole.csv", "not a known text encoding"),
    ]:
        sentence = refused(words, capsys)
        assert sentence.startswith(f"In the file “{name}”: ") and said in sentence, sentence
