"""The tuples name every algorithm and metric, and each has what a registered one must have."""

from __future__ import annotations

import ast
import functools
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import kanon_core.algorithms
import kanon_core.metrics
from kanon_core.algorithms import ALGORITHMS, Algorithm
from kanon_core.base.options import Nested, from_json, options_of, to_json
from kanon_core.cli.commands import parser
from kanon_core.metrics import METRICS, UTILITIES, Metric
from tests.golden.recipes import CASES
from tests.helpers import looped

TESTS = Path(__file__).parents[1]
REFERENCES = TESTS.parent / "docs" / "reference" / "references.md"
YEAR = re.compile(r"\b(?:19|20)\d\d\b")

each_class = looped("cls", [*ALGORITHMS, *METRICS, *UTILITIES])
each_algorithm = looped("cls", ALGORITHMS)


def subclasses(base: type, package) -> set[type]:
    """Every subclass that the package's modules define (compiled kernels define none) and give a title: bases
    have none."""
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.endswith("_kernels"):
            importlib.import_module(module.name)
    found, todo = set(), [base]
    while todo:
        below = todo.pop().__subclasses__()
        todo += below
        found |= {cls for cls in below if "title" in vars(cls)}
    return {cls for cls in found if cls.__module__.startswith(f"{package.__name__}.")}


def test_every_algorithm_is_in_its_tuple():
    assert subclasses(Algorithm, kanon_core.algorithms) == set(ALGORITHMS)
    assert len(set(ALGORITHMS)) == len(ALGORITHMS) > 0


def test_every_metric_is_in_its_tuple():
    assert subclasses(Metric, kanon_core.metrics) == {*METRICS, *UTILITIES}
    assert len({*METRICS, *UTILITIES}) == len(METRICS) + len(UTILITIES)


@functools.cache
def bibliography() -> tuple[tuple[str, ...], tuple[tuple[set[str], set[str]], ...]]:
    """Return the keys of the papers in docs/reference/references.md, and each entry's surnames and years."""
    lines = REFERENCES.read_text("utf-8").splitlines()
    keys = tuple(re.findall(r"\*\*([^*]+ paper)\*\*", "\n".join(lines)))
    entries = []
    for line in lines:
        if line.startswith("- ") and ": " in line:
            authors, work = line[2:].split(": ", 1)
            named = authors.replace("(eds.)", "").split(",")
            entries.append(({author.split()[-1] for author in named}, set(YEAR.findall(work))))
    return keys, tuple(entries)


def cites(text: str) -> bool:
    """Return whether a text names one of the papers, or an author's surname and, close behind it, the year of
    the same entry."""
    text, (keys, entries) = " ".join(text.split()), bibliography()
    return any(re.search(rf"\b{key}\b", text) for key in keys) or any(
        re.search(rf"\b{re.escape(name)}\b.{{0,200}}\b{year}\b", text)
        for names, years in entries
        for name in names
        for year in years
    )


def test_the_bibliography_is_read_as_it_is_written():
    keys, entries = bibliography()
    assert set(keys) == {
        f"{key} paper" for key in ("k-concealment", "set-valued", "purchase-history", "ILD", "MIL")
    }
    assert len(entries) > 30 and all(names and years for names, years in entries)
    assert cites("L. Sweeney: k-anonymity, 2002") and cites("definition 2.2 of the ILD paper")
    assert (
        not cites("in 2002")
        and not cites("Sweeney 1999")
        and not cites("the paper")
        and not cites("Nobody 2002")
    )


@each_class
def test_it_is_documented_with_a_reference(cls):
    text = cls.__dict__.get("__doc__") or ""
    assert len(text) > 80 and cites(text), f"{cls.__name__} cites no source of docs/reference/references.md"


@functools.cache
def with_golden_case() -> set[str]:
    """The names of all classes of which a golden case is computed: named in the list of recipes, or made in a
    test of golden values, of algorithms or of metrics."""
    named = {type(part).__name__ for case in CASES for part in (case.algorithm, *case.more)}
    for folder in ("golden", "algorithms", "metrics"):
        for path in (TESTS / folder).rglob("test_*.py"):
            calls = (
                node.func
                for node in ast.walk(ast.parse(path.read_text("utf-8")))
                if isinstance(node, ast.Call)
            )
            named |= {getattr(made, "attr", getattr(made, "id", "")) for made in calls}
    return named


@each_class
def test_it_has_a_golden_case(cls):
    assert cls.__name__ in with_golden_case(), cls.__name__


@each_algorithm
def test_an_algorithm_says_what_it_is(cls):
    assert cls.title.strip() and cls.summary.endswith(".")
    assert cls.__module__.startswith(f"kanon_core.algorithms.{cls.family}.")
    assert cls().guarantees(7)[0].k == 7
    assert isinstance(cls.randomized, bool)


@each_class
def test_its_options_are_complete(cls):
    names = {known.__name__ for known in ALGORITHMS}
    for option in options_of(cls):
        assert option.kind.help.strip(), option.name
        assert option.kind.check(option.default) == option.default
        assert option.kind.illegal()
        if isinstance(option.kind, Nested):
            assert set(option.kind.among) <= names
    assert from_json(to_json(cls())) == cls()


@each_algorithm
def test_its_options_are_flags_of_the_command_line(cls, capsys):
    words = ["anonymize", f"--algorithm={cls.__name__.lower()}", "--help"]
    with pytest.raises(SystemExit):
        parser(words).parse_args(words)
    shown = capsys.readouterr().out
    assert all(f"--{option.name.replace('_', '-')}" in shown for option in options_of(cls))
