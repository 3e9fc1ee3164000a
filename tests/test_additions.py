"""The number of files to open for an addition: each addition is made in a copy of the project, and used.

The additions are the examples of `docs/how-to/add-*.md`; a file format and an engine are written here.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

FORMAT = '''"""Rows of key and value, one pair a line."""

from kanon_core.table.readers.base import Format, Reading, ReadOptions
from kanon_core.table.readers.text.delimited import read_delimited


def _read(data: bytes, options: ReadOptions) -> Reading:
    return read_delimited(data.removeprefix(b"%pairs").strip().replace(b": ", b","), options)


PAIRS = Format("pairs", "Pairs", (".pairs",), lambda data: data.startswith(b"%pairs"), _read)
'''
ENGINE = '''"""One task after the other, in this process."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kanon_core.scale.engines.base import Engine, T, Task


@dataclass
class Alone(Engine):
    """One task after the other, in this process."""

    name = "alone"
    title = "this process"
    workers = 1

    def each(self, task: Task[T], numbered: Sequence[T]) -> Iterator[int | None]:
        yield from map(task, numbered)

    def close(self) -> None:
        pass
'''


def example(document: str) -> str:
    """Return the code of a document's example, up to where it is used."""
    text = (ROOT / "docs" / "how-to" / document).read_text("utf-8").split("## Example")[1]
    code = re.findall(r"```python\n(.*?)```", text, re.DOTALL)[-1]
    return code.split("\n\ntable = ")[0].rstrip() + "\n"


@dataclass(frozen=True)
class Addition:
    """A new file of this ``text``; ``lines``: what is written after which words of one file that there was;
    ``works``: code that uses it, with ``kc``. ``copies``: files that are copies of others, by their names."""

    path: str
    text: str
    edited: str
    lines: tuple[tuple[str, str], ...]
    works: str
    copies: tuple[tuple[str, str], ...] = ()


ADDITIONS = {
    "algorithm": Addition(
        "kanon_core/algorithms/clustering/consecutive.py",
        example("add-an-algorithm.md"),
        "kanon_core/algorithms/__init__.py",
        (
            (
                "from kanon_core.algorithms.base import Algorithm\n",
                "from kanon_core.algorithms.clustering.consecutive import Consecutive\n",
            ),
            ("= (\n    MDAV,\n", "    Consecutive,\n"),
            ("__all__ = [\n", '    "Consecutive",\n'),
        ),
        """
release = kc.anonymize(table, kc.Consecutive(backwards=True), k=5, seed=1)
assert release.cover.sizes.tolist() == [5] * 20
shown = command("anonymize", "--help")
assert "consecutive" in shown, shown
""",
    ),
    "metric": Addition(
        "kanon_core/metrics/privacy/uniquerecords.py",
        example("add-a-metric.md").replace(
            "from kanon_core.metrics import", "from kanon_core.metrics.base import"
        ),
        "kanon_core/metrics/__init__.py",
        (
            (
                "from kanon_core.metrics.base import Metric\n",
                "from kanon_core.metrics.privacy.uniquerecords import UniqueRecords\n",
            ),
            ("METRICS: tuple[type[Metric], ...] = (\n", "    UniqueRecords,\n"),
            ("__all__ = [\n", '    "UniqueRecords",\n'),
        ),
        """
scores = kc.score(table, kc.anonymize(table, kc.Sorting(), k=5, seed=1), [kc.UniqueRecords()])
assert scores["value"].tolist() == [0.0]
assert "Unique records" in command("metrics")
""",
    ),
    "guarantee": Addition(
        "kanon_core/guarantees/identity/fewleftout.py",
        example("add-a-guarantee.md"),
        "kanon_core/guarantees/__init__.py",
        (
            (
                "from kanon_core.guarantees.base import Judged as Judged\n",
                "from kanon_core.guarantees.identity.fewleftout import FewLeftOut\n",
            ),
            ("GUARANTEES: tuple[type[Guarantee], ...] = (\n", "    FewLeftOut,\n"),
            ("__all__ = [\n", '    "FewLeftOut",\n'),
        ),
        """
release = kc.anonymize(table, kc.Sorting(), k=5, seed=1)
verdicts = kc.audit(table, release, guarantees=[kc.FewLeftOut(0.1)])
assert verdicts[-1].guarantee == "few left out" and verdicts[-1].holds
assert "few left out" in command("guarantees")
""",
    ),
    "finding": Addition(
        "kanon_core/findings/constant.py",
        example("add-a-finding.md"),
        "kanon_core/findings/__init__.py",
        (
            (
                "from kanon_core.findings.base import SEVERITIES, Finding, Search\n",
                "from kanon_core.findings.constant import Constant\n",
            ),
            ("FINDINGS: tuple[type[Search], ...] = (\n", "    Constant,\n"),
        ),
        """
ages = kc.read_table(b"age,planet\\n20,earth\\n21,earth\\n60,earth\\n61,earth\\n")
ages = ages.with_schema(ages.schema.with_roles({"planet": "other"}))
found = kc.judge(ages, kc.anonymize(ages, kc.MDAV(), k=2, seed=1))
assert any(one.sentence == "“planet” has fewer than 2 values." for one in found), found
assert "constant columns" in command("findings")
""",
    ),
    "format": Addition(
        "kanon_core/table/readers/pairs.py",
        FORMAT,
        "kanon_core/table/readers/__init__.py",
        (
            (
                "from kanon_core.table.readers.parquet import PARQUET\n",
                "from kanon_core.table.readers.pairs import PAIRS\n",
            ),
            ("FORMATS: tuple[Format, ...] = (", "PAIRS, "),
        ),
        """
pairs = kc.read_table(b"%pairs\\nname: age\\nann: 20\\nbob: 31\\n")
assert pairs.schema.names == ("name", "age") and len(pairs) == 2
assert "pairs" in command("anonymize", "--help")
""",
    ),
    "engine": Addition(
        "kanon_core/scale/engines/alone.py",
        ENGINE,
        "kanon_core/scale/engines/__init__.py",
        (
            (
                "from kanon_core.scale.engines.base import Engine, EngineError\n",
                "from kanon_core.scale.engines.alone import Alone\n",
            ),
            ("ENGINES: tuple[type[Engine], ...] = (", "Alone, "),
        ),
        """
import tempfile
from pathlib import Path

out = Path(tempfile.mkdtemp()) / "out"
command("anonymize", "assets/samples/people-100.csv", "--out", str(out), "--engine", "alone",
        "--rows", "50", "--k", "5", "--seed", "1", "--algorithm", "mondrian")
assert list(out.iterdir())
""",
    ),
    "page": Addition(
        "pages/groups/page.py",
        example("add-a-page.md"),
        "pages/shell/menu.py",
        (
            (
                "PAGES = {\n",
                '    "groups": Screen("Groups", ":material/groups:", "The number of groups."),\n',
            ),
        ),
        """
from pages.state.session import Session, Setting
from tests.app.screens import opened

shown = opened("groups", Session(table, "people", "sample:people-100", Setting(kc.Sorting())))
assert not shown.exception and shown.metric[0].label == "Groups", shown
""",
        copies=(("pages/_risk.py", "pages/_groups.py"),),
    ),
}

_USE = """
import subprocess
import sys

import kanon_core as kc


def command(*words):
    done = subprocess.run([sys.executable, "-m", "kanon_core", *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


table = kc.read_table("sample:people-100")
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Path:
    """A copy of the project with everything added."""
    folder = tmp_path_factory.mktemp("additions")
    code = shutil.ignore_patterns("__pycache__", "*.nb[ic]")
    for room in ("kanon_core", "pages", "tests"):
        shutil.copytree(ROOT / room, folder / room, ignore=code)
    shutil.copy(ROOT / "app.py", folder)
    (folder / "assets").symlink_to(ROOT / "assets")
    for addition in ADDITIONS.values():
        (folder / addition.path).parent.mkdir(exist_ok=True)
        (folder / addition.path).write_text(addition.text, "utf-8")
        edited = (folder / addition.edited).read_text("utf-8")
        for before, line in addition.lines:
            assert edited.count(before) == 1, (addition.edited, before)
            edited = edited.replace(before, before + line)
        (folder / addition.edited).write_text(edited, "utf-8")
        for known, new in addition.copies:
            shutil.copy(folder / known, folder / new)
    return folder


@pytest.mark.parametrize("what", ADDITIONS)
def test_one_new_file_and_one_that_there_was_are_opened(what, project):
    """An added page also needs a copy of a file that gives it an address before app.py has run."""
    env = {**os.environ, "PYTHONPATH": str(project)}
    done = subprocess.run(
        [sys.executable, "-c", _USE + ADDITIONS[what].works],
        env=env,
        cwd=project,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-3000:]
