"""Docs and docstrings say what is: their examples run, the paths they name exist."""

from __future__ import annotations

import ast
import contextlib
import doctest
import importlib
import io
import re
import runpy
import shlex
from itertools import groupby
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from kanon_core.cli import main
from kanon_core.findings import SEVERITIES
from kanon_core.guarantees import GUARANTEES
from kanon_core.teaching.glossary import Entry, entries
from pages.shell import frame, menu
from tests.findings.cases import cases as releases
from tests.table.recognized import TABLES, line, made

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
TEXTS = [README, ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.deep
def test_the_examples_of_docstrings_are_true():
    """One pass over all modules; at least 60 public functions and classes have an example."""
    found = failed = 0
    finder, said = doctest.DocTestFinder(exclude_empty=True), list[str]()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    for path in sorted((ROOT / "kanon_core").rglob("*.py")):
        if ">>> " not in path.read_text("utf-8") or path.stem.endswith("_kernels"):
            continue
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for test in finder.find(importlib.import_module(name)):
            if test.examples:
                found += not test.name.split(".")[-1].startswith("_")
                failed += runner.run(test, out=said.append).failed
    assert not failed, "".join(said)
    assert found >= 60


@pytest.mark.parametrize("name", ["add-an-algorithm", "add-a-metric", "add-a-guarantee", "add-a-finding"])
def test_what_one_adds_works_as_written(name, tmp_path):
    (code,) = blocks(ROOT / "docs" / "how-to" / f"{name}.md")
    (tmp_path / "added.py").write_text(code, "utf-8")
    runpy.run_path(str(tmp_path / "added.py"))


def test_a_page_works_as_written(tmp_path, monkeypatch):
    page = ROOT / "docs" / "how-to" / "add-a-page.md"
    (code,) = blocks(page)
    (tmp_path / "page.py").write_text(code, "utf-8")
    (line,) = re.findall(r'"groups": (Screen\(.*?\))`', page.read_text("utf-8"))
    usual = frame.page_file
    monkeypatch.setattr(
        frame, "page_file", lambda name: tmp_path / "page.py" if name == "groups" else usual(name)
    )
    monkeypatch.setitem(frame.PAGES, "groups", eval(line, {"Screen": menu.Screen}))
    test = AppTest.from_file(tmp_path / "page.py", default_timeout=60).run()
    assert not test.exception and int(test.metric[0].value) > 1


FENCED = re.compile(r"^```(python|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)
WITH_BLOCKS = [
    path for path in TEXTS if FENCED.search(path.read_text("utf-8")) and not path.stem.startswith("add-")
]


@pytest.mark.deep
@pytest.mark.parametrize("page", WITH_BLOCKS, ids=lambda page: page.stem)
def test_every_block_of_a_page_runs(page, tmp_path, monkeypatch):
    """In their order and in one folder, which has a file ``people.csv``; commands begin with “$ kanon”."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # for the processes that work on tables in many files
    people = kc.load_sample("people-100").rename(columns={"person": "name", "condition": "disease"})
    people.to_csv("people.csv", index=False)
    names: dict[str, object] = {}
    for language, block in FENCED.findall(page.read_text("utf-8")):
        if language == "python":
            exec(compile(block, page.name, "exec"), names)
        else:
            for command in block.replace("\\\n", " ").splitlines():
                prompt, program, *words = shlex.split(command)
                assert (prompt, program) == ("$", "kanon"), command
                assert main(words) in (0, 1), command


def blocks(path: Path) -> list[str]:
    found = re.findall(r"^```python\n(.*?)^```", path.read_text("utf-8"), re.M | re.S)
    for code in found:
        ast.parse(code)
    return found


def test_paths_and_links_lead_somewhere():
    lost = []
    for text in TEXTS:
        content = text.read_text("utf-8")
        for link in re.findall(r"\]\(([^)#:]+)\)", content):
            lost += [] if (text.parent / link).exists() else [f"{text.name}: {link}"]
        for path in re.findall(r"`((?:kanon_core|pages|tests|docs|assets)/[\w./]*)`", content):
            lost += [] if (ROOT / path).exists() else [f"{text.name}: {path}"]
    assert not lost


def catalog_of_guarantees() -> str:
    """docs/reference/guarantees.md: what `kanon guarantees` says."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        main(["guarantees"])
    return (
        "# Guarantees\n\nMade from their declarations by `python -m"
        f" tests.test_docs`.\n\n```\n{said.getvalue()}```\n\n{MINIMALITY}"
    )


MINIMALITY = """## What ℓ and t leave open

Mondrian and Top-down leave a group whole where a cut would break ℓ or t. Whether they cut a group depends on
the sensitive values. An attacker who knows everybody's quasi-identifiers, the program and its options sees
that a group was not cut, and can infer values that the classes do not show (Wong et al., 2007; see
[references](references.md)). Ages 20, 20, 60, 60, 60 with the diagnoses a, a, b, c, d, k = 2 and ℓ = 2 are
published as one class of five. If the two people of 20 had different diagnoses, Mondrian would have cut the
class. The attacker concludes that both have a.

`kanon_core.risk.minimality_attack` computes it for small tables, by running the algorithm on every layout
of the published values. Over 40 random tables of 9 people with k = 2 (`python -m benchmarks minimality`;
the seed is not known, and not needed):

| algorithm and rule | somebody gains in | gain at most | mean | rule broken for | value certain for |
|---|---|---|---|---|---|
| Mondrian, ℓ = 2 different values | 9 of 40 tables | 67 | 2.5 | 4.2 % of records | 4.2 % |
| Mondrian, ℓ = 2 by entropy | 21 of 32 | 40 | 3.2 | 1.4 % | 0 % |
| Mondrian, t = 0.3 | 18 of 40 | 80 | 4.1 | 5.8 % | 5.6 % |
| Top-down, ℓ = 2 different values | 8 of 40 | 67 | 2.0 | 3.1 % | 3.1 % |
| Top-down, ℓ = 2 by entropy | 21 of 32 | 40 | 3.3 | 2.1 % | 0 % |
| Top-down, t = 0.3 | 18 of 40 | 80 | 3.6 | 3.9 % | 3.3 % |

Gain: by how many percentage points some value of a record becomes more probable. The rule is broken for a
record if its class keeps it, and the attacker's probabilities for this record, taken as shares, do not.
Where no cut was refused – the classes are those that the algorithm makes without ℓ and t – nothing is
learned; the finding “cuts not made” tells the two apart.
"""


def test_the_catalog_of_guarantees_is_what_is_declared():
    assert (ROOT / "docs" / "reference" / "guarantees.md").read_text("utf-8") == catalog_of_guarantees()
    assert all(cls.name in catalog_of_guarantees() for cls in GUARANTEES)


def catalog_of_findings() -> str:
    """docs/reference/findings.md: what `kanon findings` says, and the findings of `releases`."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        main(["findings"])
    parts = [FINDINGS_HEAD.format(declared=said.getvalue())]
    for case in releases():
        table, release = case.release.table, case.release
        found = kc.priced(table, release, kc.judge(table, release), seconds=60)
        parts.append(f"### {case.title}\n\n{case.about}\n\n" + "\n".join(map(as_item, found)))
    return "\n\n".join(parts) + "\n"


FINDINGS_HEAD = """# Findings

Made from their declarations, and by running, by `python -m tests.test_docs`.

A guarantee says what an attacker cannot do. A finding states what an attacker can still learn:
`kc.judge(table, release)` and `kanon judge` look for it. One that stops the release should keep it from being
handed over; one that needs a decision is for whoever signs. Thresholds are options of the searches
and flags of the command.

```
{declared}```

## Seven releases of which every guarantee holds"""


def as_item(finding: kc.Finding) -> str:
    severity, more = SEVERITIES[finding.severity], f" {finding.price}" if finding.price else ""
    return f"- **{severity}: {finding.name}.** {finding.sentence} *{finding.action}{more}*"


def test_the_catalog_of_findings_is_what_is_declared_and_found():
    """The seven are run again."""
    assert (ROOT / "docs" / "reference" / "findings.md").read_text("utf-8") == catalog_of_findings()


def glossary() -> str:
    """docs/reference/glossary.md: every entry, part by part."""
    parts = [GLOSSARY_HEAD]
    for title, some in groupby(entries(), lambda one: one.part):
        parts.append(f"## {title}\n\n" + "\n".join(map(as_word, some)))
    return "\n\n".join(parts) + "\n"


GLOSSARY_HEAD = """# Glossary

Made from declarations by `python -m tests.test_docs`. The button “Glossary” on every screen and the “?”
beside a word show the same entries."""


def as_word(one: Entry) -> str:
    example = f" *{one.example}*" if one.example else ""
    see = f" See {', '.join(one.see)}." if one.see else ""
    return f"- **{one.title}**: {one.says}{example}{see}".replace("NCP*", "NCP\\*")


def test_the_glossary_is_what_is_declared():
    assert (ROOT / "docs" / "reference" / "glossary.md").read_text("utf-8") == glossary()


READING = ROOT / "docs" / "reference" / "reading.md"


@pytest.mark.parametrize(
    ("case", "roles"),
    [
        pytest.param(case, roles, id=f"{name}: {case.what}")
        for name, (cases, roles) in TABLES.items()
        for case in cases
    ],
)
def test_a_file_is_read_as_the_page_on_reading_says(case, roles):
    assert line(case, roles) in READING.read_text("utf-8").splitlines()


def test_the_page_on_reading_says_nothing_else():
    tables = READING.read_text("utf-8").split("<!-- made by running: ")[1:]
    lines = {
        part.split(" ")[0]: sum(row.startswith("| ") for row in part.splitlines()) - 1 for part in tables
    }
    assert lines == {name: len(cases) for name, (cases, _) in TABLES.items()}


def test_the_first_pages_stay_short():
    assert len(README.read_text("utf-8").split()) <= 600
    versions = (ROOT / "CHANGELOG.md").read_text("utf-8").split("\n## ")[1:]
    assert versions and all(len(one.strip().splitlines()[2:]) <= 10 for one in versions)


def test_the_frequent_errors_are_messages_of_the_program():
    text = (ROOT / "docs" / "reference" / "errors.md").read_text("utf-8")
    rows = re.findall(r"^\| (.*) \| `([\w/.]+)` \|$", text, re.MULTILINE)
    with (ROOT / "assets" / "locale" / "kanon.pot").open("rb") as file:
        messages = {message.id: {place for place, _ in message.locations} for message in read_po(file)}
    assert len(rows) == 40 and not [row for row in rows if row[1] not in messages.get(row[0], ())]


if __name__ == "__main__":
    READING.write_text(made(READING.read_text("utf-8")), "utf-8")
    (ROOT / "docs" / "reference" / "glossary.md").write_text(glossary(), "utf-8")
    (ROOT / "docs" / "reference" / "findings.md").write_text(catalog_of_findings(), "utf-8")
    (ROOT / "docs" / "reference" / "guarantees.md").write_text(catalog_of_guarantees(), "utf-8")
