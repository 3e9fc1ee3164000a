"""`kanon report`: a second person runs the recipe and gets the same report."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

import kanon_core as kc
from kanon_core.cli import main
from kanon_core.report.signing import Decision, ReportInputs, gathered, report, to_html, to_markdown
from kanon_core.report.signing.writers import escaped
from tests.findings.cases import AGES, CUSTOMERS


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with ages.csv, its release and the recipe."""
    monkeypatch.chdir(tmp_path)
    Path("ages.csv").write_bytes(AGES)
    assert run("anonymize ages.csv --algorithm mdav --k 3 --out out.csv --recipe recipe.json") == 0
    return tmp_path


def run(words: str) -> int:
    return main(words.split())


REPORT = "report recipe.json ages.csv --released out.csv"


def test_made_twice_it_is_the_same_and_its_date_is_only_a_given_one(here):
    words = f"{REPORT} --k 2-3 --by Anna --date 2026-01-02"
    assert run(f"{words} --out one.html") == run(f"{words} --out two.html") == 0
    assert Path("one.html").read_bytes() == Path("two.html").read_bytes()
    assert run(f"{REPORT} --k 2-3 --by Anna --out three.html") == 0
    dated, undated = (Path(name).read_text("utf-8") for name in ("one.html", "three.html"))
    assert "2026-01-02" in dated and date.today().isoformat() not in undated


def test_its_figures_are_those_of_python(here):
    assert run(f"{REPORT} --date= --out one.md") == run(f"{REPORT} --date= --out one.html")
    recipe = kc.Recipe.from_json(Path("recipe.json").read_text("utf-8"))
    release = kc.repeat(kc.read_table("ages.csv"), recipe)
    found = report(gathered(release, ReportInputs(Decision(), name="out.csv")))
    assert Path("one.md").read_text("utf-8") == to_markdown(found)
    assert Path("one.html").read_text("utf-8") == to_html(found)


def test_candidates_are_computed_with_the_seed_of_the_recipe(here):
    """And the command that the report prints makes them again, on the same page."""
    words = [*f"{REPORT} --date= --out one.md --candidate vmdav,gamma=0.5:2".split()]
    assert main([*words, "--candidate", "mdav:4:too coarse: 10 %", "--candidate=mil,start=sorting:3:"]) == 0
    made = Path("one.md").read_text("utf-8")
    assert "| V-MDAV (gamma 0.5) | 2 |" in made and "too coarse: 10 %" in made
    assert "--candidate=vmdav,gamma=0.5:2" in made and "'--candidate=mdav:4:too coarse: 10 %'" in made
    recipe = kc.Recipe.from_json(Path("recipe.json").read_text("utf-8"))
    metrics = [kc.ILSSDM(), kc.WorstRisk()]
    (point,) = kc.sweep(kc.read_table("ages.csv"), [kc.VMDAV(gamma=0.5)], [2], metrics, seed=recipe.seed)
    assert f"| {escaped(kc.ILSSDM().text(point.value('ILSSDM')))} |" in made
    assert main([*words, "--candidate=mdav:4:too coarse: 10 %", "--candidate=mil,start=sorting:3"]) == 0
    assert Path("one.md").read_text("utf-8") == made


def test_the_population_is_given_as_for_risk(here):
    words = f"{REPORT} --date= --draws 0"
    assert run(f"{words} --population-size 600 --population-model zayatz --out one.md") == 0
    made = Path("one.md").read_text("utf-8")
    assert "600 people (model: class sizes as in the table" in made and "--population-size=600" in made
    assert run(f"{words} --population ages.csv --counting-missing any --out one.md") == 0
    made = Path("one.md").read_text("utf-8")
    assert "--population=POPULATION" in made and "--counting-missing=any" in made


def test_another_released_file_is_noticed(here, capsys):
    Path("out.csv").write_bytes(Path("out.csv").read_bytes() + b"\n")
    assert run(f"{REPORT} --out one.html") == 1
    assert "differ from the recipe's release" in capsys.readouterr().err and Path("one.html").exists()


def test_what_stops_a_release_needs_a_reason(here, capsys):
    Path("customers.csv").write_bytes(CUSTOMERS)
    words = (
        "anonymize customers.csv --roles customer_id=other --algorithm mdav --k 3 --out c.csv --recipe c.json"
    )
    assert main([*words.split(), "--despite=a contract binds them"]) == 0
    capsys.readouterr()
    assert run("report c.json customers.csv --out c.md") == 0
    assert capsys.readouterr().out == "The report is in the file “c.md”.\n"
    assert "a contract binds them" in Path("c.md").read_text("utf-8")
    recipe = json.loads(Path("c.json").read_text("utf-8"))
    Path("c.json").write_text(json.dumps({**recipe, "reasons": {}}), "utf-8")
    assert run("report c.json customers.csv --out c.md") == 1
    assert "gives no reason" in capsys.readouterr().err


def test_mistakes_and_tampered_recipes_get_a_sentence_and_write_nothing(here, capsys):
    recipe = json.loads(Path("recipe.json").read_text("utf-8"))
    hostile = {"algorithm": {"name": "os.system", "options": {}}}
    for name, change in {"code": hostile, "digest": {"data_digest": "0" * 64}, "seed": {"seed": -1}}.items():
        Path(f"{name}.json").write_text(json.dumps({**recipe, **change}), "utf-8")
    Path("text.json").write_text("import os", "utf-8")
    for words, why in (
        ("report recipe.json ages.csv --out one.pdf", "must end in .html or .md"),
        ("report recipe.json ages.csv --out ages.csv", "must end in .html or .md"),
        ("report recipe.json ages.csv --released one.doc --out one.html", "the ending sets the format"),
        ("report recipe.json ages.csv --k 1-3 --out one.html", "--k must be 2 or more"),
        ("report recipe.json ages.csv --draws many --out one.html", "--draws must be a whole number"),
        ("report recipe.json ages.csv --candidate mdav --out one.html", "must be ALGORITHM:K"),
        ("report recipe.json ages.csv --candidate none:3 --out one.html", "no algorithm “none”"),
        ("report recipe.json ages.csv --candidate vmdav,g=1:3 --out one.html", "has no option “g”"),
        (
            "report recipe.json ages.csv --candidate mdav:99 --out one.html",
            "cannot be computed: The table has only",
        ),
        (
            "report recipe.json ages.csv --population-size 5 --out one.html",
            "The population (5 people) must be at least as large as the table",
        ),
        ("report code.json ages.csv --out one.html", "os.system"),
        ("report digest.json ages.csv --out one.html", "the digests differ"),
        ("report seed.json ages.csv --out one.html", "The seed must be"),
        ("report text.json ages.csv --out one.html", "This is not a recipe"),
    ):
        assert run(words) == 2
        assert why in capsys.readouterr().err.strip().splitlines()[-1]
        assert not Path("one.html").exists()
    newer = {**recipe, "kanon": "99.0.0"}
    Path("newer.json").write_text(json.dumps(newer), "utf-8")
    assert run("report newer.json ages.csv --out one.html") == 0
    assert "Kanon 99.0.0 wrote the recipe" in capsys.readouterr().err
