"""`kanon judge`: findings as from Python, exit code 1 when one stops the release."""

from __future__ import annotations

from pathlib import Path

import pytest

import kanon_core as kc
from kanon_core.cli import main
from kanon_core.findings import FINDINGS
from tests.findings.cases import AGES, BADGES, CUSTOMERS


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with customers.csv and ages.csv."""
    monkeypatch.chdir(tmp_path)
    Path("customers.csv").write_bytes(CUSTOMERS)
    Path("ages.csv").write_bytes(AGES)
    return tmp_path


def said(words: str, capsys) -> tuple[int, str]:
    code = main(words.split())
    return code, capsys.readouterr().out


def test_findings_are_those_of_python_and_one_that_stops_is_an_error(here, capsys):
    code, out = said("judge customers.csv --roles customer_id=other --algorithm mdav --k 3", capsys)
    table = kc.read_table("customers.csv")
    table = table.with_schema(table.schema.with_roles({"customer_id": "other"}))
    findings = kc.judge(table, kc.anonymize(table, kc.MDAV(), 3))
    assert code == 1 and out.startswith("STOPS THE RELEASE – unchanged columns: “customer_id”")
    assert [finding.sentence in out for finding in findings] == [True] * len(findings)
    assert "people with several records" not in out and "  records: 4, 5, 6\n" in out


def test_what_is_answered_is_not_asked_again(here, capsys):
    Path("badges.csv").write_bytes(BADGES)
    words = "--algorithm mdav --k 3 --findings people"
    for role in ("identifier", "quasi_identifier", "other"):
        assert said(f"judge customers.csv --roles customer_id={role} {words}", capsys) == (
            0,
            "Nothing was found.\n",
        )
    code, out = said(f"judge badges.csv {words}", capsys)
    assert code == 0 and out.startswith("GOOD TO KNOW – people with several records: “badge_id” is left out")


def test_what_stops_nothing_is_no_error(here, capsys):
    code, out = said("judge ages.csv --algorithm mdav --k 3 --findings sensitivevalues,exactends", capsys)
    assert code == 0 and out.startswith("NEEDS A DECISION – sensitive values:") and "identity" not in out
    code, out = said("judge ages.csv --algorithm mdav --k 3 --findings suppressed", capsys)
    assert (code, out) == (0, "Nothing was found.\n")


def test_thresholds_are_flags(here, capsys):
    words = "judge sample:people-100 --algorithm mdav --k 5 --findings unchangedcolumns"
    assert "STOPS" in said(words, capsys)[1] or "NEEDS A DECISION" in said(words, capsys)[1]
    code, out = said(f"{words} --unchangedcolumns-stops-at 100 --unchangedcolumns-decide-at 100", capsys)
    assert code == 0 and out.startswith("GOOD TO KNOW")


def test_the_release_of_a_recipe_is_judged(here, capsys):
    said("anonymize ages.csv --algorithm mdav --k 3 --seed 5 --out out.csv --recipe recipe.json", capsys)
    code, out = said("judge ages.csv --recipe recipe.json", capsys)
    assert code == 0 and "sensitive values" in out and "known seed" in out


def test_mistakes_get_one_sentence(here, capsys):
    for words, why in (
        ("judge ages.csv --k 3", "--algorithm"),
        ("judge ages.csv --algorithm mdav --k 3 --findings nothing", "There is no finding “nothing”"),
        ("judge ages.csv --algorithm mdav --k 3 --unchangedcolumns-stops-at 101", "a number from 0 to 100"),
        ("judge customers.csv --recipe lost.json", "cannot be opened"),
    ):
        assert main(words.split()) == 2
        assert why in capsys.readouterr().err.strip().splitlines()[-1]


def test_all_searches_are_listed(capsys):
    code, out = said("findings", capsys)
    assert code == 0 and all(f"\n{cls.__name__.lower()} " in out for cls in FINDINGS)


def test_what_a_finding_stops_is_written_only_with_a_reason(here, capsys):
    words = [
        "anonymize",
        "customers.csv",
        "--roles",
        "customer_id=other",
        "--algorithm",
        "mdav",
        "--k",
        "3",
        "--out",
        "out.csv",
    ]
    assert main([*words, "--recipe=recipe.json"]) == 1
    told = capsys.readouterr()
    assert "STOPS THE RELEASE – unchanged columns: “customer_id”" in told.err and "--despite" in told.err
    assert not Path("out.csv").exists() and not Path("recipe.json").exists() and "measure" not in told.out
    assert main([*words, "--recipe=recipe.json", "--despite=numbers of a test"]) == 0
    told = capsys.readouterr()
    assert "STOPS THE RELEASE – unchanged columns: “customer_id”" in told.err
    assert "Released despite this finding: numbers of a test" in told.err and "not kept" not in told.err
    recipe = kc.Recipe.from_json(Path("recipe.json").read_text("utf-8"))
    assert list(recipe.reasons.values()) == ["numbers of a test"]
    # The recipe tells why, so that nobody is asked again.
    assert main(["run", "recipe.json", "customers.csv", "--out=again.csv"]) == 0
    assert Path("again.csv").read_bytes() == Path("out.csv").read_bytes()


@pytest.mark.deep
def test_every_way_to_a_file_is_stopped_by_the_same_findings(here, capsys):
    """Salaries that nearly everybody has alone: judge, anonymize, run and many files say the same and write
    nothing, until somebody says why."""
    rows = [f"{20 + i % 30},{'mf'[i % 2]},{40_000 + 7 * max(i, 1)}" for i in range(400)]
    Path("pay.csv").write_text("age,sex,salary\n" + "\n".join(rows) + "\n", "utf-8")
    Path("pays").mkdir()
    Path("pays/part.csv").write_bytes(Path("pay.csv").read_bytes())
    sentence = "“salary” is sensitive and published unchanged, as intended, but 398 of its 400 values"
    how = "--algorithm mondrian --k 5 --seed 1"
    assert main(f"judge pay.csv {how}".split()) == 1
    assert sentence in capsys.readouterr().out
    for words in (f"anonymize pay.csv {how} --out out.csv", f"anonymize pays {how} --workers 1 --out outs"):
        assert main(words.split()) == 1
        err = capsys.readouterr().err
        assert sentence in err and "--despite=REASON" in err
        assert not Path("out.csv").exists() and not Path("outs").exists()
    asked = f"anonymize pay.csv {how} --out out.csv --recipe r.json --despite agreed"
    assert main(asked.split()) == 0
    assert list(kc.Recipe.from_json(Path("r.json").read_text("utf-8")).reasons.values()) == ["agreed"]
    assert main(["run", "r.json", "pay.csv", "--out", "again.csv"]) == 0  # the recipe knows why
    assert Path("again.csv").read_bytes() == Path("out.csv").read_bytes()


def test_what_needs_a_decision_is_said_where_a_release_is_written(here, capsys):
    assert (
        main(["anonymize", "ages.csv", "--algorithm", "mdav", "--k", "3", "--seed", "5", "--out", "out.csv"])
        == 0
    )
    assert "NEEDS A DECISION – sensitive values:" in capsys.readouterr().err
